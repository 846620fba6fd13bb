#include "support/relative_extents.hpp"

#include <algorithm>

namespace mo::builtin_passes {

RelativeExtent operator*(const RelativeExtent& a, const RelativeExtent& b) {
  RelativeExtent p = a;
  if (b.number != 0 && p.number > INT64_MAX / b.number) return {0, {}};  // 0 is nobody's dimension here
  p.number *= b.number;
  p.open.insert(p.open.end(), b.open.begin(), b.open.end());
  std::sort(p.open.begin(), p.open.end());
  return p;
}

std::optional<RelativeExtent> operator/(const RelativeExtent& a, const RelativeExtent& b) {
  if (b.number == 0 || a.number % b.number != 0) return std::nullopt;
  RelativeExtent q{a.number / b.number, a.open};
  for (const size_t dim : b.open) {
    const auto at = std::find(q.open.begin(), q.open.end(), dim);
    if (at == q.open.end()) return std::nullopt;
    q.open.erase(at);
  }
  return q;
}

RelativeExtent product_of(const RelativeExtents& list, size_t begin, size_t end) {
  RelativeExtent p;
  for (size_t i = begin; i < end; ++i) p = p * list[i];
  return p;
}

std::optional<RelativeExtents> extents_of(const OutPort& x) {
  const Shape s = x.shape();
  if (!s.has_rank()) return std::nullopt;
  RelativeExtents list;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == Dim(0)) return std::nullopt;
    list.push_back(s[i].is_static() ? RelativeExtent{s[i].value(), {}} : RelativeExtent{1, {i}});
  }
  return list;
}

namespace {

// A single dimension of x, read from its shape.
std::optional<RelativeExtent> dimension_read(OutPort p, const OutPort& x, const RelativeExtents& of_x) {
  for (int steps = 0; steps < 8; ++steps) {
    const std::string op = p.node().op_name();
    if (op != "Unsqueeze" && op != "Squeeze" && op != "Reshape" && op != "Convert") break;
    p = p.node().in_port(0).get_source();
  }
  const Node n = p.node();
  if (!n.is("Gather") || !n.in_node(1).is("Const") || p.shape().elements() != Dim(1)) return std::nullopt;
  OutPort list = n.in_port(0).get_source();
  while (list.node().is("Convert")) list = list.node().in_port(0).get_source();
  if (!list.node().is("ShapeOf") || list.node().in_port(0).get_source() != x) return std::nullopt;
  const int64_t at = n.in_port(1).value()->integer(0), rank = x.shape().rank();
  if (at < -rank || at >= rank) return std::nullopt;
  return of_x[normalize_axis(at, of_x.size())];
}

// The list of a Reshape: -1, 0 and what is known otherwise.
struct Wanted {
  std::optional<RelativeExtent> extent;
  int64_t special = 1;
};

std::optional<std::vector<Wanted>> wanted_of(const OutPort& list, const OutPort& x,
                                             const RelativeExtents& of_x) {
  const Node n = list.node();
  std::vector<Wanted> wanted;
  const auto add_numbers = [&](const OutPort& numbers) {
    for (const int64_t v : numbers.value()->to_ints())
      wanted.push_back(v > 0 ? Wanted{RelativeExtent{v, {}}, v} : Wanted{std::nullopt, v});
  };
  if (n.is("Const")) {
    add_numbers(list);
    return wanted;
  }
  // The shape of x itself.
  if (n.is("ShapeOf") && n.in_port(0).get_source() == x) {
    for (const RelativeExtent& e : of_x) wanted.push_back({e, 1});
    return wanted;
  }
  if (!n.is("Concat")) return std::nullopt;
  for (const InPort& in : n.in_ports()) {
    const OutPort part = in.get_source();
    if (!part) return std::nullopt;
    if (part.node().is("Const")) {
      add_numbers(part);
      continue;
    }
    if (part.shape().elements() != Dim(1)) return std::nullopt;
    const auto e = dimension_read(part, x, of_x);
    if (!e) return std::nullopt;
    wanted.push_back({e, 1});
  }
  return wanted;
}

}  // namespace

std::optional<RelativeExtents> reshaped_extents(const Node& reshape, const RelativeExtents& have,
                                                const OutPort& x) {
  const auto of_x = extents_of(x);
  const OutPort list = reshape.in_port(1).get_source();
  const auto wanted = of_x && list ? wanted_of(list, x, *of_x) : std::nullopt;
  if (!wanted) return std::nullopt;
  const bool keeps = reshape.attr<bool>("special_zero", false);
  RelativeExtents made;
  std::optional<size_t> rest;
  for (const Wanted& w : *wanted) {
    const size_t i = made.size();
    if (!w.extent && w.special == -1 && !rest) {
      rest = i;
      made.push_back({});
    } else if (!w.extent && w.special == 0 && keeps && i < have.size()) {
      made.push_back(have[i]);
    } else if (w.extent) {
      made.push_back(*w.extent);
    } else {
      return std::nullopt;
    }
  }
  const RelativeExtent all = product_of(have, 0, have.size());
  if (!rest) return product_of(made, 0, made.size()) == all ? std::optional(made) : std::nullopt;
  const auto left = all / product_of(made, 0, made.size());
  if (!left) return std::nullopt;
  made[*rest] = *left;
  return made;
}

}  // namespace mo::builtin_passes

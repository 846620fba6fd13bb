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

constexpr int most_views = 8;  // however long a model's row of views and choices is

// Sizes that are computed from those of x: dimensions of it, wherever they are read, and multiples of one.
class SizesOf {
 public:
  SizesOf(const OutPort& x, const RelativeExtents& of_x, SymbolsOf& symbols)
      : of_x_(of_x), symbols_(symbols), dims_(symbols.dims(x)) {}

  std::optional<RelativeExtents> read(OutPort p, int depth = 0) {
    if (auto all = known(p)) return all;
    for (int steps = 0; steps < most_views; ++steps) {
      const Node view = p.node();
      if (!view.is("Unsqueeze") && !view.is("Squeeze") && !view.is("Reshape") && !view.is("Convert")) break;
      p = view.in_port(0).get_source();
    }
    const Node n = p.node();
    if (!n.is("Multiply") || depth == 4 || p.shape().elements() != Dim(1)) return std::nullopt;
    for (const size_t i : {0U, 1U}) {
      const OutPort factor = n.in_port(i).get_source();
      if (!factor.node().is("Const") || !is_integer(factor.type())) continue;
      const int64_t times = factor.value()->integer(0);
      auto one = times > 0 ? read(n.in_port(1 - i).get_source(), depth + 1) : std::nullopt;
      if (!one || one->size() != 1) return std::nullopt;
      one->front() = one->front() * RelativeExtent{times, {}};
      return one;
    }
    return std::nullopt;
  }

 private:
  std::optional<RelativeExtents> known(const OutPort& p) {
    const auto values = symbols_.values(p);
    if (!values || !dims_) return std::nullopt;
    RelativeExtents list;
    for (const Symbol& e : *values) {
      const auto at = std::find(dims_->begin(), dims_->end(), e);
      if (at != dims_->end())
        list.push_back(of_x_[static_cast<size_t>(at - dims_->begin())]);
      else if (e.is_number() && e.index > 0)
        list.push_back({e.index, {}});
      else
        return std::nullopt;
    }
    return list;
  }

  const RelativeExtents& of_x_;
  SymbolsOf& symbols_;
  std::optional<Symbols> dims_;
};

// The list of a Reshape: -1, 0 and what is known otherwise.
struct Wanted {
  std::optional<RelativeExtent> extent;
  int64_t special = 1;
};

std::optional<std::vector<Wanted>> wanted_of(const OutPort& list, const OutPort& x,
                                             const RelativeExtents& of_x, SymbolsOf& symbols, int depth = 0) {
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
  // In another order, as a Transpose leaves it that went through the Reshape.
  if (n.is("Gather") && n.in_node(1).is("Const") && n.in_port(1).shape().rank() == 1 && depth < most_views) {
    const auto all = wanted_of(n.in_port(0).get_source(), x, of_x, symbols, depth + 1);
    if (!all) return std::nullopt;
    for (const int64_t i : n.in_port(1).value()->to_ints()) {
      if (i < 0 || i >= static_cast<int64_t>(all->size())) return std::nullopt;
      wanted.push_back((*all)[static_cast<size_t>(i)]);
    }
    return wanted;
  }
  if (!n.is("Concat")) return std::nullopt;
  SizesOf sizes(x, of_x, symbols);
  for (const InPort& in : n.in_ports()) {
    const OutPort part = in.get_source();
    if (!part) return std::nullopt;
    if (part.node().is("Const")) {
      add_numbers(part);
      continue;
    }
    const auto read = sizes.read(part);
    if (!read) return std::nullopt;
    for (const RelativeExtent& e : *read) wanted.push_back({e, 1});
  }
  return wanted;
}

}  // namespace

std::optional<RelativeExtents> reshaped_extents(const Node& reshape, const RelativeExtents& have,
                                                const OutPort& x, SymbolsOf& symbols) {
  const auto of_x = extents_of(x);
  const OutPort list = reshape.in_port(1).get_source();
  const auto wanted = of_x && list ? wanted_of(list, x, *of_x, symbols) : std::nullopt;
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

#include "support/extents.hpp"

namespace mo::builtin_passes {

namespace {

constexpr size_t longest_list = 64;

bool is_constant(const Node& n) { return n.op() == "Const"; }

PortExtents of_constant(const OutPort& p) {
  PortExtents e;
  const auto value = p.value();
  if (!value) return e;
  e.dims.emplace();
  for (const int64_t d : value->dims()) e.dims->push_back(fixed_extent(d));
  if (!is_integer(value->type()) || value->rank() > 1 || value->size() > longest_list) return e;
  e.values.emplace();
  for (const int64_t v : value->to_ints()) e.values->push_back(fixed_extent(v));
  return e;
}

// A rule that says nothing, or not the rank that inference found, is not followed.
void complete(const Node& n, std::vector<PortExtents>& out) {
  for (size_t i = 0; i < out.size(); ++i) {
    const OutPort p = n.out_port(i);
    const Shape s = p.shape();
    if (!s.has_rank()) {
      out[i].dims.reset();
      out[i].values.reset();
      continue;
    }
    if (!out[i].dims || out[i].dims->size() != s.size()) out[i].dims = own_dims(p, s);
    // What inference found to be another number is no reason to be wrong, too.
    for (size_t d = 0; d < s.size(); ++d)
      if ((*out[i].dims)[d].is_fixed() && !s[d].contains((*out[i].dims)[d].value))
        (*out[i].dims)[d] = own_dims(p, s)[d];
    const bool list = s.rank() <= 1 && is_integer(p.type());
    const bool fits = out[i].values && s.elements() == Dim(static_cast<int64_t>(out[i].values->size()));
    if (!list || !fits || out[i].values->size() > longest_list) out[i].values.reset();
  }
}

}  // namespace

Extent fixed_extent(int64_t value) {
  Extent e;
  e.value = value;
  return e;
}

Extents own_dims(const OutPort& p, const Shape& s) {
  Extents dims;
  for (size_t i = 0; i < s.size(); ++i)
    dims.push_back({Extent::Kind::dimension, 0, p.node().id(), p.index(), static_cast<uint32_t>(i)});
  return dims;
}

Extents broadcast_extents(const Extents& a, const Extents& b, const Extents& own) {
  Extents out = own;
  for (size_t i = 0; i < out.size(); ++i) {  // from the last dimension on
    const Extent one = fixed_extent(1);
    const Extent x = i < a.size() ? a[a.size() - 1 - i] : one;
    const Extent y = i < b.size() ? b[b.size() - 1 - i] : one;
    Extent& r = out[out.size() - 1 - i];
    if (x == y || y == one)
      r = x;
    else if (x == one || y.is_fixed())  // a fixed one that is not 1 decides
      r = y;
    else if (x.is_fixed())
      r = x;
  }
  return out;
}

const std::optional<Extents>& ExtentsQuery::dims(size_t i) const {
  static const std::optional<Extents> none;
  return i < in.size() && in[i] != nullptr ? in[i]->dims : none;
}

const std::optional<Extents>& ExtentsQuery::values(size_t i) const {
  static const std::optional<Extents> none;
  return i < in.size() && in[i] != nullptr ? in[i]->values : none;
}

const PortExtents& ExtentsOf::of(const OutPort& p) {
  std::vector<Node> open{p.node()};
  while (!open.empty()) {
    const Node n = open.back();
    if (known_.count(n.id()) != 0) {
      open.pop_back();
      continue;
    }
    std::vector<PortExtents> out(n.out_count());
    if (is_constant(n)) {
      out[0] = of_constant(n.out_port());
    } else {
      ExtentsQuery q{n, n.op(), {}};
      const ExtentsRule rule = n.opset().compare(0, 5, "opset") == 0 ? extents_rule(q.op) : nullptr;
      if (rule != nullptr) {
        const size_t before = open.size();
        std::vector<OutPort> sources;
        for (const InPort& in : n.in_ports()) {
          sources.push_back(in.get_source());
          if (sources.back() && known_.count(sources.back().node().id()) == 0)
            open.push_back(sources.back().node());
        }
        if (open.size() != before) continue;
        for (const OutPort& s : sources) q.in.push_back(s ? &known_.at(s.node().id())[s.index()] : nullptr);
        rule(q, out);
      }
      complete(n, out);
    }
    known_.emplace(n.id(), std::move(out));
    open.pop_back();
  }
  return known_.at(p.node().id())[p.index()];
}

}  // namespace mo::builtin_passes

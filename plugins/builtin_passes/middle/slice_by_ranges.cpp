// Indices that count a dimension each, from 0 on, take a part of the tensor as it stands:
//   GatherND(x [A,B], Concat(Broadcast(Range(0, m) [m,1,1,1]), Broadcast(Range(0, n) [1,1,1,n])))
//   ->  Unsqueeze(Slice(x, {0, 0}, {m, n}), {1, 2})
// which is how exporters write a mask over tokens. What has the size of the dimension is not cut.
#include <mo/build.hpp>
#include <mo/slices.hpp>

#include "support/asking_sizes.hpp"
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class SliceByRanges : public AskingSizes<MatcherPass> {
 public:
  SliceByRanges() : AskingSizes(MO_PHASE_PRE_MIDDLE) {
    id = "middle.slice_by_ranges";
    doc = "a GatherND whose indices count dimensions from 0 on becomes a Slice";
    before = R"(
      %x = Parameter -> f32[?,3]
      %s = ShapeOf@opset3 (%x) {output_type=i64}
      %zero = Const -> i64[] {0}
      %one = Const -> i64[] {1}
      %n = Gather@opset1 (%s, %zero, %zero)
      %r = Range@opset4 (%zero, %n, %one) {output_type=i64}
      %axis = Const -> i64[1] {1}
      %rows = Unsqueeze@opset1 (%r, %axis)
      %two = Const -> i64[] {2}
      %q = Range@opset4 (%zero, %two, %one) {output_type=i64}
      %count = ShapeOf@opset3 (%r) {output_type=i64}
      %width = Const -> i64[1] {2}
      %sizes = Concat@opset1 (%count, %width) {axis=0}
      %i = Broadcast@opset3 (%rows, %sizes) {mode="numpy"}
      %j = Broadcast@opset3 (%q, %sizes) {mode="numpy"}
      %last = Const -> i64[1] {-1}
      %a = Unsqueeze@opset1 (%i, %last)
      %b = Unsqueeze@opset1 (%j, %last)
      %indices = Concat@opset1 (%a, %b) {axis=-1}
      %y = GatherND@opset8 (%x, %indices) {batch_dims=0}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,3]
      %from = Const -> i64[1] {0}
      %to = Const -> i64[1] {2}
      %step = Const -> i64[1] {1}
      %axis = Const -> i64[1] {1}
      %y = Slice@opset8 (%x, %from, %to, %step, %axis)
      Result (%y))";
    force_clean_up = true;
    register_matcher(wrap_type({"GatherND"}, {any_input(), wrap_type({"opset1::Concat"})}),
                     [this](const Graph& g, const Match& m) { slice(g, m.root()); });
  }

 private:
  // One part of the indices: the end of its Range, a scalar, and where in the indices it counts.
  struct Counted {
    OutPort end;
    Symbol count;
    size_t axis;
  };

  void slice(const Graph& g, const Node& n) {
    const OutPort x = source_of(n, 0), indices = source_of(n, 1);
    const Shape s = x.shape(), all = indices.shape();
    if (n.attr<int64_t>("batch_dims", 0) != 0 || !s.has_rank() || !all.has_rank() || all.size() < 2) return;
    const Node joined = indices.node();
    const size_t rank = all.size() - 1;
    if (joined.in_count() > s.size() || normalize_axis(joined.attr<int64_t>("axis"), all.size()) != rank)
      return;
    std::vector<Counted> parts;
    for (const InPort& in : joined.in_ports()) {
      const auto part = counted(in.get_source(), indices, rank);
      if (!part) return;
      only_when(parts.empty() || parts.back().axis < part->axis, "'", joined.name(),
                "' counts dimensions in another order than the result has them");
      parts.push_back(*part);
    }
    Ints axes;
    for (size_t i = 0; i < rank; ++i) {
      const auto at_axis = [&](const Counted& p) { return p.axis == i; };
      if (std::any_of(parts.begin(), parts.end(), at_axis)) continue;
      only_when(all[i] == Dim(1), "dimension ", i, " of '", joined.name(), "' repeats what is taken");
      axes.push_back(static_cast<int64_t>(i));
    }
    const Build b(g, n);
    Ports ends;
    Ints cut;
    for (size_t i = 0; i < parts.size(); ++i)
      if (!has_size(x, i, parts[i].count)) {
        ends.push_back(b.convert(b.unsqueeze(parts[i].end, b.list({0})), ElementType::i64));
        cut.push_back(static_cast<int64_t>(i));
      }
    OutPort made = x;
    if (!cut.empty())
      made = b.op("Slice", "opset8",
                  {x, b.list(Ints(cut.size(), 0)), ends.size() == 1 ? ends[0] : b.concat(ends),
                   b.list(Ints(cut.size(), 1)), b.list(cut)});
    if (!axes.empty()) made = b.unsqueeze(made, b.list(axes));
    if (made != x)
      take_place(n, made, {});
    else
      eliminate(n.out_port(), x);
  }

  bool has_size(const OutPort& x, size_t i, const Symbol& count) {
    const Dim d = x.shape()[i];
    if (count.is_number()) return d == Dim(count.index);
    const auto dims = symbols_.dims(x);
    return dims && (*dims)[i] == count;
  }

  // Nothing where the part is something else than a Range that is laid along one dimension, and repeated in others.
  std::optional<Counted> counted(const OutPort& part, const OutPort& indices, size_t rank) {
    OutPort laid = unsqueezed(part, rank);
    if (laid && laid.node().is("Broadcast") && laid.node().attr<std::string>("mode", "numpy") != "explicit")
      laid = source_of(laid.node(), 0);
    if (!laid || !laid.shape().has_rank() || laid.shape().size() > rank) return std::nullopt;
    const Shape s = laid.shape();
    std::optional<size_t> along;
    for (size_t i = 0; i < s.size(); ++i) {
      if (s[i] == Dim(1)) continue;
      if (along) return std::nullopt;
      along = i;
    }
    OutPort range = laid;
    while (is_one_of(range.node(), {"Unsqueeze", "Squeeze", "Reshape"})) range = source_of(range.node(), 0);
    const Node r = range.node();
    if (!along || !r.is("Range") || constant_number(r, 0) != 0 || constant_number(r, 2) != 1)
      return std::nullopt;
    const OutPort end = source_of(r, 1);
    const auto size = symbols_.values(end);
    if (end.shape().rank() != 0 || !size || size->size() != 1) return std::nullopt;
    const Symbol& count = size->front();
    const bool is_size = count.is_dimension() || (count.is_number() && count.index >= 0);
    const size_t axis = *along + rank - s.size();
    if (!is_size || !same(laid, *along, indices, axis)) return std::nullopt;
    return Counted{end, count, axis};
  }

  // What has its last dimension, of size 1, from an Unsqueeze.
  static OutPort unsqueezed(const OutPort& part, size_t rank) {
    const Node n = part.node();
    if (!n.is("Unsqueeze")) return {};
    const auto axes = constant_ints(n, 1);
    if (!axes || axes->size() != 1 || (axes->front() != -1 && axes->front() != static_cast<int64_t>(rank)))
      return {};
    return source_of(n, 0);
  }

  static bool is_one_of(const Node& n, std::initializer_list<std::string_view> types) {
    return std::any_of(types.begin(), types.end(), [&](std::string_view type) { return n.is(type); });
  }

  static std::optional<double> constant_number(const Node& n, uint32_t i) {
    const auto value = n.in_port(i).value();
    return value && value->size() == 1 ? std::optional(value->to_floats<double>().front()) : std::nullopt;
  }
};

void register_slice_by_ranges(Registry& r) { simplifying<SliceByRanges>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes

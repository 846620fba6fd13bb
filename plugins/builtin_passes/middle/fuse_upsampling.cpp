// Elements that are repeated next to one another are a nearest Interpolate:
//   Reshape(Tile(Unsqueeze(x, 3), {1, 1, 1, 2}), …), also by a product with ones or Broadcast, rows and then columns
//   Concat(s0, s0, s1, s1, …) of all that Split makes of a dimension
//   an Interpolate of one dimension after that of another
//     ->  Interpolate(x)
#include "support/asking_sizes.hpp"
#include "support/fusion.hpp"
#include "support/rearrangement.hpp"
#include "support/repetition.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

using Counts = std::vector<int64_t>;

// How often a node repeats each dimension of its first input, of `have` dimensions; `inside` gets it.
std::optional<Counts> repeats_of(const Node& n, const RelativeExtents& have, OutPort& repeated) {
  const std::string op = n.op_name();
  repeated = n.in_port(0).get_source();
  if (op == "Tile") {
    if (!n.in_node(1).is("Const")) return std::nullopt;
    Counts counts = n.in_port(1).value()->to_ints();
    return counts.size() == have.size() ? std::optional(counts) : std::nullopt;
  }
  if (op != "Multiply") return std::nullopt;
  for (const size_t i : {0U, 1U}) {
    const OutPort ones = n.in_port(i).get_source();
    if (!ones.node().is("Const") || !is_float(ones.type()) || bits(ones.type()) < 16) continue;
    const Tensor t = *ones.value();
    const auto values = t.to_floats<double>();
    if (t.rank() != have.size() || std::any_of(values.begin(), values.end(), [](double v) { return v != 1; }))
      continue;
    Counts counts = t.dims();
    for (size_t d = 0; d < counts.size(); ++d)
      if (counts[d] != 1 && have[d] != RelativeExtent{}) return std::nullopt;
    repeated = n.in_port(1 - i).get_source();
    return counts;
  }
  return std::nullopt;
}

// Dimensions of what Reshape or Unsqueeze makes of x.
std::optional<RelativeExtents> spread_extents(const Node& view, const OutPort& x, SymbolsOf& symbols) {
  const auto have = extents_of(x);
  if (!have) return std::nullopt;
  if (view.is("Reshape")) return reshaped_extents(view, *have, x, symbols);
  if (!view.is("Unsqueeze") || !view.in_node(1).is("Const")) return std::nullopt;
  Counts axes = view.in_port(1).value()->to_ints();
  const auto rank = static_cast<int64_t>(have->size() + axes.size());
  RelativeExtents made(static_cast<size_t>(rank));
  for (int64_t& a : axes) a = a < 0 ? a + rank : a;
  size_t next = 0;
  for (int64_t i = 0; i < rank; ++i)
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) {
      if (next == have->size()) return std::nullopt;
      made[static_cast<size_t>(i)] = (*have)[next++];
    }
  return made;
}

// How often each dimension of `from` is repeated, when it is the ones behind it that are.
std::optional<Counts> factors_of(const RelativeExtents& from, const RelativeExtents& split,
                                 const Counts& counts) {
  Counts factors;
  size_t j = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    if (j == split.size() || split[j] != from[i] || counts[j] != 1) return std::nullopt;
    ++j;
    int64_t factor = 1;
    // Ones that x itself does not have.
    while (j < split.size() && split[j] == RelativeExtent{} && split.size() - j > from.size() - i - 1)
      factor *= counts[j++];
    factors.push_back(factor);
  }
  return j == split.size() ? std::optional(factors) : std::nullopt;
}

// Space, as runtimes resize it.
bool is_space(const Counts& axes, size_t rank) {
  if (axes.empty() || axes.size() > 3 || rank < 3 || rank > 5) return false;
  return axes.front() >= 2 || (rank == 4 && axes == Counts{1, 2});
}

}  // namespace

class FuseUpsampling : public AskingSizes<Fusion> {
 public:
  FuseUpsampling() {
    id = "middle.fuse_upsampling";
    doc = "repeated elements become a nearest Interpolate, and one Interpolate after another a single one";
    before = R"(
      %x = Parameter -> f32[1,2,3,4]
      %axis = Const -> i64[1] {3}
      %u = Unsqueeze@opset1 (%x, %axis)
      %often = Const -> i64[5] {1,1,1,2,1}
      %t = Tile@opset1 (%u, %often)
      %shape = Const -> i64[4] {1,2,6,4}
      %y = Reshape@opset1 (%t, %shape) {special_zero=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,3,4]
      %sizes = Const@opset1 -> i64[1] {6}
      %scales = Const@opset1 -> f32[1] {2}
      %axes = Const@opset1 -> i64[1] {2}
      %y = Interpolate@opset4 (%x, %sizes, %scales, %axes) {mode="nearest", shape_calculation_mode="scales", coordinate_transformation_mode="asymmetric", nearest_mode="floor"}
      Result (%y))";
    ops = {"Concat", "Reshape", "Interpolate"};
  }

 private:
  void fuse_at(const Graph& g, const Node& n) override {
    if (n.is("Concat"))
      of_split(g, n);
    else if (n.is("Reshape"))
      of_repeats(g, n);
    else
      in_a_row(g, n);
  }

  struct Repeats {
    OutPort x;
    Counts factors;
    Nodes inside;
  };

  void of_repeats(const Graph& g, const Node& last) {
    auto found = repeats_at(last);
    if (!found) return;
    // Rows before columns; the sizes that the second one is told may be read in between.
    while (const auto inner = repeats_at(found->x.node())) {
      const auto readers = found->x.get_destinations();
      if (std::count_if(readers.begin(), readers.end(),
                        [](const InPort& in) { return !in.node().is("ShapeOf"); }) != 1)
        break;
      Counts all = found->factors;
      for (size_t d = 0; d < all.size(); ++d) all[d] *= inner->factors[d];
      const size_t rank = all.size();
      if (is_space(repeated_axes(found->factors), rank) && !is_space(repeated_axes(all), rank)) break;
      found->factors = all;
      if (readers.size() == 1) {
        found->inside.push_back(found->x.node());
        found->inside.insert(found->inside.end(), inner->inside.begin(), inner->inside.end());
      }
      found->x = inner->x;
    }
    resize(g, last, found->x, found->factors, found->inside);
  }

  std::optional<Repeats> repeats_at(const Node& last) {
    if (!last.is("Reshape")) return std::nullopt;
    const Node repeat = last.in_node(0);
    if (!repeat.is("Tile") && !repeat.is("Multiply")) return std::nullopt;
    if (repeat.out_port().destination_count() != 1) return std::nullopt;
    // What is repeated, of one element next to each that stays; found by the number of its dimensions.
    for (size_t i = 0; i < repeat.in_count(); ++i) {
      const Node view = repeat.in_node(i);
      if (!view.is("Unsqueeze") && !view.is("Reshape")) continue;
      const OutPort x = view.in_port(0).get_source();
      const auto from = extents_of(x), split = spread_extents(view, x, symbols_);
      if (!split || view.out_port().destination_count() != 1) continue;
      OutPort repeated;
      const auto counts = repeats_of(repeat, *split, repeated);
      const auto factors =
          counts && repeated == view.out_port() ? factors_of(*from, *split, *counts) : std::nullopt;
      if (!factors) continue;
      RelativeExtents repeated_split = *split, wanted = *from;
      for (size_t d = 0; d < repeated_split.size(); ++d)
        repeated_split[d] = repeated_split[d] * RelativeExtent{(*counts)[d], {}};
      for (size_t d = 0; d < wanted.size(); ++d) wanted[d] = wanted[d] * RelativeExtent{(*factors)[d], {}};
      if (reshaped_extents(last, repeated_split, x, symbols_) != wanted) continue;
      return Repeats{x, *factors, {repeat, view}};
    }
    return std::nullopt;
  }

  void of_split(const Graph& g, const Node& n) {
    const size_t count = n.in_count();
    const OutPort first = count == 0 ? OutPort() : n.in_port(0).get_source();
    const Node split = first ? first.node() : Node();
    if (!split || !split.is("Split") || !split.in_node(1).is("Const")) return;
    const size_t pieces = split.out_count();
    const OutPort x = split.in_port(0).get_source();
    const Shape s = x.shape();
    if (pieces < 2 || count % pieces != 0 || count == pieces || !s.has_rank()) return;
    const size_t often = count / pieces;
    for (size_t i = 0; i < count; ++i) {
      const OutPort in = n.in_port(i).get_source();
      if (!in || in.node() != split || in.index() != i / often) return;
    }
    const size_t axis = normalize_axis(split.in_port(1).value()->integer(0), s.size());
    if (axis != normalize_axis(n.attr<int64_t>("axis"), s.size()) ||
        s[axis] != Dim(static_cast<int64_t>(pieces)))
      return;
    if (!is_alone(n, {split})) return;
    Counts factors(s.size(), 1);
    factors[axis] = static_cast<int64_t>(often);
    resize(g, n, x, factors, {split});
  }

  void resize(const Graph& g, const Node& n, const OutPort& x, const Counts& factors, const Nodes& inside) {
    if (!is_float_here(x)) return;
    if (!is_space(repeated_axes(factors), x.shape().size())) {
      near("it repeats elements along dimensions that are not the last ones of 3 to 5");
      return;
    }
    const Node made = repeat_elements(g, n.name() + "/Interpolate", x, factors);
    take_place(n, made.out_port(), inside);
  }

  static bool have_same(const Node& a, const Node& b) {
    for (const char* name :
         {"mode", "shape_calculation_mode", "coordinate_transformation_mode", "nearest_mode"})
      if (a.attr<std::string>(name, "") != b.attr<std::string>(name, "")) return false;
    const auto pads = [](const Node& n, const char* name) {
      const auto list = n.find_attr<Counts>(name).value_or(Counts{});
      return std::any_of(list.begin(), list.end(), [](int64_t p) { return p != 0; });
    };
    for (const Node& n : {a, b})
      if (n.attr<bool>("antialias", false) || pads(n, "pads_begin") || pads(n, "pads_end")) return false;
    // Along one dimension after the other is the same as along both; linear_onnx takes two or three at once.
    return a.attr<std::string>("mode") == "nearest" || a.attr<std::string>("mode") == "linear";
  }

  void in_a_row(const Graph& g, const Node& n) {
    const Node inner = n.in_node(0);
    if (!inner.is("Interpolate") || n.opset() != "opset4" || inner.opset() != "opset4") return;
    if (n.in_count() != 4 || inner.in_count() != 4 || inner.out_port().destination_count() != 1) return;
    for (const size_t i : {1U, 2U, 3U})
      if (!n.in_node(i).is("Const") || !inner.in_node(i).is("Const")) return;
    if (!have_same(n, inner)) {
      near("it resizes in another way than '", inner.name(), "' before it");
      return;
    }
    const OutPort x = inner.in_port(0).get_source();
    struct Part {
      int64_t axis, size;
      double scale;
    };
    std::vector<Part> parts;
    for (const Node& i : {inner, n}) {
      const auto sizes = i.in_port(1).value()->to_ints(), axes = i.in_port(3).value()->to_ints();
      const auto scales = i.in_port(2).value()->to_floats<double>();
      if (sizes.size() != axes.size() || scales.size() != axes.size()) return;
      for (size_t k = 0; k < axes.size(); ++k) parts.push_back({axes[k], sizes[k], scales[k]});
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.axis < b.axis; });
    Counts axes, sizes;
    std::vector<double> scales;
    for (const Part& p : parts) {
      if (p.axis < 0 || (!axes.empty() && axes.back() == p.axis)) return;
      axes.push_back(p.axis);
      sizes.push_back(p.size);
      scales.push_back(p.scale);
    }
    const Shape s = x.shape();
    if (!s.has_rank() || !is_space(axes, s.size())) return;
    const std::string name = n.name() + "/all";
    const Tensor factors =
        Tensor::filled(g.context(), n.in_port(2).type(), scales, {static_cast<int64_t>(scales.size())});
    const Node made = clone_with_new_inputs(
        n,
        {x, g.create_ints(name + "/sizes", sizes), g.create_const(name + "/scales", factors),
         g.create_ints(name + "/axes", axes)},
        name);
    take_place(n, made.out_port(), {inner});
  }
};

void register_fuse_upsampling(Registry& r) { simplifying<FuseUpsampling>(r, Stage::fuse); }

}  // namespace mo::builtin_passes

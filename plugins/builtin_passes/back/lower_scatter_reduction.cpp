// For releases whose scatter operations replace only: each update is laid beside all places it may go to, and
// those that do not meet are left out of the reduction.
//   ScatterElementsUpdate(x, i, u, axis) {sum}
//     ->  x + ReduceSum(Select(Unsqueeze(i, axis + 1) == {0,1,…}, Unsqueeze(u, axis + 1), 0), axis)
#include "support/lowering.hpp"

#include <limits>

namespace mo::builtin_passes {

namespace {

// Beyond it the table of updates and places is no way to compute it.
constexpr int64_t most_meetings = int64_t{1} << 24;
constexpr const char* too_large = "the table of updates and places would have more than 2^24 elements";

// What is left of numbers that fit.
int64_t volume(const Ints& dims) {
  int64_t n = 1;
  for (const int64_t d : dims) n = d != 0 && n > most_meetings / d ? most_meetings + 1 : n * d;
  return n;
}

// Indices that count from the end count from the start.
OutPort wrapped_indices(const Build& b, const OutPort& indices, const OutPort& size) {
  const OutPort i = b.convert(indices, ElementType::i64);
  const OutPort negative = b.op("Less", "opset1", {i, b.integer(0)});
  return b.select(negative, b.op("Add", "opset1", {i, size}), i);
}

// The updates that meet each place of the data, reduced over `axis`, where `meets` has one more dimension
// than the data.
struct ScatterReduction {
  const Build& b;
  std::string how;
  bool keeps;  // the data take part
  ElementType type;

  OutPort number(double v) const { return b.constant(Tensor::filled(b.context(), type, {v}, {})); }

  OutPort of(const OutPort& data, const OutPort& meets, const OutPort& updates, int64_t axis) const {
    const OutPort axes = b.list({axis});
    const auto with = [&](const char* op, const OutPort& l, const OutPort& r) {
      return b.op(op, "opset1", {l, r});
    };
    if (how == "max" || how == "min") {
      const char* reduce = how == "max" ? "ReduceMax" : "ReduceMin";
      const char* combine = how == "max" ? "Maximum" : "Minimum";
      if (keeps)
        return with(combine, data,
                    b.reduce(reduce, b.select(meets, updates, b.unsqueeze(data, axes)), axes, false));
      only_when(is_float(type), "the data take no part, and ", name(type),
                " has no number beyond all others for ", "places that no update meets");
      const double none = std::numeric_limits<double>::infinity();
      const OutPort most =
          b.reduce(reduce, b.select(meets, updates, number(how == "max" ? -none : none)), axes, false);
      return b.select(b.reduce("ReduceLogicalOr", meets, axes, false), most, data);
    }
    const bool product = how == "prod";
    const OutPort all = b.reduce(product ? "ReduceProd" : "ReduceSum",
                                 b.select(meets, updates, number(product ? 1 : 0)), axes, false);
    const char* combine = product ? "Multiply" : how == "sub" ? "Subtract" : "Add";
    const OutPort kept = keeps ? with(combine, data, all) : all;
    only_when(how != "mean" || is_float(type),
              "it takes a mean of integers, which is rounded in a way of its own");
    const auto mean = [&] {
      const OutPort count = b.reduce("ReduceSum", b.convert(meets, type), axes, false);
      return with("Divide", kept, keeps ? with("Add", count, number(1)) : count);
    };
    const OutPort made = how == "mean" ? mean() : kept;
    return keeps ? made : b.select(b.reduce("ReduceLogicalOr", meets, axes, false), made, data);
  }
};

}  // namespace

class LowerScatterReduction : public Lowering {
 public:
  LowerScatterReduction() {
    id = "back.lower_scatter_reduction";
    doc = "scatter operations that reduce as reductions over all updates";
    before = R"(
      %x = Parameter -> f32[3]
      %i = Const -> i64[2] {2,-1}
      %u = Parameter -> f32[2]
      %axis = Const -> i64[] {0}
      %y = ScatterElementsUpdate@opset12 (%x, %i, %u, %axis) {reduction="sum", use_init_val=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[3]
      %u = Parameter -> f32[2]
      %m = Const -> boolean[2,3] {false,false,true,false,false,true}
      %behind = Const -> i64[1] {1}
      %v = Unsqueeze@opset1 (%u, %behind)
      %none = Const -> f32[] {0}
      %s = Select@opset1 (%m, %v, %none)
      %first = Const -> i64[1] {0}
      %t = ReduceSum@opset1 (%s, %first) {keep_dims=false}
      %y = Add@opset1 (%x, %t)
      Result (%y))";
    lowers("ScatterElementsUpdate", {12});
    lowers("ScatterNDUpdate", {15});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const auto how = n.attr("reduction", std::string("none"));
    const OutPort data = b.in(0);
    const Shape indices = b.in(1).shape();
    only_when(how != "none", "it reduces nothing, as the operation of older releases");
    only_when(data.shape().is_static() && indices.is_static(), "data are ", data.shape(), " and indices ",
              indices, "; all sizes have to be known");
    only_when(data.type() != ElementType::unknown && data.type() != ElementType::boolean, "data are of type ",
              name(data.type()), ", and numbers are needed");
    const ScatterReduction reduction{b, how, n.attr("use_init_val", true), data.type()};
    const Ints dims = data.shape().to_static(), places = indices.to_static();
    return {n.is("ScatterNDUpdate") ? slices(b, reduction, dims, places)
                                    : elements(b, reduction, dims, places)};
  }

  static OutPort numbers_up_to(const Build& b, int64_t count, size_t dimensions_behind) {
    std::vector<double> list;
    for (int64_t i = 0; i < count; ++i) list.push_back(static_cast<double>(i));
    Ints shape(dimensions_behind + 1, 1);
    shape.front() = count;
    return b.constant(Tensor::filled(b.context(), ElementType::i64, list, shape));
  }

  static OutPort elements(const Build& b, const ScatterReduction& reduction, const Ints& dims,
                          const Ints& places) {
    const auto axes = b.ints(3);
    only_when(axes && axes->size() == 1 && dims.size() == places.size(), "its axis is not known");
    const size_t a = normalize_axis(axes->front(), dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
      only_when(i == a || dims[i] == places[i], "it updates ", places[i], " of ", dims[i],
                " places along dimension ", i, ", and not the axis alone");
    Ints table = places;
    table.push_back(dims[a]);
    only_when(volume(table) <= most_meetings, too_large);
    const auto axis = static_cast<int64_t>(a);
    const OutPort behind = b.list({axis + 1});
    const OutPort indices = wrapped_indices(b, b.in(1), b.integer(dims[a]));
    const OutPort meets = b.op(
        "Equal", "opset1", {b.unsqueeze(indices, behind), numbers_up_to(b, dims[a], dims.size() - a - 1)});
    return reduction.of(b.in(0), meets, b.unsqueeze(b.in(2), behind), axis);
  }

  // Data as rows, of which an update takes one; its number follows from the indices.
  static OutPort slices(const Build& b, const ScatterReduction& reduction, const Ints& dims,
                        const Ints& places) {
    only_when(!places.empty() && places.back() > 0 && places.back() <= static_cast<int64_t>(dims.size()),
              "an index has as many numbers as there are dimensions, or fewer, but one at least");
    const auto depth = static_cast<std::ptrdiff_t>(places.back());
    const Ints outer(dims.begin(), dims.begin() + depth), inner(dims.begin() + depth, dims.end()),
        count(places.begin(), places.end() - 1);
    const int64_t rows = volume(outer), width = volume(inner), updates = volume(count);
    only_when(volume({rows, width, updates}) <= most_meetings, too_large);
    Ints strides(outer.size(), 1);
    for (size_t i = outer.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * outer[i + 1];
    const OutPort indices = wrapped_indices(b, b.in(1), b.list(outer));
    const OutPort row = b.reduce("ReduceSum", b.op("Multiply", "opset1", {indices, b.list(strides)}),
                                 b.list({static_cast<int64_t>(count.size())}), false);
    const OutPort meets =
        b.op("Equal", "opset1", {b.reshape(row, b.list({updates, 1, 1})), numbers_up_to(b, rows, 1)});
    const OutPort reduced = reduction.of(b.reshape(b.in(0), b.list({rows, width})), meets,
                                         b.reshape(b.in(2), b.list({updates, 1, width})), 0);
    return b.reshape(reduced, b.list(dims));
  }
};

void register_lower_scatter_reduction(Registry& r) { r.transformation<LowerScatterReduction>(); }

}  // namespace mo::builtin_passes

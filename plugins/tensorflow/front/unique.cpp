// Where, Unique and Bucketize: what depends on the values of a tensor.
#include "support/build.hpp"

namespace mo::tensorflow {

// Places of what is not zero, one in each row.
static Ports where(Build& b, const SourceNode&) {
  const Node places = b.node("NonZero", "opset3", {b.in(0)});
  places.set("output_type", ElementType::i64);
  return {b.transpose(places.out_port(), {1, 0})};
}

// y, numbers of the elements of x in y, and how often each comes.
static Ports unique(Build& b, const SourceNode& n) {
  const ElementType type = n.native("out_idx", ElementType::i32);
  Ports inputs{b.in(0)};
  const bool along = n.is("UniqueV2") || n.is("UniqueWithCountsV2");
  if (along) {
    const auto axis = b.ints(1);
    require(axis && axis->size() <= 1, "input 1, the axis, is not a constant of at most one element");
    if (axis->size() == 1) inputs.push_back(b.integer(axis->front()));
  }
  const Node u = b.node("Unique", "opset10", inputs, 4);
  u.set("sorted", false).set("index_element_type", type).set("count_element_type", type);
  Ports outputs{u.out_port(0), u.out_port(2), u.out_port(3)};
  outputs.resize(std::min<size_t>(n.out_count(), 3));
  return outputs;
}

static Ports bucketize(Build& b, const SourceNode& n) {
  const auto boundaries = n.native<std::vector<double>>("boundaries");
  require(std::is_sorted(boundaries.begin(), boundaries.end()), "attribute 'boundaries' is not sorted");
  const std::vector<float> numbers(boundaries.begin(), boundaries.end());
  const Node k =
      b.node("Bucketize", "opset3", {b.in(0), b.constant(Tensor::vector<float>(b.context(), numbers))});
  k.set("output_type", ElementType::i32).set("with_right_bound", false);
  return {k.out_port()};
}

void register_unique(Registry& r) {
  replace<where>(r, {"Where", "Where(condition)", "Transpose(NonZero(condition))"});
  for (const char* op : {"Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2"})
    replace<unique>(r, {op, text(op, "(x)"), "Unique-10(x)"});
  replace<bucketize>(r, {"Bucketize", "Bucketize(x)", "Bucketize(x, boundaries)"});
}

}  // namespace mo::tensorflow

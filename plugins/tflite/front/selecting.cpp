// Elements chosen by conditions, by order and by their places.
#include "support/build.hpp"

namespace mo::tflite {

namespace selecting {

static constexpr char max[] = "max", min[] = "min";

template <auto& Mode>
static Ports arg_extreme(Build& b, const SourceNode& n) {
  const int64_t axis = constant_int(b, 1, "the axis");
  OutPort x = b.in(0);
  if (x.type() == ElementType::boolean) x = b.convert(x, ElementType::u8);
  const Node top = b.node("TopK", "opset3", {x, b.integer(1)}, 2);
  top.set("axis", axis).set("mode", Mode).set("sort", "value");
  const ElementType type = n.out_port().type();
  top.set("index_element_type", type == ElementType::i64 ? type : ElementType::i32);
  return {b.squeeze(top.out_port(1), {axis})};
}

}  // namespace selecting

// A condition of rank 1 is for the first dimension.
static Ports select(Build& b, const SourceNode& n) {
  OutPort condition = b.in(0);
  const int64_t of_condition = rank_of(b, n, 0), of_data = rank_of(b, n, 1);
  if (of_condition == 1 && of_data > 1) {
    Ints dims(static_cast<size_t>(of_data), 1);
    dims[0] = -1;
    condition = b.reshape(condition, dims);
  }
  return {b.select(condition, b.in(1), b.in(2))};
}

static Ports top_k(Build& b, const SourceNode& n) {
  const OutPort k = b.ints(1) ? b.integer(constant_int(b, 1, "the count")) : b.reshape(b.in(1), b.list({}));
  const Node top = b.node("TopK", "opset3", {b.in(0), k}, 2);
  const ElementType type = n.out_count() > 1 ? n.out_port(1).type() : ElementType::i32;
  const bool fits = type == ElementType::i32 || type == ElementType::i64;
  top.set("axis", -1).set("mode", "max").set("sort", "value");
  top.set("index_element_type", fits ? type : ElementType::i32);
  const OutPort places = top.out_port(1);
  return {top.out_port(0), fits || type == ElementType::unknown ? places : b.convert(places, type)};
}

static Ports places_of(Build& b, const SourceNode&) {
  const Node places = b.node("NonZero", "opset3", {b.in(0)});
  places.set("output_type", ElementType::i64);
  return {b.transpose(places.out_port(), {1, 0})};
}

static Ports unique(Build& b, const SourceNode& n) {
  const ElementType type = n.out_count() > 1 ? n.out_port(1).type() : ElementType::i32;
  const Node u = b.node("Unique", "opset10", {b.in(0)}, 4);
  u.set("sorted", false).set("index_element_type", type).set("count_element_type", type);
  Ports outputs{u.out_port(0), u.out_port(2)};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  return outputs;
}

void register_selecting(Registry& r) {
  using namespace selecting;
  replace<select>(r, {"SELECT", "SELECT(condition, x, y)", "Select(Reshape(condition), x, y)"});
  replace<top_k>(r, {"TOPK_V2", "TOPK_V2(x, k)", "TopK(x, k)"});
  replace<arg_extreme<max>>(r, {"ARG_MAX", "ARG_MAX(x, axis)", "Squeeze(TopK(x, 1).1)"});
  replace<arg_extreme<min>>(r, {"ARG_MIN", "ARG_MIN(x, axis)", "Squeeze(TopK(x, 1).1)"});
  replace<places_of>(r, {"WHERE", "WHERE(condition)", "Transpose(NonZero(condition))"});
  replace<unique>(r, {"UNIQUE", "UNIQUE(x)", "Unique-10(x)"});
}

}  // namespace mo::tflite

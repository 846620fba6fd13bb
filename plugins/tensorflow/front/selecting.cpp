// Elements chosen by conditions and by order.
#include "support/known.hpp"

namespace mo::tensorflow {

// The condition has the shape of the data, or is for their first dimensions, as a vector is.
static Ports select_first_dims(Build& b, const SourceNode&) {
  OutPort condition = b.in(0);
  const auto rank = known_rank(b, condition), of_data = known_rank(b, b.in(1));
  if (rank && of_data && *rank<*of_data&& * rank> 0) {
    Ints dims(*of_data, 1);
    for (size_t i = 0; i < *rank; ++i) dims[i] = 0;
    if (*rank == 1) dims[0] = -1;
    condition = b.reshape(condition, dims);
  } else if ((!rank || !of_data) && rank != size_t{0}) {
    const OutPort more = b.op("Subtract", "opset1", {b.rank(b.in(1)), b.rank(condition)});
    const Node ones = b.node("Broadcast", "opset3", {b.integer(1), b.reshape(more, {1})});
    ones.set("mode", "numpy");
    condition = b.reshape(condition, b.concat({b.shape_of(condition), ones.out_port()}));
  }
  return {b.select(condition, b.in(1), b.in(2))};
}

static Ports top_k_of(const Build& b, const SourceNode& n, const OutPort& k) {
  const Node top = b.node("TopK", "opset3", {b.in(0), k}, 2);
  top.set("axis", -1).set("mode", "max").set("sort", "value");
  top.set("index_element_type", n.native("index_type", ElementType::i32));
  return {top.out_port(0), top.out_port(1)};
}

static Ports top_k(Build& b, const SourceNode& n) {
  return top_k_of(b, n, b.integer(n.native<int64_t>("k")));
}
static Ports top_k_v2(Build& b, const SourceNode& n) { return top_k_of(b, n, b.in(1)); }

template <auto& Mode>
static Ports arg_extreme(Build& b, const SourceNode& n) {
  const int64_t axis = n.in_count() > 1 ? required_int(b, 1, "the axis") : 0;
  OutPort x = b.in(0);
  if (x.type() == ElementType::boolean) x = b.convert(x, ElementType::u8);
  const Node top = b.node("TopK", "opset3", {x, b.integer(1)}, 2);
  top.set("axis", axis).set("mode", Mode).set("sort", "value");
  const ElementType type = n.native("output_type", ElementType::i64);
  const bool fits = type == ElementType::i32 || type == ElementType::i64;
  top.set("index_element_type", fits ? type : ElementType::i32);
  const OutPort places = b.squeeze(top.out_port(1), {axis});
  return {fits ? places : b.convert(places, type)};
}

namespace order {
static constexpr char max[] = "max", min[] = "min";
}

void register_selecting(Registry& r) {
  replace_late<select_first_dims>(r,
                                  {"Select", "Select(condition, x, y)", "Select(Reshape(condition), x, y)"});
  replace<top_k>(r, {"TopK", "TopK(x)", "TopK(x, k)"});
  replace<top_k_v2>(r, {"TopKV2", "TopKV2(x, k)", "TopK(x, k)"});
  replace_late<arg_extreme<order::max>>(r, {"ArgMax", "ArgMax(x, axis)", "Squeeze(TopK(x, 1).1)"});
  replace_late<arg_extreme<order::min>>(r, {"ArgMin", "ArgMin(x, axis)", "Squeeze(TopK(x, 1).1)"});
}

}  // namespace mo::tensorflow

// The greatest elements, or all of them in order; places are floats.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace sorting {

struct Sorted {
  OutPort values, places;
};

// `count`: 0 stands for all.
static Sorted sorted(const Build& b, const SourceNode& n, int64_t count, bool ascending) {
  const OutPort x = b.in(0);
  const auto axis = static_cast<int64_t>(axis_of(b, x, n.native("axis", -1)));
  const OutPort k = count > 0 ? b.integer(count) : b.reshape(b.dim(x, axis), b.list({}));
  const Node t = b.node("TopK", "opset3", {x, k}, 2);
  t.set("axis", axis).set("mode", ascending ? "min" : "max").set("sort", "value");
  t.set("index_element_type", ElementType::i64);
  return {t.out_port(0), b.convert(t.out_port(1), ElementType::f32)};
}

static Ports topk(Build& b, const SourceNode& n) {
  const auto kind = n.native("ret_typ", "indices");
  const Sorted s = sorted(b, n, n.native("k", 1), n.native("is_ascend", false));
  if (kind == "indices") return {s.places};
  if (kind == "value") return {s.values};
  require(kind == "both", "attribute 'ret_typ' is '", kind, "'; expected indices, value or both");
  return {s.values, s.places};
}

static Ports sort(Build& b, const SourceNode& n) {
  return {sorted(b, n, 0, n.native("is_ascend", true)).values};
}
static Ports argsort(Build& b, const SourceNode& n) {
  return {sorted(b, n, 0, n.native("is_ascend", true)).places};
}

}  // namespace sorting

void register_sorting(Registry& r) {
  convert<sorting::topk>(r, "topk", "topk(x)", "TopK(x, k)");
  convert<sorting::sort>(r, "sort", "sort(x)", "TopK(x, size).0");
  convert<sorting::argsort>(r, "argsort", "argsort(x)", "Convert(TopK(x, size).1)");
}

}  // namespace mo::mxnet

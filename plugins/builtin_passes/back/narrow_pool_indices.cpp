// The CPU of all releases compiles no AdaptiveMaxPool whose indices have 64 bits, and has those of 32, which are enough.
//   AdaptiveMaxPool(x, size) {i64}  ->  AdaptiveMaxPool(x, size) {i32}, its indices by Convert
#include <mo/build.hpp>

#include "support/fuse_transposes.hpp"

namespace mo::builtin_passes {

class NarrowPoolIndices : public FrontReplacementOp {
 public:
  NarrowPoolIndices() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.narrow_pool_indices";
    doc = "AdaptiveMaxPool has indices of 32 bits, which are converted behind it";
    before = R"(
      %x = Parameter -> f32[1,1,4,4]
      %size = Const -> i64[2] {2,2}
      %p = AdaptiveMaxPool@opset8 (%x, %size) {index_element_type=i64} -> (_, _)
      Result (%p:0)
      Result (%p:1))";
    after = R"(
      %x = Parameter -> f32[1,1,4,4]
      %size = Const -> i64[2] {2,2}
      %p = AdaptiveMaxPool@opset8 (%x, %size) {index_element_type=i32} -> (_, _)
      %i = Convert@opset1 (%p:1) {destination_type=i64}
      Result (%p:0)
      Result (%i))";
    ops = {"opset8::AdaptiveMaxPool"};
    run_after = {"back.lower_adaptive_max_pool"};
    force_shape_inference = true;
  }

  std::vector<OutPort> replace_op(Graph g, Node n) override {
    const auto type = n.attr("index_element_type", ElementType::i64);
    only_when(type == ElementType::i64, "its indices are ", name(type));
    n.set("index_element_type", ElementType::i32);
    const OutPort indices = n.out_port(1);
    const auto readers = indices.get_destinations();
    indices.set_shape(ElementType::i32, indices.shape());
    if (readers.empty()) return {};
    const OutPort wide = Build(g, n).convert(indices, ElementType::i64);
    for (const InPort& reader : readers) reader.set_source(wide);
    give_tensor_names(indices, wide);
    copy_runtime_info({n}, {wide.node()});
    return {};
  }
};

void register_narrow_pool_indices(Registry& r) { r.transformation<NarrowPoolIndices>(); }

}  // namespace mo::builtin_passes

// For releases without the embedding bags of opset15:
//   EmbeddingBagOffsets(table, ...) {reduction=sum}  ->  EmbeddingBagOffsetsSum(table, ...)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerEmbeddingBags : public Lowering {
 public:
  LowerEmbeddingBags() {
    id = "back.lower_embedding_bags";
    doc = "embedding bags that sum, for releases without those of opset15";
    before = R"(
      %x = Parameter -> f32[5,2]
      %i = Const -> i64[4] {0,2,3,4}
      %o = Const -> i64[3] {0,2,2}
      %y = EmbeddingBagOffsets@opset15 (%x, %i, %o) {reduction="sum"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[5,2]
      %i = Const -> i64[4] {0,2,3,4}
      %o = Const -> i64[3] {0,2,2}
      %y = EmbeddingBagOffsetsSum@opset3 (%x, %i, %o)
      Result (%y))";
    lowers("EmbeddingBagOffsets", {15});
    lowers("EmbeddingBagPacked", {15});
  }

 private:
  Ports lower(const Build&, const Node& n) override {
    const auto reduction = n.attr<std::string>("reduction");
    only_when(reduction == "sum", "its reduction is ", reduction, "; older operations only sum");
    n.erase("reduction");
    n.set_op(n.op() + "Sum", "opset3");
    return {};
  }
};

void register_lower_embedding_bags(Registry& r) { r.transformation<LowerEmbeddingBags>(); }

}  // namespace mo::builtin_passes

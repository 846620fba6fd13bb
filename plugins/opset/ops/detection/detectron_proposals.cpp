// ExperimentalDetectronGenerateProposalsSingleImage: the best regions of one picture, filled up with zeros.
#include "support/generate_proposals.hpp"

namespace mo::opset {

struct DetectronProposals {
  static constexpr std::string_view type = "ExperimentalDetectronGenerateProposalsSingleImage",
                                    opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("im_info [3], anchors [H * W * A, 4], deltas [4A, H, W], scores [A, H, W]").outputs(2);
    generate_proposals::schema(s);
  }
  static void infer(InferContext& c) {
    require_float(c, 0);
    const ElementType t = common_type(c, {0, 1, 2, 3});
    const int64_t most = generate_proposals::checked_attrs(c);
    const Shape info = c.shape(0), anchors = c.shape(1), deltas = c.shape(2), scores = c.shape(3);
    require_rank(info, "im_info", 1);
    require_rank(anchors, "anchors", 2);
    require_rank(deltas, "deltas", 3);
    require_rank(scores, "scores", 3);
    if (info.has_rank()) same_dim(info[0], 3, "dimension 0 of im_info");
    generate_proposals::Grid grid;
    grid.add(deltas, 0, 4, "deltas");
    grid.add(scores, 0, 1, "scores");
    if (anchors.has_rank()) {
      same_dim(anchors[1], 4, "dimension 1 of anchors");
      same_dim(anchors[0], grid.height * grid.width * grid.anchors,
               "number of anchors and of places for them");
    }
    c.output(0, t, {most, 4});
    c.output(1, t, {most});
  }
  static void evaluate(EvalContext& c) {
    const ElementType type = c.input(0).type();
    const auto most = c.attr<int64_t>("post_nms_count");
    create_grown(c, type, {most, 4}, c.input(1).bytes());
    const Tensor scores_in = c.input(3);
    const auto area = static_cast<size_t>(scores_in.dim(1) * scores_in.dim(2));
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      const auto info = c.input(0).to_floats<T>(), anchors = c.input(1).to_floats<T>(),
                 deltas = c.input(2).to_floats<T>(), scores = scores_in.to_floats<T>();
      std::vector<T> boxes, values;
      generate_proposals::propose<T>(c, {info.at(0), info.at(1), 1, 1},
                                     {anchors, deltas.data(), scores.data(), area}, 0, 1,
                                     generate_proposals::Small::last, boxes, values);
      boxes.resize(static_cast<size_t>(most) * 4);
      values.resize(static_cast<size_t>(most));
      c.output(0, tensor_of(c, type, {most, 4}, boxes));
      c.output(1, tensor_of(c, type, {most}, values));
    });
  }
};

void register_detectron_proposals(Registry& r) { r.operation<DetectronProposals>(); }

}  // namespace mo::opset

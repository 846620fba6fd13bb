// GenerateProposals: the best regions of each picture of a batch, and how many of them it has.
#include "support/generate_proposals.hpp"

namespace mo::opset {

struct GenerateProposals {
  static constexpr std::string_view type = "GenerateProposals", opset = "opset9";
  static void schema(OpSchema& s) {
    s.doc("im_info [N, 3 or 4], anchors [H, W, A, 4], deltas [N, 4A, H, W], scores [N, A, H, W]").outputs(3);
    generate_proposals::schema(s);
    s.attr<bool>("normalized", true).attr<double>("nms_eta", 1.0);
    s.attr<ElementType>("roi_num_type", ElementType::i64);
  }
  static void infer(InferContext& c) {
    require_float(c, 0);
    const ElementType t = common_type(c, {0, 1, 2, 3}), count_type = index_type_attr(c, "roi_num_type");
    const int64_t most = generate_proposals::checked_attrs(c);
    const auto eta = c.attr<double>("nms_eta");
    require(eta >= 0 && eta <= 1, "attribute 'nms_eta' is ", eta, "; expected a number from 0 to 1");
    const Shape info = c.shape(0), anchors = c.shape(1), deltas = c.shape(2), scores = c.shape(3);
    require_rank(info, "im_info", 2);
    require_rank(anchors, "anchors", 4);
    require_rank(deltas, "boxes_deltas", 4);
    require_rank(scores, "scores", 4);
    Dim images;
    narrow(images, info, 0, "images");
    narrow(images, deltas, 0, "images of im_info and boxes_deltas");
    narrow(images, scores, 0, "images of scores");
    if (info.has_rank()) same_dim(info[1], Dim(3, 4), "dimension 1 of im_info");
    generate_proposals::Grid grid;
    if (anchors.has_rank()) {
      same_dim(anchors[3], 4, "dimension 3 of anchors");
      grid = {anchors[0], anchors[1], anchors[2]};
    }
    grid.add(deltas, 1, 4, "boxes_deltas");
    grid.add(scores, 1, 1, "scores");
    const Dim candidates = grid.height * grid.width * grid.anchors;
    const Interval each(
        0, interval::minimum(Interval(std::min(most, c.attr<int64_t>("pre_nms_count"))), Interval(candidates))
               .hi);
    const Dim all{0, (each.to_dim() * images).max};
    c.output(0, t, {all, 4});
    c.output(1, t, {all});
    if (may_have_bounds(count_type, {images}))
      output_intervals(c, 2, count_type, {images},
                       std::vector<Interval>(static_cast<size_t>(images.value()), each));
    else
      c.output(2, count_type, {images});
  }
  static void evaluate(EvalContext& c) {
    const Tensor info_in = c.input(0), deltas_in = c.input(2), scores_in = c.input(3);
    const ElementType type = info_in.type(), count_type = index_type_attr(c, "roi_num_type");
    const auto images = static_cast<size_t>(info_in.dim(0)), fields = static_cast<size_t>(info_in.dim(1));
    const auto area = static_cast<size_t>(scores_in.dim(2) * scores_in.dim(3));
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      const auto info = info_in.to_floats<T>(), anchors = c.input(1).to_floats<T>(),
                 deltas = deltas_in.to_floats<T>(), scores = scores_in.to_floats<T>();
      const T pixel = c.attr<bool>("normalized") ? 0 : 1;
      const auto eta = static_cast<T>(c.attr<double>("nms_eta"));
      std::vector<T> boxes, values;
      std::vector<double> counts;
      for (size_t i = 0; i < images; ++i) {
        const T* const of = info.data() + i * fields;
        counts.push_back(static_cast<double>(generate_proposals::propose<T>(
            c, {of[0], of[1], of[2], of[fields - 1]},
            {anchors, deltas.data() + i * anchors.size(), scores.data() + i * (anchors.size() / 4), area},
            pixel, eta, generate_proposals::Small::dropped, boxes, values)));
      }
      const auto n = static_cast<int64_t>(values.size());
      c.output(0, tensor_of(c, type, {n, 4}, boxes));
      c.output(1, tensor_of(c, type, {n}, values));
      c.output(2, Tensor::filled(c.context(), count_type, counts, {static_cast<int64_t>(images)}));
    });
  }
};

void register_generate_proposals(Registry& r) { r.operation<GenerateProposals>(); }

}  // namespace mo::opset

#include "support/registering.hpp"

namespace mo::caffe {

static Ports ctc_greedy_decoder(Build& b, const SourceNode& l) {
  const Node n = b.node("CTCGreedyDecoder", "opset1", {bottom(l, 0), bottom(l, 1)});
  n.set("ctc_merge_repeated", flag(l, "ctc_decoder_param.ctc_merge_repeated", true));
  return {n.out_port()};
}

void register_ctc(Registry& r) {
  convert<ctc_greedy_decoder>(r, "CTCGreedyDecoder", "CTCGreedyDecoder(x, marks)",
                              "CTCGreedyDecoder(x, marks)");
}

}  // namespace mo::caffe

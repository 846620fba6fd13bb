#include "support/convert_layers.hpp"

namespace mo::caffe {

static Ports ctc_greedy_decoder(Layer& l) {
  const Node n = l.with("CTCGreedyDecoder", "opset1", {l.in(0), l.in(1)});
  n.set("ctc_merge_repeated", l.flag("ctc_decoder_param.ctc_merge_repeated", true));
  return {n.out_port()};
}

void register_ctc(Items& items) { items.layer("CTCGreedyDecoder", &ctc_greedy_decoder); }

}  // namespace mo::caffe

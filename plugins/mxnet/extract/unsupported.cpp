// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say.
#include "support/registering.hpp"

#include <array>

namespace mo::mxnet {

namespace {

struct Unsupported {
  std::string_view ops;  // separated by blanks
  std::string_view why;
};

constexpr std::array unsupported_operators{
    Unsupported{"_contrib_MultiBoxTarget MultiBoxTarget",
                "it chooses boxes for the training; convert the symbol for inference, which has none"},
    Unsupported{"_foreach _while_loop _cond", "its body is a symbol of its own; unroll it before saving"},
    Unsupported{"gamma gammaln erfinv digamma", "the IR has no such function"},
    Unsupported{"Correlation", "the IR has no correlation of two pictures"},
    Unsupported{"CTCLoss ctc_loss _contrib_CTCLoss _contrib_ctc_loss softmax_cross_entropy",
                "a loss of the training; convert the symbol for inference, which has none"},
    Unsupported{"_random_uniform _random_normal _random_gamma _random_exponential _random_poisson "
                "_sample_uniform _sample_normal _sample_multinomial _shuffle random_uniform random_normal",
                "random numbers, which would differ from one inference to the next"},
    Unsupported{"_contrib_quantize _contrib_quantize_v2 _contrib_dequantize _contrib_requantize "
                "_contrib_quantized_conv _contrib_quantized_fully_connected _contrib_quantized_pooling "
                "_contrib_quantized_act _contrib_quantized_concat _contrib_quantized_flatten "
                "_contrib_quantized_elemwise_add _contrib_quantized_batch_norm _sg_mkldnn_conv "
                "_sg_mkldnn_fully_connected",
                "a form of a network for one runtime; convert the network that was quantized"},
    Unsupported{"_contrib_count_sketch _contrib_hawkesll _contrib_bipartite_matching",
                "the IR has no operation that does this"},
    Unsupported{"Embedding_sparse _sparse_retain cast_storage",
                "sparse tensors are not supported in the network itself"},
};

void say_why(SourceNode& n) {
  const std::string own = n.op();
  for (const Unsupported& u : unsupported_operators)
    each_operator(u.ops, [&](std::string_view op) {
      if (op == own) decline(u.why);
    });
}

}  // namespace

void register_unsupported(Registry& r) {
  for (const Unsupported& u : unsupported_operators) extract<say_why>(r, u.ops);
}

}  // namespace mo::mxnet

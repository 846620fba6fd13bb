// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say.
#include <mo/decline.hpp>

#include <array>

namespace mo::mxnet {

namespace {

constexpr std::array unsupported_operators{
    NoCounterpart{"_contrib_MultiBoxTarget MultiBoxTarget",
                  "it chooses boxes for the training; convert the symbol for inference, which has none"},
    NoCounterpart{"_foreach _while_loop _cond", "its body is a symbol of its own; unroll it before saving"},
    NoCounterpart{"gamma gammaln erfinv digamma", "the IR has no such function"},
    NoCounterpart{"Correlation", "the IR has no correlation of two pictures"},
    NoCounterpart{"CTCLoss ctc_loss _contrib_CTCLoss _contrib_ctc_loss softmax_cross_entropy",
                  "a loss of the training; convert the symbol for inference, which has none"},
    NoCounterpart{"_random_uniform _random_normal _random_gamma _random_exponential _random_poisson "
                  "_sample_uniform _sample_normal _sample_multinomial _shuffle random_uniform random_normal",
                  "random numbers, which would differ from one inference to the next"},
    NoCounterpart{"_contrib_quantize _contrib_quantize_v2 _contrib_dequantize _contrib_requantize "
                  "_contrib_quantized_conv _contrib_quantized_fully_connected _contrib_quantized_pooling "
                  "_contrib_quantized_act _contrib_quantized_concat _contrib_quantized_flatten "
                  "_contrib_quantized_elemwise_add _contrib_quantized_batch_norm _sg_mkldnn_conv "
                  "_sg_mkldnn_fully_connected",
                  "a form of a network for one runtime; convert the network that was quantized"},
    NoCounterpart{"_contrib_count_sketch _contrib_hawkesll _contrib_bipartite_matching",
                  "the IR has no operation that does this"},
    NoCounterpart{"Embedding_sparse _sparse_retain cast_storage",
                  "sparse tensors are not supported in the network itself"},
};

}  // namespace

void register_unsupported(Registry& r) { decline_operators<unsupported_operators>(r, "mxnet"); }

}  // namespace mo::mxnet

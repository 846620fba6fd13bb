// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say.
#include <mo/decline.hpp>

#include <array>

namespace mo::mxnet {

namespace {

constexpr std::array unsupported_operators{
    NoCounterpart{"_contrib_MultiBoxTarget MultiBoxTarget",
                  "it chooses boxes for the training; convert the symbol for inference, which has none"},
    NoCounterpart{"gamma gammaln erfinv digamma", "the IR has no such function"},
    NoCounterpart{
        "_random_gamma _random_exponential _random_poisson _random_negative_binomial _sample_uniform "
        "_sample_normal _sample_gamma _sample_exponential _sample_multinomial _shuffle",
        "its numbers are drawn of a distribution for which the IR has no operation"},
    NoCounterpart{
        "_sg_mkldnn_conv _sg_mkldnn_fully_connected _sg_mkldnn_selfatt_qk _sg_mkldnn_selfatt_valatt "
        "_sg_onednn_conv _sg_onednn_fully_connected _sg_onednn_selfatt_qk _sg_onednn_selfatt_valatt "
        "_contrib_quantized_rnn _contrib_quantize_asym",
        "several operators, fused for one runtime, and no sub-graph says which; convert the symbol before "
        "they "
        "were fused"},
    NoCounterpart{"_contrib_count_sketch _contrib_hawkesll _contrib_bipartite_matching",
                  "the IR has no operation that does this"},
    NoCounterpart{"Embedding_sparse _sparse_retain cast_storage",
                  "sparse tensors are not supported in the network itself"},
};

}  // namespace

void register_unsupported(Registry& r) { decline_operators<unsupported_operators>(r, "mxnet"); }

}  // namespace mo::mxnet

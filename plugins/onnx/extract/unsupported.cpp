// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say. Operators
// that cannot be converted in some cases only say so themselves.
#include <algorithm>
#include <array>

#include "support/extract.hpp"

namespace mo::onnx {

namespace {

struct Unsupported {
  std::string_view domain;
  std::string_view ops;  // separated by blanks
  std::string_view why;
};

constexpr std::array unsupported_operators = {
    Unsupported{"", "ImageDecoder",
                "decoding files of pictures is work before the network; feed the decoded picture"},
    Unsupported{"", "RegexFullMatch StringConcat StringNormalizer StringSplit",
                "it works on strings, for which the IR has no such operation"},
    Unsupported{"", "GRUUnit DynamicSlice MaxpoolWithMask", "it was experimental and never specified"},
    Unsupported{"ai.onnx.ml", "CastMap DictVectorizer", "it reads a map; the IR has tensors only"},
    Unsupported{"ai.onnx.training", "Gradient", "a step of training; export the model for inference"},
    Unsupported{"ai.onnx.preview.training", "Gradient", "a step of training; export the model for inference"},
    Unsupported{"com.microsoft", "AttnLSTM",
                "a recurrent cell with an attention in each step; no exporter writes it any more"},
    Unsupported{"com.microsoft", "BeamSearch GreedySearch Sampling WhisperBeamSearch",
                "the generation loop of the runtime with decoders as sub-graphs; convert the decoder, "
                "and let the application generate"},
    Unsupported{"com.microsoft", "BifurcationDetector",
                "part of that loop: compares tokens of speculative decoding"},
    Unsupported{"com.microsoft", "BitmaskDropout BitmaskBiasDropout",
                "training only: the mask is packed into bits for the gradient"},
    Unsupported{"com.microsoft", "VarlenCausalConvWithState",
                "tokens of many sequences one behind the other; export the model with CausalConvWithState"},
    Unsupported{"com.microsoft", "EngramGate NGramHashMapping VarlenNGramHashMapping",
                "hashes of tokens; new, and the forms are still changing"},
    Unsupported{"com.microsoft",
                "GemmaRotaryEmbedding HyperConnectionLowRankMix RMSNormRotary RouterGateUpProj",
                "fused for kernels of GPUs only, so that there is nothing to compare with; export the model "
                "with the operators it is made of"},
    Unsupported{"com.microsoft",
                "ConvStateReplay GatedDeltaNetStateReplay Mamba2Verify SpeculativePrefixCommit",
                "part of the generation loop of the runtime: state of speculative decoding is committed or "
                "taken back"},
    Unsupported{"com.microsoft",
                "DynamicSparseAttention PackedSparseAttentionIndexer "
                "PackedSparseAttentionIndexerMerge SparseAttentionIndexer SparsePagedAttention",
                "attention to blocks that an index chooses while it runs, for the kernels of GPUs"},
    Unsupported{"com.microsoft", "GatherPacked MatMulPacked MoEPacked MatMulNBitsQLoRA",
                "weights packed in formats of GPU kernels; export the model with MatMulNBits and QMoE"},
    Unsupported{"com.microsoft", "MoEGroupRouter",
                "new, and its forms are still changing; export the router as the operators it is made of"},
    Unsupported{"com.microsoft", "ConvTransposeWithDynamicPads",
                "pads of a transposed convolution are attributes in the IR, not inputs"},
    Unsupported{"com.microsoft", "DecoderAttention",
                "a cache whose use is decided by inputs at run time; replaced by MultiHeadAttention"},
    Unsupported{"com.microsoft", "DequantizeBFP QuantizeBFP",
                "block floating point types, which the IR does not have"},
    Unsupported{"com.microsoft", "QOrderedLongformerAttention",
                "attention in a moving window with global tokens, in blocks of the runtime's kernel; "
                "GPUs only"},
    Unsupported{"com.microsoft", "DynamicTimeWarping",
                "a data-dependent walk through a matrix, without an operation in the IR"},
    Unsupported{"com.microsoft", "EPContext Snpe", "a compiled model of one execution provider"},
    Unsupported{"com.microsoft", "GatedRelativePositionBias RelativePositionBias",
                "kernels for GPUs only, no reference to compare with; exporters keep the operators "
                "they are fused from"},
    Unsupported{"com.microsoft", "GemmFloat8 MatMulBlockQuantizedFp4Weight MatMulBlockQuantizedFp8Weight",
                "8-bit and 4-bit floats with scales of their own; GPUs only"},
    Unsupported{"com.microsoft", "LongformerAttention",
                "attention in a moving window with global tokens, in blocks of the runtime's kernel; "
                "GPUs only"},
    Unsupported{"com.microsoft", "MaxpoolWithMask",
                "the mask is applied inside of the windows; not written by exporters"},
    Unsupported{"com.microsoft", "MatMulFpQ4",
                "blocks with scales between the numbers, of an experimental kernel; replaced by "
                "MatMulNBits"},
    Unsupported{"com.microsoft", "MatMulNBitsMlp MatMulNBitsQkv",
                "made by the runtime's own optimizer when it loads a model, not by exporters"},
    Unsupported{"com.microsoft", "MurmurHash3", "hashes strings"},
    Unsupported{"com.microsoft", "NGramRepeatBlock", "part of the generation loop"},
    Unsupported{"com.microsoft", "QEmbedLayerNormalization",
                "experimental, and replaced by EmbedLayerNormalization in quantized models"},
    Unsupported{"com.microsoft", "SampleOp", "an example for writers of operators"},
    Unsupported{"com.microsoft", "SparseToDenseMatMul",
                "a sparse tensor as input, which the IR does not have"},
    Unsupported{"com.microsoft", "Tokenizer", "strings"},
    Unsupported{"com.microsoft", "UnfoldTensor", "no exporter writes it"},
    Unsupported{"com.microsoft", "WordConvEmbedding", "characters of words; not written by exporters"},
};

template <class F>
void each_unsupported(const Unsupported& u, F f) {
  for (size_t at = 0; at < u.ops.size();) {
    const size_t end = std::min(u.ops.find(' ', at), u.ops.size());
    f(u.ops.substr(at, end - at));
    at = end + 1;
  }
}

void say_why(SourceNode& n) {
  const Context& c = n.context();
  mo_str domain{}, type{};
  int32_t version = 0;
  c.check(c.graph().native_key(c.get(), n.id(), &domain, &version, &type));
  for (const Unsupported& u : unsupported_operators)
    each_unsupported(u, [&](std::string_view op) {
      if (view(domain) == u.domain && view(type) == op) decline(u.why);
    });
}

}  // namespace

void register_unsupported(Registry& r) {
  for (const Unsupported& u : unsupported_operators)
    each_unsupported(u, [&](std::string_view op) { r.extractor<say_why>({"onnx", u.domain, op}); });
}

}  // namespace mo::onnx

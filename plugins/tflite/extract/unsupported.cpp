// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say.
#include <array>

#include "support/extract.hpp"

namespace mo::tflite {

namespace {

struct Unsupported {
  std::string_view ops;  // separated by blanks
  std::string_view why;
};

constexpr std::array unsupported_operators = {
    Unsupported{
        "HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE HASHTABLE_LOOKUP",
        "the IR has no tables to look keys up in; feed what is looked up (--input), which cuts the model "
        "off here"},
    Unsupported{"LSH_PROJECTION SKIP_GRAM",
                "it hashes or splits its input, for which the IR has no such operation"},
    Unsupported{"CONCAT_EMBEDDINGS CALL DELEGATE PLACEHOLDER_FOR_GREATER_OP_CODES",
                "TensorFlow Lite has no kernel for it, either"},
    Unsupported{"EMBEDDING_LOOKUP_SPARSE",
                "the IR's sums of embeddings have other weights and no shape of the lookup"},
    Unsupported{"BITCAST", "the IR cannot look at the bits of a tensor as another type"},
    Unsupported{"REDUCE_WINDOW",
                "TensorFlow Lite makes it of an operation of StableHLO; convert the model again "
                "without them"},
    Unsupported{"STABLEHLO_CUSTOM_CALL", "it calls a function that the file does not hold"},
    Unsupported{"STABLEHLO_RNG_BIT_GENERATOR",
                "its bits are those of a generator and a state, which the IR's random numbers do not have"},
    Unsupported{
        "STABLEHLO_SCATTER STABLEHLO_REDUCE_WINDOW STABLEHLO_SORT STABLEHLO_CASE",
        "operators of StableHLO are only converted where they are like others; convert the model again with "
        "TensorFlow Lite's own operators"},
    Unsupported{
        "SignalWindow SignalRfft SignalFftAutoScale SignalEnergy SignalFilterBank SignalFilterBankSquareRoot "
        "SignalFilterBankSpectralSubtraction SignalPCAN SignalFilterBankLog SignalFramer SignalStacker "
        "SignalDelay SignalIrfft SignalOverlapAdd AudioSpectrogram Mfcc",
        "features of sound are work before the network; feed them (--input), which cuts the model off here"},
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
  const std::string name = n.op();
  for (const Unsupported& u : unsupported_operators)
    each_unsupported(u, [&](std::string_view op) {
      if (name == op) decline(u.why);
    });
}

}  // namespace

void register_unsupported(Registry& r) {
  for (const Unsupported& u : unsupported_operators)
    each_unsupported(u, [&](std::string_view op) { extract<say_why>(r, op); });
}

}  // namespace mo::tflite

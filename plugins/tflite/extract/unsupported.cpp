// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say.
#include <mo/decline.hpp>

#include <array>

namespace mo::tflite {

namespace {

constexpr std::array unsupported_operators = {
    NoCounterpart{
        "HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE HASHTABLE_LOOKUP",
        "the IR has no tables to look keys up in; feed what is looked up (--input), which cuts the model "
        "off here"},
    NoCounterpart{"LSH_PROJECTION SKIP_GRAM",
                  "it hashes or splits its input, for which the IR has no such operation"},
    NoCounterpart{"CONCAT_EMBEDDINGS CALL DELEGATE PLACEHOLDER_FOR_GREATER_OP_CODES",
                  "TensorFlow Lite has no kernel for it, either"},
    NoCounterpart{"EMBEDDING_LOOKUP_SPARSE",
                  "the IR's sums of embeddings have other weights and no shape of the lookup"},
    NoCounterpart{"STABLEHLO_CUSTOM_CALL", "it calls a function that the file does not hold"},
    NoCounterpart{"STABLEHLO_RNG_BIT_GENERATOR",
                  "its bits are those of a generator and a state, which the IR's random numbers do not have"},
    NoCounterpart{
        "SignalWindow SignalRfft SignalFftAutoScale SignalEnergy SignalFilterBank SignalFilterBankSquareRoot "
        "SignalFilterBankSpectralSubtraction SignalPCAN SignalFilterBankLog SignalFramer SignalStacker "
        "SignalDelay SignalIrfft SignalOverlapAdd AudioSpectrogram Mfcc",
        "features of sound are work before the network; feed them (--input), which cuts the model off here"},
};

}  // namespace

void register_unsupported(Registry& r) { decline_operators<unsupported_operators>(r, "tflite"); }

}  // namespace mo::tflite

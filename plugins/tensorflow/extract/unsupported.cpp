// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say. Operators
// that cannot be converted in some cases only say so themselves.
#include <algorithm>
#include <array>

#include "support/extract.hpp"

namespace mo::tensorflow {

namespace {

struct Unsupported {
  std::string_view ops;  // separated by blanks
  std::string_view why;
};

constexpr std::array unsupported_operators = {
    Unsupported{"Bitcast", "the IR cannot look at the bits of a tensor as another type"},
    Unsupported{"Lgamma Digamma Polygamma Zeta Igamma Igammac IgammaGradA Betainc Erfinv Ndtri",
                "the IR has no such special function"},
    Unsupported{"BesselI0 BesselI1 BesselI0e BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK1 BesselK0e "
                "BesselK1e BesselY0 BesselY1 Dawsn Expint FresnelCos FresnelSin Spence",
                "the IR has no such special function"},
    Unsupported{"NextAfter PopulationCount", "it works on the bits of numbers, which the IR cannot"},
    Unsupported{"Cholesky CholeskyGrad Qr Svd SelfAdjointEig SelfAdjointEigV2 Eig Lu MatrixDeterminant "
                "LogMatrixDeterminant MatrixExponential MatrixLogarithm MatrixSolve MatrixSolveLs "
                "MatrixSquareRoot MatrixTriangularSolve TridiagonalSolve TridiagonalMatMul",
                "the IR has no linear algebra beyond products and inverses of matrices"},
    Unsupported{
        "DecodeBmp DecodeGif DecodeImage DecodeJpeg DecodePng DecodeAndCropJpeg DecodeWebP EncodeJpeg "
        "EncodeJpegVariableQuality EncodePng ExtractJpegShape DecodeWav EncodeWav DecodeRaw "
        "DecodePaddedRaw DecodeCSV DecodeCompressed DecodeJSONExample DecodeProtoV2 EncodeProto "
        "ParseExample ParseExampleV2 ParseSingleExample ParseSequenceExample ParseSequenceExampleV2 "
        "ParseSingleSequenceExample ParseTensor SerializeTensor",
        "decoding files is work before the network; feed what is decoded (--input), which cuts the "
        "model off here"},
    Unsupported{"Mfcc AudioSpectrogram",
                "features of sound are work before the network; feed them (--input), which cuts the model "
                "off here"},
    Unsupported{"ReadFile WriteFile MatchingFiles TextLineReader TextLineReaderV2 WholeFileReader "
                "WholeFileReaderV2 FixedLengthRecordReader FixedLengthRecordReaderV2 TFRecordReader "
                "TFRecordReaderV2 IdentityReader IdentityReaderV2 ReaderRead ReaderReadV2 ReaderReadUpTo "
                "ReaderReadUpToV2",
                "it reads or writes files; feed the data (--input), which cuts the model off here"},
    Unsupported{
        "AsString Base64 DecodeBase64 EncodeBase64 ReduceJoin RegexFullMatch RegexReplace "
        "StaticRegexFullMatch StaticRegexReplace StringFormat StringJoin StringLength StringLower "
        "StringNGrams StringSplit StringSplitV2 StringStrip StringToHashBucket StringToHashBucketFast "
        "StringToHashBucketStrong StringToNumber StringUpper Substr UnicodeDecode "
        "UnicodeDecodeWithOffsets UnicodeEncode UnicodeScript UnicodeTranscode UnsortedSegmentJoin",
        "it works on strings, for which the IR has no such operation"},
    Unsupported{"PyFunc PyFuncStateless EagerPyFunc", "it calls a function of a Python program"},
    Unsupported{"FractionalMaxPool FractionalAvgPool", "its windows are chosen at random"},
    Unsupported{"DrawBoundingBoxes DrawBoundingBoxesV2 SampleDistortedBoundingBox "
                "SampleDistortedBoundingBoxV2 RandomCrop",
                "it is for training and for looking at pictures"},
    Unsupported{"ImageProjectiveTransformV2 ImageProjectiveTransformV3",
                "the IR samples at given places only, not by a projection"},
    Unsupported{"ExtractVolumePatches", "the IR has patches of pictures only"},
    Unsupported{"XlaLaunch TPUReplicate TPUPartitionedCall TRTEngineOp _Send _Recv",
                "it belongs to one device; export the model without it"},
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

}  // namespace mo::tensorflow

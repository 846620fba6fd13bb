// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say. Operators
// that cannot be converted in some cases only say so themselves.
#include <mo/decline.hpp>

#include <array>

namespace mo::tensorflow {

namespace {

constexpr std::array unsupported_operators = {
    NoCounterpart{"Lgamma Digamma Polygamma Zeta Igamma Igammac IgammaGradA Betainc Erfinv Ndtri",
                  "the IR has no such special function"},
    NoCounterpart{"BesselI0 BesselI1 BesselI0e BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK1 BesselK0e "
                  "BesselK1e BesselY0 BesselY1 Dawsn Expint FresnelCos FresnelSin Spence",
                  "the IR has no such special function"},
    NoCounterpart{"NextAfter PopulationCount", "it works on the bits of numbers, which the IR cannot"},
    NoCounterpart{"CholeskyGrad Qr SelfAdjointEig SelfAdjointEigV2 Eig Lu MatrixExponential "
                  "MatrixLogarithm MatrixSolveLs MatrixSquareRoot TridiagonalSolve TridiagonalMatMul",
                  "the IR has no linear algebra beyond products and inverses of matrices"},
    NoCounterpart{
        "DecodeBmp DecodeGif DecodeImage DecodeJpeg DecodePng DecodeAndCropJpeg DecodeWebP EncodeJpeg "
        "EncodeJpegVariableQuality EncodePng ExtractJpegShape DecodeWav EncodeWav DecodeRaw "
        "DecodePaddedRaw DecodeCSV DecodeCompressed DecodeJSONExample DecodeProtoV2 EncodeProto "
        "ParseExample ParseExampleV2 ParseSingleExample ParseSequenceExample ParseSequenceExampleV2 "
        "ParseSingleSequenceExample ParseTensor SerializeTensor",
        "decoding files is work before the network; feed what is decoded (--input), which cuts the "
        "model off here"},
    NoCounterpart{"Mfcc AudioSpectrogram",
                  "features of sound are work before the network; feed them (--input), which cuts the model "
                  "off here"},
    NoCounterpart{"ReadFile WriteFile MatchingFiles TextLineReader TextLineReaderV2 WholeFileReader "
                  "WholeFileReaderV2 FixedLengthRecordReader FixedLengthRecordReaderV2 TFRecordReader "
                  "TFRecordReaderV2 IdentityReader IdentityReaderV2 ReaderRead ReaderReadV2 ReaderReadUpTo "
                  "ReaderReadUpToV2",
                  "it reads or writes files; feed the data (--input), which cuts the model off here"},
    NoCounterpart{
        "AsString Base64 DecodeBase64 EncodeBase64 ReduceJoin RegexFullMatch StaticRegexFullMatch "
        "StringFormat "
        "StringJoin StringLength StringNGrams StringSplit StringStrip StringToHashBucket "
        "StringToHashBucketFast StringToHashBucketStrong StringToNumber Substr UnicodeDecode "
        "UnicodeDecodeWithOffsets UnicodeEncode UnicodeScript UnicodeTranscode UnsortedSegmentJoin",
        "it works on strings, for which the IR has no such operation; feed what is made of them (--input), "
        "which cuts the model off here"},
    NoCounterpart{"PyFunc PyFuncStateless EagerPyFunc", "it calls a function of a Python program"},
    NoCounterpart{"FractionalMaxPool FractionalAvgPool", "its windows are chosen at random"},
    NoCounterpart{"DrawBoundingBoxes DrawBoundingBoxesV2 SampleDistortedBoundingBox "
                  "SampleDistortedBoundingBoxV2 RandomCrop",
                  "it is for training and for looking at pictures"},
    NoCounterpart{"ImageProjectiveTransformV2 ImageProjectiveTransformV3",
                  "the IR samples at given places only, not by a projection"},
    NoCounterpart{"ExtractVolumePatches", "the IR has patches of pictures only"},
    NoCounterpart{"XlaLaunch TPUReplicate TPUPartitionedCall TRTEngineOp _Send _Recv",
                  "it belongs to one device; export the model without it"},
};

}  // namespace

void register_unsupported(Registry& r) { decline_operators<unsupported_operators>(r, "tf"); }

}  // namespace mo::tensorflow

// Operators that have no counterpart in the IR, and why: what `check` and a failed conversion say. Operators
// that cannot be converted in some cases only say so themselves.
#include <algorithm>
#include <array>

#include "support/extract.hpp"

namespace mo::onnx {

namespace {

struct Unsupported {
  std::string_view domain, op;
  std::string_view why;
};

constexpr std::string_view strings = "it works on strings, for which the IR has no such operation";
constexpr std::string_view learning =
    "classical machine learning: the IR has operations of neural networks only";
constexpr std::string_view trees = "decision trees: the IR has operations of neural networks only";
constexpr std::string_view maps = "it makes or reads a map; the IR has tensors only";
constexpr std::string_view training = "a step of training; export the model for inference";
constexpr std::string_view draft = "experimental, never specified";

constexpr std::array unsupported_operators = {
    Unsupported{"", "ImageDecoder",
                "decoding files of pictures is work before the network; feed the decoded picture"},
    Unsupported{"", "RegexFullMatch", strings},
    Unsupported{"", "StringConcat", strings},
    Unsupported{"", "StringNormalizer", strings},
    Unsupported{"", "StringSplit", strings},
    Unsupported{"", "BitCast", "the IR cannot look at the bits of a tensor as another type"},
    Unsupported{"", "CumProd", "the IR has no cumulative product"},
    Unsupported{"", "GRUUnit", draft},
    Unsupported{"", "DynamicSlice", draft},
    Unsupported{"", "MaxpoolWithMask", draft},
    Unsupported{"ai.onnx.ml", "ArrayFeatureExtractor", learning},
    Unsupported{"ai.onnx.ml", "Binarizer", learning},
    Unsupported{"ai.onnx.ml", "CastMap", maps},
    Unsupported{"ai.onnx.ml", "CategoryMapper", strings},
    Unsupported{"ai.onnx.ml", "DictVectorizer", maps},
    Unsupported{"ai.onnx.ml", "FeatureVectorizer", learning},
    Unsupported{"ai.onnx.ml", "Imputer", learning},
    Unsupported{"ai.onnx.ml", "LabelEncoder", "a dictionary of keys and values, most of them strings"},
    Unsupported{"ai.onnx.ml", "LinearClassifier", learning},
    Unsupported{"ai.onnx.ml", "LinearRegressor", learning},
    Unsupported{"ai.onnx.ml", "Normalizer", learning},
    Unsupported{"ai.onnx.ml", "OneHotEncoder", "its categories are strings or listed numbers"},
    Unsupported{"ai.onnx.ml", "Scaler", learning},
    Unsupported{"ai.onnx.ml", "SVMClassifier", learning},
    Unsupported{"ai.onnx.ml", "SVMRegressor", learning},
    Unsupported{"ai.onnx.ml", "TreeEnsemble", trees},
    Unsupported{"ai.onnx.ml", "TreeEnsembleClassifier", trees},
    Unsupported{"ai.onnx.ml", "TreeEnsembleRegressor", trees},
    Unsupported{"ai.onnx.ml", "ZipMap", maps},
    Unsupported{"ai.onnx.training", "Adagrad", training},
    Unsupported{"ai.onnx.training", "Adam", training},
    Unsupported{"ai.onnx.training", "Gradient", training},
    Unsupported{"ai.onnx.training", "Momentum", training},
    Unsupported{"ai.onnx.preview.training", "Adagrad", training},
    Unsupported{"ai.onnx.preview.training", "Adam", training},
    Unsupported{"ai.onnx.preview.training", "Gradient", training},
    Unsupported{"ai.onnx.preview.training", "Momentum", training},
};

// A node of another domain than the default one is named DOMAIN.OP.
void say_why(SourceNode& n) {
  const std::string name = n.op();
  for (const Unsupported& u : unsupported_operators)
    if (name == (u.domain.empty() ? std::string(u.op) : text(u.domain, '.', u.op))) decline(u.why);
}

}  // namespace

void register_unsupported(Registry& r) {
  for (const Unsupported& u : unsupported_operators) r.extractor<say_why>({"onnx", u.domain, u.op});
}

}  // namespace mo::onnx

// mo/extract.hpp: extractors of operators that need nothing but another name. C++20; nothing in C++17, where
// literals are no arguments of templates.
//
//   r.extractor<becomes<"ReLU">>({"acme", "", "Rectify"});
//   r.extractor<becomes<"Gelu", "opset7">>({"acme", "", "Gelu"});
#ifndef MO_EXTRACT_HPP
#define MO_EXTRACT_HPP

#include <mo/sdk.hpp>

#if __cplusplus >= 202002L

namespace mo {

// A literal as an argument of a template.
template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&literal)[N]) {  // NOLINT(google-explicit-constructor): literals are arguments
    for (size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  constexpr operator std::string_view() const {  // NOLINT(google-explicit-constructor)
    return {text, N - 1};
  }
};

// The operator is the operation `Type` of `Opset`, with the same inputs and outputs and without attributes.
// [session]; the source node's errors.
template <Name Type, Name Opset = "opset1">
void becomes(SourceNode& n) {
  n.set_op(Type, Opset);
}

}  // namespace mo

#endif  // C++20

#endif  // MO_EXTRACT_HPP

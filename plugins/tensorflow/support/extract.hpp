// What extractors share.
#pragma once

#include <mo/sdk.hpp>

namespace mo::tensorflow {

template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&literal)[N]) {  // NOLINT(google-explicit-constructor): literals are arguments
    for (size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  constexpr operator std::string_view() const {
    return {text, N - 1};
  }  // NOLINT(google-explicit-constructor)
};

// The operator is the operation `Type`, and has no attributes.
template <Name Type, Name Opset = "opset1">
void becomes(SourceNode& n) {
  n.set_op(Type, Opset);
}

template <auto Extract>
void extract(Registry& r, std::string_view op) {
  r.extractor<Extract>({"tf", "", op, 0, 0});
}

}  // namespace mo::tensorflow

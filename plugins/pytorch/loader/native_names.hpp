// Native attributes of a call that are not arguments of its operator. An argument has its own name: numbers,
// texts, types, and lists of them as attributes, tensors and what is computed as in-ports. A list of integers
// of which some are computed has computed_element in their places.
#pragma once

#include <mo/text.hpp>

#include <cstdint>

namespace mo::pytorch::native {

// What each in-port is: "self", "tensors[1]", "size[0]".
constexpr std::string_view arguments = "call.arguments";
// Those of complex numbers, and results: "self", "result[0]".
constexpr std::string_view complex = "call.complex";
constexpr std::string_view result_types = "call.result_types", result_shapes = "call.result_shapes";
// The path of the module that calls, "layers.0.attention".
constexpr std::string_view module = "call.module";
constexpr int64_t computed_element = INT64_MIN;

inline std::string result(size_t i) { return text("result[", i, ']'); }
// There when an in-port is a number of Python that is computed.
inline std::string number_of(std::string_view argument) { return text("call.number.", argument); }

}  // namespace mo::pytorch::native

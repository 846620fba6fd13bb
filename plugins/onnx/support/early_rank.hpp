// Ranks before shapes are inferred: by the operators between a value and what states its shape.
#pragma once

#include <mo/sdk.hpp>

namespace mo::onnx {

// That of the first input, or of the one that has most.
enum class Rank : uint8_t { kept, greatest };
// For the file of an operator that becomes several operations: what is known of its result until then.
void says_rank(std::initializer_list<std::string_view> ops, Rank);

// Nothing when it cannot be told; inference knows it later.
std::optional<int64_t> early_rank(const OutPort& x);

}  // namespace mo::onnx

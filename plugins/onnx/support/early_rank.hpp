// Ranks before shapes are inferred: by the operators between a value and what states its shape.
#pragma once

#include <mo/sdk.hpp>

namespace mo::onnx {

// Nothing when it cannot be told; inference knows it later.
std::optional<int64_t> early_rank(const OutPort& x);

}  // namespace mo::onnx

// Floats in another type, and how many of them it cannot hold.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

struct Losses {
  uint64_t values = 0;     // looked at
  uint64_t too_big = 0;    // became infinite
  uint64_t too_small = 0;  // became 0
  std::string worst;       // the constant that lost most
  uint64_t worst_count = 0;
};

// The tensor as `type`, f16 or f32.
Tensor converted_floats(Context, const Tensor&, ElementType type, std::string_view constant, Losses&);

// The tensor as f16, where what is too large becomes the largest number there is. Nothing, and no losses,
// when f16 holds fewer than a quarter of the numbers.
std::optional<Tensor> compressed_floats(Context, const Tensor&, std::string_view constant, Losses&);

// Warnings that tell the losses. `large`: what numbers that are too large become.
void report_losses(Context, std::string_view option, ElementType, std::string_view large, const Losses&);

}  // namespace mo::builtin_passes

// What --data_type asks for.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// f16, f32, or nothing when the model's own types are to stay.
inline std::optional<ElementType> chosen_data_type(Context c) {
  const auto given = option<std::string>(c, "data_type");
  if (!given) return std::nullopt;
  if (*given == "FP16" || *given == "half") return ElementType::f16;
  if (*given == "FP32" || *given == "float") return ElementType::f32;
  fail_option("data_type", "'", *given, "' is not a choice; expected FP16, FP32, half or float");
}

}  // namespace mo::builtin_passes

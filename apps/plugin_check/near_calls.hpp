// Calls near a legal one: what the models of users have and that of a vendor does not. Nothing is invented:
// each differs from a call that infer takes in one respect, and infer takes it, too.
#pragma once

#include <array>

#include "apps/plugin_check/sample.hpp"

namespace mo::app::checks {

// In which respect a call differs.
enum class Respect { element_types, sizes, attributes, axes, optional_inputs };
inline constexpr std::array all_respects{Respect::element_types, Respect::sizes, Respect::attributes,
                                         Respect::axes, Respect::optional_inputs};
std::string_view name_of(Respect);

struct NearCall {
  size_t of = 0;  // the call it is near, by its place among those that are known
  Respect respect = Respect::sizes;
  std::string how;      // "f16", "axis=-1"
  std::string text;     // in the text form
  std::string refusal;  // why infer does not take it; "": it does
  bool taken() const { return refusal.empty(); }
};

// The attributes of an operation that number dimensions: those it says so of, and those that are called so.
bool is_axis(const core::AttributeDef&);

struct NearCallSearch {
  uint64_t seed = 1;
  bool leaves_inputs_out = true;
};
// infer, and evaluate where it can, have answered each. Finding: one of them fails without a text, or
// evaluate fails for want of an input that infer can do without.
std::vector<NearCall> find_near_calls(core::Session&, const core::Operation&,
                                      const std::vector<std::string>& samples, const NearCallSearch&);

// One line for each respect: what was tried, what was refused, and where there was nothing to try.
std::vector<std::string> tried_lines(size_t samples, const std::vector<NearCall>&);

}  // namespace mo::app::checks

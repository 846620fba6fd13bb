// Elements of tensors as text: "1", "-2.5", "inf", "nan", "nan(0x7fc00001)"; every bit pattern comes back.
#pragma once

#include "core/graph/tensor.hpp"

#include <string>
#include <string_view>

namespace mo::app {

// Types whose elements have a text: booleans, integers and floats of whole bytes, f16 and bf16. The others
// are written as bytes.
bool has_element_text(ElementType);

// `element` points to one element, of any alignment. False: a boolean that is neither 0 nor 1.
bool append_element(std::string& out, ElementType, const std::byte* element);

// False when `text` is no such element or does not fit.
bool parse_element(std::string_view text, ElementType, std::byte* element);

// A double with a dot or an exponent, so that it is never taken for an integer.
void append_double(std::string& out, double);
bool parse_double(std::string_view text, double& value);

// The strings of a string tensor; false when its bytes are not what mo/plugin.h says.
bool unpack_strings(std::string_view bytes, std::vector<std::string_view>& strings);
std::string pack_strings(const std::vector<std::string>& strings);

}  // namespace mo::app

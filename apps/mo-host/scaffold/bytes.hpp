// Small binary files as text, so that a template of one can have names in it:
//
//   08 1f            bytes in hexadecimal
//   "text" 'text'    its characters
//   f32(1.5) u16(7)  a number, little-endian
//   { … }            what is inside, behind its length as a varint
//   [ … ]            what is inside, behind its length in four bytes
//   # to the end of the line: a comment
#pragma once

#include <string>
#include <string_view>

namespace mo::app {

// Failure (Exit::internal) with the line when it is not of this form.
std::string bytes_of(std::string_view text);

}  // namespace mo::app

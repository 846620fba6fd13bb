#include "core/registry/forms.hpp"

#include <algorithm>

#include "core/support/split.hpp"

namespace mo::core::form {

namespace {

bool lower(char c) { return c >= 'a' && c <= 'z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return lower(c) || (c >= 'A' && c <= 'Z'); }

bool all_of(std::string_view s, bool (*allowed)(char)) { return std::all_of(s.begin(), s.end(), allowed); }

// Parts between dots, none of them empty.
template <class Part>
bool dotted(std::string_view s, size_t least_parts, Part accepts) {
  size_t parts = 0;
  bool good = true;
  each_part(s, '.', [&](std::string_view part) {
    ++parts;
    good = good && !part.empty() && accepts(part);
  });
  return good && parts >= least_parts;
}

bool is_plugin_id(std::string_view s) {
  return s.size() <= 200 && lower(s.front()) && dotted(s, 2, [](std::string_view part) {
           return (lower(part.front()) || digit(part.front())) &&
                  all_of(part, [](char c) { return lower(c) || digit(c) || c == '-' || c == '_'; });
         });
}

bool is_version(std::string_view s) {
  const auto end = std::find_if(s.begin(), s.end(), [](char c) { return c == '-' || c == '+' || c == '~'; });
  const std::string_view numbers = s.substr(0, static_cast<size_t>(end - s.begin()));
  return s.size() <= 100 && dotted(numbers, 1, [](std::string_view part) { return all_of(part, digit); }) &&
         all_of(s, [](char c) {
           return letter(c) || digit(c) || std::string_view("-+~.").find(c) != std::string_view::npos;
         });
}

bool is_license(std::string_view s) {
  return all_of(s, [](char c) {
    return letter(c) || digit(c) || std::string_view(" .-+()").find(c) != std::string_view::npos;
  });
}

bool is_url(std::string_view s) {
  return (s.starts_with("https://") || s.starts_with("http://") || s.starts_with("mailto:")) &&
         s.find_first_of(" \t\"<>") == std::string_view::npos;
}

bool word_char(char c) { return letter(c) || digit(c) || c == '_' || c == '.' || c == '-'; }
bool is_word(std::string_view s) {
  return s.size() <= 200 && (letter(s.front()) || s.front() == '_') && all_of(s, word_char);
}
bool is_attribute(std::string_view s) {
  return s.size() <= 200 && (letter(s.front()) || s.front() == '_') &&
         all_of(s, [](char c) { return word_char(c) || c == ':'; });
}
bool is_ir_name(std::string_view s) { return s == "-" || is_attribute(s); }

bool is_choice(std::string_view s) { return s.find_first_of(" \t|,") == s.npos; }

bool is_lower_word(std::string_view s) {
  return s.size() <= 200 && lower(s.front()) &&
         all_of(s, [](char c) { return lower(c) || digit(c) || c == '_'; });
}
bool has_no_space(std::string_view s) {
  return s.size() <= 200 &&
         all_of(s, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '\x7f'; });
}
bool is_transformation_id(std::string_view s) {
  return s.size() <= 200 && lower(s.front()) && dotted(s, 1, [](std::string_view part) {
           return all_of(part, [](char c) { return lower(c) || digit(c) || c == '_'; });
         });
}
bool is_op_pattern(std::string_view s) {
  const size_t colons = s.find("::");
  if (colons == std::string_view::npos) return is_word(s);
  const std::string_view opset = s.substr(0, colons), type = s.substr(colons + 2);
  // What no extractor took has the name its framework gave it.
  return opset.empty() ? !type.empty() && has_no_space(type)
                       : (opset == "*" || is_word(opset)) && !type.empty() && is_word(type);
}
bool is_file_extension(std::string_view s) {
  return s.size() >= 2 && s.size() <= 40 && s.front() == '.' && s.back() != '.' &&
         all_of(s, [](char c) { return lower(c) || digit(c) || c == '.' || c == '_' || c == '-'; });
}

}  // namespace

const TextForm plugin_id{
    "reverse DNS of lower-case letters, digits, '-' and '_', such as \"com.acme.layers\"", is_plugin_id};
const TextForm version{"numbers with dots, such as \"1.2.0\" or \"1.2.0-rc1\"", is_version};
const TextForm license{"an SPDX identifier such as \"Apache-2.0\", or \"proprietary\"", is_license};
const TextForm url{"nothing, or an address that starts with https://, http:// or mailto:", is_url, true};
const TextForm line{"one line of text"};
const TextForm optional_line{"nothing, or one line of text", nullptr, true};
const TextForm optional_paragraph{"nothing, or lines of text", nullptr, true, true};
const TextForm op{"a type of letters, digits, '_', '.' and '-' that starts with a letter or '_'", is_word};
const TextForm opset{
    "a name of letters, digits, '_', '.' and '-' that starts with a letter, such as \"com.acme\"", is_word};
const TextForm attribute{"a name of letters, digits, '_', '.', '-' and ':' that starts with a letter or '_'",
                         is_attribute};
const TextForm optional_ir_name{"nothing (same as name), \"-\" (not written), or an attribute's name",
                                is_ir_name, true};
const TextForm framework{"a name of lower-case letters, digits and '_'", is_lower_word};
const TextForm optional_framework{"nothing (any framework), or a name of lower-case letters, digits and '_'",
                                  is_lower_word, true};
const TextForm domain{"nothing (the framework's own), or a domain without spaces", has_no_space, true};
const TextForm source_op{"the framework's name of an operation, without spaces", has_no_space};
const TextForm transformation_id{
    "lower-case letters, digits, dots and underscores, such as \"front.fuse_thing\"", is_transformation_id};
// The entry of a configuration file has the id that its author gave it: "TFYOLO".
const TextForm config_id{"a name of letters, digits, '_', '.' and '-'", is_word};
// Of a transformation that others are ordered by.
const TextForm order_id{
    "a name of letters, digits, '_', '.' and '-', with '?' after it when there may be none",
    [](std::string_view id) { return is_word(id.ends_with('?') ? id.substr(0, id.size() - 1) : id); }};
const TextForm optional_group{"nothing, or lower-case letters, digits, dots and underscores",
                              is_transformation_id, true};
const TextForm op_pattern{R"("Type", "opset1::Type", "*::Type" or "::SourceType")", is_op_pattern};
const TextForm optional_alias{"nothing, or one line of text", nullptr, true};
const TextForm file_extension{"a lower-case extension with its dot, such as \".pb\"", is_file_extension};
const TextForm option_name{"lower-case letters, digits and '_', such as \"input_proto\"", is_lower_word};
const TextForm choice{"a word without blanks, ',' and '|'", is_choice};
const TextForm interface_name{"a name of letters, digits, '_', '.' and '-'", is_word};

}  // namespace mo::core::form

// What the texts in a plugin's structs may look like.
#pragma once

#include <string_view>

namespace mo::core {

struct TextForm {
  std::string_view expected;                    // ends the sentence "expected …"
  bool (*accepts)(std::string_view) = nullptr;  // nullptr: any UTF-8 of the right number of lines
  bool may_be_empty = false;
  bool may_have_lines = false;
};

namespace form {
extern const TextForm plugin_id, version, license, url;
extern const TextForm line, optional_line, optional_paragraph;
extern const TextForm op, opset, attribute, optional_ir_name;
extern const TextForm framework, optional_framework, domain, source_op;
extern const TextForm transformation_id, config_id, order_id, optional_group, op_pattern, optional_alias;
extern const TextForm file_extension, option_name, choice, interface_name;
}  // namespace form

}  // namespace mo::core

#include "loader/text_schema.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace mo::tensorflow {

namespace {

// A message on each line: its name, and then type, name and number of each field.
constexpr std::string_view messages =
    "Dim int size 1 string name 2\n"
    "Shape Dim dim 2 bool unknown_rank 3\n"
    "Tensor type dtype 1 Shape tensor_shape 2 int version_number 3 string tensor_content 4 float float_val 5 "
    "double double_val 6 int int_val 7 string string_val 8 float scomplex_val 9 int int64_val 10 "
    "bool bool_val 11 double dcomplex_val 12 int half_val 13 int uint32_val 16 int uint64_val 17 "
    "string float8_val 18\n"
    "AttrEntry string key 1 AttrValue value 2\n"
    "NamedAttrs string name 1 AttrEntry attr 2\n"
    "List string s 2 int i 3 float f 4 bool b 5 type type 6 Shape shape 7 Tensor tensor 8 NamedAttrs func 9\n"
    "AttrValue List list 1 string s 2 int i 3 float f 4 bool b 5 type type 6 Shape shape 7 Tensor tensor 8 "
    "string placeholder 9 NamedAttrs func 10\n"
    "Node string name 1 string op 2 string input 3 string device 4 AttrEntry attr 5\n"
    "Arg string name 1 type type 3 string type_attr 4 string number_attr 5 string type_list_attr 6 "
    "bool is_ref 16\n"
    "AttrDef string name 1 string type 2 AttrValue default_value 3\n"
    "Op string name 1 Arg input_arg 2 Arg output_arg 3 AttrDef attr 4 string control_output 20\n"
    "Texts string key 1 string value 2\n"
    "Function Op signature 1 Node node_def 3 Texts ret 4 AttrEntry attr 5 Texts control_ret 6\n"
    "Library Function function 1\n"
    "Versions int producer 1 int min_consumer 2 int bad_consumers 3\n"
    "Graph Node node 1 Library library 2 int version 3 Versions versions 4\n"
    "Info string meta_graph_version 1 string tags 4 string tensorflow_version 5 "
    "string tensorflow_git_version 6 bool stripped_default_attrs 7\n"
    "Saver string filename_tensor_name 1 string save_tensor_name 2 string restore_op_name 3 enum version 7\n"
    "TensorInfo string name 1 type dtype 2 Shape tensor_shape 3\n"
    "InfoEntry string key 1 TensorInfo value 2\n"
    "Signature InfoEntry inputs 1 InfoEntry outputs 2 string method_name 3\n"
    "SignatureEntry string key 1 Signature value 2\n"
    "MetaGraph Info meta_info_def 1 Graph graph_def 2 Saver saver_def 3 SignatureEntry signature_def 5\n"
    "SavedModel int saved_model_schema_version 1 MetaGraph meta_graphs 2\n";

constexpr std::string_view kinds[] = {"int", "float", "double", "bool", "string", "type", "enum"};

std::map<std::string_view, TextMessage> read_messages() {
  std::map<std::string_view, TextMessage> all;
  size_t at = 0;
  const auto word = [&] {
    const size_t end = messages.find_first_of(" \n", at);
    const std::string_view w = messages.substr(at, end - at);
    at = end;
    return w;
  };
  for (; at < messages.size(); ++at) {
    TextMessage& m = all[word()];
    while (messages[at] == ' ') {
      TextField f;
      ++at;
      const std::string_view type = word();
      ++at;
      f.name = word();
      ++at;
      const std::string_view number = word();
      std::from_chars(number.data(), number.data() + number.size(), f.number);
      const auto kind = std::find(std::begin(kinds), std::end(kinds), type) - std::begin(kinds);
      f.kind = static_cast<TextField::Kind>(kind);
      if (f.kind == TextField::message) f.of = &all[type];
      m.fields.emplace(f.name, f);
    }
  }
  return all;
}

}  // namespace

const TextMessage* root_with(std::string_view field) {
  static const auto all = read_messages();
  for (const char* root : {"Graph", "MetaGraph", "SavedModel"})
    if (all.at(root).find(field) != nullptr) return &all.at(root);
  return nullptr;
}

}  // namespace mo::tensorflow

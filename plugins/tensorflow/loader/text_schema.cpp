#include "loader/text_schema.hpp"

#include <array>
#include <iterator>

namespace mo::tensorflow {

namespace {

using F = TextField;
constexpr bool many = true, one = false;

extern const TextMessage attr_value;

constexpr F dim_fields[] = {{"size", 1, F::integer, one, nullptr}, {"name", 2, F::string, one, nullptr}};
constexpr TextMessage dim{std::begin(dim_fields), std::end(dim_fields)};

constexpr F shape_fields[] = {{"dim", 2, F::message, many, &dim},
                              {"unknown_rank", 3, F::boolean, one, nullptr}};
constexpr TextMessage shape{std::begin(shape_fields), std::end(shape_fields)};

constexpr F tensor_fields[] = {{"dtype", 1, F::type, one, nullptr},
                               {"tensor_shape", 2, F::message, one, &shape},
                               {"version_number", 3, F::integer, one, nullptr},
                               {"tensor_content", 4, F::string, one, nullptr},
                               {"float_val", 5, F::single, many, nullptr},
                               {"double_val", 6, F::real, many, nullptr},
                               {"int_val", 7, F::integer, many, nullptr},
                               {"string_val", 8, F::string, many, nullptr},
                               {"scomplex_val", 9, F::single, many, nullptr},
                               {"int64_val", 10, F::integer, many, nullptr},
                               {"bool_val", 11, F::boolean, many, nullptr},
                               {"dcomplex_val", 12, F::real, many, nullptr},
                               {"half_val", 13, F::integer, many, nullptr},
                               {"uint32_val", 16, F::integer, many, nullptr},
                               {"uint64_val", 17, F::integer, many, nullptr},
                               {"float8_val", 18, F::string, one, nullptr}};
constexpr TextMessage tensor{std::begin(tensor_fields), std::end(tensor_fields)};

constexpr F attr_entry_fields[] = {{"key", 1, F::string, one, nullptr},
                                   {"value", 2, F::message, one, &attr_value}};
constexpr TextMessage attr_entry{std::begin(attr_entry_fields), std::end(attr_entry_fields)};

constexpr F named_attrs_fields[] = {{"name", 1, F::string, one, nullptr},
                                    {"attr", 2, F::message, many, &attr_entry}};
constexpr TextMessage named_attrs{std::begin(named_attrs_fields), std::end(named_attrs_fields)};

constexpr F list_fields[] = {
    {"s", 2, F::string, many, nullptr},       {"i", 3, F::integer, many, nullptr},
    {"f", 4, F::single, many, nullptr},       {"b", 5, F::boolean, many, nullptr},
    {"type", 6, F::type, many, nullptr},      {"shape", 7, F::message, many, &shape},
    {"tensor", 8, F::message, many, &tensor}, {"func", 9, F::message, many, &named_attrs}};
constexpr TextMessage list{std::begin(list_fields), std::end(list_fields)};

constexpr F attr_value_fields[] = {
    {"list", 1, F::message, one, &list},         {"s", 2, F::string, one, nullptr},
    {"i", 3, F::integer, one, nullptr},          {"f", 4, F::single, one, nullptr},
    {"b", 5, F::boolean, one, nullptr},          {"type", 6, F::type, one, nullptr},
    {"shape", 7, F::message, one, &shape},       {"tensor", 8, F::message, one, &tensor},
    {"placeholder", 9, F::string, one, nullptr}, {"func", 10, F::message, one, &named_attrs}};
constexpr TextMessage attr_value{std::begin(attr_value_fields), std::end(attr_value_fields)};

constexpr F node_fields[] = {{"name", 1, F::string, one, nullptr},
                             {"op", 2, F::string, one, nullptr},
                             {"input", 3, F::string, many, nullptr},
                             {"device", 4, F::string, one, nullptr},
                             {"attr", 5, F::message, many, &attr_entry}};
constexpr TextMessage node{std::begin(node_fields), std::end(node_fields)};

constexpr F arg_fields[] = {
    {"name", 1, F::string, one, nullptr},           {"type", 3, F::type, one, nullptr},
    {"type_attr", 4, F::string, one, nullptr},      {"number_attr", 5, F::string, one, nullptr},
    {"type_list_attr", 6, F::string, one, nullptr}, {"is_ref", 16, F::boolean, one, nullptr}};
constexpr TextMessage arg{std::begin(arg_fields), std::end(arg_fields)};

constexpr F attr_def_fields[] = {{"name", 1, F::string, one, nullptr},
                                 {"type", 2, F::string, one, nullptr},
                                 {"default_value", 3, F::message, one, &attr_value}};
constexpr TextMessage attr_def{std::begin(attr_def_fields), std::end(attr_def_fields)};

constexpr F op_fields[] = {{"name", 1, F::string, one, nullptr},
                           {"input_arg", 2, F::message, many, &arg},
                           {"output_arg", 3, F::message, many, &arg},
                           {"attr", 4, F::message, many, &attr_def},
                           {"control_output", 20, F::string, many, nullptr}};
constexpr TextMessage op_message{std::begin(op_fields), std::end(op_fields)};

constexpr F texts_fields[] = {{"key", 1, F::string, one, nullptr}, {"value", 2, F::string, one, nullptr}};
constexpr TextMessage texts_message{std::begin(texts_fields), std::end(texts_fields)};

constexpr F function_fields[] = {{"signature", 1, F::message, one, &op_message},
                                 {"node_def", 3, F::message, many, &node},
                                 {"ret", 4, F::message, many, &texts_message},
                                 {"attr", 5, F::message, many, &attr_entry},
                                 {"control_ret", 6, F::message, many, &texts_message}};
constexpr TextMessage function{std::begin(function_fields), std::end(function_fields)};

constexpr F library_fields[] = {{"function", 1, F::message, many, &function}};
constexpr TextMessage library{std::begin(library_fields), std::end(library_fields)};

constexpr F versions_fields[] = {{"producer", 1, F::integer, one, nullptr},
                                 {"min_consumer", 2, F::integer, one, nullptr},
                                 {"bad_consumers", 3, F::integer, many, nullptr}};
constexpr TextMessage versions{std::begin(versions_fields), std::end(versions_fields)};

constexpr F graph_fields[] = {{"node", 1, F::message, many, &node},
                              {"library", 2, F::message, one, &library},
                              {"version", 3, F::integer, one, nullptr},
                              {"versions", 4, F::message, one, &versions}};
constexpr TextMessage graph{std::begin(graph_fields), std::end(graph_fields)};

constexpr F info_fields[] = {{"meta_graph_version", 1, F::string, one, nullptr},
                             {"tags", 4, F::string, many, nullptr},
                             {"tensorflow_version", 5, F::string, one, nullptr},
                             {"tensorflow_git_version", 6, F::string, one, nullptr},
                             {"stripped_default_attrs", 7, F::boolean, one, nullptr}};
constexpr TextMessage info{std::begin(info_fields), std::end(info_fields)};

constexpr F saver_fields[] = {{"filename_tensor_name", 1, F::string, one, nullptr},
                              {"save_tensor_name", 2, F::string, one, nullptr},
                              {"restore_op_name", 3, F::string, one, nullptr},
                              {"version", 7, F::other_enum, one, nullptr}};
constexpr TextMessage saver{std::begin(saver_fields), std::end(saver_fields)};

constexpr F tensor_info_fields[] = {{"name", 1, F::string, one, nullptr},
                                    {"dtype", 2, F::type, one, nullptr},
                                    {"tensor_shape", 3, F::message, one, &shape}};
constexpr TextMessage tensor_info{std::begin(tensor_info_fields), std::end(tensor_info_fields)};
constexpr F info_entry_fields[] = {{"key", 1, F::string, one, nullptr},
                                   {"value", 2, F::message, one, &tensor_info}};
constexpr TextMessage info_entry{std::begin(info_entry_fields), std::end(info_entry_fields)};

constexpr F signature_fields[] = {{"inputs", 1, F::message, many, &info_entry},
                                  {"outputs", 2, F::message, many, &info_entry},
                                  {"method_name", 3, F::string, one, nullptr}};
constexpr TextMessage signature{std::begin(signature_fields), std::end(signature_fields)};
constexpr F signature_entry_fields[] = {{"key", 1, F::string, one, nullptr},
                                        {"value", 2, F::message, one, &signature}};
constexpr TextMessage signature_entry{std::begin(signature_entry_fields), std::end(signature_entry_fields)};

constexpr F meta_graph_fields[] = {{"meta_info_def", 1, F::message, one, &info},
                                   {"graph_def", 2, F::message, one, &graph},
                                   {"saver_def", 3, F::message, one, &saver},
                                   {"signature_def", 5, F::message, many, &signature_entry}};
constexpr TextMessage meta_graph{std::begin(meta_graph_fields), std::end(meta_graph_fields)};

constexpr F saved_model_fields[] = {{"saved_model_schema_version", 1, F::integer, one, nullptr},
                                    {"meta_graphs", 2, F::message, many, &meta_graph}};
constexpr TextMessage saved_model{std::begin(saved_model_fields), std::end(saved_model_fields)};

}  // namespace

const TextMessage* root_with(std::string_view field) {
  for (const TextMessage* m : {&graph, &meta_graph, &saved_model})
    if (m->find(field) != nullptr) return m;
  return nullptr;
}

}  // namespace mo::tensorflow

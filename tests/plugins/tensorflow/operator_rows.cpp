#include "operator_rows.hpp"

#include <stdexcept>

namespace mo::test {

namespace {

struct TypeName {
  std::string_view name;
  TfType type;
};
constexpr TypeName type_names[] = {
    {"f32", TfType::f32},
    {"f64", TfType::f64},
    {"i32", TfType::i32},
    {"u8", TfType::u8},
    {"i8", TfType::i8},
    {"string", TfType::string},
    {"complex64", TfType::complex64},
    {"i64", TfType::i64},
    {"boolean", TfType::boolean},
};

const TypeName* named(std::string_view name) {
  for (const TypeName& t : type_names)
    if (t.name == name) return &t;
  return nullptr;
}

bool is_text(std::string_view s) { return s.size() >= 2 && s.front() == '"' && s.back() == '"'; }
std::string text_in(std::string_view s) { return std::string(s.substr(1, s.size() - 2)); }
bool is_float(std::string_view s) { return s.find_first_of(".en") != s.npos; }

std::vector<std::string> items_in(std::string_view list) {
  return split_row(list.substr(1, list.size() - 2), ',');
}
std::vector<int64_t> integers(const std::vector<std::string>& items) {
  std::vector<int64_t> list;
  for (const std::string& i : items) list.push_back(static_cast<int64_t>(number_of(i)));
  return list;
}

TfAttribute list_attribute(const std::string& name, const std::vector<std::string>& items) {
  if (items.empty() || (!is_text(items[0]) && named(items[0]) == nullptr && !is_float(items[0])))
    return tf_ints(name, integers(items));
  std::vector<std::string> texts;
  std::vector<TfType> types;
  std::vector<float> floats;
  for (const std::string& i : items) {
    if (is_text(items[0]))
      texts.push_back(text_in(i));
    else if (named(items[0]) == nullptr)
      floats.push_back(static_cast<float>(number_of(i)));
    else if (named(i) != nullptr)
      types.push_back(named(i)->type);
    else
      throw std::runtime_error("no type \"" + i + '"');
  }
  if (!texts.empty()) return tf_texts(name, texts);
  return types.empty() ? tf_floats_list(name, floats) : tf_types(name, types);
}

TfAttribute read_attribute(const std::string& part) {
  const size_t is = part.find('=');
  if (is == part.npos) throw std::runtime_error("expected \"name=value\", found \"" + part + '"');
  const std::string name = part.substr(0, is), value = part.substr(is + 1);
  if (value == "true" || value == "false") return tf_bool(name, value == "true");
  if (is_text(value)) return tf_text(name, text_in(value));
  if (const TypeName* t = named(value)) return tf_type(name, t->type);
  if (value.rfind("shape [", 0) == 0) return tf_shape(name, integers(items_in(value.substr(6))));
  if (value.rfind('[', 0) == 0) return list_attribute(name, items_in(value));
  if (is_float(value)) return tf_float(name, static_cast<float>(number_of(value)));
  return tf_int(name, static_cast<int64_t>(number_of(value)));
}

TfTensor tf_tensor_of(const RowTensor& t) {
  switch (t.type) {
    case ElementType::f32:
      return tf_tensor(TfType::f32, t.dims, elements_of<float>(t));
    case ElementType::i32:
      return tf_tensor(TfType::i32, t.dims, elements_of<int32_t>(t));
    case ElementType::i64:
      return tf_tensor(TfType::i64, t.dims, elements_of<int64_t>(t));
    case ElementType::boolean:
      return tf_tensor(TfType::boolean, t.dims, elements_of<uint8_t>(t));
    default:
      throw std::runtime_error("inputs of rows are not " + std::string(name(t.type)));
  }
}

}  // namespace

OperatorRow read_operator(RowReader& in) {
  OperatorRow r;
  r.needs_shapes = in.accept("needs_shapes ");
  r.op = in.word();
  for (const std::string& input : split_row(in.bracketed('(', ')'))) {
    RowReader one(input);
    const bool fixed = one.accept("fixed ");
    r.inputs.push_back({tf_tensor_of(tensor_of(one.rest())), fixed});
  }
  if (in.starts("{"))
    for (const std::string& a : split_row(in.bracketed('{', '}'), ','))
      r.attributes.push_back(read_attribute(a));
  in.expect("->");
  for (const std::string& output : split_row(in.rest())) r.outputs.push_back(tensor_of(output));
  if (r.outputs.empty()) in.fail("what the operator computes");
  return r;
}

}  // namespace mo::test

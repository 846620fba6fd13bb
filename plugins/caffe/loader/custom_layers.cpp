#include "loader/custom_layers.hpp"

#include <mo/shape.hpp>
#include <pugixml.hpp>

#include <charconv>
#include <cmath>

namespace mo::caffe {

namespace {

// Numbers as protobuf's text form and the IR have them; repeated fields with commas.
std::string written(const Value& v) {
  switch (v.kind) {
    case Value::integer:
    case Value::boolean:
      return text(v.i);
    case Value::real:
      return text(v.f);
    default:
      return v.s;
  }
}

std::string written(const Message::Field& f) {
  std::string out;
  for (const Value& v : f.values) {
    // An enumeration's value with the scope of its type.
    const bool scoped = v.kind == Value::word && f.type != nullptr && f.type->kind == FieldType::enumeration;
    const std::string type = scoped ? f.type->type_name : "";
    const size_t dot = type.rfind('.');
    out += text(out.empty() ? "" : ",", dot == std::string::npos ? "" : type.substr(0, dot + 1), written(v));
  }
  return out;
}

struct Attributes {
  const Node& node;
  bool flatten = false, all = false;

  void add(const Message& m, const std::string& prefix) const {
    for (const auto& [name, field] : m.fields()) {
      if (field.values.empty()) continue;
      if (field.values.front().kind == Value::message) {
        if (flatten && field.values.back().m) add(*field.values.back().m, prefix + name + "__");
        continue;
      }
      node.set_ir_attr(prefix + name, written(field));
    }
    if (m.type() == nullptr) return;
    for (const auto& [name, type] : m.type()->fields) {
      if (m.has(name) || type.repeated || type.kind == FieldType::message) continue;
      if (type.fallback) {
        Message::Field f{&type, {read_scalar(type, *type.fallback)}};
        node.set_ir_attr(prefix + name, written(f));
      } else if (all) {
        const bool words = type.kind == FieldType::string || type.kind == FieldType::enumeration;
        node.set_ir_attr(prefix + name, words ? "" : "0");
      }
    }
  }
};

Shape parse_shape(const CustomLayer& e) {
  std::vector<Dim> dims;
  std::string_view rest = e.shape;
  const auto wrong = [&] {
    fail_option("k", "outputShape of '", e.type, "' is '", e.shape,
                "'; expected numbers as [1,10,?], or input");
  };
  if (rest.size() < 2 || rest.front() != '[' || rest.back() != ']') wrong();
  rest = rest.substr(1, rest.size() - 2);
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    std::string_view word = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    int64_t n = 0;
    const auto [at, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    const bool open = word == "?" || word == "-1";
    if (!open && (error != std::errc{} || at != word.data() + word.size() || n < 0)) wrong();
    dims.push_back(open ? any_dim : Dim(n));
  }
  return Shape(dims);
}

}  // namespace

CustomLayers::CustomLayers(Context c, const std::string& path)
    : flatten_(option<bool>(c, "enable_flattening_nested_params").value_or(false)),
      all_(option<bool>(c, "disable_omitting_optional").value_or(false)) {
  const File file = File::open(c, path);
  pugi::xml_document xml;
  const auto result = xml.load_buffer(file.bytes().data(), file.bytes().size());
  if (!result) fail_option("k", "'", path, "' is not XML (byte ", result.offset, "): ", result.description());
  for (const pugi::xml_node node : xml.document_element().children()) {
    if (node.type() != pugi::node_element) continue;
    const std::string_view tag = node.name();
    if (tag != "CustomLayer")
      fail_option("k", "'", path, "' has an element '", tag, "'; expected CustomLayer");
    CustomLayer e;
    e.type = node.attribute("NativeType").value();
    e.param = node.attribute("protoParamName").value();
    e.opset = node.attribute("opset").value();
    e.shape = node.attribute("outputShape").value();
    const std::string_view has = node.attribute("hasParam").value();
    if (e.type.empty()) fail_option("k", "an entry of '", path, "' has no NativeType");
    if (has != "true" && has != "false")
      fail_option("k", "entry '", e.type, "' has hasParam '", has, "'; expected true or false");
    e.has_param = has == "true";
    if (e.has_param && e.param.empty())
      fail_option("k", "entry '", e.type, "' has parameters, but no protoParamName");
    if (!e.shape.empty() && e.shape != "input") (void)parse_shape(e);
    const std::string type = e.type;
    if (!entries_.emplace(type, std::move(e)).second)
      fail_option("k", "'", path, "' has two entries for '", type, "'");
  }
}

const CustomLayer* CustomLayers::find(std::string_view type) const {
  const auto i = entries_.find(type);
  return i == entries_.end() ? nullptr : &i->second;
}

void CustomLayers::apply(const CustomLayer& e, const Message& layer, const Node& node) const {
  node.set_op(e.type, e.opset.empty() ? "extension" : std::string_view(e.opset));
  if (const Message* m = e.has_param ? layer.child(e.param) : nullptr)
    Attributes{node, flatten_, all_}.add(*m, "");
  if (e.shape == "input") node.set("shape_of_input", true);
  if (!e.shape.empty() && e.shape != "input")
    node.set("output_shapes", std::vector<Shape>(node.out_count(), parse_shape(e)));
}

}  // namespace mo::caffe

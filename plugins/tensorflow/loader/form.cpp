#include "loader/form.hpp"

#include "loader/schema.hpp"

#include <mo/wire.hpp>

#include <algorithm>

namespace mo::tensorflow {

namespace {

bool is_name(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

// The bytes of the field of a head that may end inside it.
Bytes read_part(wire::Reader& r, Bytes head) {
  const uint64_t size = r.read_varint();
  const Bytes part = head.substr(r.offset(), static_cast<size_t>(std::min<uint64_t>(size, head.size())));
  return part;
}

// A NodeDef begins with its name, which its operator follows.
bool is_node(Bytes part) {
  try {
    wire::Reader r(part);
    if (r.read_varint() != (field::node::name << 3 | wire::length) || !is_name(r.read_bytes())) return false;
    return r.read_varint() == (field::node::op << 3 | wire::length) && is_name(r.read_bytes());
  } catch (const Error&) {
    return false;
  }
}

// A GraphDef whose library, versions or nodes begin here.
bool is_graph(Bytes head) {
  wire::Reader r(head);
  const uint64_t key = r.read_varint();
  if (key == (field::graph::node << 3 | wire::length)) return is_node(read_part(r, head));
  return false;
}

bool is_text(Bytes head) {
  for (const char c : head)
    if (static_cast<unsigned char>(c) < '\t') return false;
  for (const std::string_view word : {"node {", "node{", "node: {", "node <", "graph_def {", "graph_def{",
                                      "meta_graphs {", "meta_graphs{", "saved_model_schema_version:"})
    if (head.find(word) != std::string_view::npos) return true;
  return false;
}

// MetaInfoDef, or the GraphDef itself, behind the field that is given.
bool is_meta_graph(Bytes head) {
  enum : uint32_t { meta_info = 1, graph_def = 2, stripped_op_list = 2, tags = 4, version = 5 };
  wire::Reader r(head);
  const uint64_t key = r.read_varint();
  if (key == (graph_def << 3 | wire::length)) return is_graph(read_part(r, head));
  if (key != (meta_info << 3 | wire::length)) return false;
  const Bytes info = read_part(r, head);
  wire::Reader inner(info);
  const auto first = static_cast<uint32_t>(inner.read_varint());
  if (first == (stripped_op_list << 3 | wire::length)) {  // an OpList: OpDefs
    const Bytes list = read_part(inner, info);
    return !list.empty() && list.front() == '\x0a';
  }
  return first == (tags << 3 | wire::length) || first == (version << 3 | wire::length) ||
         (first == (1U << 3 | wire::length) && !is_node(info));
}

bool is_saved_model(Bytes head) {
  enum : uint32_t { schema_version = 1, meta_graphs = 2 };
  wire::Reader r(head);
  if (r.read_varint() != (schema_version << 3 | wire::varint) || r.read_varint() > 9) return false;
  return r.read_varint() == (meta_graphs << 3 | wire::length) && is_meta_graph(read_part(r, head));
}

}  // namespace

Form form_of(Bytes head) {
  if (is_text(head)) return Form::text;
  try {
    if (is_saved_model(head)) return Form::saved_model;
    if (is_graph(head)) return Form::graph;
    if (is_meta_graph(head)) return Form::meta_graph;
  } catch (const Error&) {  // the head ends where more was expected
  }
  return Form::none;
}

}  // namespace mo::tensorflow

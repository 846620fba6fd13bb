// Fields may come in any order, and the head of a file ends somewhere: what is seen must fit, and something
// of it must be what no other message has there.
#include "loader/form.hpp"

#include "loader/schema.hpp"

#include <mo/wire.hpp>

#include <algorithm>

namespace mo::tensorflow {

namespace {

struct Part {
  uint32_t number;
  wire::Type type;
  Bytes bytes;  // as much of it as there is
  uint64_t value;
};

constexpr size_t most_parts = 64;

// The fields at the begin of a message that may end anywhere; empty when it is none.
std::vector<Part> parts_of(Bytes head) {
  std::vector<Part> parts;
  wire::Reader r(head);
  try {
    while (!r.done() && parts.size() < most_parts) {
      const uint64_t key = r.read_varint();
      Part p{static_cast<uint32_t>(key >> 3), static_cast<wire::Type>(key & 7U), {}, 0};
      if (key >> 3 == 0 || key >> 8 != 0) return {};
      if (p.type == wire::varint) {
        p.value = r.read_varint();
      } else if (p.type == wire::length) {
        const size_t before = r.offset();
        try {
          p.bytes = r.read_bytes();
        } catch (const Error&) {
          wire::Reader size(head.substr(before));
          (void)size.read_varint();
          p.bytes = head.substr(before + size.offset());
          parts.push_back(p);
          return parts;
        }
      } else {
        return {};
      }
      parts.push_back(p);
    }
  } catch (const Error&) {  // the head ends inside a number
  }
  return parts;
}

const Part* find(const std::vector<Part>& parts, uint32_t number) {
  const auto i =
      std::find_if(parts.begin(), parts.end(), [number](const Part& p) { return p.number == number; });
  return i == parts.end() ? nullptr : &*i;
}

bool all_messages(const std::vector<Part>& parts, uint32_t last) {
  return !parts.empty() && std::all_of(parts.begin(), parts.end(), [last](const Part& p) {
    return p.type == wire::length && p.number <= last;
  });
}

bool is_name(Bytes s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

bool is_node(Bytes bytes) {
  const auto parts = parts_of(bytes);
  const Part* name = find(parts, field::node::name);
  const Part* op = find(parts, field::node::op);
  return all_messages(parts, 7) && name != nullptr && op != nullptr && is_name(name->bytes) &&
         is_name(op->bytes);
}

bool is_function(Bytes bytes) {
  const auto parts = parts_of(bytes);
  const Part* signature = find(parts, field::function::signature);
  if (!all_messages(parts, 7) || signature == nullptr) return false;
  const auto inner = parts_of(signature->bytes);
  const Part* name = find(inner, field::op::name);
  return name != nullptr && name->type == wire::length && is_name(name->bytes) && !is_node(signature->bytes);
}

bool is_graph(Bytes bytes) {
  const auto parts = parts_of(bytes);
  for (const Part& p : parts)
    if (p.number > 6 || (p.type == wire::varint) != (p.number == 3)) return false;
  if (const Part* node = find(parts, field::graph::node)) return is_node(node->bytes);
  const Part* library = find(parts, field::graph::library);
  if (library == nullptr) return false;
  const auto functions = parts_of(library->bytes);
  const Part* function = find(functions, field::library::function);
  return all_messages(functions, 3) && function != nullptr && is_function(function->bytes);
}

// MetaInfoDef has lists of operators, tags and versions.
bool is_meta_info(Bytes bytes) {
  const auto parts = parts_of(bytes);
  for (const Part& p : parts)
    if (p.number > 8) return false;
  return !parts.empty() && !is_node(bytes);
}

// `inside` a SavedModel everything that fits will do.
bool is_meta_graph(Bytes bytes, bool inside) {
  const auto parts = parts_of(bytes);
  if (!all_messages(parts, 7)) return false;
  enum : uint32_t { info = 1, graph_def = 2 };
  if (const Part* graph = find(parts, graph_def)) return is_graph(graph->bytes);
  const Part* i = find(parts, info);
  return i != nullptr ? is_meta_info(i->bytes) : inside && !is_name(bytes);
}

bool is_saved_model(Bytes bytes) {
  enum : uint32_t { schema_version = 1, meta_graphs = 2 };
  const auto parts = parts_of(bytes);
  const Part* version = find(parts, schema_version);
  const Part* graph = find(parts, meta_graphs);
  return version != nullptr && version->type == wire::varint && version->value < 10 && graph != nullptr &&
         graph->type == wire::length && is_meta_graph(graph->bytes, true);
}

bool is_text(Bytes head) {
  for (const char c : head)
    if (static_cast<unsigned char>(c) < '\t') return false;
  for (const std::string_view word : {"node {", "node{", "node: {", "node <", "graph_def {", "graph_def{",
                                      "meta_graphs {", "meta_graphs{", "saved_model_schema_version:"})
    if (head.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

Form form_of(Bytes head) {
  if (is_text(head)) return Form::text;
  if (is_saved_model(head)) return Form::saved_model;
  if (is_graph(head)) return Form::graph;
  return is_meta_graph(head, false) ? Form::meta_graph : Form::none;
}

}  // namespace mo::tensorflow

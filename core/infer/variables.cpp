#include "core/infer/variables.hpp"

#include "core/infer/infer.hpp"

namespace mo::core {

namespace {

std::string_view variable_of(const Session& session, const Graph& g, NodeId n, bool sets) {
  const Attribute* name = g.attribute(n, "variable_id");
  const auto* text = name == nullptr ? nullptr : std::get_if<std::string>(name);
  const Operation* operation = text == nullptr ? nullptr : operation_of(session, g, n);
  if (operation == nullptr || ((operation->flags & MO_OP_SINK) != 0) != sets) return {};
  return *text;
}

}  // namespace

std::string_view Variables::read_by(const Session& s, const Graph& g, NodeId n) {
  return variable_of(s, g, n, false);
}
std::string_view Variables::set_by(const Session& s, const Graph& g, NodeId n) {
  return variable_of(s, g, n, true);
}

TensorRef Variables::find(const Values& values, std::string_view variable) {
  const auto at = values.find(variable);
  return at == values.end() ? TensorRef() : at->second;
}
TensorRef Variables::value(std::string_view variable) const { return find(now_, variable); }
TensorRef Variables::first(std::string_view variable) const { return find(first_, variable); }

void Variables::note_first(std::string_view variable, TensorRef value) {
  first_.insert_or_assign(std::string(variable), std::move(value));
}
void Variables::set(std::string_view variable, TensorRef value) {
  next_.insert_or_assign(std::string(variable), std::move(value));
}
void Variables::end_run() {
  for (auto& [name, value] : next_) now_.insert_or_assign(name, std::move(value));
  next_.clear();
}

}  // namespace mo::core

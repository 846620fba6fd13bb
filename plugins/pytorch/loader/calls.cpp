#include "loader/calls.hpp"

#include "loader/native_names.hpp"

#include <charconv>

namespace mo::pytorch {

Target read_target(std::string_view target) {
  Target t;
  // Functions of Python have no overload: "_operator.add", "torch.sym_min", "math.trunc".
  const std::string_view ops = "torch.ops.";
  if (target.starts_with(ops)) target.remove_prefix(ops.size());
  const size_t dot = target.find('.');
  require(dot != 0 && dot != std::string_view::npos && dot + 1 < target.size(), "the operator '", target,
          "' has no namespace");
  t.domain = target.substr(0, dot);
  t.op = target.substr(dot + 1);
  const size_t end = t.op.find('.');
  if (end == std::string::npos) return t;
  std::string name = t.op.substr(0, end);
  if (name.size() > 5 && name.starts_with("__i") && name.ends_with("__") && name != "__index__" &&
      name != "__invert__") {
    t.in_place = true;
    name.erase(2, 1);
  } else if (name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_') {
    t.in_place = true;
    name.pop_back();
  }
  t.op = name + t.op.substr(end);
  return t;
}

void Arguments::connect(std::string name, const OutPort& from, bool is_complex) {
  if (is_complex) complex_.push_back(name);
  names_.push_back(std::move(name));
  inputs_.push_back(from);
}

void Arguments::mark_number(std::string_view name) { set(native::number_of(name), true); }

bool Arguments::is_true(std::string_view name) const {
  for (const auto& [n, value] : attributes_)
    if (n == name) return std::holds_alternative<bool>(value) && std::get<bool>(value);
  return false;
}

static std::string_view text_of(const Value& node, std::string_view key) {
  const Value v = node["metadata"][key];
  return v.is(Value::Kind::string) ? v.word() : std::string_view();
}

// "name,path,class;name,path,class": the last one is the innermost. A path may be written as an expression,
// "L['self'].layers[0]".
std::string module_of(const Value& node) {
  std::string_view stack = text_of(node, "nn_module_stack");
  if (const size_t last = stack.rfind(';'); last != std::string_view::npos) stack.remove_prefix(last + 1);
  const size_t begin = stack.find(','), end = stack.rfind(',');
  if (begin == std::string_view::npos || end <= begin) return {};
  std::string_view path = stack.substr(begin + 1, end - begin - 1);
  if (const size_t self = path.find("'self'].", 0); self != std::string_view::npos)
    path.remove_prefix(self + 8);
  if (path.starts_with("L__self__") || path.starts_with('_') || path.find_first_of(" ,()'\"") != path.npos)
    return {};
  return std::string(path);
}

// The last line of the stack that names a file, but for those of torch itself, which only call one another.
SourceLine source_of(const Value& node) {
  const std::string_view stack = text_of(node, "stack_trace");
  SourceLine found;
  const std::string_view mark = "File \"", middle = "\", line ";
  for (size_t at = stack.find(mark); at != std::string_view::npos; at = stack.find(mark, at + 1)) {
    const size_t begin = at + mark.size(), end = stack.find(middle, begin);
    if (end == std::string_view::npos) break;
    const std::string_view file = stack.substr(begin, end - begin);
    if (!found.file.empty() && (file.find("torch/nn/") != file.npos || file.find("torch/fx/") != file.npos))
      continue;
    found = {std::string(file), 0};
    const char* digits = stack.data() + end + middle.size();
    std::from_chars(digits, stack.data() + stack.size(), found.line);
  }
  return found;
}

}  // namespace mo::pytorch

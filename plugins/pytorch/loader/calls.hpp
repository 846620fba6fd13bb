// What is kept of a call for those who convert it: its operator, its arguments and what the program says of
// its results.
#pragma once

#include "loader/schema.hpp"

#include <mo/graph.hpp>

#include <deque>
#include <variant>

namespace mo::pytorch {

using Attribute = std::variant<std::monostate, int64_t, double, bool, std::string, ElementType,
                               std::vector<int64_t>, std::vector<double>, std::vector<bool>,
                               std::vector<std::string>, std::vector<Shape>, std::vector<ElementType>>;

// "torch.ops.aten.add_.Tensor" is the operator "add.Tensor" of "aten", and works in place.
struct Target {
  std::string domain, op;
  bool in_place = false;
  // "add" of "add.Tensor".
  std::string_view base() const { return std::string_view(op).substr(0, op.find('.')); }
};
Target read_target(std::string_view target);

// Arguments in the order of the call: attributes, and in-ports with their names.
class Arguments {
 public:
  void set(std::string_view name, Attribute value) { attributes_.emplace_back(name, std::move(value)); }
  // An in-port; an empty one where a list has None.
  void connect(std::string name, const OutPort& from, bool is_complex);
  void mark_number(std::string_view name);
  bool is_true(std::string_view name) const;

  const std::vector<OutPort>& inputs() const { return inputs_; }
  const std::vector<std::pair<std::string, Attribute>>& attributes() const { return attributes_; }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<std::string>& complex() { return complex_; }

 private:
  std::vector<std::pair<std::string, Attribute>> attributes_;
  std::vector<std::string> names_, complex_;
  std::vector<OutPort> inputs_;
};

struct CallRecord {
  Target target;
  std::vector<std::pair<std::string, Attribute>> attributes;
  Value node;  // where it stands in the program; none for calls of our own
};

// From the metadata of a node: the path of its module, and the line of the user's source.
std::string module_of(const Value& node);
struct SourceLine {
  std::string file;
  uint64_t line = 0;
};
SourceLine source_of(const Value& node);

}  // namespace mo::pytorch

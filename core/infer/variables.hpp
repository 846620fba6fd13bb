// What a model keeps from one run to the next. A node with the attribute "variable_id" stands for a variable
// of that name: the one that acts without being read sets it, any other reads it.
#pragma once

#include "core/registry/session.hpp"

#include <map>

namespace mo::core {

class Variables {
 public:
  // Empty when the node stands for no variable.
  static std::string_view read_by(const Session&, const Graph&, NodeId);
  static std::string_view set_by(const Session&, const Graph&, NodeId);

  // The value of the run before; none before the first one.
  TensorRef value(std::string_view variable) const;
  // What the first run began with, as its readers computed it; none when a value was there already.
  TensorRef first(std::string_view variable) const;
  void note_first(std::string_view variable, TensorRef value);

  // A value serves from the next run on: nodes that read the variable later in this run see the old one.
  void set(std::string_view variable, TensorRef value);
  void end_run();
  bool empty() const { return now_.empty(); }

 private:
  using Values = std::map<std::string, TensorRef, std::less<>>;
  static TensorRef find(const Values&, std::string_view variable);
  Values now_, next_, first_;
};

}  // namespace mo::core

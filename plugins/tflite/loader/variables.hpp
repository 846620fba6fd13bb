// Variables: what lasts from one run of the model to the next.
#pragma once

#include <mo/graph.hpp>

#include <map>

namespace mo::tflite {

class Variables {
 public:
  struct Variable {
    OutPort first;    // the value before the first run; empty: none is known
    OutPort current;  // what a read gives now; empty: nothing was read or assigned yet
    bool is_read = false, is_assigned = false;
    ElementType type = ElementType::unknown;
    Shape shape = Shape::unknown();
  };
  Variable& get(const std::string& name) { return all_[name]; }
  bool has(const std::string& name) const { return all_.count(name) != 0; }
  const std::map<std::string, Variable>& all() const { return all_; }

  // While a sub-graph is read that runs once, before the first run.
  bool initializing = false;

 private:
  std::map<std::string, Variable> all_;
};

// A variable with its first value; what it holds.
OutPort read_variable(const Graph& g, const std::string& name, const OutPort& first, ElementType type,
                      const Shape& shape);
void assign_variable(const Graph& g, const std::string& name, const OutPort& value, ElementType type,
                     const Shape& shape);

}  // namespace mo::tflite

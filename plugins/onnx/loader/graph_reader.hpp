// Makes a graph from a GraphProto.
#pragma once

#include "loader/model.hpp"

#include <tsl/robin_map.h>

namespace mo::onnx {

class GraphReader {
 public:
  GraphReader(Context c, OnnxModel& model, const Scope& scope, Graph graph)
      : c_(c), model_(model), scope_(scope), graph_(graph) {}
  void read(Bytes graph_proto);

 private:
  // A value: where it comes from, or the initializer that becomes a constant when it is first read.
  struct Value {
    mo_port port{};
    Bytes initializer;
    ElementType type = ElementType::unknown;
    uint32_t definer = 0;  // index of the node + 1; 0: an input or an initializer
    bool defined = false;
    bool sparse = false;
    bool names_node = false;  // a node that is not its source has the value's name
  };
  struct Pending {  // an input whose value is defined by a later node
    mo_port in;
    uint32_t name;  // index in message_.names
    uint32_t reader;
  };

  void add_initializers();
  void add_parameters();
  void add_parameter(const ValueInfo&);
  void add_node(uint32_t index);
  void add_constant(uint32_t index);
  void add_results();
  void connect_pending();
  // The number of a value: its place in values_. New for a new name.
  uint32_t number(std::string_view name);
  void define(std::string_view name, uint32_t number, mo_port port, ElementType type, uint32_t node_index);
  // A value with its port; nullptr when it is not defined (yet).
  const Value* find(std::string_view name, uint32_t number);
  // By the rules of ONNX; the front phase has nothing else to know types by.
  ElementType type_of_output(const NodeMessage&, uint32_t output);
  void make_initializer(std::string_view name, Value&);
  Node make_const(std::string_view node_name, std::string_view value, const Tensor&);
  std::string describe(const NodeMessage&) const;

  Context c_;
  OnnxModel& model_;
  const Scope& scope_;
  Graph graph_;
  GraphMessage message_;
  // Values are numbered: names are hashed once, on reading them.
  tsl::robin_map<std::string_view, uint32_t, std::hash<std::string_view>, std::equal_to<>,
                 std::allocator<std::pair<std::string_view, uint32_t>>, true>  // keeps hashes
      numbers_;
  std::vector<Value> values_;
  std::vector<uint32_t> number_of_;  // by index in message_.names
  std::vector<Pending> pending_;
};

}  // namespace mo::onnx

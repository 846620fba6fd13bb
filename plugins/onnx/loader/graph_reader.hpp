// Makes a graph from a GraphProto.
#pragma once

#include "loader/model.hpp"

#include <unordered_map>
#include <unordered_set>

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
    ElementType type = ElementType::unknown;
    Bytes initializer;
    bool sparse = false;
    uint32_t definer = 0;  // index of the node + 1; 0: an input or an initializer
  };
  struct Pending {  // an input whose value is defined by a later node
    mo_port in;
    std::string_view value;
    uint32_t reader;
  };

  void add_initializers();
  void add_parameters();
  void add_parameter(const ValueInfo&);
  void add_node(uint32_t index);
  void add_constant(uint32_t index);
  void add_results();
  void connect_pending();
  void define(std::string_view value, mo_port port, ElementType type, uint32_t node_index);
  // A value with its port; nullptr when it is not known (yet).
  const Value* find(std::string_view value);
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
  std::unordered_map<std::string_view, Value> values_;
  std::unordered_set<std::string_view> node_names_;
  std::vector<Pending> pending_;
};

}  // namespace mo::onnx

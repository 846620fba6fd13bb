// Layers and edges of a planned graph, as XML.
#pragma once

#include "core/ir/plan.hpp"
#include "core/ir/xml_writer.hpp"

namespace mo::core {

class LayerWriter {
 public:
  LayerWriter(Session& session, const ModelPlan& model, const std::vector<uint64_t>& offsets, XmlWriter& xml,
              Problems& problems)
      : session_(session), model_(model), offsets_(offsets), xml_(xml), problems_(problems) {}

  // <layers> and <edges>.
  void graph(const GraphPlan&, int depth);

 private:
  void layer(const GraphPlan&, uint32_t id, int depth);
  void edges(const GraphPlan&, int depth);

  // data_attributes.cpp
  void data(const Graph&, const Layer&, int depth);
  void operation_attributes(const Graph&, const Layer&, int depth);
  void rt_info(const Graph&, NodeId, int depth, bool of_port);

  // ports.cpp
  void inputs(const GraphPlan&, const Layer&, int depth);
  void outputs(const GraphPlan&, const Layer&, int depth);
  void dims(const Shape&);
  void tensor_names(const GraphPlan&, PortRef);

  // bodies.cpp
  void bodies(const GraphPlan&, uint32_t id, int depth);
  void port_map(const Layer&, const Body&, int depth);

  Session& session_;
  const ModelPlan& model_;
  const std::vector<uint64_t>& offsets_;  // of ModelPlan::constants, in the .bin
  XmlWriter& xml_;
  Problems& problems_;
  std::vector<std::string_view> names_;  // of one port
};

}  // namespace mo::core

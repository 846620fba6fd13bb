// Layers and edges of an IR, and of the bodies of its operations.
#pragma once

#include "weights.hpp"

#include <unordered_map>

namespace mo::ir {

// A layer and where the ids of its ports stand in their lists.
struct Layer {
  pugi::xml_node element;
  Node node;
  bool is_nothing = false;  // a constant without a type, which stands for an input that is left out
  std::unordered_map<int64_t, uint32_t> inputs, outputs;
};

class GraphReader {
 public:
  GraphReader(Context c, Weights& weights, int version) : c_(c), weights_(weights), version_(version) {}
  // `net` has <layers> and <edges>: the model itself, or a body.
  void read(pugi::xml_node net, const Graph& graph, int depth = 0);

 private:
  using Layers = std::unordered_map<int64_t, Layer>;

  Layer read_layer(pugi::xml_node e, const Graph& graph, int depth);
  Node create(pugi::xml_node e, const Graph& graph, uint32_t inputs, uint32_t outputs);
  void attributes(pugi::xml_node e, const Node& n);
  void rt_info(pugi::xml_node e, const Node& n);
  static void keep_packed(const Node& n);
  void outputs(pugi::xml_node e, const Node& n, bool is_defined);
  void connect(pugi::xml_node edge, const Layers& layers);
  void bodies(const Layer& layer, const Graph& graph, int depth);

  Context c_;
  Weights& weights_;
  int version_;
};

}  // namespace mo::ir

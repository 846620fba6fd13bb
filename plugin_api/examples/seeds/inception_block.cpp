// A block of Inception V4 becomes one InceptionBlock, started by a "scope" entry: inception_block.json.
// inception_block_op.json does the same without the transformation, by "op": "InceptionBlock".
#include "seeds.hpp"

namespace seeds {

// No inference: an operation that takes the place of a sub-graph keeps its shapes.
struct InceptionBlock {
  static constexpr std::string_view type = "InceptionBlock", opset = seeds::opset;
  static void schema(mo::OpSchema& s) {
    s.doc("a block of Inception V4").inputs(1, mo::any_number).outputs(1);
    s.optional_attr<std::string>("attr1_key").optional_attr<int64_t>("attr2_key");
  }
};

struct InceptionBlockTransformation : mo::FrontReplacementFromConfigFileSubGraph {
  InceptionBlockTransformation() {
    replacement_id = "InceptionBlockTransformation";
    doc = "a block of Inception V4 becomes one operation";
  }

  mo::NewSubGraph generate_sub_graph(mo::Graph graph, mo::SubgraphMatch& match) override {
    const mo::Node block = graph.create_node("InceptionBlock", seeds::opset, "InceptionBlock",
                                             std::vector<mo::OutPort>(match.inputs_count()));
    match.custom_attributes().set_attributes(block);
    return {{"block", block}};
  }
  // Input i is what the first of its readers in the block read; all of them read the same.
  mo::InputEdges input_edges_match(mo::Graph, mo::SubgraphMatch& match,
                                   const mo::NewSubGraph& made) override {
    mo::InputEdges edges;
    for (size_t i = 0; i < match.inputs_count(); ++i)
      edges.emplace_back(match.input_nodes(i).front(), made.at("block").in_port(i));
    return edges;
  }
  mo::OutputEdges output_edges_match(mo::Graph, mo::SubgraphMatch& match,
                                     const mo::NewSubGraph& made) override {
    return {{match.output_node(0), made.at("block").out_port()}};
  }
};

void register_inception_block(mo::Registry& registry) {
  registry.operation<InceptionBlock>();
  registry.transformation<InceptionBlockTransformation>();
}

}  // namespace seeds

// Which part of a graph an inference needs.
#pragma once

#include "loader/body_reader.hpp"
#include "loader/meta_graph.hpp"

namespace mo::tensorflow {

// The nodes that outputs need; everything else is left out. `outputs` are those of the new body then.
Body prune(Body body, std::vector<Body::Output>& outputs);

// The outputs of a signature, by the names of their arguments. Errors name those that the graph does not
// have.
std::vector<Body::Output> outputs_of(const Body& body, const Signature& signature);
// Nodes that --output names; empty when it is not given, or names something else.
std::vector<Body::Output> chosen_outputs(Context, const Body& body);
// Outputs that no other node reads, without those of nodes that train, save or initialise.
std::vector<Body::Output> inference_leaves(TensorflowModel&, const Body& body, const Scope& scope);

// A graph that only calls one function stands for that function: its arguments have the names that users
// know.
struct EntryFunction {
  Body body;
  const Scope* scope = nullptr;
  std::vector<Body::Output> outputs;
  std::string_view name;
  std::vector<std::string_view> captured;  // variables behind the arguments; "" for something else
};
// Nothing when the outputs come from anything else than one call.
std::optional<EntryFunction> enter_function(TensorflowModel&, const Body& body, const Scope& scope,
                                            const std::vector<Body::Output>& outputs);

}  // namespace mo::tensorflow

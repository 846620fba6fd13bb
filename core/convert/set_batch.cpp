#include "core/convert/cut.hpp"

namespace mo::core {

void set_batch(Graph& g, int64_t batch) {
  const std::vector<NodeId> parameters(g.parameters().begin(), g.parameters().end());
  for (NodeId n : parameters) {
    const TensorState known = g.out({n, 0}).tensor;
    Shape shape = known.shape;
    const bool has_first = shape.has_rank() && !shape.empty();
    // A model that was exported for a batch of one, or for none, says nothing about others; anything else may
    // be no batch at all.
    if (!has_first || (shape[0] != Dim(0) && shape[0] != Dim(1) && !intersect(shape[0], Dim(batch))))
      throw Failure(Exit::usage, "MO0310",
                    text("--batch ", batch, ": input ", describe(g, n), " has the shape ", shape,
                         has_first ? text(", and its first dimension is ", shape[0], ", not 0, 1 or unknown")
                                   : ", which has no first dimension"))
          .with("hint", "give the inputs their shapes with --input or --input_shape instead");
    shape[0] = batch;
    set_parameter(g, n, known.type, shape);
  }
}

}  // namespace mo::core

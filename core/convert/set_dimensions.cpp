#include "core/convert/cut.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

const std::vector<std::string>* dim_names(const Graph& g, NodeId n, const Shape& shape) {
  const Attribute* a = g.attribute(n, words::dim_names);
  const auto* names = a == nullptr ? nullptr : std::get_if<std::vector<std::string>>(a);
  return names != nullptr && shape.has_rank() && names->size() == shape.size() ? names : nullptr;
}

namespace {

// How many dimensions of this Parameter have the name.
size_t set_dimension(Graph& g, NodeId n, const NamedDim& given) {
  const TensorState known = g.out({n, 0}).tensor;
  Shape shape = known.shape;
  const auto* names = dim_names(g, n, shape);
  if (names == nullptr) return 0;
  size_t count = 0;
  for (size_t i = 0; i < names->size(); ++i) {
    if ((*names)[i] != given.name) continue;
    const auto both = intersect(shape[i], given.size);
    if (!both)
      throw Failure(Exit::usage, "MO0312",
                    text("--input_shape: dimension '", given.name, "' cannot be ", given.size, ": it is ",
                         shape[i], " in input ", describe(g, n), " with the shape ", shape));
    shape[i] = *both;
    ++count;
  }
  if (count != 0) set_parameter(g, n, known.type, shape);
  return count;
}

}  // namespace

void set_dimensions(Graph& g, const std::vector<NamedDim>& dimensions) {
  const std::vector<NodeId> parameters(g.parameters().begin(), g.parameters().end());
  for (const NamedDim& given : dimensions) {
    size_t count = 0;
    for (const NodeId n : parameters) count += set_dimension(g, n, given);
    if (count != 0) continue;
    std::set<std::string> known;
    for (const NodeId n : parameters)
      if (const auto* names = dim_names(g, n, g.out({n, 0}).tensor.shape))
        known.insert(names->begin(), names->end());
    known.erase("");
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    const std::string guess = did_you_mean(given.name, {known.begin(), known.end()});
    throw Failure(Exit::usage, "MO0312",
                  "--input_shape: no input has a dimension of the name '" + given.name + "'")
        .with("hint", !guess.empty() ? guess
                      : list.empty() ? "the model names no dimensions; give the shapes of its inputs"
                                     : "names: " + list);
  }
}

}  // namespace mo::core

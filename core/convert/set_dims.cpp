// --dims: sizes of the dimensions that a model names.
#include "core/convert/cut.hpp"
#include "core/convert/parse_shape.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

namespace {

// The names of a Parameter's dimensions; none where a cut gave it another rank.
std::vector<std::string> names_of(const Graph& g, NodeId parameter) {
  const Attribute* a = g.attribute(parameter, words::dim_names);
  const auto* names = a == nullptr ? nullptr : std::get_if<std::vector<std::string>>(a);
  const Shape& shape = g.out({parameter, 0}).tensor.shape;
  if (names == nullptr || !shape.has_rank() || names->size() != shape.size()) return {};
  return *names;
}

[[noreturn]] void nobody_has(const Graph& g, const std::string& name) {
  std::set<std::string> known;
  for (NodeId n : g.parameters())
    for (const std::string& d : names_of(g, n))
      if (!d.empty()) known.insert(d);
  const std::vector<std::string> all(known.begin(), known.end());
  std::string list;
  for (const std::string& k : all) list += text(list.empty() ? "'" : ", '", k, "'");
  Failure f(Exit::usage, "MO0312", text("--dims: no input has a dimension named '", name, "'"));
  f.with("hint", did_you_mean(name, all));
  throw f.with("hint", list.empty() ? "the model names no dimensions; give shapes with --input_shape"
                                    : "named dimensions: " + list);
}

}  // namespace

std::vector<std::pair<std::string, Dim>> parse_dims(std::string_view given) {
  const OptionText all("dims", given);
  std::vector<std::pair<std::string, Dim>> dims;
  if (trim(all.letters()).empty()) return dims;
  for (const Letters item : all.split(all.letters(), ',')) {
    const auto equals = std::find_if(item.begin(), item.end(), [](const Letter& l) { return l.is('='); });
    const auto at = static_cast<size_t>(equals - item.begin());
    const std::string name = text_of(trim(item.first(at)));
    if (equals == item.end() || name.empty())
      throw all.failure("MO0112", all.place(trim(item)), "NAME=SIZE is expected");
    dims.emplace_back(name, parse_dim(all, trim(item.subspan(at + 1))));
  }
  return dims;
}

void set_dims(Graph& g, const std::vector<std::pair<std::string, Dim>>& dims) {
  const std::vector<NodeId> parameters(g.parameters().begin(), g.parameters().end());
  for (const auto& [name, dim] : dims) {
    bool found = false;
    for (NodeId n : parameters) {
      const std::vector<std::string> names = names_of(g, n);
      const TensorState known = g.out({n, 0}).tensor;
      Shape shape = known.shape;
      for (size_t i = 0; i < names.size(); ++i) {
        if (names[i] != name) continue;
        found = true;
        const auto both = intersect(shape[i], dim);
        if (!both)
          throw Failure(Exit::usage, "MO0312",
                        text("--dims: '", name, "' is ", dim, ", but dimension ", i, " of input ",
                             describe(g, n), " is ", shape[i]));
        shape[i] = *both;
      }
      if (shape != known.shape) set_parameter(g, n, known.type, shape);
    }
    if (!found) nobody_has(g, name);
  }
}

}  // namespace mo::core

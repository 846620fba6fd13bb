#include "apps/run/inputs.hpp"

#include "apps/run/npy.hpp"
#include "apps/run/with_type.hpp"
#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"
#include "core/support/failure.hpp"
#include "core/support/nearest.hpp"

#include <mo/tensor.hpp>

namespace mo::core {

namespace {

// SplitMix64: short, and the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }
  double from_minus_one_to_one() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1; }

 private:
  uint64_t state_;
};

std::vector<int64_t> sizes(const Shape& shape) {
  std::vector<int64_t> dims;
  for (const Dim& d : shape) dims.push_back(d.is_static() ? d.value() : std::max<int64_t>(d.min, 1));
  return dims;
}

TensorRef random_tensor(ElementType type, const std::vector<int64_t>& dims, uint64_t seed) {
  const bool floats = is_float(type) && bits(type) >= 16;
  if (!floats && !(is_integer(type) && bits(type) >= 8) && type != ElementType::boolean)
    fail("there are no random values of element type ", name(type), "; give a file");
  constexpr uint64_t most_bytes = uint64_t{1} << 30;
  const uint64_t bytes = dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size()));
  if (bytes > most_bytes)
    fail("random values of shape ", Shape(dims), " would take ", bytes,
         " bytes; give a file, or a smaller shape");
  TensorRef t = make_tensor(type, dims);
  Random random(seed);
  const size_t n = Tensor::borrow(&host_table(), t.get()).size();
  for (size_t i = 0; i < n; ++i) {
    const double v = floats                         ? random.from_minus_one_to_one()
                     : type == ElementType::boolean ? static_cast<double>(random.next() % 2)
                                                    : static_cast<double>(random.next() % 10);
    store_number(t->buffer.get(), type, i, v);
  }
  return t;
}

bool is_called(const Graph& g, NodeId n, std::string_view name) {
  if (g.name(n) == name) return true;
  const auto& names = g.out({n, 0}).names;
  return std::any_of(names.begin(), names.end(), [&](Symbol s) { return g.symbols().text(s) == name; });
}

// Which Parameter each of the given ones is for.
std::vector<const GivenInput*> assign(const Graph& g, std::span<const GivenInput> given) {
  const auto parameters = g.parameters();
  std::vector<const GivenInput*> chosen(parameters.size());
  for (const GivenInput& i : given) {
    size_t at = parameters.size();
    if (i.name.empty() && parameters.size() == 1)
      at = 0;
    else
      for (size_t p = 0; p < parameters.size(); ++p)
        if (is_called(g, parameters[p], i.name)) at = p;
    if (at == parameters.size()) {
      std::vector<std::string> known;
      std::string list;
      for (const NodeId p : parameters) {
        known.emplace_back(g.name(p));
        list += (list.empty() ? "" : ", ") + known.back();
      }
      throw Failure(Exit::usage, "MO0505",
                    i.name.empty()
                        ? text("the model has ", parameters.size(), " inputs; name the one that is meant")
                        : text("the model has no input '", i.name, "'"))
          .with("hint", did_you_mean(i.name, known))
          .with("inputs", list);
    }
    if (chosen[at] != nullptr)
      throw Failure(Exit::usage, "MO0505", text("input '", g.name(parameters[at]), "' is given twice"));
    chosen[at] = &i;
  }
  return chosen;
}

TensorRef value_of(const TensorState& said, const GivenInput* given, uint64_t seed) {
  if (given != nullptr && !given->file.empty()) {
    const TensorRef value = read_npy(given->file);
    return said.type == ElementType::unknown ? value : with_type(value, said.type);
  }
  Shape shape = said.shape;
  if (given != nullptr && given->shape) {
    const auto merged = merge(shape, *given->shape);
    if (!merged) fail("shape ", *given->shape, " does not fit ", shape);
    shape = *merged;
  }
  if (!shape.has_rank()) fail("its rank is not known; give a file or a shape");
  if (said.type == ElementType::unknown) fail("its element type is not known; give a file");
  return random_tensor(said.type, sizes(shape), seed);
}

}  // namespace

std::vector<RunInput> run_inputs(const Graph& g, std::span<const GivenInput> given, uint64_t seed) {
  const auto chosen = assign(g, given);
  std::vector<RunInput> inputs;
  for (size_t i = 0; i < chosen.size(); ++i) {
    const NodeId p = g.parameters()[i];
    try {
      inputs.push_back(
          {std::string(g.name(p)), value_of(g.out({p, 0}).tensor, chosen[i], seed + 1000003 * i),
           chosen[i] == nullptr || chosen[i]->file.empty() ? ValueOrigin::random : ValueOrigin::file});
    } catch (const Error& e) {
      throw Failure(Exit::usage, "MO0505", text("input '", g.name(p), "': ", e.what()));
    }
  }
  return inputs;
}

}  // namespace mo::core

#include "apps/run/inputs.hpp"

#include "apps/run/npy.hpp"
#include "apps/run/random.hpp"
#include "apps/run/with_type.hpp"
#include "core/convert/cut.hpp"
#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"
#include "core/support/failure.hpp"
#include "core/support/nearest.hpp"

#include <mo/tensor.hpp>

namespace mo::app {

namespace {

constexpr int64_t usual_largest = 9;

// Sizes for what is open; the same name, or the same place where there is none, has the same size in all
// inputs.
class OpenSizes {
 public:
  explicit OpenSizes(Sizes sizes) : sizes_(sizes) {}

  std::vector<int64_t> of(const core::Graph& g, core::NodeId parameter, const Shape& shape) {
    const std::vector<std::string>* names = dim_names(g, parameter, shape);
    std::vector<int64_t> dims;
    for (size_t d = 0; d < shape.size(); ++d) {
      const std::string name = names == nullptr ? std::string() : (*names)[d];
      dims.push_back(shape[d].is_static() ? shape[d].value() : within(shape[d], one(name, d, shape.size())));
    }
    return dims;
  }

 private:
  int64_t one(const std::string& name, size_t place, size_t rank) {
    constexpr int64_t small[] = {2, 3, 5, 7, 4, 6}, large[] = {2, 64, 96, 128, 48, 32},
                      rows[] = {2, 16, 24, 32, 48, 40}, sound[] = {2, 512, 576, 640, 704, 768};
    if (sizes_ == Sizes::ones) return 1;
    if (sizes_ == Sizes::twos) return 2;
    if (!name.empty()) place = names_.try_emplace(name, names_.size()).first->second;
    place %= std::size(small);
    if (sizes_ == Sizes::small) return small[place];
    if (sizes_ == Sizes::sound) return sound[place];
    return rank >= 4 ? large[place] : rows[place];
  }
  static int64_t within(const Dim& d, int64_t size) {
    size = std::max(size, std::max<int64_t>(d.min, 1));
    return d.is_unbounded() ? size : std::min(size, d.max);
  }
  Sizes sizes_;
  std::map<std::string, size_t, std::less<>> names_;
};

core::TensorRef random_tensor(ElementType type, const std::vector<int64_t>& dims, uint64_t seed,
                              int64_t largest, const std::shared_ptr<core::MemoryAccount>& account) {
  const bool floats = is_float(type) && bits(type) >= 16;
  if (!floats && !(is_integer(type) && bits(type) >= 8) && type != ElementType::boolean)
    fail("there are no random values of element type ", name(type), "; give a file");
  core::TensorRef t = make_tensor(type, dims, account);
  Random random(seed);
  const size_t n = Tensor::borrow(&core::host_table(), t.get()).size();
  for (size_t i = 0; i < n; ++i) {
    const double v = floats ? random.from_minus_one_to_one()
                     : type == ElementType::boolean
                         ? static_cast<double>(random.next() % 2)
                         : static_cast<double>(random.next() % static_cast<uint64_t>(largest + 1));
    store_number(t->buffer.get(), type, i, v);
  }
  return t;
}

bool is_called(const core::Graph& g, core::NodeId n, std::string_view name) {
  if (g.name(n) == name) return true;
  const auto& names = g.out({n, 0}).names;
  return std::any_of(names.begin(), names.end(), [&](core::Symbol s) { return g.symbols().text(s) == name; });
}

// Which Parameter each of the given ones is for.
std::vector<const GivenInput*> assign(const core::Graph& g, std::span<const GivenInput> given) {
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
      for (const core::NodeId p : parameters) {
        known.emplace_back(g.name(p));
        list += (list.empty() ? "" : ", ") + known.back();
      }
      throw core::Failure(
          core::Exit::usage, "MO0505",
          i.name.empty() ? text("the model has ", parameters.size(), " inputs; name the one that is meant")
                         : text("the model has no input '", i.name, "'"))
          .with("hint", core::did_you_mean(i.name, known))
          .with("inputs", list);
    }
    if (chosen[at] != nullptr)
      throw core::Failure(core::Exit::usage, "MO0505",
                          text("input '", g.name(parameters[at]), "' is given twice"));
    chosen[at] = &i;
  }
  return chosen;
}

core::TensorRef given_value(const core::TensorState& said, const GivenInput& given) {
  const core::TensorRef value = given.value ? given.value : read_npy(given.file);
  return said.type == ElementType::unknown ? value : with_type(value, said.type);
}

RunInput random_input(const core::Graph& g, core::NodeId p, const GivenInput* given, uint64_t seed,
                      const InputChoice& choice, OpenSizes& sizes) {
  const core::TensorState& said = g.out({p, 0}).tensor;
  Shape shape = said.shape;
  if (given != nullptr && given->shape) {
    const auto merged = merge(shape, *given->shape);
    if (!merged) fail("shape ", *given->shape, " does not fit ", shape);
    shape = *merged;
  }
  if (!shape.has_rank()) fail("its rank is not known; give a file or a shape");
  if (said.type == ElementType::unknown) fail("its element type is not known; give a file");
  const auto chosen = choice.largest.find(g.name(p));
  const int64_t largest = said.type == ElementType::boolean ? 1
                          : chosen != choice.largest.end()  ? chosen->second
                                                            : usual_largest;
  return {std::string(g.name(p)),
          random_tensor(said.type, sizes.of(g, p, shape), seed, largest, choice.account), ValueOrigin::random,
          is_integer(said.type) ? largest : 0, shape};
}

}  // namespace

std::vector<RunInput> run_inputs(const core::Graph& g, std::span<const GivenInput> given, uint64_t seed,
                                 const InputChoice& choice) {
  const auto chosen = assign(g, given);
  std::vector<RunInput> inputs;
  OpenSizes sizes(choice.sizes);
  for (size_t i = 0; i < chosen.size(); ++i) {
    const core::NodeId p = g.parameters()[i];
    try {
      const core::TensorState& said = g.out({p, 0}).tensor;
      if (chosen[i] != nullptr && (chosen[i]->value || !chosen[i]->file.empty()))
        inputs.push_back({std::string(g.name(p)), given_value(said, *chosen[i]),
                          chosen[i]->value ? ValueOrigin::given : ValueOrigin::file, 0, said.shape});
      else
        inputs.push_back(random_input(g, p, chosen[i], seed + 1000003 * i, choice, sizes));
    } catch (core::Failure& f) {
      throw f.with("input", g.name(p));
    } catch (const Error& e) {
      throw core::Failure(core::Exit::usage, "MO0505", text("input '", g.name(p), "': ", e.what()));
    }
  }
  return inputs;
}

}  // namespace mo::app

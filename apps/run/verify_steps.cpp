#include "apps/run/verify_steps.hpp"
#include "core/host/host_tables.hpp"

#include <algorithm>
#include <set>

#include "apps/elements/elements.hpp"
#include "apps/run/compare.hpp"
#include "apps/run/dimension_order.hpp"
#include "apps/run/with_type.hpp"
#include "core/convert/cut.hpp"
#include "core/registry/abi.hpp"
#include "core/support/contains.hpp"

#include <mo/tensor.hpp>

namespace mo::app {

namespace {

constexpr size_t steps = 16;
constexpr int64_t first_length = 4;

struct Kept {
  size_t input, output;  // places among the source's Parameters and Results
  std::string variable;
};

std::vector<std::string> names_of(const core::Graph& g, core::NodeId n, core::PortRef port) {
  std::vector<std::string> names{std::string(g.name(n))};
  for (const core::Symbol s : g.out(port).names) names.emplace_back(g.symbols().text(s));
  return names;
}

std::vector<Kept> kept_by(const core::Session& session, const core::Graph& result,
                          const core::Graph& source) {
  std::vector<Kept> found;
  for (const std::string& variable : variables_read(session, result)) {
    for (size_t i = 0; i < source.parameters().size(); ++i)
      for (size_t o = 0; o < source.results().size(); ++o) {
        const core::NodeId in = source.parameters()[i], out = source.results()[o];
        bool is_pair = false;
        for (const std::string& a : names_of(source, in, {in, 0}))
          for (const std::string& b : names_of(source, out, source.source({out, 0})))
            is_pair = is_pair || a + b == variable;
        if (is_pair) found.push_back({i, o, variable});
      }
  }
  return found;
}

core::TensorRef filled(ElementType type, const std::vector<int64_t>& dims, double first, double step) {
  core::TensorRef t = core::make_tensor(type, dims);
  const size_t n = Tensor::borrow(&core::host_table(), t.get()).size();
  for (size_t i = 0; i < n; ++i)
    store_number(t->buffer.get(), type, i, first + step * static_cast<double>(i));
  return t;
}

class Steps {
 public:
  Steps(const SteppedGraph& source, const SteppedGraph& result, std::vector<Kept> kept,
        std::span<const GivenInput> given, uint64_t seed)
      : source_(source), result_(result), kept_(std::move(kept)), given_(given), seed_(seed) {
    for (const Kept& k : kept_) is_kept_.insert(k.input);
    find_lengths();
  }

  Stepped run(double tolerance, const AskedForRuntime& runtime) {
    Stepped all;
    all.steps = steps;
    Worst own, asked;
    bool asks = static_cast<bool>(runtime);
    for (size_t step = 0; step < steps; ++step) {
      std::vector<RunInput> inputs = inputs_of(step);
      const std::vector<core::TensorRef> taken = for_result(inputs);
      std::vector<Output> there = run_graph(result_.session, result_.graph, taken, &all.missing, &variables_);
      for (size_t i = 0; i < kept_.size(); ++i)
        if (step == 0) inputs[kept_[i].input].value = variables_.first(kept_[i].variable);
      std::vector<core::TensorRef> values;
      for (const RunInput& in : inputs) values.push_back(in.value);
      const std::vector<Output> here = run_graph(source_.session, source_.graph, values, &all.missing);
      compare_all(here, std::move(there), Whose::own, own);
      asks = asks && own.is_within(tolerance);
      if (asks)
        compare_all(here, named_outputs(result_.graph, runtime().infer(result_.graph, taken)), Whose::runtime,
                    asked);
      states_.clear();
      for (const Kept& k : kept_) states_.push_back(here[k.output].value);
      for (size_t i = 0; step == 0 && i < inputs.size(); ++i)
        if (is_kept_.count(i) == 0) all.inputs.push_back(std::move(inputs[i]));
      // Without a value there is no next step.
      if (std::any_of(states_.begin(), states_.end(), [](const core::TensorRef& t) { return !t; })) break;
    }
    all.by_runtime = asks;
    Worst& told = asks ? asked : own;
    all.source = std::move(told.source);
    all.result = std::move(told.result);
    return all;
  }

 private:
  // Per output the step that differs most.
  struct Worst {
    std::vector<Output> source, result;
    std::vector<double> badness;
    std::map<size_t, size_t> places;  // of an output among those that are compared
    bool is_within(double tolerance) const {
      for (size_t i = 0; i < source.size(); ++i)
        if (source[i].value && result[i].value && badness[i] > tolerance) return false;
      return true;
    }
  };
  enum class Whose { own, runtime };

  using Names = std::vector<std::string>;

  static Names dims_called(const core::Graph& g, core::NodeId n, const Shape& shape) {
    const Names* names = dim_names(g, n, shape);
    return names == nullptr ? Names(shape.has_rank() ? shape.size() : 0) : *names;
  }

  // Names of dimensions that are longer after each step, and of those that states share with other inputs.
  void find_lengths() {
    const core::Graph& g = source_.graph;
    for (const Kept& k : kept_) {
      const core::NodeId in = g.parameters()[k.input], out = g.results()[k.output];
      const Shape shape = g.out({in, 0}).tensor.shape;
      const Names before = dims_called(g, in, shape);
      const core::Attribute* a = g.attribute(out, core::words::dim_names);
      const auto* after = a == nullptr ? nullptr : std::get_if<Names>(a);
      for (size_t d = 0; d < before.size(); ++d) {
        const bool grows = after != nullptr && after->size() == before.size() && (*after)[d] != before[d];
        if (grows && !shape[d].is_static()) {
          if (!(*after)[d].empty()) totals_.emplace((*after)[d], std::pair(kept_index(k), d));
        } else if (!before[d].empty()) {
          shared_.insert(before[d]);
        }
      }
    }
  }
  size_t kept_index(const Kept& k) const { return static_cast<size_t>(&k - kept_.data()); }

  // Of the states as they are before the step.
  int64_t length_before(const std::pair<size_t, size_t>& place) const {
    return states_.empty() ? 0 : core::shape_of(*states_[place.first])[place.second].value();
  }

  std::vector<RunInput> inputs_of(size_t step) {
    const core::Graph& g = source_.graph;
    const int64_t fresh = step == 0 ? first_length : 1;
    entries_ = step == 0 ? 0 : first_length + static_cast<int64_t>(step) - 1;
    std::vector<GivenInput> wanted;
    std::vector<std::vector<int64_t>> ones(g.parameters().size());
    std::vector<bool> is_full(g.parameters().size(), false);
    for (size_t i = 0; i < g.parameters().size(); ++i) {
      const core::NodeId p = g.parameters()[i];
      const GivenInput* told = given_for(p);
      if (told != nullptr && !told->file.empty()) {
        wanted.push_back(*told);
        wanted.back().name = g.name(p);
        continue;
      }
      Shape shape = g.out({p, 0}).tensor.shape;
      if (told != nullptr && told->shape)
        if (const auto merged = merge(shape, *told->shape)) shape = *merged;
      if (!shape.has_rank()) continue;
      const Names names = dims_called(g, p, shape);
      std::vector<int64_t> dims;
      for (size_t d = 0; d < shape.size(); ++d) {
        const auto total = totals_.find(names[d]);
        const bool has_total = !shape[d].is_static() && total != totals_.end() && !names[d].empty();
        if (shape[d].is_static())
          dims.push_back(shape[d].value());
        else if (has_total)
          dims.push_back(length_before(total->second) + fresh);
        else if (!names[d].empty() && shared_.count(names[d]) == 0)
          dims.push_back(std::max(shape[d].min, fresh));
        else
          dims.push_back(std::max<int64_t>(shape[d].min, 1));
        is_full[i] = is_full[i] || has_total;
      }
      ones[i] = dims;
      if (is_kept_.count(i) == 0) wanted.push_back({std::string(g.name(p)), {}, Shape(dims)});
    }
    std::vector<RunInput> inputs =
        run_inputs(g, wanted, seed_ + 7919 * step, {.account = source_.session.memory()});
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ElementType type = inputs[i].value->type;
      if (!is_full[i] || is_kept_.count(i) != 0 || (!is_integer(type) && type != ElementType::boolean))
        continue;
      inputs[i].value = filled(type, ones[i], 1, 0);
      inputs[i].origin = ValueOrigin::ones;
    }
    for (size_t k = 0; k < states_.size(); ++k) inputs[kept_[k].input].value = states_[k];
    return inputs;
  }

  const GivenInput* given_for(core::NodeId p) const {
    const auto names = names_of(source_.graph, p, {p, 0});
    for (const GivenInput& g : given_)
      if (core::contains(names, g.name)) return &g;
    return nullptr;
  }

  std::vector<core::TensorRef> for_result(const std::vector<RunInput>& inputs) const {
    const core::Graph &g = result_.graph, &s = source_.graph;
    std::vector<core::TensorRef> values;
    for (const core::NodeId p : g.parameters()) {
      const auto wanted = names_of(g, p, {p, 0});
      core::TensorRef value;
      for (size_t i = 0; i < inputs.size() && !value; ++i)
        for (const std::string& name : names_of(s, s.parameters()[i], {s.parameters()[i], 0}))
          if (core::contains(wanted, name)) value = inputs[i].value;
      const core::TensorState& said = g.out({p, 0}).tensor;
      if (!value) value = counted(p, said, inputs);
      value = reordered(value, dimension_order(g, p));
      values.push_back(said.type == ElementType::unknown ? value : with_type(value, said.type));
    }
    return values;
  }

  // What is no input of the source: as many numbers as the first input has rows, or in each row those of what is new,
  // which go on from step to step.
  core::TensorRef counted(core::NodeId p, const core::TensorState& said,
                          const std::vector<RunInput>& inputs) const {
    const auto rank = said.shape.rank();
    if ((rank != 1 && rank != 2) || !is_integer(said.type))
      throw core::Failure(core::Exit::model, "MO0508",
                          text("input '", result_.graph.name(p),
                               "' of the result is none of the source's, and no list of rows or places"));
    std::vector<int64_t> dims(static_cast<size_t>(rank), 1);
    for (size_t i = inputs.size(); i-- > 0;)
      for (size_t d = 0; is_kept_.count(i) == 0 && d < dims.size() && d < inputs[i].value->dims.size(); ++d)
        dims[d] = inputs[i].value->dims[d];
    for (size_t d = 0; d < dims.size(); ++d)
      if (said.shape[d].is_static()) dims[d] = said.shape[d].value();
    if (rank == 1) return filled(said.type, dims, 0, 1);
    core::TensorRef places = core::make_tensor(said.type, dims);
    for (int64_t i = 0; i < dims[0] * dims[1]; ++i)
      store_number(places->buffer.get(), said.type, static_cast<size_t>(i),
                   static_cast<double>(entries_ + i % dims[1]));
    return places;
  }

  void compare_all(const std::vector<Output>& here, std::vector<Output> there, Whose whose, Worst& worst) {
    for (size_t i = 0; i < there.size() && i < result_.graph.results().size(); ++i)
      if (there[i].value)
        there[i].value =
            reordered(there[i].value, inverse(dimension_order(result_.graph, result_.graph.results()[i])));
    for (size_t i = 0; i < here.size(); ++i) {
      const auto kept =
          std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.output == i; });
      if (whose == Whose::runtime && kept != kept_.end()) continue;  // it does not show it
      Output other{here[i].name, here[i].result, {}};
      if (kept != kept_.end())
        other.value = variables_.value(kept->variable);
      else
        for (const Output& o : there)
          if (o.name == here[i].name || o.result == here[i].result) other = o;
      note(i, here[i], std::move(other), worst);
    }
  }

  static void note(size_t output, const Output& right, Output other, Worst& worst) {
    const size_t i = worst.places.emplace(output, worst.places.size()).first->second;
    const bool both = right.value && other.value;
    const Difference d = both ? compare(right.value, other.value) : Difference{};
    const double badness = !both || !d.problem.empty() ? 1e300 : d.relative;
    if (i < worst.source.size()) {
      if (badness <= worst.badness[i]) return;
      worst.source[i] = right;
      worst.result[i] = std::move(other);
      worst.badness[i] = badness;
      return;
    }
    worst.source.push_back(right);
    worst.result.push_back(std::move(other));
    worst.badness.push_back(badness);
  }

  SteppedGraph source_, result_;
  std::vector<Kept> kept_;
  int64_t entries_ = 0;  // before the step
  std::set<size_t> is_kept_;
  std::span<const GivenInput> given_;
  uint64_t seed_;
  std::map<std::string, std::pair<size_t, size_t>, std::less<>> totals_;
  std::set<std::string, std::less<>> shared_;
  core::Variables variables_;
  std::vector<core::TensorRef> states_;
};

}  // namespace

std::vector<std::string> variables_read(const core::Session& session, const core::Graph& g) {
  std::set<std::string> names;
  for (const core::NodeId n : g.nodes())
    if (const std::string_view v = core::Variables::read_by(session, g, n); !v.empty()) names.emplace(v);
  return {names.begin(), names.end()};
}

std::optional<Stepped> run_steps(const SteppedGraph& source, const SteppedGraph& result,
                                 std::span<const GivenInput> given, uint64_t seed, double tolerance,
                                 const AskedForRuntime& runtime) {
  std::vector<Kept> kept = kept_by(result.session, result.graph, source.graph);
  if (kept.empty()) return std::nullopt;
  return Steps(source, result, std::move(kept), given, seed).run(tolerance, runtime);
}

}  // namespace mo::app

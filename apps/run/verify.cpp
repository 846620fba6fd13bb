#include "apps/run/verify.hpp"

#include <algorithm>
#include <exception>

#include "apps/run/dimension_order.hpp"
#include "apps/run/verify_steps.hpp"
#include "apps/run/with_type.hpp"
#include "core/convert/phases.hpp"
#include "core/infer/infer.hpp"
#include "core/support/contains.hpp"

namespace mo::app {

namespace {

// Values of the source's inputs under all names that they have.
struct Inputs {
  std::vector<RunInput> list;
  std::map<std::string, core::TensorRef, std::less<>> by_name;

  Inputs() = default;
  Inputs(const core::Graph& g, const VerifyOptions& o, const InputChoice& choice)
      : list(run_inputs(g, o.inputs, o.seed, choice)) {
    for (size_t i = 0; i < list.size(); ++i) {
      const core::NodeId p = g.parameters()[i];
      by_name.emplace(list[i].name, list[i].value);
      for (const core::Symbol s : g.out({p, 0}).names) by_name.emplace(g.symbols().text(s), list[i].value);
    }
  }

  // For another form of the model: by name, else by place; in the order of dimensions that this form says, or
  // that `orders` has for each of its inputs.
  std::vector<core::TensorRef> for_graph(const core::Graph& g,
                                         const std::vector<DimensionOrder>* orders = nullptr) const {
    std::vector<core::TensorRef> values;
    const auto parameters = g.parameters();
    for (size_t i = 0; i < parameters.size(); ++i) {
      core::TensorRef value = find(g, parameters[i]);
      if (!value && parameters.size() == list.size()) value = list[i].value;
      if (!value)
        throw core::Failure(
            core::Exit::model, "MO0508",
            text("input '", g.name(parameters[i]), "' of the result is none of the source's"));
      if (orders == nullptr)
        value = reordered(value, dimension_order(g, parameters[i]));
      else if (i < orders->size())
        value = as_declared(value, g.out({parameters[i], 0}).tensor.shape, (*orders)[i]);
      const ElementType type = g.out({parameters[i], 0}).tensor.type;
      values.push_back(type == ElementType::unknown ? value : with_type(value, type));
    }
    return values;
  }

 private:
  // An IR may have been made without the change of order that a conversion makes now.
  static core::TensorRef as_declared(const core::TensorRef& value, const Shape& declared,
                                     const DimensionOrder& order) {
    if (order.size() != value->dims.size()) return value;
    return merge(declared, reordered(Shape(value->dims), order)) ? reordered(value, order) : value;
  }
  core::TensorRef find(const core::Graph& g, core::NodeId p) const {
    if (const auto at = by_name.find(g.name(p)); at != by_name.end()) return at->second;
    for (const core::Symbol s : g.out({p, 0}).names)
      if (const auto at = by_name.find(g.symbols().text(s)); at != by_name.end()) return at->second;
    return {};
  }
};

std::string first_line(const core::Failure& f) {
  std::string out = f.context_of("node");
  if (out.empty()) return f.message();
  if (const std::string by = f.context_of("made by"); !by.empty())
    out += ", made by " + by;
  else if (const std::string plugin = f.context_of("plugin"); !plugin.empty())
    out += " of plugin " + plugin;
  return out + ": " + f.message();
}

std::vector<DimensionOrder> orders_of(const core::Graph& g, std::span<const core::NodeId> nodes) {
  std::vector<DimensionOrder> orders;
  for (const core::NodeId n : nodes) orders.push_back(dimension_order(g, n));
  return orders;
}

// Outputs as the model has them.
void put_back(std::vector<Output>& outputs, const std::vector<DimensionOrder>& orders) {
  for (size_t i = 0; i < outputs.size() && i < orders.size(); ++i)
    if (outputs[i].value && orders[i].size() == outputs[i].value->dims.size())
      outputs[i].value = reordered(outputs[i].value, inverse(orders[i]));
}

bool all_defined(core::Session& session, const core::Graph& g) {
  try {
    check_all_supported(session, g);
    return true;
  } catch (const core::Failure&) {
    return false;
  }
}

const Output* same_output(const std::vector<Output>& outputs, const Output& wanted, size_t place) {
  for (const Output& o : outputs)
    if (o.name == wanted.name || o.result == wanted.result) return &o;
  return place < outputs.size() ? &outputs[place] : nullptr;
}

ComparedOutput compare_output(const Output& right, const Output* there) {
  ComparedOutput c{right.name, right.value, {}, {}};
  if (!right.value)
    c.missing = "the source has no value for it";
  else if (there == nullptr)
    c.difference.problem = "the result has no such output";
  else if (!there->value)
    c.missing = "the result has no value for it";
  else
    c.difference = compare(right.value, there->value);
  return c;
}

// How far two results may be apart that are both right. Sums of f16 depend on their order, and a number of 8 bits
// that is rounded behind another operation may be one step off, here and in each layer that reads it.
double tolerance_by_types(const core::Graph& g) {
  constexpr double wide = 1e-3, half = 1e-2, bytes = 3e-2;
  double found = wide;
  for (const core::NodeId n : g.nodes()) {
    for (const core::GraphPtr& body : g.bodies(n)) found = std::max(found, tolerance_by_types(*body));
    const core::NodeRecord& r = g.node(n);
    if (r.op == g.space().constant || r.op == g.space().parameter) continue;
    for (const core::OutSlot& o : r.outputs) {
      const ElementType type = o.tensor.type;
      if (is_float(type) && bits(type) <= 16) found = std::max(found, half);
      if (is_integer(type) && bits(type) <= 8 && !o.tensor.value) found = std::max(found, bytes);
    }
  }
  return found;
}

// Runs the source as early as it can be run, and after each later change looks whether the outputs are still
// the same.
class Observer : public core::Watch {
 public:
  Observer(core::Session& session, const VerifyOptions& options, bool to_the_end)
      : session_(session), options_(options), to_the_end_(to_the_end) {}

  void loaded(core::Session&, core::Graph& g) override { graph_ = &g; }
  void cut_off(bool everywhere) override { cut_off_ = everywhere; }
  bool may_run() override {
    try_baseline();
    return first_.empty() || !to_the_end_;
  }
  void has_run(const core::Ran& r) override {
    if (!r.edited_something()) return;
    if (!has_baseline_) return try_baseline();
    if (!to_the_end_ || !first_.empty()) return;
    if (differs()) {
      for (const core::RunStatistics& s : r.members)
        if (s.edits != 0) first_ += (first_.empty() ? "" : ", ") + s.id;
    }
  }
  // The baseline at the latest.
  void prepared(core::Graph&) override { try_baseline(); }

  Inputs inputs;
  std::vector<Output> outputs;
  std::vector<core::Failure> missing;
  LayerValues layers;
  const std::string& first() const { return first_; }
  double tolerance() const { return tolerance_; }
  void expect_baseline() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void try_baseline() {
    if (has_baseline_ || !cut_off_ || graph_ == nullptr || !all_defined(session_, *graph_)) return;
    has_baseline_ = true;
    tolerance_ = options_.tolerance ? *options_.tolerance : tolerance_by_types(*graph_);
    // As a single run nothing may go well, but step by step.
    for (const Sizes sizes : {Sizes::small, Sizes::large, Sizes::sound, Sizes::twos, Sizes::ones}) {
      failure_ = run_with({sizes, {}});
      if (!failure_ || !has_open_sizes()) break;
    }
    variables_ = variables_read(session_, *graph_).size();
  }

  // Why it cannot be run with inputs of these sizes; nothing when it can. What indexes something indexes too
  // far where integers are too large: one input after the other gets smaller ones, as long as that gets the
  // model further.
  std::exception_ptr run_with(InputChoice choice) {
    choice.account = session_.memory();
    Tried now = run_once(choice);
    for (bool further = true; now.failure && further;) {
      further = false;
      for (const RunInput& in : std::vector<RunInput>(inputs.list)) {
        if (in.origin != ValueOrigin::random || in.largest == 0 || !is_integer(in.value->type)) continue;
        InputChoice smaller = choice;
        smaller.largest[in.name] = in.largest > 1 ? 1 : 0;
        Tried then = run_once(smaller);
        if (then.failure && then.where == now.where) continue;
        choice = std::move(smaller);
        now = std::move(then);
        further = true;
        break;
      }
    }
    if (now.failure) (void)run_once(choice);
    return now.failure;
  }

  struct Tried {
    std::exception_ptr failure;
    std::string where;  // it failed
  };
  Tried run_once(const InputChoice& choice) {
    missing.clear();
    layers = {};
    inputs = Inputs(*graph_, options_, choice);
    try {
      outputs = run_graph(session_, *graph_, inputs.for_graph(*graph_), &missing, nullptr,
                          options_.layers && !to_the_end_ ? layers.noting(*graph_) : core::Computed());
      return {};
    } catch (const core::Failure& f) {
      return {std::current_exception(), f.context_of("node")};
    }
  }

  bool has_open_sizes() const {
    return std::any_of(inputs.list.begin(), inputs.list.end(), [](const RunInput& in) {
      return in.origin == ValueOrigin::random && !in.said.is_static();
    });
  }

  bool differs() {
    std::vector<core::Failure> later;
    infer_marked(session_, *graph_);
    // State that the source has as inputs: a single run does not show what it is.
    if (variables_read(session_, *graph_).size() != variables_) return false;
    auto now = run_graph(session_, *graph_, inputs.for_graph(*graph_), &later);
    put_back(now, orders_of(*graph_, graph_->results()));
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ComparedOutput c = compare_output(outputs[i], same_output(now, outputs[i], i));
      if (c.missing.empty() && !c.difference.within(tolerance_)) return true;
    }
    return false;
  }

  core::Session& session_;
  const VerifyOptions& options_;
  bool to_the_end_;
  core::Graph* graph_ = nullptr;
  bool has_baseline_ = false, cut_off_ = true;
  size_t variables_ = 0;
  double tolerance_ = 0;
  std::exception_ptr failure_;
  std::string first_;
};

// The source's own outputs, and those of what it becomes when no IR is given.
struct Sides {
  std::vector<Output> source, result;
  Inputs inputs;
  std::vector<core::Failure> missing;
  std::vector<ComparedLayer> layers;
  size_t steps = 1;
  double tolerance = 0;
  bool by_runtime = false;
};

Verdict compared_outputs(const Sides& sides) {
  Verdict v;
  v.tolerance = sides.tolerance;
  for (size_t i = 0; i < sides.source.size(); ++i) {
    const Output& right = sides.source[i];
    ComparedOutput c = compare_output(right, same_output(sides.result, right, i));
    if (c.missing.empty()) {
      ++v.compared;
      v.equal = v.equal && c.difference.within(v.tolerance);
    }
    v.outputs.push_back(std::move(c));
  }
  return v;
}

// Whether both were run step by step, because the result keeps what are inputs of the source.
bool step_by_step(const std::function<core::Session&()>& fresh, const VerifyOptions& o,
                  const SteppedGraph& result, Sides& sides) {
  if (variables_read(result.session, result.graph).empty()) return false;
  core::Session& session = fresh();
  core::ConvertResult ignored;
  const core::GraphPtr source = load_runnable(session, o.source, ignored);
  auto stepped = run_steps({session, *source}, result, o.inputs, o.seed, sides.tolerance, o.runtime);
  if (stepped) {
    sides.source = std::move(stepped->source);
    sides.result = std::move(stepped->result);
    sides.inputs.list = std::move(stepped->inputs);
    sides.missing = std::move(stepped->missing);
    sides.steps = stepped->steps;
    sides.by_runtime = stepped->by_runtime;
  }
  session.close_model();
  return stepped.has_value();
}

// Outputs of an IR, whose order nobody tells: that of the model where it fits.
void put_back_as_needed(Sides& sides, std::vector<DimensionOrder> orders) {
  for (size_t i = 0; i < orders.size(); ++i) {
    if (i >= sides.result.size() || !sides.result[i].value) continue;
    const Output* right = same_output(sides.source, sides.result[i], i);
    const bool fits = right != nullptr && right->value && orders[i].size() == right->value->dims.size() &&
                      reordered(Shape(right->value->dims), orders[i]) == Shape(sides.result[i].value->dims);
    if (!fits) orders[i].clear();
  }
  put_back(sides.result, orders);
}

Sides run_both(const std::function<core::Session&()>& fresh, const VerifyOptions& o) {
  Sides sides;
  core::Session& session = fresh();
  Observer observer(session, o, false);
  core::ConvertOptions options = o.source;
  options.watch = &observer;
  core::ConvertResult ignored;
  const core::GraphPtr g = prepare_model(session, options, ignored);
  sides.source = std::move(observer.outputs);
  sides.inputs = std::move(observer.inputs);
  sides.missing = std::move(observer.missing);
  sides.tolerance = observer.tolerance();
  const auto in_orders = orders_of(*g, g->parameters()), out_orders = orders_of(*g, g->results());
  if (o.ir.empty() && step_by_step(fresh, o, {session, *g}, sides)) {
    session.close_model();
    return sides;
  }
  if (o.ir.empty()) {
    observer.expect_baseline();
    sides.result = run_graph(session, *g, sides.inputs.for_graph(*g), &sides.missing, nullptr,
                             o.layers ? observer.layers.comparing(*g, sides.layers) : core::Computed());
    put_back(sides.result, out_orders);
    session.close_model();
    return sides;
  }
  session.close_model();
  core::Session& other = fresh();
  core::ConvertOptions finished = o.source;
  finished.input_model = o.ir;
  finished.framework.clear();
  finished.inputs.clear();
  finished.outputs.clear();
  finished.batch.reset();
  const core::GraphPtr ir = load_runnable(other, finished, ignored);
  if (o.runtime) infer_marked(other, *ir);
  if (step_by_step(fresh, o, {other, *ir}, sides)) {
    other.close_model();
    return sides;
  }
  observer.expect_baseline();
  const auto values = sides.inputs.for_graph(*ir, &in_orders);
  const auto take = [&](std::vector<Output> outputs) {
    sides.result = std::move(outputs);
    if (ir->results().size() == out_orders.size()) put_back_as_needed(sides, out_orders);
  };
  take(run_graph(other, *ir, values, &sides.missing));
  if (o.runtime && compared_outputs(sides).equal) {
    take(named_outputs(*ir, o.runtime().infer(*ir, values)));
    sides.by_runtime = true;
  }
  other.close_model();
  return sides;
}

std::string culprit(const std::function<core::Session&()>& fresh, const VerifyOptions& o) {
  core::Session& session = fresh();
  Observer observer(session, o, true);
  core::ConvertOptions options = o.source;
  options.watch = &observer;
  core::ConvertResult ignored;
  try {
    prepare_model(session, options, ignored);
  } catch (const core::Failure&) {
    if (observer.first().empty()) throw;  // otherwise it is for want of what was left out
  }
  session.close_model();
  return observer.first();
}

}  // namespace

Verdict verify(const std::function<core::Session&()>& fresh, const VerifyOptions& o) {
  Sides sides = run_both(fresh, o);
  Verdict v = compared_outputs(sides);
  v.inputs = std::move(sides.inputs.list);
  v.layers = std::move(sides.layers);
  v.steps = sides.steps;
  v.by_runtime = sides.by_runtime;
  for (const core::Failure& f : sides.missing) {
    std::string line = first_line(f);
    if (!core::contains(v.without_values, line)) v.without_values.push_back(std::move(line));
  }
  if (!v.equal && !v.by_runtime) v.first_transformation = culprit(fresh, o);
  return v;
}

}  // namespace mo::app

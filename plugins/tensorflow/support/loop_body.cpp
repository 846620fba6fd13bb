#include "support/loop_body.hpp"

namespace mo::tensorflow {

LoopBody::LoopBody(const Graph& outer, const SourceNode& loop)
    : condition_(outer.context(), loop.attr<GraphHandle>("cond").id),
      body_(outer.context(), loop.attr<GraphHandle>("body").id),
      condition_parameters_(condition_.parameters()) {
  const auto parameters = body_.parameters(), results = body_.results();
  const size_t count = loop.in_count();
  require(parameters.size() == count && results.size() == count && condition_parameters_.size() == count,
          "it has ", count, " inputs, but its body has ", parameters.size(), " and gives ", results.size(),
          ", and its condition has ", condition_parameters_.size());
  require(condition_.results().size() == 1, "its condition gives ", condition_.results().size(),
          " values, expected 1");
  require(loop.out_count() <= count, "it has ", loop.out_count(), " outputs, but ", count, " variables");
  for (size_t i = 0; i < count; ++i) {
    LoopVariable v;
    v.first = loop.in_port(i).get_source();
    require(static_cast<bool>(v.first), "input ", i, " is not connected");
    v.parameter = parameters[i];
    v.result = results[i];
    if (behind_identities(results[i].in_port(0).get_source()) == parameters[i].out_port()) v.result = Node();
    variables_.push_back(v);
  }
  hand_in_constants();
  find_counters();
}

// Constants become part of the body.
void LoopBody::hand_in_constants() {
  for (size_t i = 0; i < variables_.size(); ++i) {
    LoopVariable& v = variables_[i];
    const OutPort source = behind_identities(v.first);
    if (v.result || !source.node().is("Const") || !source.value()) continue;
    for (const Node& p : {v.parameter, condition_parameters_[i]}) {
      if (p.out_port().disconnected()) continue;
      const Node made = p.graph().create_const(source.node().name(), *source.value());
      p.out_port().get_connection().set_source(made.out_port(), Names::source);
    }
  }
}

void LoopBody::find_counters() {
  for (LoopVariable& v : variables_) {
    const auto begin = constant_integer(v.first);
    if (!begin || !v.result) continue;
    const Node add = behind_identities(v.result.in_port(0).get_source()).node();
    const std::string op = add.op_name();
    if ((op != "Add" && op != "AddV2") || add.in_count() != 2) continue;
    for (const size_t own : {size_t{0}, size_t{1}}) {
      if (behind_identities(add.in_port(own).get_source()) != v.parameter.out_port()) continue;
      const auto step = constant_integer(add.in_port(1 - own).get_source());
      if (step && *step > 0 && *step < (int64_t{1} << 31)) v.counter = {*begin, *step};
    }
  }
}

std::optional<size_t> LoopBody::variable_at(const OutPort& inside) const {
  const OutPort p = behind_identities(inside);
  for (size_t i = 0; i < variables_.size(); ++i)
    if (p && variables_[i].parameter == p.node()) return i;
  return std::nullopt;
}

std::optional<size_t> LoopBody::condition_variable(const OutPort& inside) const {
  const OutPort p = behind_identities(inside);
  for (size_t i = 0; i < condition_parameters_.size(); ++i)
    if (p && condition_parameters_[i] == p.node()) return i;
  return std::nullopt;
}

bool LoopBody::is_iteration(const OutPort& p) const {
  const auto i = variable_at(p);
  return i && variables_[*i].counts_iterations();
}

std::optional<OutPort> LoopBody::bound_of(const Build& b, const OutPort& counter, const OutPort& limit,
                                          bool inclusive) const {
  const auto i = condition_variable(counter);
  if (!i || !variables_[*i].counter) return std::nullopt;
  const auto [begin, step] = *variables_[*i].counter;
  int64_t more = 0;
  if (__builtin_sub_overflow((inclusive ? 1 : 0) + step - 1, begin, &more)) return std::nullopt;
  if (const auto known = constant_integer(limit)) {
    int64_t distance = 0;
    if (__builtin_add_overflow(*known, more, &distance)) return std::nullopt;
    return b.integer(distance <= 0 ? 0 : distance / step);
  }
  const auto l = condition_variable(limit);
  if (!l || variables_[*l].result) return std::nullopt;
  OutPort outside = variables_[*l].first;
  if (more == 0 && step == 1) return outside;
  outside = b.op("Add", "opset1", {b.convert(outside, ElementType::i64), b.integer(more)});
  if (step == 1) return outside;
  outside = b.op("Maximum", "opset1", {outside, b.integer(0)});
  return b.divide(outside, b.integer(step));
}

bool LoopBody::add_bounds(const Build& b, const OutPort& test, Ports& bounds, int depth) const {
  const OutPort p = behind_identities(test);
  const Node n = p.node();
  const std::string op = n.op_name();
  if (depth > 16) return false;
  if (const auto value = p.value(); value && value->size() == 1 && value->type() == ElementType::boolean)
    return value->integer(0) != 0;
  if (op == "LogicalAnd")
    return add_bounds(b, n.in_port(0).get_source(), bounds, depth + 1) &&
           add_bounds(b, n.in_port(1).get_source(), bounds, depth + 1);
  const bool less = op == "Less" || op == "LessEqual", greater = op == "Greater" || op == "GreaterEqual";
  if ((!less && !greater) || n.in_count() != 2) return false;
  const size_t counter = less ? 0 : 1;
  const auto bound = bound_of(b, n.in_port(counter).get_source(), n.in_port(1 - counter).get_source(),
                              op == "LessEqual" || op == "GreaterEqual");
  if (bound) bounds.push_back(*bound);
  return bound.has_value();
}

namespace {

// A minimum as the values it is the least of.
void flatten(const OutPort& p, Ports& to, int depth) {
  const OutPort at = behind_identities(p);
  const Node n = at.node();
  if (n.is("Minimum") && n.in_count() == 2 && depth < 16) {
    flatten(n.in_port(0).get_source(), to, depth + 1);
    flatten(n.in_port(1).get_source(), to, depth + 1);
    return;
  }
  if (std::find(to.begin(), to.end(), at) == to.end()) to.push_back(at);
}
// The greater of x and something is never less than x.
bool is_at_least(const OutPort& p, const OutPort& x) {
  const Node n = p.node();
  return n.is("Maximum") && n.in_count() == 2 &&
         (behind_identities(n.in_port(0).get_source()) == x ||
          behind_identities(n.in_port(1).get_source()) == x);
}

}  // namespace

std::optional<Ports> LoopBody::bounds(const Build& b) const {
  Ports found;
  if (!add_bounds(b, condition_.results()[0].in_port(0).get_source(), found, 0) || found.empty())
    return std::nullopt;
  Ports all;
  for (const OutPort& p : found) flatten(p, all, 0);
  Ports needed;
  std::optional<int64_t> least;
  for (const OutPort& p : all) {
    if (const auto value = constant_integer(p)) {
      least = std::min(least.value_or(*value), *value);
      continue;
    }
    const bool useless =
        std::any_of(all.begin(), all.end(), [&](const OutPort& x) { return is_at_least(p, x); });
    if (!useless) needed.push_back(p);
  }
  if (least) needed.push_back(b.integer(std::max<int64_t>(*least, 0)));
  return needed;
}

OutPort trip_count(const Build& b, const Ports& bounds) {
  OutPort count;
  bool positive = false;
  for (const OutPort& p : bounds) {
    positive = bounds.size() == 1 && constant_integer(p).value_or(-1) >= 0;
    const OutPort bound = b.convert(p, ElementType::i64);
    count = count ? b.op("Minimum", "opset1", {count, bound}) : bound;
  }
  return positive ? count : b.op("Maximum", "opset1", {count, b.integer(0)});
}

}  // namespace mo::tensorflow

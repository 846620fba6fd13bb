#include "support/forest.hpp"

#include "support/step_iterator.hpp"

#include <unordered_set>

namespace mo::onnx::ml {

// One row for each place: leaves first, which lead to themselves. Every branch has become `feature <= value`.
struct Forest::Tables {
  Ints feature, yes, no;
  std::vector<double> value, missing;  // missing: 1 when no number counts as yes
  Ints roots;
  std::vector<size_t> leaves;  // places in the list of nodes
  int64_t depth = 0;
  bool has_missing = false;
};

// The number before v: x < v is x <= before(v).
double Forest::before(double v) const {
  if (type_ == ElementType::f32)
    return std::nextafter(static_cast<float>(v), -std::numeric_limits<float>::infinity());
  return std::nextafter(v, -std::numeric_limits<double>::infinity());
}

namespace {

// How many comparisons a branch becomes.
size_t comparisons(const Forest::Node& n) {
  if (n.branch == Branch::eq || n.branch == Branch::neq) return 2;
  return n.branch == Branch::member ? 2 * std::max<size_t>(n.members.size(), 1) : 1;
}

int64_t depth_of(const Ints& yes, const Ints& no, const Ints& roots, int64_t leaves) {
  std::unordered_set<int64_t> level(roots.begin(), roots.end());
  const auto drop_leaves = [&](std::unordered_set<int64_t>& s) {
    std::erase_if(s, [&](int64_t place) { return place < leaves; });
  };
  drop_leaves(level);
  int64_t depth = 0;
  for (; !level.empty(); ++depth) {
    require(depth <= static_cast<int64_t>(yes.size()), "the branches of a tree lead back to themselves");
    std::unordered_set<int64_t> next;
    for (const int64_t place : level) {
      next.insert(yes[static_cast<size_t>(place)]);
      next.insert(no[static_cast<size_t>(place)]);
    }
    drop_leaves(next);
    level = std::move(next);
  }
  return depth;
}

}  // namespace

Forest::Tables Forest::tables() const {
  Tables t;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].leaf) t.leaves.push_back(i);
  Ints place(nodes.size());
  for (size_t i = 0; i < t.leaves.size(); ++i) place[t.leaves[i]] = static_cast<int64_t>(i);
  auto count = static_cast<int64_t>(t.leaves.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].leaf) continue;
    place[i] = count;
    count += static_cast<int64_t>(comparisons(nodes[i]));
  }
  const auto rows = static_cast<size_t>(count);
  require(count <= INT32_MAX, "the trees have ", count, " nodes, which are too many");
  t.feature.assign(rows, 0);
  t.yes.resize(rows);
  t.no.resize(rows);
  t.value.assign(rows, 0.0);
  t.missing.assign(rows, 0.0);
  for (size_t i = 0; i < t.leaves.size(); ++i) t.yes[i] = t.no[i] = static_cast<int64_t>(i);

  const auto at = [&](size_t node) {
    require(node < nodes.size(), "a branch leads to node ", node, ", but there are ", nodes.size());
    return place[node];
  };
  const auto put = [&](int64_t row, int64_t feature, double value, int64_t yes, int64_t no, bool missing) {
    const auto r = static_cast<size_t>(row);
    t.feature[r] = feature;
    t.value[r] = value;
    t.yes[r] = yes;
    t.no[r] = no;
    t.missing[r] = missing ? 1 : 0;
    t.has_missing = t.has_missing || missing;
  };
  // Two rows for one number: not above it, and not below it either.
  const auto equal = [&](int64_t row, int64_t feature, double v, int64_t yes, int64_t no, bool missing) {
    put(row, feature, v, row + 1, no, missing);
    put(row + 1, feature, before(v), no, yes, false);
  };
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& n = nodes[i];
    if (n.leaf) continue;
    require(n.feature >= 0, "a branch compares feature ", n.feature, ", expected a number from 0 on");
    const int64_t row = place[i], yes = at(n.yes), no = at(n.no);
    switch (n.branch) {
      case Branch::leq:
        put(row, n.feature, n.value, yes, no, n.missing_is_yes);
        break;
      case Branch::lt:
        put(row, n.feature, before(n.value), yes, no, n.missing_is_yes);
        break;
      case Branch::gt:
        put(row, n.feature, n.value, no, yes, !n.missing_is_yes);
        break;
      case Branch::gte:
        put(row, n.feature, before(n.value), no, yes, !n.missing_is_yes);
        break;
      case Branch::eq:
        equal(row, n.feature, n.value, yes, no, n.missing_is_yes);
        break;
      case Branch::neq:
        equal(row, n.feature, n.value, no, yes, !n.missing_is_yes);
        break;
      case Branch::member:
        require(!n.members.empty(), "a branch asks for members, and has none");
        for (size_t m = 0; m < n.members.size(); ++m) {
          const int64_t own = row + 2 * static_cast<int64_t>(m);
          const bool last = m + 1 == n.members.size();
          equal(own, n.feature, n.members[m], yes, last ? no : own + 2, n.missing_is_yes);
        }
        break;
    }
  }
  for (const size_t r : roots) t.roots.push_back(at(r));
  t.depth = depth_of(t.yes, t.no, t.roots, static_cast<int64_t>(t.leaves.size()));
  return t;
}

// [samples, trees] of places to the next ones.
OutPort Forest::step(const Build& b, const Tables& t, const OutPort& x, const OutPort& place) const {
  const auto looked_up = [&](const Tensor& table) { return ms::gather(b, b.constant(table), place, 0); };
  const auto places = [&](const Ints& values) {
    const Ints dims{static_cast<int64_t>(values.size())};
    return Tensor::filled(b.context(), ElementType::i32, {values.begin(), values.end()}, dims);
  };
  const Ints dims{static_cast<int64_t>(t.value.size())};
  const mo::Node feature = b.node("GatherElements", "opset6", {x, looked_up(places(t.feature))});
  feature.set("axis", 1);
  const OutPort v = feature.out_port();
  OutPort goes =
      b.op("LessEqual", "opset1", {v, looked_up(Tensor::filled(b.context(), type_, t.value, dims))});
  if (t.has_missing) {
    const OutPort yes = looked_up(Tensor::filled(b.context(), ElementType::boolean, t.missing, dims));
    goes = b.op("LogicalOr", "opset1",
                {goes, b.op("LogicalAnd", "opset1", {b.op("IsNaN", "opset10", {v}), yes})});
  }
  return b.select(goes, looked_up(places(t.yes)), looked_up(places(t.no)));
}

OutPort Forest::weights(const Build& b, const Tables& t, int64_t targets, double absent) const {
  std::vector<double> all(t.leaves.size() * static_cast<size_t>(targets), absent);
  for (size_t i = 0; i < t.leaves.size(); ++i)
    for (const auto& [target, weight] : nodes[t.leaves[i]].weights) {
      require(target >= 0 && target < targets, "a leaf is for target ", target, ", but there are ", targets);
      double& w = all[i * static_cast<size_t>(targets) + static_cast<size_t>(target)];
      w = w == absent ? weight : w + weight;
    }
  return b.constant(
      Tensor::filled(b.context(), type_, all, {static_cast<int64_t>(t.leaves.size()), targets}));
}

OutPort Forest::scores(const Build& b, const SourceNode& n, const OutPort& x, int64_t targets,
                       Sum how) const {
  require(targets > 0 && !roots.empty(), "it has ", targets, " targets and ", roots.size(),
          " trees, expected some");
  const Tables t = tables();
  const auto trees = static_cast<int64_t>(t.roots.size());
  const OutPort roots_row =
      b.constant(Tensor::filled(b.context(), ElementType::i32, {t.roots.begin(), t.roots.end()}, {1, trees}));
  const mo::Node first = b.node("Broadcast", "opset3", {roots_row, b.concat({b.dim(x, 0), b.list({trees})})});
  first.set("mode", "numpy");
  OutPort place = first.out_port();
  // Few steps stand one behind the other; of many the graph would become too long.
  constexpr int64_t most_unrolled = 16;
  if (t.depth <= most_unrolled) {
    for (int64_t i = 0; i < t.depth; ++i) place = step(b, t, x, place);
  } else {
    StepIterator steps(b, n, "levels");
    steps.slice(b.list(Ints(static_cast<size_t>(t.depth), 0)));
    const OutPort inside = steps.whole(x), before_step = steps.whole(place);
    steps.next(step(steps.in(), t, inside, before_step), before_step, 0);
    place = steps.finish(1)[0];
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const double absent = how == Sum::least ? infinity : how == Sum::greatest ? -infinity : 0;
  const OutPort each = ms::gather(b, weights(b, t, targets, absent), place, 0);  // [samples, trees, targets]
  const OutPort axis = b.list({1});
  const auto number = [&](double v) { return b.constant(Tensor::filled(b.context(), type_, {v}, {})); };
  if (how == Sum::average)
    return b.divide(b.reduce("ReduceSum", each, axis, false), number(static_cast<double>(trees)));
  if (how == Sum::sum) return b.reduce("ReduceSum", each, axis, false);
  const OutPort end = b.reduce(how == Sum::least ? "ReduceMin" : "ReduceMax", each, axis, false);
  if (targets == 1) return end;
  return b.select(b.op("Equal", "opset1", {end, number(absent)}), number(0), end);
}

}  // namespace mo::onnx::ml

// TreeEnsemble, and its older forms TreeEnsembleRegressor and TreeEnsembleClassifier.
#include "support/forest.hpp"

#include <array>
#include <map>

namespace mo::onnx {

namespace ml {

namespace trees {

using Doubles = std::vector<double>;

// A list, or the tensor that newer versions have for numbers of double precision.
static Doubles floats(const SourceNode& n, const std::string& name) {
  if (const auto t = n.find_native<Tensor>(name + "_as_tensor")) return t->to_floats<double>();
  return n.find_native<Doubles>(name).value_or(Doubles{});
}
static Ints ints(const SourceNode& n, std::string_view name) {
  return n.find_native<Ints>(name).value_or(Ints{});
}

static void same_length(std::string_view name, size_t have, size_t expected) {
  require(have == expected, "attribute '", name, "' has ", have, " entries, expected ", expected);
}

static Branch branch_of(const std::string& mode) {
  static const std::map<std::string_view, Branch> branches{
      {"BRANCH_LEQ", Branch::leq}, {"BRANCH_LT", Branch::lt}, {"BRANCH_GTE", Branch::gte},
      {"BRANCH_GT", Branch::gt},   {"BRANCH_EQ", Branch::eq}, {"BRANCH_NEQ", Branch::neq}};
  const auto found = branches.find(mode);
  require(found != branches.end(), "attribute 'nodes_modes' has '", mode,
          "', which is not a known comparison");
  return found->second;
}

// Numbers are compared in the precision of doubles when they come so.
static ElementType precision(const Build& b) {
  return b.in(0).type() == ElementType::f64 ? ElementType::f64 : ElementType::f32;
}
static OutPort input(const Build& b, ElementType type) {
  const OutPort x = b.convert(b.in(0), type);
  return b.in(0).shape().rank() == 1 ? b.unsqueeze(x, b.list({0})) : x;
}

using Key = std::pair<int64_t, int64_t>;  // tree and node

// Attributes nodes_*; the leaves have no weights yet. Tells where each node is.
static std::map<Key, size_t> read_nodes(const SourceNode& n, Forest& f) {
  const Ints tree = ints(n, "nodes_treeids"), id = ints(n, "nodes_nodeids"),
             feature = ints(n, "nodes_featureids");
  const Ints yes = ints(n, "nodes_truenodeids"), no = ints(n, "nodes_falsenodeids");
  const Ints missing = ints(n, "nodes_missing_value_tracks_true");
  const Doubles value = floats(n, "nodes_values");
  const auto modes = n.native<std::vector<std::string>>("nodes_modes");
  const size_t count = tree.size();
  same_length("nodes_nodeids", id.size(), count);
  same_length("nodes_featureids", feature.size(), count);
  same_length("nodes_truenodeids", yes.size(), count);
  same_length("nodes_falsenodeids", no.size(), count);
  same_length("nodes_values", value.size(), count);
  same_length("nodes_modes", modes.size(), count);
  if (!missing.empty()) same_length("nodes_missing_value_tracks_true", missing.size(), count);
  std::map<Key, size_t> places;
  std::map<int64_t, bool> started;
  for (size_t i = 0; i < count; ++i) {
    require(places.emplace(Key{tree[i], id[i]}, i).second, "tree ", tree[i], " has two nodes ", id[i]);
    if (!started[tree[i]]) f.roots.push_back(i);
    started[tree[i]] = true;
  }
  f.nodes.resize(count);
  for (size_t i = 0; i < count; ++i) {
    Forest::Node& node = f.nodes[i];
    node.leaf = modes[i] == "LEAF";
    if (node.leaf) continue;
    const auto at = [&](int64_t other) {
      const auto found = places.find({tree[i], other});
      require(found != places.end(), "tree ", tree[i], " has no node ", other, ", to which node ", id[i],
              " leads");
      return found->second;
    };
    node.branch = branch_of(modes[i]);
    node.feature = feature[i];
    node.value = value[i];
    node.yes = at(yes[i]);
    node.no = at(no[i]);
    node.missing_is_yes = !missing.empty() && missing[i] != 0;
  }
  return places;
}

// Attributes <prefix>_treeids and so on: what leaves give.
static void read_weights(const SourceNode& n, const std::string& prefix, Forest& f,
                         const std::map<Key, size_t>& places) {
  const Ints tree = ints(n, prefix + "_treeids"), node = ints(n, prefix + "_nodeids"),
             target = ints(n, prefix + "_ids");
  const Doubles weight = floats(n, prefix + "_weights");
  same_length(prefix + "_nodeids", node.size(), tree.size());
  same_length(prefix + "_ids", target.size(), tree.size());
  same_length(prefix + "_weights", weight.size(), tree.size());
  for (size_t i = 0; i < tree.size(); ++i) {
    const auto found = places.find({tree[i], node[i]});
    require(found != places.end() && f.nodes[found->second].leaf, "attributes '", prefix,
            "_nodeids' name node ", node[i], " of tree ", tree[i], ", which is not a leaf");
    f.nodes[found->second].weights.emplace_back(target[i], weight[i]);
  }
}

static OutPort plus(const Build& b, const OutPort& scores, const Doubles& base, ElementType type) {
  if (base.empty()) return scores;
  const Ints dims = base.size() == 1 ? Ints{} : Ints{static_cast<int64_t>(base.size())};
  return b.add(scores, b.constant(Tensor::filled(b.context(), type, base, dims)));
}

static Forest::Sum sum_of(const std::string& name) {
  if (name == "SUM") return Forest::Sum::sum;
  if (name == "AVERAGE") return Forest::Sum::average;
  if (name == "MIN") return Forest::Sum::least;
  require(name == "MAX", "attribute 'aggregate_function' is '", name, "', expected SUM, AVERAGE, MIN or MAX");
  return Forest::Sum::greatest;
}

}  // namespace trees

static Ports tree_ensemble_regressor(Build& b, const SourceNode& n) {
  const ElementType type = trees::precision(b);
  Forest f(type);
  trees::read_weights(n, "target", f, trees::read_nodes(n, f));
  const auto targets = n.native("n_targets", 1);
  OutPort y =
      f.scores(b, n, trees::input(b, type), targets, trees::sum_of(n.native("aggregate_function", "SUM")));
  y = trees::plus(b, y, trees::floats(n, "base_values"), type);
  const auto transform = n.native("post_transform", "NONE");
  // Of one score onnxruntime transforms nothing but this.
  if (targets > 1 || transform == "PROBIT") y = transformed(b, b.convert(y, ElementType::f32), transform);
  return {b.convert(y, ElementType::f32)};
}

// Of two classes with scores for one only, the other has what is left: of 1 when all weights are positive,
// and else of 0.
static Ports single_score(const Build& b, const Labels& labels, const OutPort& score, bool positive,
                          const std::string& transform) {
  const OutPort column = b.squeeze(score, {1});
  const OutPort label =
      either(b, labels, b.op("Greater", "opset1", {column, numbers(b, {positive ? 0.5 : 0.0}, {})}));
  if (positive) return {label, with_rest(b, score, transform)};
  const OutPort both = two_columns(b, b.op("Negative", "opset1", {score}), score);
  return {label, transform == "LOGISTIC" ? transformed(b, both, transform) : both};
}

static Ports tree_ensemble_classifier(Build& b, const SourceNode& n) {
  const ElementType type = trees::precision(b);
  Forest f(type);
  trees::read_weights(n, "class", f, trees::read_nodes(n, f));
  const Labels labels = labels_of(b, n, "classlabels_int64s", "classlabels_strings");
  const auto classes = static_cast<int64_t>(labels.count());
  require(classes >= 2, "it has ", classes, " labels, expected 2 or more");
  const Ints ids = trees::ints(n, "class_ids");
  const auto weights = trees::floats(n, "class_weights");
  const bool positive = std::all_of(weights.begin(), weights.end(), [](double w) { return w >= 0; });
  const bool one = std::all_of(ids.begin(), ids.end(), [&](int64_t id) { return id == ids.front(); });
  const auto base = trees::floats(n, "base_values");
  const auto transform = n.native("post_transform", "NONE");
  const OutPort sums =
      b.convert(f.scores(b, n, trees::input(b, type), classes, Forest::Sum::sum), ElementType::f32);
  if (classes == 2 && one && (ids.empty() || ids.front() == 0) && base.size() < 2) {
    const OutPort first = ms::gather(b, sums, b.list({0}), 1);
    return single_score(b, labels, trees::plus(b, first, base, ElementType::f32), positive, transform);
  }
  OutPort scores = trees::plus(b, sums, base, ElementType::f32);
  if (classes == 2 && !one && base.size() == 2) {
    // onnxruntime takes such scores for those of one class.
    const OutPort second = b.add(ms::gather(b, sums, b.list({0}), 1), numbers(b, {base[1]}, {}));
    scores = two_columns(b, b.op("Negative", "opset1", {second}), second);
  }
  if (classes > 2) return {greatest(b, labels, scores), transformed(b, scores, transform)};
  const OutPort deciding =
      b.squeeze(ms::gather(b, scores, b.list({one && ids.front() == 0 ? 0 : 1}), 1), {1});
  const double limit = one && positive ? 0.5 : 0;
  const OutPort label = either(b, labels, b.op("Greater", "opset1", {deciding, numbers(b, {limit}, {})}));
  return {label, transformed(b, scores, transform)};
}

// Version 5: leaves have a list of their own, and modes are numbers.
static Ports tree_ensemble(Build& b, const SourceNode& n) {
  using namespace trees;
  const ElementType type = precision(b);
  Forest f(type);
  const Ints feature = ints(n, "nodes_featureids"), yes = ints(n, "nodes_truenodeids"),
             no = ints(n, "nodes_falsenodeids");
  const Ints yes_leaf = ints(n, "nodes_trueleafs"), no_leaf = ints(n, "nodes_falseleafs");
  const Ints missing = ints(n, "nodes_missing_value_tracks_true"), target = ints(n, "leaf_targetids");
  const Doubles split = n.native<Tensor>("nodes_splits").to_floats<double>();
  const Ints modes = n.native<Tensor>("nodes_modes").to_ints();
  const Doubles weight = n.native<Tensor>("leaf_weights").to_floats<double>();
  const auto member_tensor = n.find_native<Tensor>("membership_values");
  const Doubles members = member_tensor ? member_tensor->to_floats<double>() : Doubles{};
  const size_t count = feature.size();
  for (const auto& [name, have] : {std::pair<const char*, size_t>{"nodes_truenodeids", yes.size()},
                                   {"nodes_falsenodeids", no.size()},
                                   {"nodes_trueleafs", yes_leaf.size()},
                                   {"nodes_falseleafs", no_leaf.size()},
                                   {"nodes_splits", split.size()},
                                   {"nodes_modes", modes.size()}})
    same_length(name, have, count);
  same_length("leaf_weights", weight.size(), target.size());
  if (!missing.empty()) same_length("nodes_missing_value_tracks_true", missing.size(), count);
  f.nodes.resize(count + target.size());
  for (size_t i = 0; i < target.size(); ++i) {
    f.nodes[count + i].leaf = true;
    f.nodes[count + i].weights = {{target[i], weight[i]}};
  }
  size_t member = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto at = [&](int64_t other, bool leaf) {
      const size_t limit = leaf ? target.size() : count;
      require(other >= 0 && static_cast<size_t>(other) < limit, "node ", i, " leads to ",
              leaf ? "leaf " : "node ", other, ", but there are ", limit);
      return static_cast<size_t>(other) + (leaf ? count : 0);
    };
    Forest::Node& node = f.nodes[i];
    require(modes[i] >= 0 && modes[i] <= 6, "attribute 'nodes_modes' has ", modes[i], ", expected 0 to 6");
    node.branch = static_cast<Branch>(modes[i]);
    node.feature = feature[i];
    node.value = split[i];
    node.yes = at(yes[i], yes_leaf[i] != 0);
    node.no = at(no[i], no_leaf[i] != 0);
    node.missing_is_yes = !missing.empty() && missing[i] != 0;
    if (node.branch != Branch::member) continue;
    for (; member < members.size() && !std::isnan(members[member]); ++member)
      node.members.push_back(members[member]);
    ++member;
  }
  for (const int64_t root : ints(n, "tree_roots")) {
    require(root >= 0 && static_cast<size_t>(root) < count, "attribute 'tree_roots' has ", root,
            ", but there are ", count, " nodes");
    f.roots.push_back(static_cast<size_t>(root));
  }
  const auto how = n.native("aggregate_function", 1), transform = n.native("post_transform", 0);
  require(how >= 0 && how <= 3, "attribute 'aggregate_function' is ", how, ", expected 0 to 3");
  require(transform >= 0 && transform <= 4, "attribute 'post_transform' is ", transform, ", expected 0 to 4");
  const int64_t targets =
      n.native("n_targets", target.empty() ? 1 : *std::max_element(target.begin(), target.end()) + 1);
  const OutPort y = f.scores(b, n, input(b, type), targets, static_cast<Forest::Sum>(how));
  static constexpr std::array<std::string_view, 5> names{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO",
                                                         "PROBIT"};
  const std::string_view name = names[static_cast<size_t>(transform)];
  const bool acts = transform != 0 && (targets > 1 || name == "PROBIT");
  return {b.op("ConvertLike", "opset1",
               {acts ? transformed(b, b.convert(y, ElementType::f32), name) : y, b.in(0)})};
}

}  // namespace ml

void register_tree_ensembles(Registry& r) {
  using namespace ml;
  const auto text = "Gather(weights, places) behind steps of Select(LessEqual(feature, value), yes, no)";
  replace<tree_ensemble>(r, {"TreeEnsemble", "TreeEnsemble(x)", text, domain});
  replace<tree_ensemble_regressor>(r, {"TreeEnsembleRegressor", "TreeEnsembleRegressor(x)", text, domain});
  replace<tree_ensemble_classifier>(
      r, {"TreeEnsembleClassifier", "labels, scores = TreeEnsembleClassifier(x)", text, domain});
}

}  // namespace mo::onnx

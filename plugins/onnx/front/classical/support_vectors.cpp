// SVMRegressor and SVMClassifier: how near samples are to the support vectors.
#include "support/classical.hpp"
#include "support/step_iterator.hpp"

namespace mo::onnx {

namespace ml {

namespace vectors {

using Doubles = std::vector<double>;

static OutPort number(const Build& b, double v) { return numbers(b, {v}, {}); }
static Doubles floats(const SourceNode& n, std::string_view name) {
  return n.find_native<Doubles>(name).value_or(Doubles{});
}

// [samples, rows] of how x and each row fit together.
static OutPort kernel(const Build& b, const SourceNode& n, const OutPort& x, const OutPort& rows) {
  const auto type = n.native("kernel_type", "LINEAR");
  const Doubles given = floats(n, "kernel_params");
  const auto parameter = [&](size_t i) { return number(b, i < given.size() ? given[i] : 0); };
  if (type == "RBF") {
    const OutPort apart = b.subtract(b.unsqueeze(x, b.list({1})), rows);
    const OutPort squares = b.reduce("ReduceSum", b.multiply(apart, apart), b.list({-1}), false);
    return b.op("Exp", "opset1", {b.multiply(squares, number(b, given.empty() ? 0 : -given[0]))});
  }
  const OutPort product = b.matmul(x, rows, false, true);
  if (type == "LINEAR") return product;
  const OutPort scaled = b.add(b.multiply(product, parameter(0)), parameter(1));
  if (type == "SIGMOID") return b.op("Tanh", "opset1", {scaled});
  require(type == "POLY", "attribute 'kernel_type' is '", type, "', expected LINEAR, POLY, RBF or SIGMOID");
  return b.op("Power", "opset1", {scaled, parameter(2)});
}

static OutPort matrix(const Build& b, const Doubles& values, size_t rows, const char* name) {
  require(rows != 0 && !values.empty() && values.size() % rows == 0, "attribute '", name, "' has ",
          values.size(), " entries, expected a multiple of ", rows);
  return numbers(b, values, {static_cast<int64_t>(rows), static_cast<int64_t>(values.size() / rows)});
}

static double rho_of(const SourceNode& n) {
  const Doubles rho = floats(n, "rho");
  require(!rho.empty(), "attribute 'rho' is missing");
  return rho.front();
}

// Pairs of classes, each with what tells one from the other.
struct Pairs {
  size_t count = 0;
  std::vector<size_t> first, second;  // classes
};
static Pairs pairs_of(size_t classes) {
  Pairs p;
  for (size_t i = 0; i < classes; ++i)
    for (size_t j = i + 1; j < classes; ++j) {
      p.first.push_back(i);
      p.second.push_back(j);
    }
  p.count = p.first.size();
  return p;
}

// [samples, pairs]
static OutPort decisions(const Build& b, const SourceNode& n, const OutPort& x, const Ints& per_class,
                         const Pairs& p) {
  size_t vectors = 0;
  std::vector<size_t> start;
  for (const int64_t count : per_class) {
    require(count >= 0 && count <= INT32_MAX, "attribute 'vectors_per_class' is ", per_class,
            ", expected numbers from 0 on");
    start.push_back(vectors);
    vectors += static_cast<size_t>(count);
  }
  const Doubles coefficients = floats(n, "coefficients"), rho = floats(n, "rho");
  require(coefficients.size() >= (per_class.size() - 1) * vectors, "attribute 'coefficients' has ",
          coefficients.size(), " entries, expected ", (per_class.size() - 1) * vectors);
  require(rho.size() >= p.count, "attribute 'rho' has ", rho.size(), " entries, expected ", p.count);
  // What each vector says for each pair: vectors of both classes count.
  Doubles said(vectors * p.count, 0.0);
  for (size_t k = 0; k < p.count; ++k) {
    const size_t i = p.first[k], j = p.second[k];
    const auto take = [&](size_t own, size_t row) {
      for (size_t v = start[own]; v < start[own] + static_cast<size_t>(per_class[own]); ++v)
        said[v * p.count + k] = coefficients[row * vectors + v];
    };
    take(i, j - 1);
    take(j, i);
  }
  const OutPort near = kernel(b, n, x, matrix(b, floats(n, "support_vectors"), vectors, "support_vectors"));
  const OutPort sums = b.matmul(near, matrix(b, said, vectors, "coefficients"));
  return b.add(sums, numbers(b, {rho.begin(), rho.begin() + static_cast<ptrdiff_t>(p.count)},
                             {static_cast<int64_t>(p.count)}));
}

// The class that most decisions are for; of equals the first.
static OutPort voted(const Build& b, const Labels& labels, const OutPort& decisions, const Pairs& p) {
  const size_t classes = labels.count();
  Doubles above(p.count * classes, 0.0), below(p.count * classes, 0.0), later(classes);
  for (size_t k = 0; k < p.count; ++k) {
    above[k * classes + p.first[k]] = 1;
    below[k * classes + p.second[k]] = 1;
  }
  for (size_t c = 0; c < classes; ++c) later[c] = static_cast<double>(c) / static_cast<double>(2 * classes);
  const OutPort yes = b.convert(b.op("Greater", "opset1", {decisions, number(b, 0)}), ElementType::f32);
  const OutPort votes =
      b.add(b.matmul(yes, matrix(b, above, p.count, "vectors_per_class")),
            b.matmul(b.subtract(number(b, 1), yes), matrix(b, below, p.count, "vectors_per_class")));
  return greatest(b, labels, b.subtract(votes, numbers(b, later, {static_cast<int64_t>(classes)})));
}

// Probabilities of classes from those of pairs, by the method of Wu, Lin and Weng (2004): at most 100 rounds,
// and no more for a sample that has come near enough. All is [samples, classes, 1] or with one more dimension
// of classes.
static OutPort coupled(const Build& b, const SourceNode& n, const OutPort& decisions, const Pairs& p,
                       int64_t classes) {
  const Doubles a = floats(n, "prob_a"), c = floats(n, "prob_b");
  require(a.size() >= p.count && c.size() >= p.count, "attributes 'prob_a' and 'prob_b' have ", a.size(),
          " and ", c.size(), " entries, expected ", p.count);
  const auto row = [&](const Doubles& v) {
    return numbers(b, {v.begin(), v.begin() + static_cast<ptrdiff_t>(p.count)},
                   {static_cast<int64_t>(p.count)});
  };
  const OutPort value = b.add(b.multiply(decisions, row(a)), row(c));
  const OutPort raw = b.op("Sigmoid", "opset1", {b.op("Negative", "opset1", {value})});
  const mo::Node clamp = b.node("Clamp", "opset1", {raw});
  clamp.set("min", 1e-7).set("max", 1 - 1e-7);
  const OutPort first = clamp.out_port();  // of the first of each pair against the second
  // r[i][j], 0 where i == j, out of [samples, 2 * pairs + 1].
  const OutPort zero = b.multiply(ms::gather(b, first, b.list({0}), 1), number(b, 0));
  const OutPort all = b.concat({first, b.subtract(number(b, 1), first), zero}, 1);
  const auto size = static_cast<size_t>(classes);
  Ints place(size * size, static_cast<int64_t>(2 * p.count));
  for (size_t k = 0; k < p.count; ++k) {
    place[p.first[k] * size + p.second[k]] = static_cast<int64_t>(k);
    place[p.second[k] * size + p.first[k]] = static_cast<int64_t>(p.count + k);
  }
  const OutPort r = b.reshape(ms::gather(b, all, b.list(place), 1), b.list({-1, classes, classes}));
  const OutPort turned = b.transpose(r, {0, 2, 1});
  const OutPort squares = b.reduce("ReduceSum", b.multiply(r, r), b.list({1}), false);  // of columns
  Doubles unit(size * size, 0.0);
  for (size_t i = 0; i < size; ++i) unit[i * size + i] = 1;
  const OutPort diagonal = numbers(b, unit, {classes, classes});
  const OutPort q =
      b.subtract(b.multiply(diagonal, b.unsqueeze(squares, b.list({2}))), b.multiply(r, turned));
  const mo::Node start =
      b.node("Broadcast", "opset3",
             {number(b, 1.0 / static_cast<double>(classes)), b.concat({b.dim(q, 0), b.list({classes})})});
  start.set("mode", "numpy");

  StepIterator rounds(b, n, "rounds");
  const Build& in = rounds.in();
  rounds.slice(b.list(Ints(100, 0)));
  const OutPort matrix = rounds.whole(q), before = rounds.whole(start.out_port());
  const OutPort was_done = rounds.whole(
      b.op("Less", "opset1", {b.reduce("ReduceSum", start.out_port(), b.list({1}), true), number(b, 0)}));
  const auto entry = [&](const OutPort& x, int64_t i) { return ms::gather(in, x, in.list({i}), 1); };
  OutPort prob = before;
  OutPort product = in.squeeze(in.matmul(matrix, in.unsqueeze(prob, in.list({2}))), {2});
  OutPort total = in.reduce("ReduceSum", in.multiply(prob, product), in.list({1}), true);
  const OutPort error =
      in.reduce("ReduceMax", in.op("Abs", "opset1", {in.subtract(product, total)}), in.list({1}), true);
  const OutPort done =
      in.op("LogicalOr", "opset1",
            {was_done, in.op("Less", "opset1", {error, number(in, 0.005 / static_cast<double>(classes))})});
  for (int64_t i = 0; i < classes; ++i) {
    const OutPort line = in.squeeze(entry(matrix, i), {1}), own = entry(line, i), now = entry(product, i);
    const OutPort change = in.divide(in.subtract(total, now), own);
    const OutPort grown = in.add(change, number(in, 1));
    const OutPort added =
        in.multiply(change, in.add(in.multiply(change, own), in.multiply(now, number(in, 2))));
    total = in.divide(in.divide(in.add(total, added), grown), grown);
    Doubles here(size, 0.0);
    here[static_cast<size_t>(i)] = 1;
    prob = in.divide(in.add(prob, in.multiply(change, numbers(in, here, {classes}))), grown);
    product = in.divide(in.add(product, in.multiply(change, line)), grown);
  }
  rounds.next(in.select(done, before, prob), before, 0);
  rounds.next(done, was_done, 1);
  return rounds.finish(2)[0];
}

}  // namespace vectors

static Ports svm_regressor(Build& b, const SourceNode& n) {
  using namespace vectors;
  const auto supports = n.native("n_supports", 0);
  const auto transform = n.native("post_transform", "NONE");
  require(transform == "NONE", "attribute 'post_transform' is '", transform,
          "', which is not supported here");
  const OutPort x = samples(b, b.in(0)), rho = number(b, rho_of(n));
  const Doubles coefficients = floats(n, "coefficients");
  OutPort y;
  if (supports > 0) {
    const auto count = static_cast<size_t>(supports);
    require(coefficients.size() == count, "attribute 'coefficients' has ", coefficients.size(),
            " entries, expected ", count);
    const OutPort near = kernel(b, n, x, matrix(b, floats(n, "support_vectors"), count, "support_vectors"));
    y = b.matmul(near, matrix(b, coefficients, count, "coefficients"));
  } else {
    y = b.matmul(x, matrix(b, coefficients, 1, "coefficients"), false, true);
  }
  y = b.add(y, rho);
  if (n.native("one_class", 0) == 0) return {y};
  return {b.select(b.op("Greater", "opset1", {y, number(b, 0)}), number(b, 1), number(b, -1))};
}

static Ports svm_classifier(Build& b, const SourceNode& n) {
  using namespace vectors;
  const Labels labels = labels_of(b, n, "classlabels_ints", "classlabels_strings");
  require(labels.count() >= 2, "it has ", labels.count(), " labels, expected 2 or more");
  const auto classes = static_cast<int64_t>(labels.count());
  const OutPort x = samples(b, b.in(0));
  const auto transform = n.native("post_transform", "NONE");
  const auto per_class = n.find_native<Ints>("vectors_per_class").value_or(Ints{});
  if (std::all_of(per_class.begin(), per_class.end(), [](int64_t c) { return c == 0; })) {
    const OutPort weights = matrix(b, floats(n, "coefficients"), labels.count(), "coefficients");
    const OutPort scores = b.add(b.matmul(x, weights, false, true), number(b, rho_of(n)));
    return {greatest(b, labels, scores), transformed(b, scores, transform)};
  }
  require(per_class.size() == labels.count(), "attribute 'vectors_per_class' has ", per_class.size(),
          " entries for ", labels.count(), " labels");
  const Pairs p = pairs_of(labels.count());
  const OutPort scores = decisions(b, n, x, per_class, p), label = voted(b, labels, scores, p);
  if (!floats(n, "prob_a").empty())
    return {label, transformed(b, coupled(b, n, scores, p, classes), transform)};
  if (classes > 2) return {label, transformed(b, scores, transform)};
  // As onnxruntime has it: what is left of 0, or of 1 when something is to be done with it.
  if (transform != "NONE") return {label, with_rest(b, scores, transform)};
  return {label, two_columns(b, b.op("Negative", "opset1", {scores}), scores)};
}

}  // namespace ml

void register_support_vectors(Registry& r) {
  using namespace ml;
  replace<svm_regressor>(
      r, {"SVMRegressor", "SVMRegressor(x)", "Add(MatMul(kernel(x, vectors), coefficients), rho)", domain});
  replace<svm_classifier>(
      r, {"SVMClassifier", "labels, scores = SVMClassifier(x)",
          "scores = Add(MatMul(kernel(x, vectors), coefficients), rho); TopK(votes, 1)", domain});
}

}  // namespace mo::onnx

// What is divided by its length is NormalizeL2; divided by its root mean square, NormalizeL2 and a number:
//   x / Sqrt(ReduceSum(x * x) + eps), x / Maximum(ReduceL2(x), eps)  ->  NormalizeL2(x)
//   x / Sqrt(ReduceMean(x * x) + eps) * w  ->  NormalizeL2(x) * (w * sqrt(n)), n elements in w
#include "support/fusion.hpp"

#include <cmath>

namespace mo::builtin_passes {

namespace {

struct LengthOf {
  OutPort x, axes;
  double eps = 0;
  bool adds = true, mean = false;
  std::vector<int64_t> list;
  Node shape;  // of what it was spread over
};

// The port is the sum or mean of the squares of x.
std::optional<LengthOf> squares_of(const OutPort& port, Nodes& inside) {
  for (const std::string_view op : {"ReduceSum", "ReduceMean"}) {
    const size_t mark = inside.size();
    const auto sum = kept_reduction(port, op, inside);
    const auto x = sum ? squared(sum->x, inside) : std::nullopt;
    if (x) return LengthOf{*x, sum->axes, 0, true, op == "ReduceMean", sum->list, {}};
    inside.resize(mark);
  }
  return std::nullopt;
}

// The number that `n` compares or adds, and what it does that to.
std::optional<std::pair<OutPort, double>> with_least(const OutPort& port, std::string_view op,
                                                     Nodes& inside) {
  const Node n = port.node();
  if (n.op() != op || n.in_count() != 2) return std::nullopt;
  for (const size_t i : {0U, 1U})
    if (const auto v = number_beside(n, i); v && *v > 0) {
      inside.push_back(n);
      return std::pair(n.in_port(1 - i).get_source(), as_written(*v));
    }
  return std::nullopt;
}

// port = squares + eps, or the greater of both
std::optional<LengthOf> guarded_squares(const OutPort& port, Nodes& inside) {
  for (const std::string_view op : {"Add", "Maximum"})
    if (const auto least = with_least(port, op, inside)) {
      auto found = squares_of(least->first, inside);
      if (!found || (found->mean && op == "Maximum")) return std::nullopt;
      found->eps = least->second;
      found->adds = op == "Add";
      return found;
    }
  return std::nullopt;
}

std::optional<LengthOf> guarded_length(const OutPort& port, const OutPort& over, Nodes& inside) {
  // Exporters spread the length before they divide, which dividing does anyway.
  if (const auto spread = made_by(port, "Broadcast")) {
    const auto shape = made_by(spread->in_port(1).get_source(), "ShapeOf");
    if (shape && shape->in_port(0).get_source() == over) {
      inside.push_back(*spread);
      auto found = guarded_length(spread->in_port(0).get_source(), over, inside);
      if (found) found->shape = *shape;
      return found;
    }
  }
  if (const auto v = under_root(port, inside)) return guarded_squares(*v, inside);
  std::optional<std::pair<OutPort, double>> least = with_least(port, "Maximum", inside);
  if (const auto clamp = least ? std::nullopt : made_by(port, "Clamp")) {
    // No upper limit but the greatest number.
    if (clamp->attr<double>("max") < 1e38 || !(clamp->attr<double>("min") > 0)) return std::nullopt;
    inside.push_back(*clamp);
    least = {clamp->in_port(0).get_source(), clamp->attr<double>("min")};
  }
  if (!least) return std::nullopt;
  const double eps = as_written(least->second * least->second);
  if (!(eps >= 1e-37)) return std::nullopt;  // it would be lost in an attribute of the operation
  if (const auto length = kept_reduction(least->first, "ReduceL2", inside))
    return LengthOf{length->x, length->axes, eps, false, false, length->list, {}};
  const auto root = under_root(least->first, inside);
  auto found = root ? squares_of(*root, inside) : std::nullopt;
  if (!found || found->mean) return std::nullopt;
  found->eps = eps;
  found->adds = false;
  return found;
}

}  // namespace

class FuseNormalizeL2 : public Fusion {
 public:
  FuseNormalizeL2() {
    id = "middle.fuse_normalize_l2";
    doc = "what is divided by its length, or by its root mean square, becomes NormalizeL2";
    before = R"(
      %x = Parameter -> f32[?,16]
      %axes = Const -> i64[1] {1}
      %p = Multiply@opset1 (%x, %x)
      %s = ReduceSum@opset1 (%p, %axes) {keep_dims=true}
      %eps = Const -> f32[] {0.001}
      %e = Add@opset1 (%s, %eps)
      %r = Sqrt@opset1 (%e)
      %y = Divide@opset1 (%x, %r)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,16]
      %axes = Const -> i64[1] {1}
      %y = NormalizeL2@opset1 (%x, %axes) {eps=0.001, eps_mode="add"}
      Result (%y))";
    run_after.push_back("middle.fuse_mvn");
  }
  void run_on_model(Graph g) override {
    Gone gone;
    const std::vector<std::string_view> through{"Add",       "Maximum",   "Clamp",  "Sqrt",    "Power",
                                                "Unsqueeze", "Broadcast", "Divide", "Multiply"};
    for_each_above(g, {"ReduceL2", "ReduceSum", "ReduceMean"}, through, 6, gone, [&](const Node& n) {
      Nodes inside;
      OutPort over;
      const auto found = length_under(n, over, inside);
      if (!found || found->x != over || !is_float(over.type()) || !serves_only(n, inside)) return;
      if (found->shape) inside.push_back(found->shape);
      if (found->mean)
        root_mean_square(g, n, *found, inside, gone);
      else
        take_place(n, normalized(g, n, *found, found->eps), inside, gone);
    });
  }

 private:
  static std::optional<LengthOf> length_under(const Node& n, OutPort& over, Nodes& inside) {
    if (const auto q = quotient_of(n, inside)) {
      over = q->over;
      return guarded_length(q->under, over, inside);
    }
    if (n.op() != "Multiply") return std::nullopt;
    for (const size_t i : {0U, 1U}) {
      inside.clear();
      over = n.in_port(1 - i).get_source();
      if (const auto v = under_inverse_root(n.in_port(i).get_source(), inside))
        if (auto found = guarded_squares(*v, inside)) return found;
    }
    return std::nullopt;
  }

  // How many elements there are follows from weights, or else it may change with the input's shape.
  static void root_mean_square(const Graph& g, const Node& n, const LengthOf& found, const Nodes& inside,
                               Gone& gone) {
    const auto reader = only_reader_of(n.out_port());
    const Shape s = found.x.shape();
    if (!reader || reader->op() != "Multiply" || !s.has_rank() || s.empty()) return;
    if (found.list != std::vector<int64_t>{s.rank() - 1}) return;
    const size_t at = reader->in_port(0).get_source() == n.out_port() ? 1 : 0;
    const OutPort w = reader->in_port(at).get_source();
    if (w.node().op() != "Const" || !is_float(w.type()) || bits(w.type()) < 16) return;
    const Tensor weights = *w.value();
    if (weights.rank() == 0 || weights.rank() > s.size() || weights.size() < 2) return;
    const int64_t count = weights.dim(weights.rank() - 1);
    if (s[s.size() - 1] != Dim(count) || weights.size() != static_cast<size_t>(count)) return;
    auto values = weights.to_floats<double>();
    for (double& v : values) v *= std::sqrt(static_cast<double>(count));
    const Tensor scaled = Tensor::filled(g.context(), weights.type(), values, weights.dims());
    reader->in_port(at).set_source(g.create_const(w.node().name() + "/scaled", scaled).out_port());
    take_place(n, normalized(g, n, found, found.eps * static_cast<double>(count)), inside, gone);
  }

  static OutPort normalized(const Graph& g, const Node& n, const LengthOf& found, double eps) {
    const Node made = g.create_node("NormalizeL2", "opset1", n.name() + "/NormalizeL2",
                                    {found.x, axes_list(g, n, found.axes)});
    made.set("eps", as_written(eps)).set("eps_mode", found.adds ? "add" : "max");
    return made.out_port();
  }
};

void register_fuse_normalize_l2(Registry& r) { r.transformation<FuseNormalizeL2>(); }

}  // namespace mo::builtin_passes

// What is divided by its length is NormalizeL2:
//   x / Sqrt(ReduceSum(x * x) + eps), x / Maximum(ReduceL2(x), eps)  ->  NormalizeL2(x)
// Axes count from the start: to OpenVINO up to 2022 a negative one is axis 0. What is divided by its root
// mean square stays as it is, since runtimes know that by the way it is written out.
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

struct LengthOf {
  OutPort x, axes;
  double eps = 0;
  bool adds = true;
  std::vector<int64_t> list;
  Node shape;  // of what it was spread over
};

// The port is the sum of the squares of x.
std::optional<LengthOf> squares_of(const OutPort& port, Nodes& inside) {
  const size_t mark = inside.size();
  const auto sum = kept_reduction(port, "ReduceSum", inside);
  const auto x = sum ? squared(sum->x, inside) : std::nullopt;
  if (x) return LengthOf{*x, sum->axes, 0, true, sum->list, {}};
  inside.resize(mark);
  return std::nullopt;
}

// The number that `n` compares or adds, and what it does that to.
std::optional<std::pair<OutPort, double>> with_least(const OutPort& port, std::string_view op,
                                                     Nodes& inside) {
  const Node n = port.node();
  if (!n.is(op) || n.in_count() != 2) return std::nullopt;
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
      if (!found) return std::nullopt;
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
    return LengthOf{length->x, length->axes, eps, false, length->list, {}};
  const auto root = under_root(least->first, inside);
  auto found = root ? squares_of(*root, inside) : std::nullopt;
  if (!found) return std::nullopt;
  found->eps = eps;
  found->adds = false;
  return found;
}

}  // namespace

class FuseNormalizeL2 : public Fusion {
 public:
  FuseNormalizeL2() {
    id = "middle.fuse_normalize_l2";
    doc = "what is divided by its length becomes NormalizeL2";
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
    ops = {"ReduceL2", "ReduceSum"};
  }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    const std::vector<std::string_view> through{"Add",       "Maximum",   "Clamp",  "Sqrt",    "Power",
                                                "Unsqueeze", "Broadcast", "Divide", "Multiply"};
    for_each_above(start, through, 6, [&](const Node& n) {
      Nodes inside;
      OutPort over;
      const auto found = length_under(n, over, inside);
      if (!found) return;
      if (found->x != over) {
        near("what is divided by the length of a tensor is not that tensor");
        return;
      }
      if (!is_float_here(over) || !is_alone(n, inside)) return;
      if (found->shape) inside.push_back(found->shape);
      const bool counts_back =
          std::any_of(found->list.begin(), found->list.end(), [](int64_t a) { return a < 0; });
      if (counts_back)
        near("its dimensions are counted from the end of a rank that is not known");
      else
        take_place(n, normalized(g, n, *found), inside);
    });
  }

  static std::optional<LengthOf> length_under(const Node& n, OutPort& over, Nodes& inside) {
    if (const auto q = quotient_of(n, inside)) {
      over = q->over;
      return guarded_length(q->under, over, inside);
    }
    if (!n.is("Multiply")) return std::nullopt;
    for (const size_t i : {0U, 1U}) {
      inside.clear();
      over = n.in_port(1 - i).get_source();
      if (const auto v = under_inverse_root(n.in_port(i).get_source(), inside))
        if (auto found = guarded_squares(*v, inside)) return found;
    }
    return std::nullopt;
  }

  static OutPort axes_list(const Graph& g, const Node& n, const LengthOf& found) {
    const bool same = found.axes.shape().rank() == 1 && found.axes.value()->to_ints() == found.list;
    return same ? found.axes : g.create_ints(n.name() + "/axes", found.list).out_port();
  }

  static OutPort normalized(const Graph& g, const Node& n, const LengthOf& found) {
    const Node made =
        g.create_node("NormalizeL2", "opset1", n.name() + "/NormalizeL2", {found.x, axes_list(g, n, found)});
    made.set("eps", as_written(found.eps)).set("eps_mode", found.adds ? "add" : "max");
    return made.out_port();
  }
};

void register_fuse_normalize_l2(Registry& r) { simplifying<FuseNormalizeL2>(r, Stage::fuse); }

}  // namespace mo::builtin_passes

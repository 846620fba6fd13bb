// What is centred and divided by its standard deviation is MVN; scale and shift stay:
//   d = x - ReduceMean(x), d / Sqrt(ReduceMean(d * d) + eps)  ->  MVN(x)
//   x * f + (b - ReduceMean(x) * f), f = g / Sqrt(variance + eps)  ->  MVN(x) * g + b
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

namespace {

struct Normalized {
  OutPort x, axes;
  double eps = 0;
  bool eps_inside = true;
};

// x when the port is x - ReduceMean(x).
std::optional<Reduction> centred(const OutPort& port, Nodes& inside) {
  const auto difference = made_by(port, "Subtract");
  if (!difference) return std::nullopt;
  auto mean = kept_reduction(difference->in_port(1).get_source(), "ReduceMean", inside);
  if (!mean || mean->x != difference->in_port(0).get_source()) return std::nullopt;
  inside.push_back(*difference);
  return mean;
}

// What is squared and averaged when the port is a variance.
std::optional<Reduction> variance_of(const OutPort& port, Nodes& inside) {
  const auto mean = kept_reduction(port, "ReduceMean", inside);
  if (!mean) return std::nullopt;
  if (const auto d = made_by(mean->x, "SquaredDifference"))
    for (const size_t i : {0U, 1U}) {
      const size_t mark = inside.size();
      const auto inner = kept_reduction(d->in_port(i).get_source(), "ReduceMean", inside);
      if (inner && inner->x == d->in_port(1 - i).get_source() && inner->list == mean->list) {
        inside.push_back(*d);
        return inner;
      }
      inside.resize(mark);
    }
  const auto d = squared(mean->x, inside);
  const auto inner = d ? centred(*d, inside) : std::nullopt;
  return inner && inner->list == mean->list ? inner : std::nullopt;
}

// port = variance + eps
std::optional<Normalized> with_epsilon(const OutPort& port, Nodes& inside) {
  LineStep line{port, 1, 0};
  if (!look_through_line(line, inside) || line.scale != 1 || !(line.offset > 0)) return std::nullopt;
  const auto v = variance_of(line.x, inside);
  return v ? std::optional(Normalized{v->x, v->axes, line.offset, true}) : std::nullopt;
}

// The port is the deviation, eps included.
std::optional<Normalized> deviation(const OutPort& port, Nodes& inside) {
  if (const auto v = under_root(port, inside)) return with_epsilon(*v, inside);
  LineStep line{port, 1, 0};
  if (!look_through_line(line, inside) || line.scale != 1 || !(line.offset > 0)) return std::nullopt;
  const auto root = under_root(line.x, inside);
  const auto v = root ? variance_of(*root, inside) : std::nullopt;
  return v ? std::optional(Normalized{v->x, v->axes, line.offset, false}) : std::nullopt;
}

}  // namespace

class FuseMvn : public Fusion {
 public:
  FuseMvn() {
    id = "middle.fuse_mvn";
    doc = "what is centred and divided by its standard deviation becomes MVN";
    before = R"(
      %x = Parameter -> f32[?,4,16]
      %axes = Const -> i64[1] {-1}
      %mean = ReduceMean@opset1 (%x, %axes) {keep_dims=true}
      %d = Subtract@opset1 (%x, %mean)
      %two = Const -> f32[] {2}
      %p = Power@opset1 (%d, %two)
      %v = ReduceMean@opset1 (%p, %axes) {keep_dims=true}
      %eps = Const -> f32[] {0.001}
      %e = Add@opset1 (%v, %eps)
      %r = Sqrt@opset1 (%e)
      %y = Divide@opset1 (%d, %r)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,4,16]
      %axes = Const -> i64[1] {-1}
      %y = MVN@opset6 (%x, %axes) {normalize_variance=true, eps=0.001, eps_mode="inside_sqrt"}
      Result (%y))";
    ops = {"ReduceMean"};
  }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    const std::vector<std::string_view> through{"Add",       "Subtract", "Sqrt",    "Power",
                                                "Unsqueeze", "Divide",   "Multiply"};
    for_each_above(start, through, 6, [&](const Node& n) {
      if (n.is("Divide") || n.is("Multiply"))
        quotient(g, n);
      else if (n.is("Add") || n.is("Subtract"))
        batch_form(g, n);
    });
  }

  void quotient(const Graph& g, const Node& n) {
    if (n.in_count() != 2) return;
    Nodes inside;
    const auto q = quotient_of(n, inside);
    std::optional<Normalized> found;
    OutPort over;
    if (q) {
      over = q->over;
      found = deviation(q->under, inside);
    } else if (n.is("Multiply")) {
      for (const size_t i : {0U, 1U}) {
        inside.clear();
        const auto v = under_inverse_root(n.in_port(i).get_source(), inside);
        found = v ? with_epsilon(*v, inside) : std::nullopt;
        over = n.in_port(1 - i).get_source();
        if (found) break;
      }
    }
    const auto mean = found ? centred(over, inside) : std::nullopt;
    if (found && (!mean || mean->x != found->x))
      near("what is divided by the deviation of a tensor is not that tensor less its mean");
    if (!mean || mean->x != found->x || !fits(g, *found, mean->list) || !is_alone(n, inside)) return;
    take_place(n, normalized(g, n, *found), inside);
  }

  // x * f + (b - mean * f), and x * f - mean * f, with f = g / deviation
  void batch_form(const Graph& g, const Node& n) {
    const std::string type = n.op_name();
    for (const size_t i : {0U, 1U}) {
      if (type == "Subtract" && i == 1) return;
      Nodes inside;
      const auto scaled = made_by(n.in_port(i).get_source(), "Multiply");
      if (!scaled) continue;
      inside.push_back(*scaled);
      OutPort shift, moved = n.in_port(1 - i).get_source();
      if (type == "Add") {
        const auto rest = made_by(moved, "Subtract");
        if (!rest) continue;
        inside.push_back(*rest);
        shift = rest->in_port(0).get_source();
        moved = rest->in_port(1).get_source();
      }
      const auto product = made_by(moved, "Multiply");
      if (!product) continue;
      inside.push_back(*product);
      for (const size_t a : {0U, 1U})
        for (const size_t b : {0U, 1U}) {
          const OutPort f = scaled->in_port(1 - a).get_source();
          if (product->in_port(1 - b).get_source() != f) continue;
          Nodes all = inside;
          if (fuse_batch(g, n, scaled->in_port(a).get_source(), product->in_port(b).get_source(), f, shift,
                         all))
            return;
        }
    }
  }

  bool fuse_batch(const Graph& g, const Node& n, const OutPort& x, const OutPort& mean_port, const OutPort& f,
                  const OutPort& shift, Nodes& inside) {
    const auto mean = kept_reduction(mean_port, "ReduceMean", inside);
    if (!mean || mean->x != x) return false;
    OutPort scale;
    auto found = inverse_deviation(f, inside);
    if (const auto product = found ? std::nullopt : made_by(f, "Multiply")) {
      for (const size_t i : {0U, 1U}) {
        const size_t mark = inside.size();
        inside.push_back(*product);
        scale = product->in_port(i).get_source();
        found = inverse_deviation(product->in_port(1 - i).get_source(), inside);
        if (found) break;
        inside.resize(mark);
      }
    }
    if (!found || found->x != x || !fits(g, *found, mean->list) || !is_alone(n, inside)) return false;
    // What is multiplied must not have more dimensions than x, which was the result's shape before.
    const Shape s = x.shape();
    for (const OutPort& p : {scale, shift})
      if (p && (!p.shape().has_rank() || !s.has_rank() || p.shape().rank() > s.rank() ||
                n.out_port().shape() != s))
        return false;
    OutPort y = normalized(g, n, *found);
    const auto combine = [&](std::string_view type, const OutPort& with) {
      if (!with) return;
      y.set_shape(n.out_port().type(), s);
      y = g.create_node(type, "opset1", text(n.name(), '/', type), {y, with}).out_port();
    };
    combine("Multiply", scale);
    combine("Add", shift);
    take_place(n, y, inside);
    return true;
  }

  static std::optional<Normalized> inverse_deviation(const OutPort& port, Nodes& inside) {
    const size_t mark = inside.size();
    const auto v = under_inverse_root(port, inside);
    auto found = v ? with_epsilon(*v, inside) : std::nullopt;
    if (!found) inside.resize(mark);
    return found;
  }

  bool fits(const Graph&, const Normalized& found, const std::vector<int64_t>& axes) {
    if (!is_float_here(found.x)) return false;
    auto list = found.axes.value()->to_ints();
    const Shape s = found.x.shape();
    for (int64_t& a : list)
      if (a < 0 && s.has_rank()) a += s.rank();
    std::sort(list.begin(), list.end());
    return list == axes || near("mean and variance are of different dimensions");
  }

  static OutPort normalized(const Graph& g, const Node& n, const Normalized& found) {
    const Node made =
        g.create_node("MVN", "opset6", n.name() + "/MVN", {found.x, axes_list(g, n, found.axes)});
    made.set("normalize_variance", true).set("eps", as_written(found.eps));
    made.set("eps_mode", found.eps_inside ? "inside_sqrt" : "outside_sqrt");
    return made.out_port();
  }
};

void register_fuse_mvn(Registry& r) { simplifying<FuseMvn>(r, Stage::fuse); }

}  // namespace mo::builtin_passes

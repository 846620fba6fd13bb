// What is x above 0 and a multiple of x below it, in all the ways to write it, is PReLU:
//   Add(ReLU(x), a * (x - Abs(x)) * 0.5), Subtract(ReLU(x), a * ReLU(-x)), Maximum(x, a * x)  ->  PReLU(x, a)
#include "support/eliminate.hpp"
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

#include <algorithm>
#include <cmath>

namespace mo::builtin_passes {

namespace {

// Numbers that x is multiplied by, spread over it: one for all, or a tensor of as many dimensions as x.
struct Slopes {
  std::vector<int64_t> dims;  // none for a single number
  std::vector<double> values{1};

  // The first that is another number than 1.
  std::optional<double> other() const {
    for (const double v : values)
      if (v != 1) return v;
    return std::nullopt;
  }
};

std::optional<Slopes> slopes_in(const OutPort& factor, size_t rank) {
  if (!factor || !factor.node().is("Const") || !is_float(factor.type())) return std::nullopt;
  const Tensor t = *factor.value();
  if (t.rank() > rank || bits(t.type()) < 16 || t.size() == 0) return std::nullopt;
  Slopes s{{}, t.to_floats<double>()};
  if (t.size() == 1) return s;
  s.dims.assign(rank - t.rank(), 1);
  for (size_t i = 0; i < t.rank(); ++i) s.dims.push_back(t.dim(i));
  return s;
}

template <class F>
std::optional<Slopes> combined(const Slopes& a, const Slopes& b, F f) {
  if (a.dims != b.dims && !a.dims.empty() && !b.dims.empty()) return std::nullopt;
  Slopes result = a.dims.empty() ? b : a;
  for (size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = f(a.values[a.dims.empty() ? 0 : i], b.values[b.dims.empty() ? 0 : i]);
  return result;
}

// A vector is for channels; else numpy's rules hold.
Tensor slope_tensor(const Context& c, ElementType type, const Slopes& s) {
  bool of_channels = true;
  for (size_t i = 0; i < s.dims.size(); ++i) of_channels = of_channels && (i == 1 || s.dims[i] == 1);
  const auto count = static_cast<int64_t>(s.values.size());
  return Tensor::filled(c, type, s.values, of_channels ? std::vector<int64_t>{count} : s.dims);
}

// A function that is `above` * x where x is positive and `below` * x where it is negative.
struct TwoSlopes {
  OutPort x;
  Slopes above{}, below{};
};

class SlopesOf {
 public:
  // What was looked through: nothing else reads it.
  Nodes inside;

  TwoSlopes of(const OutPort& port, int depth = 0) {
    const Node n = port.node();
    const bool ours = depth == 0 || port.destination_count() == 1;
    if (ours && depth < 10 && n.out_count() == 1 && n.opset() == "opset1")
      if (auto found = inner(n, port, depth)) {
        inside.push_back(n);
        return *found;
      }
    return {port};
  }

 private:
  std::optional<TwoSlopes> inner(const Node& n, const OutPort& port, int depth) {
    const std::string op = n.op_name();
    const auto input = [&](size_t i) { return n.in_port(i).get_source(); };
    if (op == "ReLU" || op == "Abs" || op == "Negative") {
      TwoSlopes s = of(input(0), depth + 1);
      for (double& v : s.above.values) v = op == "ReLU" ? std::max(v, 0.0) : op == "Abs" ? std::abs(v) : -v;
      for (double& v : s.below.values) v = op == "ReLU" ? std::min(v, 0.0) : op == "Abs" ? -std::abs(v) : -v;
      return s;
    }
    const bool product = op == "Multiply", sum = op == "Add", difference = op == "Subtract";
    const bool greater = op == "Maximum", less = op == "Minimum";
    const Shape shape = port.shape();
    if ((!product && !sum && !difference && !greater && !less) || !shape.has_rank() || shape.empty())
      return std::nullopt;
    if (product) {
      for (const size_t i : {0U, 1U}) {
        const auto factor = slopes_in(input(i), shape.size());
        if (!factor || input(1 - i).shape() != shape) continue;
        return both(of(input(1 - i), depth + 1), {OutPort(), *factor, *factor}, std::multiplies<>(),
                    std::multiplies<>());
      }
      return std::nullopt;
    }
    const size_t before = inside.size();
    const TwoSlopes a = of(input(0), depth + 1), b = of(input(1), depth + 1);
    const auto max = [](double p, double q) { return std::max(p, q); };
    const auto min = [](double p, double q) { return std::min(p, q); };
    std::optional<TwoSlopes> s;
    if (a.x == b.x && a.x.shape() == shape) {
      if (sum) s = both(a, b, std::plus<>(), std::plus<>());
      if (difference) s = both(a, b, std::minus<>(), std::minus<>());
      if (greater) s = both(a, b, max, min);
      if (less) s = both(a, b, min, max);
    }
    if (!s) inside.resize(before);
    return s;
  }

  template <class Above, class Below>
  static std::optional<TwoSlopes> both(const TwoSlopes& a, const TwoSlopes& b, Above above, Below below) {
    const auto up = combined(a.above, b.above, above), down = combined(a.below, b.below, below);
    if (!up || !down) return std::nullopt;
    return TwoSlopes{a.x, *up, *down};
  }
};

}  // namespace

class FusePrelu : public Fusion {
 public:
  FusePrelu() {
    id = "middle.fuse_prelu";
    doc = "x above 0, and a multiple of it below, is PReLU in whatever way it is written";
    before = R"(
      %x = Parameter -> f32[1,2,4,4]
      %r = ReLU@opset1 (%x)
      %b = Abs@opset1 (%x)
      %d = Subtract@opset1 (%x, %b)
      %a = Const -> f32[1,2,1,1] {0.5,0.25}
      %m = Multiply@opset1 (%a, %d)
      %half = Const -> f32[] {0.5}
      %h = Multiply@opset1 (%m, %half)
      %y = Add@opset1 (%r, %h)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,4,4]
      %a = Const@opset1 -> f32[2] {0.5,0.25}
      %y = PReLU@opset1 (%x, %a)
      Result (%y))";
    ops = {"ReLU", "Maximum", "Minimum"};
  }

 private:
  void fuse_at(const Graph& g, const Node& n) override {
    if (!n.is("ReLU")) {
      if (is_multiple(n, 0) || is_multiple(n, 1)) fuse(g, n);
      return;
    }
    // What is above 0 and what is below are of the same x.
    if (!is_read_twice(n, 0)) return;
    if (const auto root = joined_at(n)) fuse(g, *root);
  }

  static bool is_read_twice(const Node& n, size_t i) {
    return n.in_port(i).get_source().destination_count() > 1;
  }

  static bool is_multiple(const Node& n, size_t i) {
    const Node m = n.in_node(i);
    return op_of(m) == "Multiply" && m.out_count() == 1 && m.out_port().destination_count() == 1 &&
           has_constant(m);
  }

  // The first sum of several things that it goes into.
  static std::optional<Node> joined_at(Node n) {
    for (int i = 0; i < 4; ++i) {
      const auto reader = only_reader_of(n.out_port());
      if (!reader) return std::nullopt;
      const std::string op = reader->op_name();
      if (op == "Add" || op == "Subtract" || op == "Maximum" || op == "Minimum")
        return has_constant(*reader) ? std::nullopt : reader;
      if (op != "Negative" && (op != "Multiply" || !has_constant(*reader))) return std::nullopt;
      n = *reader;
    }
    return std::nullopt;
  }

  void fuse(const Graph& g, const Node& n) {
    SlopesOf slopes;
    const TwoSlopes s = slopes.of(n.out_port());
    if (slopes.inside.size() < 2 || s.x.node() == n) return;
    if (const auto times = s.above.other()) {
      near("above 0 it is x ", *times, " times; PReLU leaves x there as it is");
      return;
    }
    if (!s.below.other()) return;
    if (!is_float_here(s.x)) return;
    if (s.x.shape().size() < 2) {
      near("x has no dimension of channels");
      return;
    }
    const Node constant = g.create_const(n.name() + "/slope", slope_tensor(g.context(), s.x.type(), s.below));
    const Node prelu = g.create_node("PReLU", "opset1", n.name() + "/PReLU", {s.x, constant.out_port()});
    take_place(n, prelu.out_port(), slopes.inside);
  }
};

void register_fuse_prelu(Registry& r) { simplifying<FusePrelu>(r, Stage::fuse); }

}  // namespace mo::builtin_passes

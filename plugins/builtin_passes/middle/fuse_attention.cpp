// Attention, where the IR may have the operation; one more column beside the scores, whose weights are cut off,
// is its sink:
//   MatMul(SoftMax(MatMul(q, k, transpose_b) * scale + mask), v)  ->  ScaledDotProductAttention(q, k, v,
//   mask, scale)
// Newer exporters choose 0 for weights that are no numbers, those of a query that sees nothing. Of a decoder with a cache
// that is padding, whose result nobody reads: the mask has a large number instead of infinity then, and the query gets a
// mean. Elsewhere 0 may be read, and the attention stays written out, unless the mask has no infinity: then no query sees
// nothing.
#include <mo/slices.hpp>

#include "support/fusion.hpp"
#include "support/value_range.hpp"

#include <cmath>

namespace mo::builtin_passes {

class FuseAttention : public Fusion {
 public:
  FuseAttention() {
    id = "middle.fuse_attention";
    doc = "attention becomes ScaledDotProductAttention, for releases that have it";
    before = R"(
      %q = Parameter -> f32[1,2,3,4]
      %k = Parameter -> f32[1,2,5,4]
      %v = Parameter -> f32[1,2,5,6]
      %mask = Parameter -> f32[1,1,3,5]
      %m = MatMul@opset1 (%q, %k) {transpose_a=false, transpose_b=true}
      %two = Const -> f32[] {2}
      %s = Divide@opset1 (%m, %two)
      %a = Add@opset1 (%s, %mask)
      %p = SoftMax@opset1 (%a) {axis=3}
      %y = MatMul@opset1 (%p, %v) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %q = Parameter -> f32[1,2,3,4]
      %k = Parameter -> f32[1,2,5,4]
      %v = Parameter -> f32[1,2,5,6]
      %mask = Parameter -> f32[1,1,3,5]
      %y = ScaledDotProductAttention@opset13 (%q, %k, %v, %mask) {causal=false}
      Result (%y))";
    run_after.insert(run_after.end(), {"middle.fuse_softmax", "middle.fold_matmul_transposes"});
    ops = {"SoftMax"};
  }
  bool graph_condition(Graph g) override { return may_make(g, "ScaledDotProductAttention", "opset13"); }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    for (const InPort& reader : start.out_port().get_destinations()) {
      if (is_gone(start)) return;
      if (is_gone(reader.node()) || reader.index() != 0) continue;
      const Node n = reader.node();
      if (n.is("MatMul")) {
        fuse(g, n, start, {});
      } else if (const auto guard = guard_of(start, n)) {
        for (const InPort& product : guard->out_port().get_destinations())
          if (product.index() == 0 && product.node().is("MatMul")) {
            return fuse(g, product.node(), start, {}, {n, *guard});
          }
      } else if (cuts_last_column(n)) {
        for (const InPort& product : n.out_port().get_destinations())
          if (product.index() == 0 && product.node().is("MatMul")) return fuse(g, product.node(), start, n);
      }
    }
  }

  // Select(NotEqual(w, w), 0, w), where `test` is the NotEqual, or IsNaN, of w.
  static std::optional<Node> guard_of(const Node& softmax, const Node& test) {
    const OutPort w = softmax.out_port();
    if (!test.is("IsNaN") && (!test.is("NotEqual") || test.in_port(1).get_source() != w)) return std::nullopt;
    for (const InPort& reader : test.out_port().get_destinations()) {
      const Node n = reader.node();
      if (!n.is("Select") || reader.index() != 0 || n.in_port(2).get_source() != w) continue;
      const auto value = n.in_port(1).value();
      if (value && value->size() == 1 && value->to_floats<double>().front() == 0) return n;
    }
    return std::nullopt;
  }

  // Values of earlier steps, as an input or a state, with those of this one behind.
  static bool has_cache(OutPort values) {
    for (int steps = 0; steps < 8 && values; ++steps) {
      const Node n = values.node();
      if (n.is("Concat")) return is_kept(n.in_port(0).get_source());
      if (n.in_count() == 0) return false;
      values = n.in_port(0).get_source();
    }
    return false;
  }
  static bool is_kept(OutPort x) {
    for (int steps = 0; steps < 4 && x; ++steps) {
      const Node n = x.node();
      if (n.is("Parameter") || n.is("ReadValue")) return true;
      if (n.in_count() == 0) return false;
      x = n.in_port(0).get_source();
    }
    return false;
  }

  // Sizes that only the run shows may have limits on one side and not on the other.
  static bool widens(const Shape& sum, const Shape& product) {
    if (sum.size() != product.size()) return true;
    for (size_t i = 0; i < sum.size(); ++i)
      if (sum[i] != product[i] && (sum[i].is_static() || product[i].is_static())) return true;
    return false;
  }

  // The mask, with numbers so large that what they are added to does not count, and is a number.
  static OutPort finite(const Graph& g, const OutPort& mask, const std::string& name) {
    const double low = mask.type() == ElementType::f16 ? -65504 : -3e38;
    const OutPort least =
        g.create_const(name + "/least", Tensor::filled(g.context(), mask.type(), {low}, {})).out_port();
    const Node chosen = mask.node();
    const auto value = chosen.is("Select") ? chosen.in_port(2).value() : std::nullopt;
    const bool is_chosen = value && value->size() == 1 && chosen.in_port(1).value();
    const Node made =
        is_chosen ? g.create_node("Select", "opset1", name,
                                  {chosen.in_port(0).get_source(), chosen.in_port(1).get_source(), least})
                  : g.create_node("Maximum", "opset1", name, {mask, least});
    made.out_port().set_shape(mask.type(), mask.shape());
    return made.out_port();
  }

  static bool cuts_last_column(const Node& n) {
    const auto dims = sliced_dims(n);
    if (!dims || dims->empty()) return false;
    for (const SlicedDim& d : *dims) {
      const bool last = d.axis + 1 == dims->size();
      if (!last && d.kind != SlicedDim::Kind::whole) return false;
      if (!last) continue;
      const Dim size = n.in_port(0).shape()[d.axis];
      const bool before_last = d.end == -1 || (size.is_static() && Dim(d.end + 1) == size);
      if (d.kind != SlicedDim::Kind::part || d.stride != 1 || !d.from_first || d.to_last || !before_last)
        return false;
    }
    return true;
  }

  // The sink of scores that have one more column; what the scores are is `scores` then.
  static OutPort sink_of(OutPort& scores, Nodes& inside) {
    // What is greatest is taken away first, which changes nothing.
    if (const auto less = made_by(scores, "Subtract")) {
      const OutPort all = less->in_port(0).get_source();
      const auto greatest = made_by(less->in_port(1).get_source(), "ReduceMax");
      if (!greatest || greatest->in_port(0).get_source() != all) return {};
      inside.insert(inside.end(), {*less, *greatest});
      scores = all;
    }
    const auto joined = made_by(scores, "Concat");
    if (!joined || joined->in_count() != 2) return {};
    const size_t rank = scores.shape().size();
    if (normalize_axis(joined->attr<int64_t>("axis"), rank) != rank - 1) return {};
    OutPort sink = joined->in_port(1).get_source();
    inside.push_back(*joined);
    if (const auto spread = made_by(sink, "Broadcast")) {
      inside.push_back(*spread);
      sink = spread->in_port(0).get_source();
    }
    const Shape s = sink.shape();
    if (!s.has_rank() || s.size() < 2 || s.size() > rank || s.back() != Dim(1) ||
        sink.type() != scores.type())
      return {};
    scores = joined->in_port(0).get_source();
    return sink;
  }

  // The same with so many dimensions.
  static OutPort widened(const Graph& g, const OutPort& port, size_t rank, const std::string& name) {
    const Shape s = port.shape();
    if (s.size() == rank) return port;
    std::vector<int64_t> axes;
    Shape full = s;
    for (size_t i = s.size(); i < rank; ++i) {
      axes.push_back(static_cast<int64_t>(axes.size()));
      full.insert(0, 1);
    }
    const Node wide =
        g.create_node("Unsqueeze", "opset1", name, {port, g.create_ints(name + "/axes", axes).out_port()});
    wide.out_port().set_shape(port.type(), full);
    return wide.out_port();
  }

  static bool has_flags(const Node& n, bool b) {
    return !n.attr<bool>("transpose_a", false) && n.attr<bool>("transpose_b", false) == b;
  }

  void fuse(const Graph& g, const Node& n, const Node& softmax, const std::optional<Node>& cut,
            const Nodes& guard = {}) {
    if (!has_flags(n, false)) return;
    Nodes inside{softmax};
    inside.insert(inside.end(), guard.begin(), guard.end());
    OutPort scores = softmax.in_port(0).get_source(), mask, sink;
    const Shape s = scores.shape();
    if (s.rank() < 3) return;
    if (normalize_axis(softmax.attr<int64_t>("axis"), s.size()) != s.size() - 1) {
      near("'", softmax.name(), "' is not along the last dimension");
      return;
    }
    if (cut) {
      inside.push_back(*cut);
      sink = sink_of(scores, inside);
      if (!sink) return;
      if (targets_up_to(g.context(), "2025.3")) {
        near("one more column beside the scores is cut off again, and the release has no sinks");
        return;
      }
    }
    LineStep line{scores, 1, 0};
    if (const auto sum = made_by(scores, "Add")) {
      // The mask is what is not computed by a product.
      for (const size_t i : {0U, 1U}) {
        LineStep tried{sum->in_port(i).get_source(), 1, 0};
        Nodes passed = inside;
        passed.push_back(*sum);
        if (!is_product(tried, passed)) continue;
        mask = sum->in_port(1 - i).get_source();
        line = tried;
        inside = passed;
        break;
      }
      if (!mask) return;
      if (mask.shape().rank() < 2 || mask.type() != scores.type() ||
          widens(sum->out_port().shape(), line.x.shape())) {
        near("the mask has another type than the scores, fewer than two dimensions, or widens them");
        return;
      }
    } else if (!is_product(line, inside)) {
      return;
    }
    const Node product = line.x.node();
    const OutPort q = unscaled(product.in_port(0).get_source(), line.scale, inside),
                  keys = unscaled(product.in_port(1).get_source(), line.scale, inside),
                  v = n.in_port(1).get_source();
    OutPort k = has_flags(product, true) ? keys : turned_back(keys, inside);
    // A Transpose that does something else besides does this alone then.
    const auto turn = k ? std::nullopt : made_by(keys, "Transpose");
    if (!k && (!turn || !turn->in_node(1).is("Const"))) {
      near("the key is not multiplied with its last two dimensions exchanged");
      return;
    }
    if (turn) inside.push_back(*turn);
    for (const OutPort& p : {q, keys, v})
      if (p.shape().rank() < 3 || p.type() != scores.type() || !is_float(p.type())) {
        near("query, key and value are not floats of one type with three dimensions or more");
        return;
      }
    // Scores that no mask makes infinite are numbers in each row.
    const bool sees_nothing = mask && !guard.empty() && std::isinf(value_range(mask).least);
    if (sees_nothing && !has_cache(v))
      decline("it gives 0 for a query that sees nothing, and has no cache of a decoder");
    if (!is_alone(n, inside)) return;
    if (sees_nothing) mask = finite(g, mask, n.name() + "/mask");
    if (turn) k = exchanged(g, *turn);
    // Devices want one rank of all three.
    const size_t rank = std::max({q.shape().size(), k.shape().size(), v.shape().size()});
    std::vector<OutPort> inputs{widened(g, q, rank, n.name() + "/query"),
                                widened(g, k, rank, n.name() + "/key"),
                                widened(g, v, rank, n.name() + "/value")};
    const Dim width = q.shape()[q.shape().size() - 1];
    const bool usual =
        width.is_static() && std::abs(line.scale * std::sqrt(static_cast<double>(width.value())) - 1) < 1e-6;
    const auto number = [&](const char* what, double value) {
      return g.create_const(n.name() + what, Tensor::filled(g.context(), q.type(), {value}, {})).out_port();
    };
    if (mask || !usual || sink) inputs.push_back(mask ? mask : number("/mask", 0));
    if (!usual || sink) inputs.push_back(number("/scale", line.scale));
    if (sink) inputs.push_back(widened(g, sink, rank, n.name() + "/sink"));
    const Node made = g.create_node("ScaledDotProductAttention", "opset13", n.name() + "/Attention", inputs);
    made.set("causal", false);
    take_place(n, made.out_port(), inside);
  }

  // What the Transpose makes, with the last two dimensions in the other order.
  static OutPort exchanged(const Graph& g, const Node& turn) {
    auto order = turn.in_port(1).value()->to_ints();
    const size_t rank = order.size();
    std::swap(order[rank - 2], order[rank - 1]);
    const std::string name = turn.name() + "/exchanged";
    const Node made =
        g.create_node("Transpose", "opset1", name,
                      {turn.in_port(0).get_source(), g.create_ints(name + "/order", order).out_port()});
    Shape s = turn.out_port().shape();
    std::swap(s[rank - 2], s[rank - 1]);
    made.out_port().set_shape(turn.out_port().type(), s);
    return made.out_port();
  }

  // Exporters multiply query and key by a root of the scale each.
  static OutPort unscaled(const OutPort& port, double& scale, Nodes& inside) {
    LineStep line{port, 1, 0};
    Nodes passed;
    if (port.destination_count() != 1 || !look_through_line(line, passed) || line.offset != 0 ||
        line.x.type() != port.type())
      return port;
    scale *= line.scale;
    inside.push_back(passed.front());
    return line.x;
  }

  // What the port is with its last two dimensions in the other order; empty when nothing turned them.
  static OutPort turned_back(const OutPort& port, Nodes& inside) {
    const auto turn = exchange_of_last_two(port);
    if (!turn) return {};
    inside.push_back(*turn);
    return turn->in_port(0).get_source();
  }

  // Ends at MatMul(q, k, transpose_b), a number of times.
  static bool is_product(LineStep& line, Nodes& inside) {
    for (int i = 0; i < 3; ++i) {
      const Node n = line.x.node();
      if (n.is("MatMul")) {
        inside.push_back(n);
        return (has_flags(n, true) || has_flags(n, false)) && line.offset == 0;
      }
      if (!look_through_line(line, inside)) return false;
    }
    return false;
  }
};

void register_fuse_attention(Registry& r) { r.transformation<FuseAttention>(); }

}  // namespace mo::builtin_passes

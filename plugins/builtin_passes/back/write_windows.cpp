// Attention with a cache that sees the last keys only, in the form in which runtimes that keep the cache in pages look for
// the length of the window; they make the mask themselves and would see all keys otherwise:
//   Select(LogicalAnd(…, Greater(column, Subtract(row, length))), 0, low)  ->  Slice(Select(Broadcast(BitwiseAnd(
//     BitwiseAnd(a, BitwiseAnd(BitwiseAnd(b, Greater(column, Add(row, -length))), c)), d), shape), 0, low), 0, keys)
// with what else is asked for as a to d, some of it more than once.
#include <mo/build.hpp>
#include <mo/matcher.hpp>

#include <algorithm>
#include <limits>

namespace mo::builtin_passes {

class WriteWindows : public FrontReplacementOp {
 public:
  WriteWindows() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.write_windows";
    doc = "a mask that lets attention with a cache see the last keys only is written as runtimes look for it";
    before = R"(
      %q = Parameter -> f32[1,2,3,4]
      %fresh = Parameter -> f32[1,2,3,4]
      %v = Parameter -> f32[1,2,5,4]
      %rows = Parameter -> i64[3,1]
      %columns = Parameter -> i64[1,5]
      %first = Parameter -> f32[1,2,2,4]
      %past = ReadValue@opset6 (%first) {variable_id="k", variable_type=f32, variable_shape=shape[1,2,2,4]}
      %k = Concat@opset1 (%past, %fresh) {axis=2}
      %early = LessEqual@opset1 (%columns, %rows)
      %length = Const -> i64[] {3}
      %last = Subtract@opset1 (%rows, %length)
      %near = Greater@opset1 (%columns, %last)
      %seen = LogicalAnd@opset1 (%early, %near)
      %zero = Const -> f32[] {0}
      %low = Const -> f32[] {-100}
      %mask = Select@opset1 (%seen, %zero, %low)
      %y = ScaledDotProductAttention@opset13 (%q, %k, %v, %mask) {causal=false}
      Result (%y))";
    after = "Slice(Select(Broadcast(BitwiseAnd(…), [batch, 1, queries, keys]), 0, low), 0, keys)";
    ops = {"ScaledDotProductAttention"};
    run_before = {"back.simplify_again"};
    force_shape_inference = true;
  }

  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Build b(g, n);
    only_when(b.has(3), "it has no mask");
    only_when(reads_cache(g, b.in(1)), "its keys are no state of the model");
    const OutPort mask = b.in(3);
    only_when(b.in(0).shape().rank() == 4 && b.in(1).shape().rank() == 4,
              "its heads are no dimension of their own");
    only_when(!is_written(mask), "its mask has the form already");
    const Pattern seen = any_input(), yes = constant(), no = constant();
    Matcher select(wrap_type({"Select"}, {seen, yes, no}));
    const bool is_select = select.match(mask);
    only_when(is_select || mask.type() == ElementType::boolean, "its mask is not chosen by truth values");
    const OutPort condition = is_select ? select.state().port(seen) : mask;
    only_when(condition.shape().rank() >= 2 && condition.shape().rank() <= 4,
              "the rank of its mask is not 2 to 4");
    std::vector<Term> terms;
    collect(condition, {}, terms);
    std::optional<Window> window;
    for (auto t = terms.begin(); t != terms.end() && !window; ++t)
      if ((window = window_of(*t))) {
        terms.erase(t);
        break;
      }
    only_when(window.has_value(), "its mask does not end a certain number of keys before each query");
    only_when(!terms.empty(), "its mask lets queries see later keys");
    if (is_select) {
      const auto value = select.state().node(yes).out_port().value();
      only_when(value && value->size() == 1 && value->to_floats<double>().front() == 0,
                "what is seen is not added 0");
    }
    const OutPort zero = is_select ? select.state().port(yes) : b.like(b.in(0), 0),
                  low = is_select ? select.state().port(no)
                                  : b.like(b.in(0), -std::numeric_limits<double>::infinity());
    n.in_port(3).set_source(written(b, *window, terms, zero, low));
  }

 private:
  using Axes = std::vector<Ints>;  // of Unsqueezes, the innermost last
  struct Term {
    OutPort port;
    Axes unsqueezed;
  };
  struct Window {
    OutPort column, row;
    int64_t length;
    Axes unsqueezed;
  };
  static constexpr int64_t most_length = int64_t{1} << 40;

  static bool reads_cache(const Graph& g, OutPort x) {
    const auto kept = g.attr<std::vector<std::string>>("kept_caches").value_or(std::vector<std::string>());
    for (int i = 0; i < 10; ++i) {
      const Node n = x.node();
      if (n.is("ReadValue") || std::find(kept.begin(), kept.end(), n.name()) != kept.end()) return true;
      if (n.in_count() == 0 || !n.is_in_port_connected(0)) return false;
      x = n.in_port(0).get_source();
    }
    return false;
  }

  static bool is_written(const OutPort& mask) {
    const auto any = [] { return any_input(); };
    const auto both = [](const Pattern& x, const Pattern& y) { return wrap_type({"BitwiseAnd"}, {x, y}); };
    const Pattern near = wrap_type({"Greater"}, {any(), wrap_type({"Add"}, {any(), constant()})});
    const Pattern all = both(both(any(), both(both(any(), near), any())), any());
    const Pattern chosen = wrap_type({"Select"}, {wrap_type({"Broadcast"}, {all, any()}), any(), any()});
    const Node n = mask.node();
    return n.is("Slice") && Matcher(chosen).match(n.in_port(0).get_source());
  }

  // What has to hold at once.
  static void collect(const OutPort& x, const Axes& unsqueezed, std::vector<Term>& terms) {
    const Node n = x.node();
    if (n.is("LogicalAnd") || n.is("BitwiseAnd")) {
      for (size_t i = 0; i < 2; ++i) collect(n.in_port(i).get_source(), unsqueezed, terms);
      return;
    }
    if (n.is("Unsqueeze"))
      if (const auto axes = n.in_port(1).value()) {
        Axes more = unsqueezed;
        more.push_back(axes->to_ints());
        return collect(n.in_port(0).get_source(), more, terms);
      }
    const bool known = std::any_of(terms.begin(), terms.end(),
                                   [&](const Term& t) { return t.port == x && t.unsqueezed == unsqueezed; });
    if (!known) terms.push_back({x, unsqueezed});
  }

  static std::optional<int64_t> number(const OutPort& x) {
    const auto value = x.value();
    if (!value || value->size() != 1 || !is_integer(value->type())) return std::nullopt;
    return value->to_ints().front();
  }

  // greater > less, or greater >= less.
  static std::optional<Window> window_of(const Term& t) {
    const Node n = t.port.node();
    const bool first_is_greater = n.is("Greater") || n.is("GreaterEqual"),
               strict = n.is("Greater") || n.is("Less");
    if (!first_is_greater && !n.is("Less") && !n.is("LessEqual")) return std::nullopt;
    const OutPort greater = n.in_port(first_is_greater ? 0 : 1).get_source(),
                  less = n.in_port(first_is_greater ? 1 : 0).get_source();
    const Pattern x = any_input(), y = any_input(), constant = mo::constant();
    Matcher difference(wrap_type({"Subtract"}, {x, y})), sum(wrap_type({"Add"}, {x, constant}));
    Window w{greater, {}, 0, t.unsqueezed};
    if (difference.match(less)) {
      const OutPort a = difference.state().port(x), c = difference.state().port(y);
      if (const auto k = number(c)) {  // column > row - k
        w.row = a;
        w.length = *k;
      } else if (const auto most = number(greater)) {  // k > row - column
        w.column = c;
        w.row = a;
        w.length = *most;
      }
    } else if (sum.match(less)) {  // column > row + -k
      w.row = sum.state().port(x);
      const auto k = number(sum.state().port(constant));
      w.length = k && *k > -most_length ? -*k : 0;
    }
    if (!w.row || w.length < 1 || w.length > most_length) return std::nullopt;
    if (!strict) ++w.length;
    if (w.column.type() != w.row.type() || !is_integer(w.row.type())) return std::nullopt;
    const Shape c = w.column.shape(), r = w.row.shape();
    if (!c.has_rank() || r.rank() < 2 || r[r.size() - 1] != Dim(1)) return std::nullopt;
    if (c.size() > r.size() || (c.size() >= 2 && c[c.size() - 2] != Dim(1))) return std::nullopt;
    return w;
  }

  static OutPort widened(const Build& b, OutPort x, const Axes& unsqueezed) {
    for (auto axes = unsqueezed.rbegin(); axes != unsqueezed.rend(); ++axes)
      x = b.unsqueeze(x, b.list(*axes));
    return x;
  }

  static OutPort written(const Build& b, const Window& w, const std::vector<Term>& terms, const OutPort& zero,
                         const OutPort& low) {
    const auto both = [&](const OutPort& x, const OutPort& y) {
      return b.op("BitwiseAnd", "opset13", {x, y});
    };
    const auto term = [&](size_t i) {
      const Term& t = terms[std::min(i, terms.size() - 1)];
      return widened(b, t.port, t.unsqueezed);
    };
    const OutPort offset =
        b.constant(Tensor::filled(b.context(), w.row.type(), {-static_cast<double>(w.length)}, {}));
    // The comparison itself is looked for: what has more dimensions is what it compares.
    OutPort column = w.column;
    Ints missing;
    for (size_t i = column.shape().size(); i < w.row.shape().size(); ++i)
      missing.push_back(static_cast<int64_t>(missing.size()));
    if (!missing.empty()) column = b.unsqueeze(column, b.list(missing));
    const OutPort near =
        b.op("Greater", "opset1",
             {widened(b, column, w.unsqueezed), b.add(widened(b, w.row, w.unsqueezed), offset)});
    OutPort all = both(both(term(1), both(both(term(0), near), term(2))), term(3));
    for (size_t i = 4; i < terms.size(); ++i) all = both(all, term(i));
    // Of rows and columns, as there are queries and keys: who asks these for their shape keeps runtimes from fusing the
    // rotation of a query, and a cache whose heads are repeated.
    const OutPort queries = b.dim(w.row, static_cast<int64_t>(w.row.shape().size()) - 2),
                  keys = b.dim(w.column, static_cast<int64_t>(w.column.shape().size()) - 1);
    const OutPort shape = b.concat({b.list({1, 1}), queries, keys});
    const OutPort chosen = b.select(b.broadcast(all, shape, "bidirectional"), zero, low);
    return b.op("Slice", "opset8", {chosen, b.list({0}), keys, b.list({1}), b.list({3})});
  }
};

void register_write_windows(Registry& r) { r.transformation<WriteWindows>(); }

}  // namespace mo::builtin_passes

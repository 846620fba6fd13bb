// A product with a matrix needs no rows that are flattened for it and spread out again behind it:
//   Reshape(MatMul(Reshape(x [N,H,W,C], {-1,C}), w [C,D]) + b [D], {-1,H,W,D})  ->  MatMul(x, w) + b
#include "support/asking_sizes.hpp"
#include "support/eliminate.hpp"
#include "support/expressions.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class UnflattenProducts : public AskingSizes<MatcherPass> {
 public:
  UnflattenProducts() : AskingSizes(MO_PHASE_PRE_MIDDLE) {
    id = "middle.unflatten_products";
    doc = "a product with a matrix takes a tensor as it is, where its rows were flattened and spread again";
    before = R"(
      %x = Parameter -> f32[?,2,3]
      %flat = Const -> i64[2] {-1,3}
      %r = Reshape@opset1 (%x, %flat) {special_zero=true}
      %w = Const -> f32[3,2] {1,2,3,4,5,6}
      %m = MatMul@opset1 (%r, %w) {transpose_a=false, transpose_b=false}
      %apart = Const -> i64[3] {-1,2,2}
      %y = Reshape@opset1 (%m, %apart) {special_zero=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,2,3]
      %w = Const -> f32[3,2] {1,2,3,4,5,6}
      %y = MatMul@opset1 (%x, %w) {transpose_a=false, transpose_b=false}
      Result (%y))";
    run_after = {"middle.keep_dimensions"};
    force_clean_up = true;
    flat_ = wrap_type({"opset1::Reshape"}, {any_input(), any_input()});
    const Pattern product = wrap_type({"opset1::MatMul"}, {flat_, any_input()});
    product->where<bool>("transpose_a", [](bool turned) { return !turned; });
    register_matcher(product, [this](const Graph&, const Match& m) { unflatten(m.node(flat_), m.root()); });
  }

 private:
  void unflatten(const Node& flat, const Node& product) {
    const OutPort x = source_of(flat, 0), weights = source_of(product, 1);
    if (x.shape().rank() <= 2 || flat.out_port().shape().rank() != 2 || weights.shape().rank() != 2) return;
    // Nothing is edited before all of the row is known to fit.
    Nodes row{product};
    OutPort end = product.out_port();
    while (!is_reshape_of(only_reader_of(end), end)) {
      row.push_back(next(end));
      end = row.back().out_port();
    }
    const Node apart = *only_reader_of(end);
    same_rows(flat, apart, end);
    OutPort was = flat.out_port(), now = x;
    Nodes made;
    for (const Node& n : row) {
      std::vector<OutPort> inputs;
      for (const InPort& in : n.in_ports()) inputs.push_back(in.get_source() == was ? now : in.get_source());
      made.push_back(clone_with_new_inputs(n, inputs, n.name() + "/unflattened"));
      copy_runtime_info({n}, {made.back()});
      was = n.out_port();
      now = made.back().out_port();
    }
    take_place(apart, now, row, made);
  }

  static bool is_reshape_of(const std::optional<Node>& n, const OutPort& x) {
    return n && n->is("Reshape") && n->opset() == "opset1" && source_of(*n, 0) == x;
  }

  // What changes each number by itself, with others of no more than a row.
  Node next(const OutPort& p) {
    const auto n = only_reader_of(p);
    only_when(n.has_value(), "the rows of '", p.node().name(), "' are read by more than one operation");
    only_when(n->out_count() == 1 && n->definition().has(MO_OP_ELEMENT_WISE) &&
                  n->attr<std::string>("auto_broadcast", "numpy") == "numpy",
              "'", n->name(), "' reads the rows as they are flattened");
    for (const InPort& in : n->in_ports()) {
      const OutPort other = in.get_source();
      if (other == p) continue;
      const Shape s = other.shape();
      const bool one_row = s.has_rank() && (s.size() < 2 || (s.size() == 2 && s[0] == Dim(1)));
      only_when(one_row, "'", n->name(), "' has numbers of its own for each row");
    }
    only_when(n->out_port().shape().rank() == 2 && same(p, 1, n->out_port(), 1), "'", n->name(),
              "' makes the rows longer");
    return *n;
  }

  // One dimension may be what the others leave over.
  void same_rows(const Node& flat, const Node& apart, const OutPort& end) {
    const OutPort x = source_of(flat, 0), rows = flat.out_port(), out = apart.out_port();
    only_when(x.shape().has_rank() && out.shape().has_rank(), "a rank is not known");
    const size_t rank = x.shape().size();
    only_when(same(x, rank - 1, rows, 1), "'", flat.name(), "' flattens a part of the last dimension");
    only_when(out.shape().size() == rank && same(out, rank - 1, end, 1), "'", apart.name(),
              "' gives other dimensions than '", flat.name(), "' took");
    size_t open = 0;
    for (size_t i = 0; i + 1 < rank; ++i) open += same(x, i, out, i) ? 0 : 1;
    only_when(open <= 1, open, " dimensions of '", apart.name(), "' may be others than those of '",
              flat.name(), "'");
  }

  Pattern flat_;
};

void register_unflatten_products(Registry& r) { simplifying<UnflattenProducts>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes

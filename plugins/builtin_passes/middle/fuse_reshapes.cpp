// Reshape, Squeeze and Unsqueeze in a row are one Reshape, and nothing where the dimensions stay as they
// were:
//   Reshape(Reshape(x, {…}), {2, 8})        ->  Reshape(x, {2, 8})
//   Unsqueeze(Squeeze(x [N,1,C], {1}), {1}) ->  x
#include <mo/symbols.hpp>
#include "support/eliminate.hpp"
#include "support/expressions.hpp"
#include "support/fuse_transposes.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

// Rows are of any length and begin at their last view, and what changes nothing goes first, everywhere: no
// pattern says that.
class FuseReshapes : public ModelPass {
 public:
  FuseReshapes() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_reshapes";
    doc = "Reshape, Squeeze and Unsqueeze in a row are one Reshape, and none where nothing changes";
    before = R"(
      %x = Parameter -> f32[?,1,4]
      %one = Const -> i64[1] {1}
      %s = Squeeze@opset1 (%x, %one)
      %to = Const -> i64[3] {0,2,2}
      %y = Reshape@opset1 (%s, %to) {special_zero=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,1,4]
      %to = Const -> i64[3] {0,2,2}
      %y = Reshape@opset1 (%x, %to) {special_zero=true}
      Result (%y))";
    run_after = {"middle.reshape_transposes"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    // First what changes nothing, so that a row is one of views that do.
    Gone gone;
    Nodes views;
    for (const char* op : {"Reshape", "Squeeze", "Unsqueeze"})
      for (const Node& n : g.get_op_nodes(op))
        if (is_view(n) && !(changes_nothing(n) && give_way(n, n.in_port(0).get_source(), {}, gone)))
          views.push_back(n);
    SymbolsOf symbols;
    for (const Node& n : views)
      if (gone.count(n.id()) == 0 && is_last(n)) fuse(g, n, symbols, gone);
  }

 private:
  using Ints = std::vector<int64_t>;

  static bool is_view(const Node& n) {
    const std::string_view op = op_of(n);
    return (op == "Reshape" || op == "Squeeze" || op == "Unsqueeze") && n.opset() == "opset1" &&
           n.is_in_port_connected(0) && n.is_in_port_connected(1) && n.in_node(1).is("Const");
  }

  // Of some in a row.
  static bool is_last(const Node& n) {
    const OutPort out = n.out_port();
    return !(out.destination_count() == 1 && out.get_destinations().front().index() == 0 &&
             is_view(out.get_destinations().front().node()));
  }

  static void fuse(const Graph& g, const Node& n, SymbolsOf& symbols, Gone& gone) {
    Nodes row;
    OutPort x;
    for (Node before = n.in_node(0); is_view(before) && before.out_port().destination_count() == 1;
         before = before.in_node(0)) {
      row.push_back(before);
      x = before.in_port(0).get_source();
    }
    if (row.empty()) {
      if (const Node before = n.in_node(0); is_view(before))
        pass_over(n, "something else reads '", before.name(), "', too");
      return;
    }
    const auto in = symbols.dims(x), out = symbols.dims(n.out_port());
    if (in && out && same(*in, *out)) return (void)give_way(n, x, row, gone);
    auto target = independent_target(n);
    if (!target && in && out) target = target_of(*in, *out);
    if (!target)
      return pass_over(n, "more than one dimension may change that does not stand where it stands in '",
                       x.node().name(), "'");
    const bool keeps = std::find(target->begin(), target->end(), 0) != target->end();
    n.in_port(0).set_source(x);
    n.in_port(1).set_source(g.create_ints(n.name() + "/target", *target).out_port());
    n.set_op("Reshape", "opset1");
    n.set("special_zero", keeps || n.attr<bool>("special_zero", true));
    remove(row, gone);
    if (changes_nothing(n)) (void)give_way(n, x, {}, gone);
  }

  // A reader that has none itself breaks the next row.
  static void remove(const Nodes& nodes, Gone& gone) {
    for (const Node& n : nodes) {
      gone.insert(n.id());
      n.remove();
    }
  }

  static bool same(const Symbols& a, const Symbols& b) { return a == b; }

  // 0 for what stays in its place, -1 for one that does not and may change.
  static std::optional<Ints> target_of(const Symbols& in, const Symbols& out) {
    Ints target;
    bool rest = false;
    for (size_t i = 0; i < out.size(); ++i) {
      int64_t d = -1;
      if (out[i].is_number() && out[i].index > 0)
        d = out[i].index;
      else if (i < in.size() && out[i] == in[i])
        d = 0;
      else if (out[i].is_number() || std::exchange(rest, true))
        return std::nullopt;
      target.push_back(d);
    }
    return target;
  }

  // A target that says nothing of the dimensions before it.
  static std::optional<Ints> independent_target(const Node& n) {
    if (!n.is("Reshape")) return std::nullopt;
    Ints target = n.in_port(1).value()->to_ints();
    if (n.attr<bool>("special_zero", false) && std::find(target.begin(), target.end(), 0) != target.end())
      return std::nullopt;
    return target;
  }

  // What the target says is what is there; one dimension may follow from the others.
  static bool changes_nothing(const Node& n) {
    const Shape in = n.in_port(0).shape(), out = n.out_port().shape();
    if (!in.has_rank() || in.size() != out.size()) return false;
    if (!n.is("Reshape")) return true;  // no axes
    const Ints target = n.in_port(1).value()->to_ints();
    if (target.size() != in.size()) return false;
    const bool special = n.attr<bool>("special_zero", false);
    size_t open = 0;
    for (size_t i = 0; i < target.size(); ++i) {
      const bool there = (special && target[i] == 0) || (in[i].is_static() && in[i] == Dim(target[i]));
      open += there ? 0 : 1;
    }
    return open == 0 || (open == 1 && std::count(target.begin(), target.end(), -1) == 1 && !has_zero(in));
  }

  static bool has_zero(const Shape& s) { return std::find(s.begin(), s.end(), Dim(0)) != s.end(); }

  // `n` and the row before it. False: a Result wants it by its name.
  static bool give_way(const Node& n, const OutPort& source, const Nodes& row, Gone& gone) {
    const OutPort out = n.out_port();
    if (has_result_consumers(out)) return false;
    for (const InPort& reader : out.get_destinations()) reader.set_source(source);
    give_tensor_names(out, source);
    give_node_name(n, source.node());
    remove({n}, gone);
    remove(row, gone);
    return true;
  }
};

void register_fuse_reshapes(Registry& r) { simplifying<FuseReshapes>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes

// Before a product with weights it does not matter in which order elements are flattened: the rows of the
// weights have the same one.
//   MatMul(Reshape(Transpose(x [N,C,H,W], 0231), {-1, H*W*C}), w)  ->  MatMul(Reshape(x, {-1, C*H*W}), w')
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class FoldFlattenedTransposes : public Fusion {
 public:
  FoldFlattenedTransposes() {
    id = "middle.fold_flattened_transposes";
    doc = "a Transpose that is flattened before a product with constants goes into their order";
    before = R"(
      %x = Parameter -> f32[?,2,3]
      %order = Const -> i64[3] {0,2,1}
      %t = Transpose@opset1 (%x, %order)
      %flat = Const -> i64[2] {-1,6}
      %r = Reshape@opset1 (%t, %flat) {special_zero=false}
      %w = Const -> f32[6,1] {1,2,3,4,5,6}
      %y = MatMul@opset1 (%r, %w) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,2,3]
      %flat = Const -> i64[2] {-1,6}
      %r = Reshape@opset1 (%x, %flat) {special_zero=false}
      %w = Const -> f32[6,1] {1,3,5,2,4,6}
      %y = MatMul@opset1 (%r, %w) {transpose_a=false, transpose_b=false}
      Result (%y))";
    force_clean_up = true;
    ops = {"MatMul"};
  }

 private:
  using Ints = std::vector<int64_t>;

  // Sizes behind the first dimension, which must stay where it is; nothing when one is open.
  static std::optional<Ints> sizes_behind(const Shape& s, const Ints& order) {
    if (!s.has_rank() || s.size() != order.size() || s.size() < 2 || order[0] != 0) return std::nullopt;
    Ints sizes;
    for (size_t i = 1; i < s.size(); ++i) {
      if (!s[i].is_static()) return std::nullopt;
      sizes.push_back(s[i].value());
    }
    return sizes;
  }

  void fuse_at(const Graph& g, const Node& n) override {
    if (n.attr<bool>("transpose_a", false)) return;
    const OutPort flat = n.in_port(0).get_source(), weights = n.in_port(1).get_source();
    const auto reshape = made_by(flat, "Reshape");
    const auto turn = reshape ? made_by(reshape->in_port(0).get_source(), "Transpose") : std::nullopt;
    if (!turn || !turn->in_node(1).is("Const") || !weights.node().is("Const")) return;
    const auto keep = [&](const auto&... why) { near(why...); };
    for (const OutPort& p : {flat, weights, turn->out_port()})
      if (!only_reader_of(p)) return keep("'", p.node().name(), "' is read by others, too");
    const Ints order = turn->in_port(1).value()->to_ints();
    const auto sizes = sizes_behind(turn->in_port(0).shape(), order);
    const Shape rows = flat.shape(), w = weights.shape();
    if (!sizes || rows.rank() != 2 || !rows[1].is_static() || w.rank() != 2)
      return keep("the first dimension moves, or a size behind it is open");
    int64_t count = 1;
    for (const int64_t s : *sizes) count *= s;
    if (count == 0 || rows[1].value() != count) return;
    const OutPort ordered =
        in_order_of_data(g, n.name(), weights, order, *sizes, n.attr<bool>("transpose_b", false));
    const Node direct = g.create_node("Reshape", "opset1", reshape->name() + "/direct",
                                      {turn->in_port(0).get_source(), reshape->in_port(1).get_source()});
    direct.set("special_zero", reshape->attr<bool>("special_zero"));
    copy_runtime_info({*turn, *reshape}, {direct});
    n.in_port(0).set_source(direct.out_port());
    n.in_port(1).set_source(ordered);
    note_edit();
  }

  // Weights whose flattened dimension counts the elements as the Transpose gives them; it is folded.
  static OutPort in_order_of_data(const Graph& g, const std::string& name, const OutPort& w,
                                  const Ints& order, const Ints& sizes, bool last) {
    const int64_t other = w.shape()[last ? 0 : 1].value(), first = last ? 1 : 0;
    Ints apart, back(sizes.size() + 1), whole = w.value()->dims();
    for (size_t i = 1; i < order.size(); ++i) {
      const auto axis = static_cast<size_t>(order[i]);
      apart.push_back(sizes[axis - 1]);
      back[axis - 1 + static_cast<size_t>(first)] = static_cast<int64_t>(i) - 1 + first;
    }
    apart.insert(last ? apart.begin() : apart.end(), other);
    const size_t stays = last ? 0 : sizes.size();
    back[stays] = static_cast<int64_t>(stays);
    const Context c = g.context();
    const OutPort spread = g.create_const(name + "/weights", w.value()->reshaped(c, apart)).out_port();
    const Node t = g.create_node("Transpose", "opset1", name + "/weights/order",
                                 {spread, g.create_ints(name + "/weights/axes", back).out_port()});
    const Node r = g.create_node("Reshape", "opset1", name + "/weights/flat",
                                 {t.out_port(), g.create_ints(name + "/weights/shape", whole).out_port()});
    r.set("special_zero", false);
    return r.out_port();
  }
};

void register_fold_flattened_transposes(Registry& r) {
  simplifying<FoldFlattenedTransposes>(r, Stage::weights);
}

}  // namespace mo::builtin_passes

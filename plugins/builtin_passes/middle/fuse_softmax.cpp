// Exponentials over their sum are SoftMax, with and without the greatest one taken away before; its logarithm
// is LogSoftmax:
//   e / ReduceSum(e, axis), e = Exp(x) or Exp(x - ReduceMax(x, axis))  ->  SoftMax(x)
//   Log(SoftMax(x)), z - Log(ReduceSum(Exp(z), axis))                  ->  LogSoftmax(x)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

namespace {

// x when the port is x - ReduceMax(x, axis), else the port.
OutPort without_greatest(const OutPort& port, const std::vector<int64_t>& axes, Nodes& inside) {
  const auto difference = made_by(port, "Subtract");
  if (!difference) return port;
  const OutPort x = difference->in_port(0).get_source();
  const size_t mark = inside.size();
  inside.push_back(*difference);
  OutPort greatest = difference->in_port(1).get_source();
  const auto max = kept_reduction(greatest, "ReduceMax", inside);
  if (max && max->x == x && max->list == axes) return x;
  inside.resize(mark);
  return port;
}

}  // namespace

class FuseSoftmax : public Fusion {
 public:
  FuseSoftmax() {
    id = "middle.fuse_softmax";
    doc = "exponentials over their sum become SoftMax, its logarithm LogSoftmax";
    before = R"(
      %x = Parameter -> f32[2,16]
      %axis = Const -> i64[1] {-1}
      %most = ReduceMax@opset1 (%x, %axis) {keep_dims=true}
      %z = Subtract@opset1 (%x, %most)
      %e = Exp@opset1 (%z)
      %sum = ReduceSum@opset1 (%e, %axis) {keep_dims=true}
      %y = Divide@opset1 (%e, %sum)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,16]
      %y = SoftMax@opset1 (%x) {axis=1}
      Result (%y))";
    ops = {"Exp", "SoftMax"};
  }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    if (start.is("SoftMax"))
      return for_each_above(start, {"Log"}, 1, [&](const Node& n) { logarithm(g, n); });
    const std::vector<std::string_view> through{"ReduceSum", "Unsqueeze", "Log",
                                                "Divide",    "Multiply",  "Subtract"};
    for_each_above(start, through, 4, [&](const Node& n) {
      if (n.is("Divide") || n.is("Multiply"))
        quotient(g, n);
      else if (n.is("Subtract"))
        difference(g, n);
    });
  }

  void quotient(const Graph& g, const Node& n) {
    Nodes inside;
    const auto q = quotient_of(n, inside);
    const auto exp = q ? made_by(q->over, "Exp") : std::nullopt;
    const auto sum = exp ? kept_reduction(q->under, "ReduceSum", inside) : std::nullopt;
    if (!sum || sum->x != q->over) return;
    if (sum->list.size() != 1) {
      near("it is the share in a sum along ", sum->list.size(), " dimensions; SoftMax has one");
      return;
    }
    inside.push_back(*exp);
    const OutPort x = without_greatest(exp->in_port(0).get_source(), sum->list, inside);
    finish(g, n, "SoftMax", x, sum->list[0], inside);
  }

  void difference(const Graph& g, const Node& n) {
    Nodes inside;
    const OutPort z = n.in_port(0).get_source();
    const auto log = made_by(n.in_port(1).get_source(), "Log");
    const auto sum = log ? kept_reduction(log->in_port(0).get_source(), "ReduceSum", inside) : std::nullopt;
    const auto exp = sum && sum->list.size() == 1 ? made_by(sum->x, "Exp") : std::nullopt;
    if (!exp || exp->in_port(0).get_source() != z) return;
    inside.insert(inside.end(), {*log, *exp});
    finish(g, n, "LogSoftmax", without_greatest(z, sum->list, inside), sum->list[0], inside);
  }

  // The logarithm of what is rounded to 0 is infinite, which LogSoftmax is not.
  void logarithm(const Graph& g, const Node& n) {
    const auto softmax = made_by(n.in_port(0).get_source(), "SoftMax");
    if (!softmax) return;
    finish(g, n, "LogSoftmax", softmax->in_port(0).get_source(), softmax->attr<int64_t>("axis"), {*softmax});
  }

  void finish(const Graph& g, const Node& n, std::string_view type, const OutPort& x, int64_t axis,
              const Nodes& inside) {
    if (!is_float_here(x) || !is_alone(n, inside)) return;
    const bool from_end = axis < 0 && type == "SoftMax";
    const char* opset = type != "SoftMax" ? "opset5" : from_end ? "opset8" : "opset1";
    const Node made = g.create_node(type, opset, text(n.name(), '/', type), {x});
    made.set("axis", axis);
    take_place(n, made.out_port(), inside);
  }
};

void register_fuse_softmax(Registry& r) { simplifying<FuseSoftmax>(r, Stage::fuse); }

}  // namespace mo::builtin_passes

// Dropout that keeps everything: with u from 0 up to 1 and a probability p of 1
//   Multiply(x, Floor(Add(u, p)))   ->   x
// What is drawn at random for other probabilities stays.
#include <mo/sdk.hpp>

#include <cmath>

namespace mo::tensorflow {

class DropCertainDropout : public FrontReplacementOp {
 public:
  DropCertainDropout() : FrontReplacementOp(MO_PHASE_MIDDLE) {
    id = "tf.middle.drop_certain_dropout";
    doc = "a dropout that keeps everything gives way to what it reads";
    before = "Multiply(x, Floor(Add(RandomUniform(shape, 0, 1), 1)))";
    after = "x";
    frameworks = {"tf"};
    op = "Floor";
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node floor = m["op"];
    const auto r = range_of(floor.in_port(0).get_source(), 0);
    if (!r) return;
    only_when(r->low >= 1 && r->high <= 2, "what it rounds lies from ", r->low, " to ", r->high,
              "; from 1 to 2 it keeps everything");
    drop(floor);
  }

 private:
  // All values lie from `low` on and below `high`.
  struct Range {
    double low = 0, high = 0;
  };
  static std::optional<double> number(const OutPort& p) {
    const auto value = p ? p.value() : std::nullopt;
    if (!value || value->size() != 1 || !is_float(value->type())) return std::nullopt;
    return value->number(0);
  }
  static std::optional<Range> range_of(const OutPort& p, int depth) {
    const Node n = p.node();
    const std::string op = n.op_name();
    if (depth > 8) return std::nullopt;
    if (op == "RandomUniform") {
      const auto low = number(n.in_port(1).get_source()), high = number(n.in_port(2).get_source());
      return low && high ? std::optional(Range{*low, *high}) : std::nullopt;
    }
    if ((op != "Add" && op != "Multiply") || n.in_count() != 2) return std::nullopt;
    for (const size_t i : {size_t{0}, size_t{1}}) {
      const auto constant = number(n.in_port(i).get_source());
      if (!constant) continue;
      const auto r = range_of(n.in_port(1 - i).get_source(), depth + 1);
      if (!r || (op == "Multiply" && *constant <= 0)) return std::nullopt;
      return op == "Add" ? Range{r->low + *constant, r->high + *constant}
                         : Range{r->low * *constant, r->high * *constant};
    }
    return std::nullopt;
  }
  // Only where the ones do not make x larger.
  static void drop(const Node& floor) {
    const OutPort ones = floor.out_port();
    for (const InPort& in : ones.get_destinations()) {
      const Node n = in.node();
      if (!n.is("Multiply")) continue;
      const OutPort x = n.in_port(1 - in.index()).get_source();
      if (x == ones || !x.shape().is_static() || x.shape() != n.out_port().shape()) continue;
      replace_output_update_name(n.out_port(), x);
    }
  }
};

void register_drop_certain_dropout(Registry& r) { r.transformation<DropCertainDropout>(); }

}  // namespace mo::tensorflow

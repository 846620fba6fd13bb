// Numbers in few bits that are one row, not a matrix, are stored as what they mean: devices that compute with few
// bits divide by zero where a factor of each channel is one of them.
//   Convert({1,2,3} of 8 bits)  ->  {1,2,3}
#include <mo/sdk.hpp>

#include "support/expressions.hpp"

namespace mo::builtin_passes {

class FoldQuantizedVectors : public MatcherPass {
 public:
  FoldQuantizedVectors() : MatcherPass(MO_PHASE_BACK) {
    id = "back.fold_quantized_vectors";
    doc = "rows of numbers in few bits, which no product takes apart, are stored as what they mean";
    before = R"(
      %x = Parameter -> f32[1,3]
      %w = Const -> i8[3] {1,2,3}
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %s = Const -> f32[] {0.5}
      %d = Multiply@opset1 (%f, %s)
      %y = Multiply@opset1 (%x, %d)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3]
      %d = Const -> f32[3] {0.5,1,1.5}
      %y = Multiply@opset1 (%x, %d)
      Result (%y))";
    run_after = {"back.compress_quantized_weights"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
    register_matcher(wrap_type({"Convert"}, {constant()}),
                     [](const Graph&, const Match& m) { fold(m.root()); });
  }

 private:
  static void fold(const Node& n) {
    only_when(n.attr(MO_ATTR_STOP_VALUE, false), "it is computed anyway");
    const OutPort w = n.in_port(0).get_source();
    only_when(bits(w.type()) <= 8 && is_float(n.out_port().type()), "its numbers are ", name(w.type()));
    const Shape s = w.shape();
    const auto wide = std::count_if(s.begin(), s.end(), [](const Dim& d) { return d != Dim(1); });
    only_when(wide <= 1, "they are a matrix of shape ", s);
    std::vector<Node> converts{n};
    const Node last = last_of(n, converts);
    only_when(last.out_port().shape().elements() == s.elements(), "what is computed of them has shape ",
              last.out_port().shape());
    for (const InPort& reader : last.out_port().get_destinations())
      only_when(is_by_element(reader.node()), "'", reader.node().name(), "' may keep them in few bits");
    for (const Node& c : converts) c.set(MO_ATTR_STOP_VALUE, false);
  }

  // The end of Subtract and Multiply with constants, which may be converted, too.
  static Node last_of(Node n, std::vector<Node>& converts) {
    while (const auto next = only_reader_of(n.out_port())) {
      if (!next->is("Subtract") && !next->is("Multiply")) break;
      const size_t other = next->in_node(0) == n ? 1 : 0;
      const Node beside = next->in_node(other);
      const bool converted = beside.is("Convert") && beside.in_node(0).is("Const");
      if (!beside.is("Const") && !converted) break;
      if (converted) converts.push_back(beside);
      n = *next;
    }
    return n;
  }

  static bool is_by_element(const Node& n) {
    return n.is("Multiply") || n.is("Add") || n.is("Subtract") || n.is("Divide") || n.is("PReLU");
  }
};

void register_fold_quantized_vectors(Registry& r) { r.transformation<FoldQuantizedVectors>(); }

}  // namespace mo::builtin_passes

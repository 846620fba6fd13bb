// Weights are stored as f16, with --compress_to_fp16, and computed with in the type of the model:
//   Const of f32  ->  Convert(Const of f16)
// Constants of few numbers stay, and those from which shapes are computed, limits of FakeQuantize, and such
// as f16 cannot hold. So do those whose digits count: frequencies of a sine, exponents, what is rounded.
// What shapes are computed from is a question about the whole graph, and so is how many numbers lose digits.
#include "support/float_conversion.hpp"
#include "support/fuse_transposes.hpp"
#include "support/shape_arithmetic.hpp"

#include <algorithm>
#include <set>

namespace mo::builtin_passes {

class CompressToHalf : public ModelPass {
 public:
  CompressToHalf() : ModelPass(MO_PHASE_EMIT) {
    id = "back.compress_to_half";
    doc = "weights are stored as f16, with --compress_to_fp16";
    before = R"(
      %x = Parameter -> f32[1,128]
      %w = Const -> f32[1,128] {0.25...}
      %y = Multiply@opset1 (%x, %w)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,128]
      %w = Const -> f16[1,128] {0.25...}
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true} rt {decompression=true}
      %y = Multiply@opset1 (%x, %f)
      Result (%y))";
    run_after = {"back.convert_float_types"};
    force_clean_up = true;
  }
  bool graph_condition(Graph g) override {
    return option<bool>(g.context(), "compress_to_fp16").value_or(false);
  }
  void run_on_model(Graph g) override {
    const auto shapes = shape_arithmetic(g);
    Losses losses;
    size_t exact = 0;
    for (const Node& n : g.get_op_nodes("Const")) {
      const OutPort port = n.out_port();
      const auto value = port.value();
      if (!value || (value->type() != ElementType::f32 && value->type() != ElementType::f64)) continue;
      if (value->size() < fewest) {
        pass_over(n, "it has ", value->size(), " numbers; a Convert is worth it from ", fewest, " on");
        continue;
      }
      const auto readers = port.get_destinations();
      if (readers.empty()) continue;
      if (shapes.count(n.id()) != 0 || std::any_of(readers.begin(), readers.end(), [&](const InPort& in) {
            return takes_shape(in) || shapes.count(in.node().id()) != 0;
          }))
        pass_over(n, "shapes are computed from it, and keep their digits");
      else if (std::any_of(readers.begin(), readers.end(), takes_numbers))
        pass_over(n, "the model gives it, or it is a limit of a FakeQuantize");
      else if (const auto reader = exact_reader(port)) {
        ++exact;
        pass_over(n, "'", reader->name(), "' (", reader->op(), ") needs all digits of it");
      } else if (const auto half = compressed_floats(g.context(), *value, n.name(), losses))
        compress(g, n, *half, readers);
      else
        pass_over(n, "most of its numbers are too large or too small for f16");
    }
    if (exact != 0)
      g.context().warn(text("--compress_to_fp16: ", exact, exact == 1 ? " constant stays" : " constants stay",
                            " f32, as sines, exponentials or roundings are computed from what it has; "
                            "--explain back.compress_to_half names them"));
    report_losses(g.context(), "compress_to_fp16", ElementType::f16, "the largest there are", losses);
  }

 private:
  // A Convert costs more than fewer numbers save.
  static constexpr size_t fewest = 64;

  static bool takes_numbers(const InPort& in) {
    return in.node().is("Result") || (in.node().is("FakeQuantize") && in.index() > 0);
  }

  // A small difference of their input is a large one of the result.
  static bool magnifies(const Node& n) {
    for (const char* op :
         {"Ceiling", "Cos", "Exp", "Floor", "FloorMod", "Mod", "Power", "Round", "Sin", "Tan"})
      if (n.is(op)) return true;
    return n.is("Convert") && is_integer(n.out_port().type());
  }
  static bool hands_on(const InPort& in) {
    const Node n = in.node();
    if (n.definition().has(MO_OP_ELEMENT_WISE)) return true;
    for (const char* op : {"Broadcast", "Concat", "Gather", "Reshape", "Slice", "Split", "Squeeze",
                           "StridedSlice", "Tile", "Transpose", "Unsqueeze", "VariadicSplit"})
      if (n.is(op)) return in.index() == 0 || n.is("Concat");
    return false;
  }
  // What magnifies the numbers, with nothing between but arithmetic on each of them and what moves them.
  static std::optional<Node> exact_reader(const OutPort& constant) {
    constexpr size_t most = 256;
    std::set<mo_node> seen;
    std::vector<OutPort> open{constant};
    while (!open.empty() && seen.size() < most) {
      const auto readers = open.back().get_destinations();
      open.pop_back();
      for (const InPort& in : readers) {
        const Node n = in.node();
        if (!seen.insert(n.id()).second) continue;
        if (magnifies(n)) return n;
        if (hands_on(in))
          for (const OutPort& p : n.out_ports()) open.push_back(p);
      }
    }
    return std::nullopt;
  }

  static void compress(const Graph& g, const Node& n, const Tensor& half,
                       const std::vector<InPort>& readers) {
    const OutPort old = n.out_port();
    const Node stored = g.create_const(n.name() + "/compressed", half);
    const Node convert = g.create_node("Convert", "opset1", n.name() + "/Convert", {stored.out_port()});
    convert.set("destination_type", old.type()).set(MO_ATTR_STOP_VALUE, true);
    convert.out_port().set_shape(old.type(), old.shape());
    copy_runtime_info({n}, {stored, convert});
    convert.set_rt_info("decompression", true);
    for (const InPort& reader : readers) reader.set_source(convert.out_port());
    give_tensor_names(old, convert.out_port());
    take_name(n, convert);
  }
};

void register_compress_to_half(Registry& r) {
  r.option("compress_to_fp16", MO_OPTION_FLAG,
           "weights are stored as f16, and computed with in the types of the model");
  r.transformation<CompressToHalf>();
}

}  // namespace mo::builtin_passes

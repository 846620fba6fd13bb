// A Slice whose limits were not constant when the model was read becomes StridedSlice, which older runtimes
// and IR v10 know, once they are.
#include <mo/sdk.hpp>

namespace mo::onnx {

class KnownSlices : public ModelPass {
 public:
  KnownSlices() : ModelPass(MO_PHASE_BACK) {
    id = "onnx.back.known_slices";
    doc = "Slice with constant limits in the form that more runtimes know";
    before = "Slice(x, starts, ends, steps, axes)";
    after = "StridedSlice(x, begin, end, stride)";
    frameworks = {"onnx"};
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Slice"))
      if (n.opset() == "opset8") replace_slice(g, n);
  }

 private:
  using Ints = std::vector<int64_t>;

  static std::optional<Ints> ints(const Node& n, size_t i) {
    const OutPort source = n.in_port(i).get_source();
    if (source.node().op() != "Const") return std::nullopt;
    return source.value()->to_ints();
  }

  static void replace_slice(const Graph& g, const Node& n) {
    const Shape shape = n.in_port(0).get_source().shape();
    const auto starts = ints(n, 1), ends = ints(n, 2), steps = ints(n, 3);
    if (!shape.has_rank() || !starts || !ends || !steps || ends->size() != starts->size() ||
        steps->size() != starts->size())
      return;
    std::optional<Ints> axes;
    if (n.is_in_port_connected(4)) axes = ints(n, 4);
    if (n.is_in_port_connected(4) && (!axes || axes->size() != starts->size())) return;
    if (!axes) {
      axes.emplace();
      for (size_t i = 0; i < starts->size(); ++i) axes->push_back(static_cast<int64_t>(i));
    }
    size_t last = 0;
    for (int64_t& a : *axes) {
      a = static_cast<int64_t>(normalize_axis(a, shape.size()));
      last = std::max(last, static_cast<size_t>(a) + 1);
    }
    Ints begin(last, 0), end(last, 0), stride(last, 1), begin_mask(last, 1), end_mask(last, 1);
    for (size_t i = 0; i < axes->size(); ++i) {
      const auto at = static_cast<size_t>((*axes)[i]);
      const int64_t limit = (*ends)[i], step = (*steps)[i];
      begin[at] = (*starts)[i];
      begin_mask[at] = 0;
      stride[at] = step;
      // The limits of either integer type stand for the end.
      const bool open = step > 0 ? limit >= INT32_MAX : limit <= -INT32_MAX;
      end[at] = open ? 0 : limit;
      end_mask[at] = open ? 1 : 0;
    }
    const auto list = [&](const char* what, const Ints& values) {
      return g.create_const(n.name() + what, Tensor::vector<int64_t>(g.context(), values)).out_port();
    };
    const OutPort x = n.in_port(0).get_source();
    const Node s = g.create_node("StridedSlice", "opset1", n.name() + "/StridedSlice",
                                 {x, list("/begin", begin), list("/end", end), list("/stride", stride)});
    s.set("begin_mask", begin_mask).set("end_mask", end_mask);
    const Ints none(last, 0);
    s.set("new_axis_mask", none).set("shrink_axis_mask", none).set("ellipsis_mask", none);
    s.out_port().set_shape(n.out_port().type(), n.out_port().shape());  // the next Slice may read it
    n.out_port().get_connection().set_source(s.out_port(), Names::merge);
    const std::string name = n.name();
    n.remove();
    s.rename(name);
  }
};

void register_known_slices(Registry& r) { r.transformation<KnownSlices>(); }

}  // namespace mo::onnx

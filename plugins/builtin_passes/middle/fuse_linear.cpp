// Constants that are added and multiplied one after the other become one of each, and what is multiplied
// goes into the weights before it:
//   Add(Multiply(Add(Convolution(x, w), a), b), c)  ->  Add(Convolution(x, w * b), a * b + c)
#include "support/channel_values.hpp"
#include "support/fuse_transposes.hpp"

#include <set>

namespace mo::builtin_passes {

namespace {

// x * factor + term
struct LinearChain {
  OutPort x;
  ChannelValues factor{1}, term{0};
  Node last;
  size_t length = 0;
};

}  // namespace

class FuseLinear : public ModelPass {
 public:
  FuseLinear() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_linear";
    doc =
        "constants that are added and multiplied one after the other become one of each, or go into weights";
    before = "Add(Multiply(Add(Convolution(x, w), a), b), c)";
    after = "Add(Convolution(x, w * b), a * b + c)";
    frameworks = {"tf"};
    run_after = {"middle.fuse_prelu"};
    force_clean_up = true;
  }
  bool graph_condition(Graph g) override {
    return !option<bool>(g.context(), "disable_fusing").value_or(false);
  }
  void run_on_model(Graph g) override {
    std::set<mo_node> done;
    for (const Node& n : g.topological())
      if (done.count(n.id()) == 0 && operand(n)) fuse(g, n, done);
  }

 private:
  // The input of an Add, Subtract or Multiply that is a constant.
  static std::optional<size_t> operand(const Node& n) {
    const std::string op = n.op();
    if (op != "Add" && op != "Multiply" && op != "Subtract") return std::nullopt;
    if (n.in_node(1).op() == "Const") return 1;
    return op != "Subtract" && n.in_node(0).op() == "Const" ? std::optional<size_t>(0) : std::nullopt;
  }

  static bool extend(LinearChain& chain, const Node& n, size_t axis) {
    const auto at = operand(n);
    if (!at) return false;
    const OutPort x = n.in_port(1 - *at).get_source();
    const Shape s = x.shape();
    if (!s.has_rank() || n.out_port().shape() != s || !is_float(x.type())) return false;
    const auto values = channel_values(n.in_port(*at).get_source(), s.size(), axis);
    if (!values) return false;
    const auto sum = [&](double a, double b) { return n.op() == "Subtract" ? a - b : a + b; };
    if (n.op() == "Multiply") {
      const auto factor = combined(chain.factor, *values, std::multiplies<>());
      const auto term = combined(chain.term, *values, std::multiplies<>());
      if (!factor || !term) return false;
      chain.factor = *factor;
      chain.term = *term;
    } else {
      const auto term = combined(chain.term, *values, sum);
      if (!term) return false;
      chain.term = *term;
    }
    chain.last = n;
    ++chain.length;
    return true;
  }

  static std::optional<Node> only_reader(const OutPort& port) {
    const auto readers = port.get_destinations();
    return readers.size() == 1 ? std::optional(readers.front().node()) : std::nullopt;
  }

  static void fuse(const Graph& g, const Node& first, std::set<mo_node>& done) {
    LinearChain chain;
    chain.x = first.in_port(1 - *operand(first)).get_source();
    const Node root = chain.x.node();
    const size_t rank = chain.x.shape().size();
    // The last dimension of products, else the second one.
    const size_t axis = root.op() == "MatMul" ? rank - 1 : 1;
    if (rank < 2 || !extend(chain, first, axis)) return;
    done.insert(first.id());
    for (auto next = only_reader(chain.last.out_port()); next && extend(chain, *next, axis);
         next = only_reader(chain.last.out_port()))
      done.insert(next->id());
    const bool multiplies = !are_all(chain.factor, 1), adds = !are_all(chain.term, 0);
    const auto weights =
        multiplies && only_reader(chain.x) ? scaled_weights(g, root, chain.factor) : std::nullopt;
    const size_t needed = (multiplies && !weights ? 1U : 0U) + (adds ? 1U : 0U);
    if (needed >= chain.length) return;
    if (weights) {
      root.in_port(1).set_source(*weights);
      chain.x.set_tensor_names({});  // what had them is not computed any more
    }
    OutPort y = chain.x;
    if (multiplies && !weights) y = applied(g, "Multiply", y, chain.factor, axis, chain.last);
    if (adds) y = applied(g, "Add", y, chain.term, axis, chain.last);
    for (const InPort& reader : chain.last.out_port().get_destinations()) reader.set_source(y);
    give_tensor_names(chain.last.out_port(), y);
    if (weights || y != chain.x) take_name(chain.last, y.node());
  }

  static OutPort applied(const Graph& g, std::string_view op, const OutPort& x, const ChannelValues& values,
                         size_t axis, const Node& origin) {
    const std::string name = text(origin.name(), '/', op);
    std::vector<int64_t> dims(x.shape().has_rank() ? x.shape().size() : axis + 1, 1);
    dims[axis] = static_cast<int64_t>(values.size());
    const ElementType type = origin.out_port().type();
    const Node constant = g.create_const(name + "/constant", Tensor::filled(g.context(), type, values, dims));
    const Node n = g.create_node(op, "opset1", name, {x, constant.out_port()});
    n.out_port().set_shape(type, origin.out_port().shape());
    return n.out_port();
  }

  // Weights with each output channel multiplied; nothing when they are no plain constant.
  static std::optional<OutPort> scaled_weights(const Graph& g, const Node& root,
                                               const ChannelValues& factor) {
    const OutPort source = root.in_count() > 1 ? root.in_port(1).get_source() : OutPort();
    if (!source || source.node().op() != "Const") return std::nullopt;
    const Tensor w = *source.value();
    const auto layout = layout_of(root, w);
    if (!layout || (w.type() != ElementType::f32 && w.type() != ElementType::f64)) return std::nullopt;
    const auto [channels, inner] = *layout;
    if (factor.size() != 1 && factor.size() != channels) return std::nullopt;
    auto [scaled, data] = Tensor::create_bytes(g.context(), w.type(), w.dims());
    for (size_t i = 0, n = w.size(); i < n; ++i)
      store_number(data, w.type(), i, w.number(i) * factor[factor.size() == 1 ? 0 : i / inner % channels]);
    return g.create_const(source.node().name() + "/scaled", scaled).out_port();
  }

  // How many output channels there are, and how many elements lie between two of them.
  static std::optional<std::pair<size_t, size_t>> layout_of(const Node& root, const Tensor& w) {
    const std::string op = root.op();
    const auto product = [&](size_t begin, size_t end) {
      size_t p = 1;
      for (size_t i = begin; i < end; ++i) p *= static_cast<size_t>(w.dim(i));
      return p;
    };
    if (w.size() == 0) return std::nullopt;
    if (op == "Convolution" && w.rank() >= 3) return std::pair(product(0, 1), product(1, w.rank()));
    if (op == "ConvolutionBackpropData" && w.rank() >= 3)
      return std::pair(product(1, 2), product(2, w.rank()));
    if (op == "GroupConvolution" && w.rank() >= 4) return std::pair(product(0, 2), product(2, w.rank()));
    if (op == "MatMul" && w.rank() == 2)
      return root.attr<bool>("transpose_b", false) ? std::pair(product(0, 1), product(1, 2))
                                                   : std::pair(product(1, 2), size_t{1});
    return std::nullopt;
  }
};

void register_fuse_linear(Registry& r) {
  r.option("disable_fusing", MO_OPTION_FLAG, "sums and products with constants stay operations of their own");
  r.transformation<FuseLinear>();
}

}  // namespace mo::builtin_passes

// Sizes are read where they come from, in one step, and together:
//   Unsqueeze(Gather(ShapeOf(ReLU(x)), 1), 0)        ->  Gather(ShapeOf(x), {1})
//   Concat(ShapeOf(x)[0], ShapeOf(x)[1], {3}, {4})   ->  Concat(Gather(ShapeOf(x), {0, 1}), {3, 4})
//   ShapeOf(MatMul(x, weights)), which alone needs the product  ->  Concat(Gather(ShapeOf(x), {0}), {16})
#include <mo/slices.hpp>
#include <mo/symbols.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

class DimensionReader {
 public:
  explicit DimensionReader(const Graph& g) : graph_(g) {}

  void run() {
    const auto shapes = graph_.get_op_nodes("ShapeOf");
    if (shapes.empty()) return;
    for (const Node& s : shapes)
      if (s.is("opset3::ShapeOf"))
        shapes_.try_emplace(key_of(s.in_port(0).get_source(), s.out_port().type()), s);
    std::vector<Node> candidates;
    for (const char* op : {"ShapeOf", "Gather", "StridedSlice", "Slice", "Squeeze", "Unsqueeze", "Reshape",
                           "Convert", "Concat"})
      for (const Node& n : graph_.get_op_nodes(op))
        if (is_list_of_sizes(n)) candidates.push_back(n);
    for (const Node& n : candidates) look_at(n);
  }

 private:
  using Ints = std::vector<int64_t>;

  // A run of elements that are constants, or dimensions of one tensor, or an input as it is.
  struct Part {
    Symbols list;
    OutPort as_is;
    bool continues_with(const Symbol& e) const {
      return !as_is && (e.is_number() || e.is_dimension()) && list.front().same_tensor(e);
    }
  };

  // All is looked at before something is changed: of new nodes nothing is known yet.
  bool is_list_of_sizes(const Node& n) {
    const OutPort p = n.out_port();
    const Shape s = p.shape();
    if (!is_index(p.type()) || !s.has_rank() || s.rank() > 1) return false;
    const auto& values = symbols_.values(p);
    if (!values || values->empty()) return false;
    if (n.is("Concat"))
      for (const InPort& in : n.in_ports()) {
        const Dim count = in.shape().elements();
        if (!count.is_static()) return false;
        length_[n.id()].push_back(static_cast<size_t>(count.value()));
      }
    return true;
  }

  void look_at(const Node& n) {
    const OutPort p = n.out_port();
    const Shape s = p.shape();
    const Symbols values = *symbols_.values(p);
    if (std::all_of(values.begin(), values.end(),
                    [&](const Symbol& e) { return e.is_dimension() && e.same_tensor(values.front()); })) {
      if (!is_direct(n, values.front())) put(p, read(n.name(), values, s.rank() == 0, p.type()));
    } else if (n.is("Concat")) {
      shorten(n);
    } else if (n.is("ShapeOf") && is_computed_for_sizes(n.in_port(0).get_source(), values)) {
      std::vector<Part> parts;
      add_parts(parts, values);
      put(p, joined(n, parts));
    }
  }

  // Nothing reads its numbers, and its sizes are known elsewhere.
  static bool is_computed_for_sizes(const OutPort& x, const Symbols& sizes) {
    if (x.node().is("Parameter") || x.node().out_count() != 1) return false;
    for (const InPort& reader : x.get_destinations())
      if (!reader.node().is("ShapeOf")) return false;
    return std::all_of(sizes.begin(), sizes.end(), [&](const Symbol& e) {
      return e.is_number() || (e.is_dimension() && (e.node != x.node().id() || e.port != x.index()));
    });
  }

  static bool is_index(ElementType t) { return t == ElementType::i64 || t == ElementType::i32; }

  using Key = std::tuple<mo_node, uint32_t, ElementType>;
  static Key key_of(const OutPort& p, ElementType t) { return {p.node().id(), p.index(), t}; }

  OutPort origin(const Symbol& e) const { return e.origin(graph_.context()); }

  // It is read from the shape of the tensor that it is a dimension of.
  bool is_direct(const Node& n, const Symbol& e) const {
    const Node shape = n.is("Gather") ? n.in_node(0) : n;
    if (!shape.is("ShapeOf") || shape.in_port(0).get_source() != origin(e)) return false;
    return n.is("ShapeOf") || (n.in_node(1).is("Const") && shape.out_port().type() == n.out_port().type());
  }

  OutPort shape_of(const OutPort& x, ElementType type) {
    const auto [found, is_new] = shapes_.try_emplace(key_of(x, type));
    if (is_new) {
      found->second = graph_.create_node("ShapeOf", "opset3", x.node().name() + "/shape", {x});
      found->second.set("output_type", type);
    }
    return found->second.out_port();
  }

  OutPort read(const std::string& name, const Symbols& list, bool scalar, ElementType type) {
    const OutPort x = origin(list.front());
    const OutPort shape = shape_of(x, type);
    Ints indices;
    bool whole = !scalar && x.shape().rank() == static_cast<int64_t>(list.size());
    for (const Symbol& e : list) {
      whole = whole && e.index == static_cast<int64_t>(indices.size());
      indices.push_back(e.index);
    }
    if (whole) return shape;
    const Node at = scalar ? graph_.create_int(name + "/index", indices.front())
                           : graph_.create_ints(name + "/indices", indices);
    const Node axis = graph_.create_int(name + "/axis", 0);
    const Node n =
        graph_.create_node("Gather", "opset7", name + "/sizes", {shape, at.out_port(), axis.out_port()});
    n.set("batch_dims", int64_t{0});
    return n.out_port();
  }

  static void put(const OutPort& old, const OutPort& now) {
    if (eliminate(old, now)) return give_name(old.node(), now.node());
    pass_over(old.node(), "it is an output of the model, and '", now.node().name(),
              "' cannot be called by its name");
  }

  // New nodes are called by what they took the place of.
  static void give_name(const Node& old, const Node& now) {
    const std::string part = old.name() + "/";
    if (!now.is("ShapeOf") && now.name().compare(0, part.size(), part) == 0) take_name(old, now);
  }

  void shorten(const Node& n) {
    std::vector<Part> parts;
    const Symbols all = *symbols_.values(n.out_port());
    size_t at = 0;
    for (const InPort& in : n.in_ports()) {
      const OutPort source = in.get_source();
      const auto count = length_.at(n.id())[in.index()];
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
      const Symbols values(begin, begin + static_cast<std::ptrdiff_t>(count));
      at += count;
      const bool opaque =
          std::any_of(values.begin(), values.end(), [](const Symbol& e) { return e.is_element(); });
      if (opaque) {
        parts.push_back({values, source});
        continue;
      }
      add_parts(parts, values);
    }
    if (parts.size() < n.in_count()) put(n.out_port(), joined(n, parts));
  }

  static void add_parts(std::vector<Part>& parts, const Symbols& values) {
    for (const Symbol& e : values) {
      if (!parts.empty() && parts.back().continues_with(e))
        parts.back().list.push_back(e);
      else
        parts.push_back({{e}, {}});
    }
  }

  OutPort joined(const Node& n, const std::vector<Part>& parts) {
    std::vector<OutPort> inputs;
    for (const Part& part : parts) inputs.push_back(make(n, part, inputs.size()));
    const Node list = graph_.create_node("Concat", "opset1", n.name() + "/list", inputs);
    return list.set("axis", int64_t{0}).out_port();
  }

  OutPort make(const Node& n, const Part& part, size_t i) {
    if (part.as_is) return part.as_is;
    const ElementType type = n.out_port().type();
    const std::string name = text(n.name(), "/part_", i);
    if (!part.list.front().is_number()) return read(name, part.list, false, type);
    std::vector<double> numbers;
    for (const Symbol& e : part.list) numbers.push_back(static_cast<double>(e.index));
    const Tensor t = Tensor::filled(graph_.context(), type, numbers, {static_cast<int64_t>(numbers.size())});
    return graph_.create_const(name, t).out_port();
  }

  Graph graph_;
  SymbolsOf symbols_;
  std::map<Key, Node> shapes_;
  std::map<mo_node, std::vector<size_t>> length_;  // of the inputs of Concats
};

}  // namespace

// Looks at whatever is a list of sizes, all of it before something is changed: no pattern says that.
class ReadDimensions : public ModelPass {
 public:
  ReadDimensions() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.read_dimensions";
    doc = "sizes are read from the tensors that they come from, in one step, and neighbours together";
    before = R"(
      %x = Parameter -> f32[?,?,3]
      %r = ReLU@opset1 (%x)
      %s = ShapeOf@opset3 (%r) {output_type=i64}
      %zero = Const -> i64[] {0}
      %one = Const -> i64[] {1}
      %a = Gather@opset1 (%s, %zero, %zero)
      %b = Gather@opset1 (%s, %one, %zero)
      %da = Unsqueeze@opset1 (%a, %zero)
      %db = Unsqueeze@opset1 (%b, %zero)
      %three = Const -> i64[1] {3}
      %list = Concat@opset1 (%da, %db, %three) {axis=0}
      Result (%r)
      Result (%list))";
    after = R"(
      %x = Parameter -> f32[?,?,3]
      %r = ReLU@opset1 (%x)
      %s = ShapeOf@opset3 (%x) {output_type=i64}
      %zero = Const -> i64[] {0}
      %both = Const -> i64[2] {0,1}
      %a = Gather@opset7 (%s, %both, %zero) {batch_dims=0}
      %three = Const -> i64[1] {3}
      %list = Concat@opset1 (%a, %three) {axis=0}
      Result (%r)
      Result (%list))";
    run_after = {"middle.keep_dimensions"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override { DimensionReader(g).run(); }
};

void register_read_dimensions(Registry& r) { simplifying<ReadDimensions>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes

// Convolutions of equal parts of the channels are one with groups:
//   Concat(Convolution(Split(x, 1)_i, w_i) + b_i, …)  ->  GroupConvolution(x, w) + b
#include "support/fuse_transposes.hpp"
#include "support/fusing_filter.hpp"
#include "support/linear_steps.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class GroupConvolutions : public MatcherPass {
 public:
  GroupConvolutions() : MatcherPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.group_convolutions";
    doc = "convolutions of equal parts of the channels are one with groups";
    before = R"(
      %x = Parameter -> f32[1,4,3,3]
      %axis = Const -> i64[] {1}
      %s = Split@opset1 (%x, %axis) {num_splits=2} -> (f32[1,2,3,3], f32[1,2,3,3])
      %v = Const -> f32[1,2,1,1] {1,2}
      %c = Convolution@opset1 (%s, %v) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
      %w = Const -> f32[1,2,1,1] {3,4}
      %d = Convolution@opset1 (%s:1, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
      %y = Concat@opset1 (%c, %d) {axis=1}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,4,3,3]
      %w = Const -> f32[2,1,2,1,1] {1,2,3,4}
      %y = GroupConvolution@opset1 (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
      Result (%y))";
    run_after = {"middle.fuse_linear"};
    force_clean_up = true;
    // As many as there are groups: the first two tell whether there is one.
    register_matcher(wrap_type({"Concat"}, {convolved_part(), convolved_part()})->variadic(),
                     [](const Graph& g, const Match& m) {
                       const auto parts = parts_of(m.root(), FusingFilter(g.context()));
                       if (!parts.empty()) group(g, m.root(), parts);
                     });
  }
  bool graph_condition(Graph g) override {
    return !option<bool>(g.context(), "disable_gfusing").value_or(false);
  }

 private:
  static Pattern convolved_part() {
    const Pattern split = wrap_type({"Split", "VariadicSplit"});
    const Pattern convolution = wrap_type({"Convolution"}, {split, constant()});
    return any_of({convolution, wrap_type({"Add"}, {convolution, constant()})});
  }

  struct Part {
    Node convolution;
    Tensor weights;
    std::optional<ChannelValues> added;
  };

  // A convolution, or what is added to one.
  static std::optional<Part> part_of(const OutPort& port, const FusingFilter& filter) {
    if (!port) return std::nullopt;
    Part part{port.node(), {}, std::nullopt};
    const bool adds = part.convolution.is("Add");
    if (!adds && !part.convolution.is("Convolution")) return std::nullopt;
    only_when(only_reader_of(port).has_value(), "something else reads '", part.convolution.name(), "', too");
    if (adds) {
      const auto step = linear_step(part.convolution);
      if (!step || step->axis.value_or(1) != 1 || !only_reader_of(step->x)) return std::nullopt;
      part.added = step->term;
      part.convolution = step->x.node();
    }
    const Node& n = part.convolution;
    if (!n.is("Convolution") || !filter.allows(n) || !n.in_node(1).is("Const")) return std::nullopt;
    only_when(only_reader_of(n.in_port(1).get_source()).has_value(), "something else reads the weights of '",
              n.name(), "', too");
    part.weights = *n.in_port(1).value();
    if (part.weights.rank() < 3 || bits(part.weights.type()) < 8) return std::nullopt;
    return part;
  }

  static bool is_same(const Node& a, const Node& b) {
    for (const char* key : {"strides", "dilations", "pads_begin", "pads_end"})
      if (a.find_attr<std::vector<int64_t>>(key) != b.find_attr<std::vector<int64_t>>(key)) return false;
    return a.find_attr<std::string>("auto_pad") == b.find_attr<std::string>("auto_pad");
  }

  static bool splits_equally(const Node& split, size_t parts) {
    if (!split.is("Split") && !split.is("VariadicSplit")) return false;
    const auto axis = split.in_node(1).is("Const") ? split.in_port(1).value() : std::nullopt;
    const Shape shape = split.in_port(0).shape();
    if (!axis || axis->size() != 1 || !shape.has_rank() || split.out_count() != parts) return false;
    const int64_t at = axis->integer(0);
    only_when(at == 1 || at + shape.rank() == 1, "'", split.name(), "' splits dimension ", at,
              ", and the channels are dimension 1");
    for (const OutPort& out : split.out_ports()) {
      const Shape s = out.shape();
      if (!s.has_rank() || s.size() < 2 || !s[1].is_static() || s[1] != split.out_port(0).shape()[1])
        return false;
    }
    return true;
  }

  static std::vector<Part> parts_of(const Node& concat, const FusingFilter& filter) {
    const Shape shape = concat.out_port().shape();
    const int64_t axis = concat.attr<int64_t>("axis");
    if (concat.in_count() < 2 || !shape.has_rank() || (axis != 1 && axis + shape.rank() != 1)) return {};
    std::vector<Part> parts;
    Node split;
    for (const InPort& in : concat.in_ports()) {
      auto part = part_of(in.get_source(), filter);
      if (!part) return {};
      const OutPort data = part->convolution.in_port(0).get_source();
      if (parts.empty()) split = data.node();
      const Part& first = parts.empty() ? *part : parts.front();
      if (data.node() != split) return {};
      only_when(data.index() == parts.size() && only_reader_of(data).has_value(), "'",
                part->convolution.name(), "' is not the only one to read part ", parts.size(), " of '",
                split.name(), "'");
      only_when(is_same(first.convolution, part->convolution), "'", first.convolution.name(), "' and '",
                part->convolution.name(), "' have other strides, dilations or pads");
      only_when(first.added.has_value() == part->added.has_value(), "something is added behind '",
                first.convolution.name(), "' or '", part->convolution.name(), "' alone");
      only_when(first.weights.type() == part->weights.type() && first.weights.dims() == part->weights.dims(),
                "'", first.convolution.name(), "' and '", part->convolution.name(),
                "' have weights of other shapes");
      parts.push_back(std::move(*part));
    }
    return splits_equally(split, parts.size()) ? parts : std::vector<Part>();
  }

  static void group(const Graph& g, const Node& concat, const std::vector<Part>& parts) {
    const Context c = g.context();
    const Part& first = parts.front();
    auto dims = first.weights.dims();
    const auto outputs = static_cast<size_t>(dims[0]);
    dims.insert(dims.begin(), static_cast<int64_t>(parts.size()));
    std::vector<int64_t> group_dims = dims;
    group_dims[0] = 1;
    std::vector<Tensor> groups;
    std::vector<Node> from{concat};
    ChannelValues added;
    for (const Part& p : parts) {
      groups.push_back(p.weights.reshaped(c, group_dims));
      from.push_back(p.convolution);
      if (!p.added) continue;
      for (size_t i = 0; i < outputs; ++i) added.push_back((*p.added)[p.added->size() == 1 ? 0 : i]);
    }
    const Node constant = g.create_const(concat.name() + "/weights", lazy_joined(c, groups, 0));
    const OutPort x = first.convolution.in_node(0).in_port(0).get_source();
    std::vector<Node> made{
        g.create_node("GroupConvolution", "opset1", concat.name() + "/grouped", {x, constant.out_port()})};
    for (const char* key : {"strides", "dilations", "pads_begin", "pads_end"})
      if (const auto value = first.convolution.find_attr<std::vector<int64_t>>(key)) made[0].set(key, *value);
    const auto pad = first.convolution.attr<std::string>("auto_pad", "explicit");
    if (pad != "explicit") made[0].set("auto_pad", pad);
    const ElementType type = concat.out_port().type();
    if (first.added) {
      std::vector<int64_t> list(concat.out_port().shape().size(), 1);
      list[1] = static_cast<int64_t>(added.size());
      const Node term = g.create_const(concat.name() + "/term", Tensor::filled(c, type, added, list));
      made.push_back(
          g.create_node("Add", "opset1", concat.name() + "/Add", {made[0].out_port(), term.out_port()}));
    }
    for (const Node& n : made) n.out_port().set_shape(type, concat.out_port().shape());
    copy_runtime_info(from, made);
    const OutPort old = concat.out_port();
    for (const InPort& reader : old.get_destinations()) reader.set_source(made.back().out_port());
    give_tensor_names(old, made.back().out_port());
    take_name(concat, made.back());
  }
};

void register_group_convolutions(Registry& r) {
  r.option("disable_gfusing", MO_OPTION_FLAG, "convolutions of parts of the channels stay apart");
  simplifying<GroupConvolutions>(r, Stage::linear);
}

}  // namespace mo::builtin_passes

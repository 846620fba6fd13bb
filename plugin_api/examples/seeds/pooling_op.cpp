// backend_attrs() of mo/ops/pooling.py: attributes of the IR in all three forms of a record.
#include <algorithm>

#include "seeds.hpp"

namespace seeds {

struct Pooling {
  static constexpr std::string_view type = "Pooling", opset = seeds::opset;
  using Ints = std::vector<int64_t>;

  static void schema(mo::OpSchema& s) {
    s.doc("pooling with windows over all dimensions").inputs(1).outputs(1);
    // 1. A name: written as it is; when it is absent, nothing is written.
    s.optional_attr<std::string>("rounding_type").one_of({"floor", "ceil"});
    s.optional_attr<std::string>("auto_pad").one_of({"explicit", "valid"});
    // 2. A name in the IR and a function: see ir_attrs. What it reads is not written by itself.
    s.attr<Ints>("stride").not_in_ir();
    s.attr<Ints>("window").not_in_ir();
    s.attr<Ints>("pad").not_in_ir();
    s.attr<Ints>("pad_end").not_in_ir();
    s.attr<Ints>("spatial_dims").not_in_ir();
    // 3. A name in the IR and the name of an attribute.
    s.attr<std::string>("pool_method").ir_name("pool-method").one_of({"max", "avg"});
    s.attr<bool>("exclude_pad", true).ir_name("exclude-pad");
  }

  static void ir_attrs(mo::Node node, mo::IrAttributes& out) {
    out.add("strides", spatial(node, "stride"));
    out.add("kernel", spatial(node, "window"));
    out.add("pads_begin", spatial(node, "pad"));
    out.add("pads_end", spatial(node, "pad_end"));
  }

  static void infer(mo::InferContext& c) {
    mo::Shape y = c.shape(0);
    if (!y.has_rank()) return c.output(0, c.type(0), y);
    const Ints stride = all(c, "stride", y.size()), window = all(c, "window", y.size());
    const Ints begin = all(c, "pad", y.size()), end = all(c, "pad_end", y.size());
    const bool ceil = c.attr<std::string>("rounding_type", "floor") == "ceil";
    for (const int64_t d : c.attr<Ints>("spatial_dims")) {
      const size_t i = mo::normalize_axis(d, y.size());
      c.require(stride[i] > 0, "stride along dimension ", i, " is ", stride[i]);
      if (!y[i].is_static()) {
        y[i] = mo::Dim();
        continue;
      }
      constexpr int64_t most = int64_t{1} << 60;  // sums of these fit
      c.require(std::max({y[i].value(), stride[i], window[i], begin[i], end[i]}) < most &&
                    std::min({window[i], begin[i], end[i]}) > -most,
                "dimension ", i, " or what is said of it is too large: ", y[i].value());
      const int64_t room = y[i].value() + begin[i] + end[i] - window[i];
      c.require(room >= 0, "the window is ", window[i], " long and dimension ", i, " with its pads ",
                room + window[i]);
      y[i] = mo::Dim((room + (ceil ? stride[i] - 1 : 0)) / stride[i] + 1);
    }
    c.output(0, c.type(0), y);
  }

 private:
  static Ints all(const mo::InferContext& c, std::string_view name, size_t rank) {
    Ints list = c.attr<Ints>(name);
    c.require(list.size() == rank, "attribute '", name, "' has ", list.size(), " elements for ", rank,
              " dimensions");
    return list;
  }
  // ','.join(map(str, node[name][node.spatial_dims]))
  static std::string spatial(const mo::Node& node, std::string_view name) {
    const Ints list = node.attr<Ints>(name);
    std::string joined;
    for (const int64_t d : node.attr<Ints>("spatial_dims")) {
      if (!joined.empty()) joined += ',';
      joined += std::to_string(list.at(static_cast<size_t>(d)));
    }
    return joined;
  }
};

void register_pooling_op(mo::Registry& registry) { registry.operation<Pooling>(); }

}  // namespace seeds

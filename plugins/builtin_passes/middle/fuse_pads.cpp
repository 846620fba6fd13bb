// Zeros around the data of a convolution are its padding:
//   Convolution(Pad(x, {0, 0, 1, 1}, {0, 0, 1, 1}), w)  ->  Convolution(x, w) with pads 1, 1
#include <algorithm>

#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FusePads : public MatcherPass {
 public:
  FusePads() : MatcherPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_pads";
    doc = "zeros around the data of a convolution are its padding";
    before = R"(
      %x = Parameter -> f32[1,1,4,4]
      %b = Const -> i64[4] {0,0,1,0}
      %e = Const -> i64[4] {0,0,0,2}
      %p = Pad@opset1 (%x, %b, %e) {pad_mode="constant"}
      %w = Const -> f32[1,1,2,2] {1,2,3,4}
      %y = Convolution@opset1 (%p, %w) {strides=[1,1], dilations=[1,1], pads_begin=[1,0], pads_end=[0,0]}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,1,4,4]
      %w = Const -> f32[1,1,2,2] {1,2,3,4}
      %y = Convolution@opset1 (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[2,0], pads_end=[0,2]}
      Result (%y))";
    run_after = {"middle.reshape_transposes"};
    force_clean_up = true;
    const Pattern pad = wrap_type({"Pad"}, {any_input(), constant(), constant()})->variadic();
    register_matcher(wrap_type({"Convolution", "GroupConvolution"}, {pad, any_input()}),
                     [=](const Graph&, const Match& m) { fuse(m.node(pad)); });
  }

 private:
  using Ints = std::vector<int64_t>;

  // What is added along the dimensions that a convolution slides over; nothing when there is more to it.
  static std::optional<Ints> spatial_pads(const Node& pad, size_t input) {
    const auto value = pad.in_port(input).value();
    if (!value || value->rank() != 1 || value->size() < 3) return std::nullopt;
    const Ints all = value->to_ints();
    constexpr int64_t most = 1 << 20;  // sums do not overflow
    only_when(all[0] == 0 && all[1] == 0, "'", pad.name(), "' adds to the batch or to the channels");
    only_when(std::all_of(all.begin(), all.end(), [](int64_t p) { return p >= 0 && p <= most; }), "'",
              pad.name(), "' takes away as well");
    return Ints(all.begin() + 2, all.end());
  }

  static bool adds_zeros(const Node& pad) {
    if (pad.attr<std::string>("pad_mode") != "constant") return false;
    if (!pad.is_in_port_connected(3)) return true;
    const auto value = pad.in_node(3).is("Const") ? pad.in_port(3).value() : std::nullopt;
    return value && value->size() == 1 && value->number(0) == 0;
  }

  static bool takes_pads(const InPort& in, size_t dims) {
    const Node n = in.node();
    if (in.index() != 0 || (!n.is("Convolution") && !n.is("GroupConvolution"))) return false;
    const auto mode = n.attr<std::string>("auto_pad", "explicit");
    if (mode != "explicit" && mode != "notset" && mode != "valid") return false;
    return old_pads(n, "pads_begin", dims).size() == dims && old_pads(n, "pads_end", dims).size() == dims;
  }

  static Ints old_pads(const Node& n, const char* key, size_t dims) {
    if (n.attr<std::string>("auto_pad", "explicit") == "valid") return Ints(dims, 0);
    return n.find_attr<Ints>(key).value_or(Ints());
  }

  static void fuse(const Node& pad) {
    const auto begin = spatial_pads(pad, 1), end = spatial_pads(pad, 2);
    const auto readers = pad.out_port().get_destinations();
    if (!begin || !end || begin->size() != end->size()) return;
    only_when(adds_zeros(pad), "'", pad.name(), "' adds something else than zeros");
    for (const InPort& in : readers)
      only_when(takes_pads(in, begin->size()), "'", in.node().name(), "' reads '", pad.name(),
                "', and has no padding that it could add to");
    for (const InPort& in : readers) {
      const Node n = in.node();
      const auto add = [&](const char* key, const Ints& more) {
        Ints pads = old_pads(n, key, more.size());
        for (size_t i = 0; i < pads.size(); ++i) pads[i] += more[i];
        return pads;
      };
      const Ints first = add("pads_begin", *begin), last = add("pads_end", *end);
      n.set("pads_begin", first).set("pads_end", last);
      if (n.attr<std::string>("auto_pad", "explicit") == "valid") n.set("auto_pad", "explicit");
      copy_runtime_info({pad, n}, {n});
      in.set_source(pad.in_port(0).get_source());
    }
  }
};

void register_fuse_pads(Registry& r) { simplifying<FusePads>(r, Stage::fuse); }

}  // namespace mo::builtin_passes

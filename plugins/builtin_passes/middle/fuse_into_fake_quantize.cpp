// Constants that are multiplied and added in front of FakeQuantize, or behind it, move its limits instead:
//   FakeQuantize(x * f + t, low, high, …)     ->  FakeQuantize(x, (low - t) / f, (high - t) / f, …)
//   FakeQuantize(x, …, low, high) * f + t     ->  FakeQuantize(x, …, low * f + t, high * f + t)
// A negative factor turns both pairs of limits around.
#include "support/fuse_transposes.hpp"
#include "support/fusing_filter.hpp"
#include "support/linear_steps.hpp"
#include "support/quantization.hpp"
#include "support/simplifying.hpp"
#include "support/weighted_operation.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class FuseIntoFakeQuantize : public MatcherPass {
 public:
  FuseIntoFakeQuantize() : MatcherPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_into_fake_quantize";
    doc = "constants that are multiplied and added around FakeQuantize go into its limits";
    before = R"(
      %x = Parameter -> f32[1,2,4,4]
      %f = Const -> f32[1,2,1,1] {2,-4}
      %m = Multiply@opset1 (%x, %f)
      %low = Const -> f32[] {0}
      %high = Const -> f32[] {4}
      %q = FakeQuantize@opset1 (%m, %low, %high, %low, %high) {levels=256}
      %t = Const -> f32[] {8}
      %y = Add@opset1 (%q, %t)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,4,4]
      %a = Const -> f32[1,2,1,1] {0,-1}
      %b = Const -> f32[1,2,1,1] {2,0}
      %c = Const -> f32[1,2,1,1] {8,12}
      %d = Const -> f32[1,2,1,1] {12,8}
      %y = FakeQuantize@opset1 (%x, %a, %b, %c, %d) {levels=256}
      Result (%y))";
    run_after = {"middle.fuse_linear"};  // weights are the better place
    force_clean_up = true;
    // Before and behind it are rows of any length.
    register_matcher(wrap_type({"FakeQuantize"}), [](const Graph&, const Match& m) { look_at(m.root()); });
  }
  bool graph_condition(Graph g) override { return fusing_is_wanted(g.context()); }

 private:
  static void look_at(const Node& n) {
    const FusingFilter filter(n.context());
    if (!filter.allows(n)) return;
    std::string why;
    const bool before = fuse_before(n, filter, why), behind = fuse_behind(n, filter, why);
    if (!before && !behind && !why.empty()) decline(why);
  }

  // Whether it did; if not, and there was something to be fused, why.
  static bool fuse_before(const Node& n, const FusingFilter& filter, std::string& why) {
    std::vector<Node> above;
    for (OutPort p = n.in_port(0).get_source(); p && only_reader_of(p) && filter.allows(p.node());) {
      const auto step = linear_step(p.node());
      if (!step || above.size() == 100) break;
      above.push_back(p.node());
      p = step->x;
    }
    LinearChain chain;
    for (size_t i = above.size(); i-- > 0;)
      if (!chain.append(above[i])) chain = {};  // what is nearer may still fit
    if (above.empty()) return false;
    const std::string last = above.front().name();
    if (n.attr<int64_t>("levels", 0) == 65536)
      return no(why, "devices leave 65536 levels out where the limits of both sides are the same");
    if (chain.nodes.empty() || chain.last() != above.front())
      return no(why, "the numbers of '", last, "' are not exact");
    if (is_sum_of_product(chain))
      return no(why, "'", last, "' adds to the product '", chain.x.node().name(),
                "', which devices do in one");
    auto limits = quantize_limits(n, chain.axis);
    if (!limits) return no(why, "its limits are not constants along the dimension of those of '", last, "'");
    if (is_spread(*limits, chain) && is_read_by_product(n))
      return no(
          why,
          "its limits would be another number for each channel, and the product that reads it is computed in "
          "8 bits with one");
    if (!move_input_limits(*limits, chain) || !holds(n, *limits))
      return no(why, "divided by the factors of '", last, "' its limits would not be apart, or not be exact");
    set_quantize_limits(n, *limits);
    copy_runtime_info(with(chain, n), {n});
    n.in_port(0).set_source(chain.x);
    return true;
  }

  // Devices compute both in 8 bits with the sum between them. Limits that have it are another number for each channel: some
  // compute wrong numbers then, and OpenVINO's CPU (2023.3 to 2026.4) ends the process where a convolution of an open batch
  // has AMX and few positions.
  static bool is_sum_of_product(const LinearChain& chain) {
    if (std::all_of(chain.term.begin(), chain.term.end(), [](double t) { return t == 0; })) return false;
    const Node product = chain.x.node();
    return product.is("MatMul") || (chain.term.size() > 1 && weighted_operation(product));
  }

  static bool is_spread(const QuantizeLimits& l, const LinearChain& chain) {
    return l.in_low.size() == 1 && l.in_high.size() == 1 &&
           std::max(chain.factor.size(), chain.term.size()) > 1;
  }
  static bool is_read_by_product(const Node& n) {
    const auto readers = n.out_port().get_destinations();
    return std::any_of(readers.begin(), readers.end(), [](const InPort& reader) {
      return reader.node().is("MatMul") || weighted_operation(reader.node(), reader.index() == 1);
    });
  }

  template <class... Args>
  static bool no(std::string& why, const Args&... reason) {
    why = text(reason...);
    return false;
  }

  static bool move_input_limits(QuantizeLimits& l, const LinearChain& chain) {
    if (std::any_of(chain.factor.begin(), chain.factor.end(), [](double f) { return f == 0; })) return false;
    for (ChannelValues* limit : {&l.in_low, &l.in_high}) {
      const auto moved = combined(*limit, chain.term, std::minus<>());
      const auto scaled = moved ? combined(*moved, chain.factor, std::divides<>()) : std::nullopt;
      if (!scaled) return false;
      *limit = *scaled;
    }
    return turn_around(l, chain.factor);
  }

  // Where the factor is negative, the lowest number is what was the highest one.
  static bool turn_around(QuantizeLimits& l, const ChannelValues& factor) {
    const auto pair = [&](ChannelValues& low, ChannelValues& high) {
      const auto choose = [&](const ChannelValues& kept, const ChannelValues& other) {
        size_t n = std::max({kept.size(), other.size(), factor.size()});
        for (const size_t size : {kept.size(), other.size(), factor.size()})
          if (size != 1 && size != n) n = 0;
        ChannelValues chosen(n);
        for (size_t i = 0; i < n; ++i)
          chosen[i] = factor[factor.size() == 1 ? 0 : i] < 0 ? other[other.size() == 1 ? 0 : i]
                                                             : kept[kept.size() == 1 ? 0 : i];
        return chosen;
      };
      const ChannelValues first = choose(low, high), second = choose(high, low);
      low = first;
      high = second;
      return !low.empty();
    };
    if (std::none_of(factor.begin(), factor.end(), [](double f) { return f < 0; })) return true;
    return pair(l.in_low, l.in_high) && pair(l.out_low, l.out_high);
  }

  static bool fuse_behind(const Node& n, const FusingFilter& filter, std::string& why) {
    LinearChain chain;
    for (auto next = only_reader_of(n.out_port()); next && filter.allows(*next) && chain.append(*next);
         next = only_reader_of(next->out_port())) {
    }
    if (chain.nodes.empty()) return false;
    const Node last = chain.last();
    auto limits = quantize_limits(n, chain.axis);
    if (!limits)
      return no(why, "its limits are not constants along the dimension of those of '", last.name(), "'");
    for (ChannelValues* limit : {&limits->out_low, &limits->out_high}) {
      const auto scaled = combined(*limit, chain.factor, std::multiplies<>());
      const auto moved = scaled ? combined(*scaled, chain.term, std::plus<>()) : std::nullopt;
      if (!moved) return no(why, "its limits and the numbers of '", last.name(), "' do not go together");
      *limit = *moved;
    }
    if (!holds(n, *limits))
      return no(why, "with the numbers of '", last.name(), "' its limits would not be exact");
    set_quantize_limits(n, *limits);
    copy_runtime_info(with(chain, n), {n});
    n.out_port().set_tensor_names({});  // what had them is not computed any more
    for (const InPort& reader : last.out_port().get_destinations()) reader.set_source(n.out_port());
    give_tensor_names(last.out_port(), n.out_port());
    take_name(last, n);
    return true;
  }

  static std::vector<Node> with(const LinearChain& chain, const Node& n) {
    std::vector<Node> all = chain.nodes;
    all.push_back(n);
    return all;
  }

  // The type has the numbers, and limits that were apart still are.
  static bool holds(const Node& n, const QuantizeLimits& l) {
    const ElementType type = n.out_port().type();
    for (const ChannelValues* limit : {&l.in_low, &l.in_high, &l.out_low, &l.out_high})
      if (!holds_terms(type, *limit)) return false;
    const auto width = combined(l.in_low, l.in_high, std::minus<>());
    return width && holds_factors(type, *width);
  }
};

void register_fuse_into_fake_quantize(Registry& r) { simplifying<FuseIntoFakeQuantize>(r, Stage::linear); }

}  // namespace mo::builtin_passes

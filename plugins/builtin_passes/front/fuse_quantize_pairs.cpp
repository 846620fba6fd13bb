// What is rounded to integers and read again as floats becomes FakeQuantize:
//   Multiply(Subtract(Convert(Convert(Clamp(Add(Round(Divide(x, s)), z)), u8), f32), z), s)  ->
//   FakeQuantize(x)
// Reshape, MaxPool and others that only move integers between both move the floats. With parameters that are
// computed, the conversion there and back is left out. FakeQuantize rounds after the zero point is added, and
// so may give another number halfway between two; where the integers are an output of the model, too, the
// floats are computed from them.
#include "support/expressions.hpp"

#include <algorithm>
#include <cmath>

namespace mo::builtin_passes {

class FuseQuantizePairs : public FrontReplacementOp {
 public:
  FuseQuantizePairs() {
    id = "front.fuse_quantize_pairs";
    doc = "what is rounded to integers and read again as floats becomes FakeQuantize";
    before = R"(
      %x = Parameter -> f32[1,4]
      %s = Const -> f32[] {0.5}
      %z = Const -> f32[] {3}
      %d = Divide@opset1 (%x, %s)
      %r = Round@opset5 (%d) {mode="half_to_even"}
      %a = Add@opset1 (%r, %z)
      %c = Clamp@opset1 (%a) {min=0.0, max=255.0}
      %q = Convert@opset1 (%c) {destination_type=u8}
      %f = Convert@opset1 (%q) {destination_type=f32}
      %b = Subtract@opset1 (%f, %z)
      %y = Multiply@opset1 (%b, %s)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,4]
      %low = Const -> f32[] {-1.5}
      %high = Const -> f32[] {126}
      %y = FakeQuantize@opset1 (%x, %low, %high, %low, %high) {levels=256}
      Result (%y))";
    op = "Convert";
    run_after = {Anchor::front_finish};  // whoever makes them
    run_before = {"front.keep_quantized_weights"};
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    if (!reads_integers(n)) return;
    const std::string why = fuse(g, n);
    if (!why.empty() && !stay_float(n)) decline(why);
  }

 private:
  // One number, or one for each place along a dimension.
  struct Parameter {
    std::vector<double> values;
    std::vector<int64_t> dims;
  };
  struct Rounded {
    OutPort x;
    Parameter scale{{1}, {}}, zero{{0}, {}};
    double least = 0, most = 0;
    std::vector<OutPort> moved;  // what moves the integers, the last one first
  };
  struct Read {
    Node last;
    Parameter scale{{1}, {}}, zero{{0}, {}};
  };

  // Of a constant, also behind conversions that are not computed yet.
  static std::optional<Parameter> parameter(OutPort p) {
    for (int i = 0; i < 2 && p && p.node().is("Convert"); ++i) p = p.node().in_port(0).get_source();
    const auto value = p ? p.value() : std::nullopt;
    if (!value || value->size() == 0 || value->size() > 1U << 20) return std::nullopt;
    return Parameter{value->to_floats<double>(), value->dims()};
  }

  static bool only_moves(const OutPort& p) {
    static constexpr std::string_view movers[] = {"DepthToSpace", "MaxPool", "Reshape",   "Slice",
                                                  "SpaceToDepth", "Split",   "Squeeze",   "StridedSlice",
                                                  "Transpose",    "Tile",    "Unsqueeze", "VariadicSplit"};
    const Node n = p.node();
    return std::any_of(std::begin(movers), std::end(movers), [&](std::string_view op) { return n.is(op); }) &&
           (!n.is("MaxPool") || p.index() == 0);
  }

  static bool is_integer_number(double v) { return std::isfinite(v) && v == std::nearbyint(v); }

  static std::optional<Node> integer_clamp(const OutPort& p) {
    const auto clamp = made_by(p, "Clamp");
    if (!clamp || !is_integer_number(clamp->attr<double>("min")) ||
        !is_integer_number(clamp->attr<double>("max")))
      return std::nullopt;
    return clamp;
  }
  static bool is_integer_type(ElementType t) {
    return t != ElementType::unknown && t != ElementType::boolean && !is_float(t);
  }
  // The clamp in front of a conversion to integers.
  static std::optional<Node> clamped_to_integers(const OutPort& p) {
    const auto convert = made_by(p, "Convert");
    if (!convert || !is_integer_type(convert->attr<ElementType>("destination_type"))) return std::nullopt;
    return integer_clamp(convert->in_port(0).get_source());
  }

  // The clamp, through what moves integers, the last one first.
  static std::optional<Node> behind_moves(OutPort p, std::vector<OutPort>& moved) {
    for (; p && only_moves(p) && moved.size() < 16; p = p.node().in_port(0).get_source()) moved.push_back(p);
    return clamped_to_integers(p);
  }
  static bool reads_integers(const Node& n) {
    std::vector<OutPort> moved;
    return is_float(n.attr<ElementType>("destination_type")) &&
           behind_moves(n.in_port(0).get_source(), moved).has_value();
  }

  // Nothing, and why, where something else than a quotient is rounded.
  static std::optional<Rounded> rounded(const OutPort& p, std::string& why) {
    Rounded r;
    const auto clamp = behind_moves(p, r.moved);
    if (!clamp) return std::nullopt;
    const auto no = [&](const auto&... words) -> std::optional<Rounded> {
      why = text(words...);
      return std::nullopt;
    };
    r.least = clamp->attr<double>("min");
    r.most = clamp->attr<double>("max");
    OutPort y = clamp->in_port(0).get_source();
    if (const auto sum = made_by(y, "Add")) {
      const auto zero = parameter(sum->in_port(1).get_source());
      if (!zero) return no("its zero point, which '", sum->name(), "' adds, is computed");
      r.zero = *zero;
      y = sum->in_port(0).get_source();
    }
    const auto round = made_by(y, "Round");
    if (!round) return no("what '", clamp->name(), "' limits is not rounded");
    if (const auto mode = round->attr<std::string>("mode"); mode != "half_to_even")
      return no("'", round->name(), "' rounds ", mode, "; FakeQuantize rounds half_to_even");
    const auto quotient = made_by(round->in_port(0).get_source(), "Divide");
    if (!quotient) return no("what '", round->name(), "' rounds is no quotient by a scale");
    const auto scale = parameter(quotient->in_port(1).get_source());
    if (!scale) return no("its scale, which '", quotient->name(), "' divides by, is computed");
    r.scale = *scale;
    r.x = quotient->in_port(0).get_source();
    return r;
  }

  static Read read_again(const Node& convert) {
    Read r{convert};
    auto next = only_reader_of(r.last.out_port());
    const auto other = [&](size_t i) { return parameter(next->in_port(i).get_source()); };
    if (next && next->is("Subtract") && next->in_port(0).get_source() == r.last.out_port())
      if (const auto zero = other(1)) {
        r.zero = *zero;
        r.last = *next;
        next = only_reader_of(r.last.out_port());
      }
    if (next && next->is("Multiply"))
      if (const auto scale = other(next->in_port(0).get_source() == r.last.out_port() ? 1 : 0)) {
        r.scale = *scale;
        r.last = *next;
      }
    return r;
  }

  // (level - zero) * scale; nothing where both are not of one shape.
  static std::optional<Parameter> limit(double level, const Parameter& zero, const Parameter& scale) {
    const bool one_zero = zero.values.size() == 1, one_scale = scale.values.size() == 1;
    if (!one_zero && !one_scale && zero.dims != scale.dims) return std::nullopt;
    Parameter p = one_scale ? zero : scale;
    if (one_zero && one_scale) p.dims = {};
    for (size_t i = 0; i < p.values.size(); ++i)
      p.values[i] = (level - zero.values[one_zero ? 0 : i]) * scale.values[one_scale ? 0 : i];
    return p;
  }

  // The integers, as they are made or moved.
  static bool are_an_output(const OutPort& read, const Rounded& from) {
    std::vector<OutPort> ports{read};
    for (const OutPort& p : from.moved) ports.push_back(p.node().in_port(0).get_source());
    return std::any_of(ports.begin(), ports.end(), [](const OutPort& p) {
      const auto readers = p.get_destinations();
      return std::any_of(readers.begin(), readers.end(),
                         [](const InPort& reader) { return reader.node().is("Result"); });
    });
  }

  static bool are_positive(const Parameter& p) {
    return std::all_of(p.values.begin(), p.values.end(), [](double v) { return std::isfinite(v) && v > 0; });
  }

  // Says why it does not.
  static std::string fuse(const Graph& g, const Node& convert) {
    std::string why;
    const auto from = rounded(convert.in_port(0).get_source(), why);
    if (!from) return why;
    const Read to = read_again(convert);
    if (to.last.out_port().disconnected()) return {};  // what is left of one that has been replaced
    if (!are_positive(from->scale) || !are_positive(to.scale)) return "a scale is not above 0";
    if (from->most - from->least >= 65536) return "it has more than 65536 levels";
    if (are_an_output(convert.in_port(0).get_source(), *from))
      return "the integers are an output of the model, too";
    std::vector<Parameter> limits;
    for (const auto& [zero, scale] : {std::pair(&from->zero, &from->scale), std::pair(&to.zero, &to.scale)})
      for (const double level : {from->least, from->most}) {
        const auto l = limit(level, *zero, *scale);
        if (!l) return "scale and zero point are of different shapes";
        if (!from->moved.empty() && l->values.size() != 1)
          return text("'", from->moved.front().node().name(),
                      "' moves integers, whose scales differ by place");
        limits.push_back(*l);
      }
    replace_node(to.last, std::vector<OutPort>{moved(*from, fake_quantize(g, convert, *from, to, limits))});
    return {};
  }

  static OutPort fake_quantize(const Graph& g, const Node& convert, const Rounded& from, const Read& to,
                               const std::vector<Parameter>& limits) {
    const auto wanted = convert.attr<ElementType>("destination_type");
    OutPort x = from.x;
    ElementType type = ElementType::f32;
    if (const auto c = made_by(x, "Convert"))
      if (const OutPort source = c->in_port(0).get_source(); source.type() == wanted) {
        x = source;
        type = wanted;
      }
    std::vector<OutPort> inputs{x};
    for (size_t i = 0; i < limits.size(); ++i) {
      const Parameter& p = limits[i];
      if (i >= 2 && p.values == limits[i - 2].values && p.dims == limits[i - 2].dims) {
        inputs.push_back(inputs[i - 1]);
        continue;
      }
      const auto t = Tensor::filled(g.context(), type, p.values, p.dims);
      inputs.push_back(g.create_const(text(to.last.name(), "/limit_", inputs.size()), t).out_port());
    }
    const Node f = g.create_node("FakeQuantize", "opset1", text(to.last.name(), "/FakeQuantize"), inputs);
    f.set("levels", static_cast<int64_t>(from.most - from.least) + 1);
    if (type == wanted) return f.out_port();
    const Node c = g.create_node("Convert", "opset1", text(to.last.name(), "/Convert"), {f.out_port()});
    c.set("destination_type", wanted);
    return c.out_port();
  }

  static OutPort moved(const Rounded& from, OutPort y) {
    for (size_t i = from.moved.size(); i-- > 0;) {
      const Node n = from.moved[i].node();
      std::vector<OutPort> inputs{y};
      for (size_t k = 1; k < n.in_count(); ++k) inputs.push_back(n.in_port(k).get_source());
      y = clone_with_new_inputs(n, inputs, n.name() + "/float").out_port(from.moved[i].index());
    }
    return y;
  }

  // Floats that are integers lose nothing on the way there and back.
  static bool stay_float(const Node& convert) {
    const auto clamp = clamped_to_integers(convert.in_port(0).get_source());
    if (!clamp || !is_integer_valued(clamp->in_port(0).get_source(), 0)) return false;
    convert.in_port(0).set_source(clamp->out_port());
    return true;
  }
  static bool is_integer_valued(const OutPort& p, int depth) {
    if (!p || depth > 6) return false;
    const Node n = p.node();
    const auto in = [&](size_t i) { return n.in_port(i).get_source(); };
    if (n.is("Round")) return true;
    if (n.is("Clamp")) return integer_clamp(p) && is_integer_valued(in(0), depth + 1);
    if (n.is("Add")) return is_integer_valued(in(0), depth + 1) && is_integer_valued(in(1), depth + 1);
    if (n.is("Convert")) return is_integer_type(in(0).type()) || is_integer_valued(in(0), depth + 1);
    return is_integer_type(p.type());
  }
};

void register_fuse_quantize_pairs(Registry& r) { r.transformation<FuseQuantizePairs>(); }

}  // namespace mo::builtin_passes

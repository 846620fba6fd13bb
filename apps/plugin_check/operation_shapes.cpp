// Rules about infer and shapes: 212 and 221 to 227.
#include "apps/plugin_check/setting.hpp"
#include "core/infer/infer.hpp"

namespace mo::app::checks {

namespace {

void told(const Answer& a, const Sample& s, const std::string& what) {
  require_contract(a, text(what, "\n", describe_call(s)));
}

void must_cover(const Answer& general, const Answer& special, const Sample& shown, const std::string& how) {
  for (size_t i = 0; i < general.outputs.size(); ++i)
    if (const std::string why = uncovered(general.outputs[i], special.outputs[i]); !why.empty())
      broken(how, " output ", i, " is told as what it need not be: ", why, "\n", describe_call(shown));
}

void foreign_attribute(Setting& s, const std::string& item) {
  each_sample(s, item, [&](const Sample& sample, const core::Operation& op) {
    const Answer before = call_infer(s.session(), sample, op);
    sample.graph->set_attribute(sample.node, "an_attribute_of_somebody_else", std::string("1"));
    sample.graph->set_rt_info(sample.node, "noted", std::string("by another tool"));
    const Answer after = call_infer(s.session(), sample, op);
    if (before.status != after.status)
      broken("infer ", after.ok() ? "takes" : "refuses",
             " a call because it has an attribute that nobody defines: ", after.text, "\n",
             describe_call(sample));
    if (const std::string d = difference(before.outputs, after.outputs); !d.empty())
      broken("with an attribute that nobody defines ", d, "\n", describe_call(sample));
  });
}

void tells_types(Setting& s, const std::string& item) {
  each_call(s, item, [&](const Sample& sample, const core::Operation& op) {
    if (op.infer == nullptr) throw Skipped{"the operation has no infer"};
    for (const core::TensorState& t : input_states(sample))
      if (!t.shape.is_static() || t.type == ElementType::unknown) return;
    const Answer a = call_infer(s.session(), sample, op);
    for (size_t i = 0; a.ok() && i < a.outputs.size(); ++i)
      if (a.outputs[i].type == ElementType::unknown)
        broken("infer returned MO_OK and told nothing of output ", i, "\n", describe_call(sample));
  });
}

// Dimensions that are known less: each alone, all, and as intervals.
std::vector<std::vector<core::TensorState>> relaxed(const std::vector<core::TensorState>& states) {
  std::vector<std::vector<core::TensorState>> list;
  const auto may = [&](size_t i) { return !states[i].value && states[i].shape.has_rank(); };
  for (size_t i = 0; i < states.size(); ++i)
    for (size_t d = 0; may(i) && d < states[i].shape.size(); ++d)
      for (const bool interval : {false, true}) {
        auto changed = states;
        Dim& dim = changed[i].shape[d];
        dim = interval ? Dim(std::max<int64_t>(0, dim.min - 1), dim.min + 2) : Dim();
        list.push_back(std::move(changed));
      }
  auto all = states;
  for (size_t i = 0; i < states.size(); ++i)
    if (may(i)) all[i].shape = Shape::of_rank(states[i].shape.size());
  list.push_back(std::move(all));
  return list;
}

// Other sizes where `general` leaves them open.
std::vector<std::vector<core::TensorState>> filled_in(const std::vector<core::TensorState>& general,
                                                      const std::vector<core::TensorState>& one) {
  std::vector<std::vector<core::TensorState>> list{one};
  for (const int64_t by : {1, 2, -1}) {
    auto same = one;  // all alike, as dimensions often depend on one another
    for (size_t i = 0; i < one.size(); ++i)
      for (size_t d = 0; d < general[i].shape.size(); ++d) {
        if (general[i].shape[d].is_static()) continue;
        const int64_t size = one[i].shape[d].min + by;
        if (size < 1 || !general[i].shape[d].contains(size)) continue;
        same[i].shape[d] = Dim(size);
        auto alone = one;
        alone[i].shape[d] = Dim(size);
        list.push_back(std::move(alone));
      }
    list.push_back(std::move(same));
  }
  return list;
}

void partial_shapes(Setting& s, const std::string& item) {
  each_call(s, item, [&](const Sample& sample, const core::Operation& op) {
    const auto known = input_states(sample);
    if (!call_infer(s.session(), sample, op).ok()) return;
    for (const auto& general : relaxed(known)) {
      set_inputs(sample, general);
      const Answer a = call_infer(s.session(), sample, op);
      if (!a.ok())
        broken("infer takes the shapes when they are known in full, but refuses them when less is known: ",
               a.text, "\n", describe_call(sample));
      for (const auto& special : filled_in(general, known)) {
        set_inputs(sample, special);
        const Answer b = call_infer(s.session(), sample, op);
        set_inputs(sample, general);
        if (b.ok()) must_cover(a, b, sample, "from partly unknown shapes");
      }
    }
    // A value that is not known yet.
    for (size_t i = 0; i < known.size(); ++i) {
      if (!known[i].value) continue;
      auto general = known;
      general[i].value = {};
      set_inputs(sample, known);
      const Answer b = call_infer(s.session(), sample, op);
      set_inputs(sample, general);
      const Answer a = call_infer(s.session(), sample, op);
      told(a, sample, text("without the value of input ", i));
      if (a.ok()) must_cover(a, b, sample, text("without the value of input ", i));
    }
  });
}

void unknown_rank(Setting& s, const std::string& item) {
  each_sample(s, item, [&](const Sample& sample, const core::Operation& op) {
    const auto known = input_states(sample);
    const Answer b = call_infer(s.session(), sample, op);
    if (!b.ok()) return;
    for (size_t i = 0; i <= known.size(); ++i) {  // each, and all
      auto general = known;
      for (size_t k = 0; k < known.size(); ++k)
        if (k == i || i == known.size()) {
          general[k].shape = Shape::unknown();
          general[k].value = {};
          general[k].bounds.clear();
        }
      set_inputs(sample, general);
      const Answer a = call_infer(s.session(), sample, op);
      told(a, sample, "from an input of unknown rank");
      if (a.ok()) must_cover(a, b, sample, "from an input of unknown rank");
    }
  });
}

void absent_inputs(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  if (op.max_inputs == op.min_inputs) throw Skipped{"no input is optional"};
  each_sample(s, item, [&](const Sample& sample, const core::Operation&) {
    core::Graph& g = *sample.graph;
    while (inputs_of(sample) < std::min<size_t>(op.max_inputs, op.min_inputs + 2)) {
      const core::NodeId more = g.add_node(core::words::parameter, "opset1", "more", 0, 1);
      if (inputs_of(sample) != 0 && is_connected(sample, inputs_of(sample) - 1))
        g.set_tensor({more, 0}, input_of(sample, inputs_of(sample) - 1));
      g.connect({more, 0}, {sample.node, g.add_input(sample.node)});
    }
    for (size_t i = op.min_inputs; i < inputs_of(sample); ++i) {
      const core::PortRef source = g.node(sample.node).inputs[i].source;
      g.disconnect_input({sample.node, static_cast<uint32_t>(i)});
      told(call_infer(s.session(), sample, op), sample, text("input ", i, " is not connected"));
      if (source) g.connect(source, {sample.node, static_cast<uint32_t>(i)});
    }
  });
}

std::vector<core::Attribute> senseless(int32_t kind) {
  using Ints = std::vector<int64_t>;
  const double inf = std::numeric_limits<double>::infinity();
  switch (kind) {
    case MO_VALUE_INT:
      return {int64_t{-1}, int64_t{0}, int64_t{100}, int64_t{1} << 40, INT64_MAX, INT64_MIN};
    case MO_VALUE_FLOAT:
      return {0.0, -1.0, inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1e300};
    case MO_VALUE_STRING:
      return {std::string(), std::string("no such thing"), std::string(5000, 'x')};
    case MO_VALUE_TYPE:
      return {ElementType::unknown, ElementType::u1, ElementType::string};
    case MO_VALUE_SHAPE:
      return {core::shape_attribute(Shape::unknown()), core::shape_attribute(Shape{}),
              core::shape_attribute(Shape{0, INT64_MAX})};
    case MO_VALUE_INTS:
      return {Ints{}, Ints{-1}, Ints(7, 0), Ints{INT64_MAX, INT64_MAX}, Ints{INT64_MIN, -1, 0}, Ints(200, 3)};
    case MO_VALUE_FLOATS:
      return {std::vector<double>{}, std::vector<double>{inf, -inf}, std::vector<double>(100, 0.0)};
    case MO_VALUE_STRINGS:
      return {std::vector<std::string>{}, std::vector<std::string>(20, "?")};
    case MO_VALUE_TENSOR:
      return {core::make_tensor(ElementType::f32, {0}), core::make_tensor(ElementType::i64, {})};
    default:
      return {};
  }
}

void senseless_attributes(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  if (op.attributes.empty()) throw Skipped{"it has no attributes"};
  each_sample(s, item, [&](const Sample& sample, const core::Operation&) {
    for (const core::AttributeDef& d : op.attributes) {
      const core::Attribute* was = sample.graph->attribute(sample.node, d.name);
      const core::Attribute saved = was == nullptr ? core::Attribute() : *was;
      for (const core::Attribute& value : senseless(d.kind)) {
        sample.graph->set_attribute(sample.node, d.name, value);
        if (!schema_problems(s.session(), *sample.graph, sample.node).empty())
          continue;  // the host refuses it
        told(call_infer(s.session(), sample, op), sample, text("attribute '", d.name, "'"));
      }
      sample.graph->set_attribute(sample.node, d.name, saved);
    }
  });
}

void empty_dimensions(Setting& s, const std::string& item) {
  Random random(s.seed, item);
  each_sample(s, item, [&](const Sample& sample, const core::Operation& op) {
    const auto known = input_states(sample);
    const auto attempt = [&](const std::vector<core::TensorState>& states) {
      set_inputs(sample, states);
      Answer a = call_infer(s.session(), sample, op);
      told(a, sample, "with a dimension of size 0");
      if (!a.ok() || op.evaluate == nullptr || !give_values(sample, random)) return;
      a = call_infer(s.session(), sample, op);  // which has seen the values that evaluate gets
      told(a, sample, "with a dimension of size 0");
      if (!a.ok()) return;
      const Answer v = call_evaluate(s.session(), sample, op);
      told(v, sample, "evaluate with a dimension of size 0");
      for (size_t i = 0; v.ok() && i < v.outputs.size(); ++i)
        if (const std::string why = uncovered(a.outputs[i], v.outputs[i]); v.outputs[i].value && !why.empty())
          broken("with a dimension of size 0 evaluate gives output ", i, " other than infer told: ", why,
                 "\n", describe_call(sample));
    };
    auto all = known;
    for (size_t i = 0; i < known.size(); ++i)
      for (size_t d = 0; !known[i].value && d < known[i].shape.size(); ++d) {
        auto states = known;
        states[i].shape[d] = Dim(0);
        all[i].shape[d] = Dim(0);
        attempt(states);
      }
    attempt(all);
  });
}

void huge_dimensions(Setting& s, const std::string& item) {
  each_sample(s, item, [&](const Sample& sample, const core::Operation& op) {
    const auto known = input_states(sample);
    for (const int64_t size : {int64_t{1} << 31, int64_t{1} << 40, INT64_MAX / 2, INT64_MAX})
      for (size_t i = 0; i < known.size(); ++i)
        for (size_t d = 0; d < known[i].shape.size() || (known[i].value && d == 0); ++d) {
          auto states = known;
          if (known[i].value) {
            if (known[i].type != ElementType::i64) break;
            core::TensorRef v = core::make_tensor(ElementType::i64, known[i].value->dims);
            for (uint64_t at = 0; at + 8 <= v->bytes; at += 8) std::memcpy(v->buffer.get() + at, &size, 8);
            states[i].value = std::move(v);
          } else {
            states[i].shape[d] = Dim(size);
          }
          set_inputs(sample, states);
          const Answer a = call_infer(s.session(), sample, op);
          told(a, sample, "with a huge dimension or value");
          if (a.status == MO_NO_MEMORY)
            broken("infer asks for more memory than there is because a dimension or value is huge: ", a.text,
                   "\n", describe_call(sample));
          if (known[i].value) break;
        }
  });
}

constexpr CheckRow shape_rows[] = {
    {212, foreign_attribute}, {221, tells_types},          {222, partial_shapes},   {223, unknown_rank},
    {224, absent_inputs},     {225, senseless_attributes}, {226, empty_dimensions}, {227, huge_dimensions},
};

}  // namespace

std::span<const CheckRow> operation_shape_checks() { return shape_rows; }

}  // namespace mo::app::checks

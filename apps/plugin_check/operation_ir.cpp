// Rule 237: a graph with the operation is written as IR and read back by whoever reads it.
#include "apps/frontends/choose_frontend.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "apps/plugin_check/trial_model.hpp"
#include "core/convert/phases.hpp"

namespace mo::app::checks {

namespace {

bool is_plain(const core::Attribute& a) {
  const int32_t kind = kind_of(a);
  return kind != MO_VALUE_GRAPH && kind != MO_VALUE_GRAPHS && kind != MO_VALUE_TENSOR &&
         kind != MO_VALUE_TENSORS && kind != MO_VALUE_NONE;
}

bool same_attribute(const core::Attribute& a, const core::Attribute& b) {
  if (const auto* x = std::get_if<std::shared_ptr<const Shape>>(&a)) {
    const auto* y = std::get_if<std::shared_ptr<const Shape>>(&b);
    return y != nullptr && **x == **y;
  }
  const auto number = [](const core::Attribute& v) -> std::optional<double> {
    if (const auto* i = std::get_if<int64_t>(&v)) return static_cast<double>(*i);
    if (const auto* f = std::get_if<double>(&v)) return *f;
    if (const auto* t = std::get_if<bool>(&v)) return *t ? 1.0 : 0.0;
    return std::nullopt;
  };
  if (const auto x = number(a), y = number(b); x && y) return *x == *y;
  return a == b;
}

const core::Attribute& effective(const core::Graph& g, core::NodeId n, const core::AttributeDef& d) {
  const core::Attribute* a = g.attribute(n, d.name);
  return a != nullptr ? *a : d.fallback;
}

void compare_node(const core::Operation& op, const core::Graph& written, core::NodeId n,
                  const core::Graph& read, core::NodeId m, const std::string& shown) {
  for (const core::AttributeDef& d : op.attributes) {
    const core::Attribute &a = effective(written, n, d), &b = effective(read, m, d);
    if (d.ir_name.empty() || !is_plain(a)) continue;
    if (!same_attribute(a, b))
      broken("attribute '", d.name, "' comes back from the IR with another value than it had\n", shown);
  }
}

}  // namespace

void ir_round_trip(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  size_t tried = 0;
  std::string why_not;
  for (const std::string& sample : s.samples) {
    const TrialFolder folder;
    World world(s.surroundings);  // reading a model ends with a session that is for its framework only
    world.load();
    core::Session& session = world.session();
    const core::GraphPtr g = model_of(session, read_sample(session, sample));
    const core::NodeId n = g->nodes_of(op.op).back();
    IrFiles ir(session, {.folder = folder.path()});
    try {
      infer_all(session, *g);
      (void)emit_ir(session, *g, {}, ir);
    } catch (const core::Failure& f) {  // IRs have no such element type, or no rank
      why_not = f.message();
      continue;
    }
    core::ConvertOptions options;
    options.frontend = choose_frontend;
    options.input_model = ir.paths().xml;
    options.stop_after = core::Stage::extract;
    core::ConvertResult result;
    core::GraphPtr back;
    expect_reader(session, ir.paths().xml);
    try {
      back = prepare_model(session, options, result);
    } catch (const core::Failure& f) {
      broken("the IR cannot be read back: ", f.message(), "\n", sample);
    }
    ++tried;
    const core::NodeId m = back->find("the_operation");
    if (m == core::no_node) broken("the operation is not there any more when the IR is read back\n", sample);
    if (back->op(m) == op.op) compare_node(op, *g, n, *back, m, sample);
  }
  if (tried == 0) throw Skipped{text("none of the calls that are known can be written as IR: ", why_not)};
}

}  // namespace mo::app::checks

#include "apps/plugin_check/call.hpp"

#include "apps/processes/captured_output.hpp"
#include "apps/processes/process_state.hpp"

#include "core/registry/abi.hpp"
#include "core/registry/contain.hpp"

namespace mo::app::checks {

void require_same_process(const std::string& what, const std::function<void()>& f) {
  const ProcessState before = ProcessState::now(ProcessState::Parts::all);
  CapturedOutput output;
  f();
  const size_t written = output.take().size();
  const auto changes = before.changes(ProcessState::now(ProcessState::Parts::all));
  before.put_back();
  if (!changes.empty()) broken(what, " changed ", listed(changes), " of the process");
  if (written != 0) broken(what, " wrote ", written, " bytes to standard output; messages go to mo_host.log");
}

std::string broken_contract(const Answer& a) {
  if (a.status == MO_OK) return {};
  if (a.status < MO_OK || a.status > MO_CANCELLED)
    return text("returned ", a.status, ", which is not a mo_status");
  if (a.text.starts_with("MOX-026")) return a.text;
  if (a.text.empty() && a.status != MO_NOT_APPLICABLE && a.status != MO_UNSUPPORTED)
    return text("failed with status ", a.status, " and no text; expected one given to mo_host.fail");
  return {};
}

void require_contract(const Answer& a, const std::string& where) {
  if (const std::string why = broken_contract(a); !why.empty()) broken(where, ": ", why);
}

bool is_connected(const Sample& s, size_t i) {
  return static_cast<bool>(s.graph->node(s.node).inputs[i].source);
}

const core::TensorState& input_of(const Sample& s, size_t i) {
  return s.graph->out(s.graph->node(s.node).inputs[i].source).tensor;
}

size_t inputs_of(const Sample& s) { return s.graph->node(s.node).inputs.size(); }

void set_input(const Sample& s, size_t i, core::TensorState state) {
  s.graph->set_tensor(s.graph->node(s.node).inputs[i].source, std::move(state));
}

std::vector<core::TensorState> input_states(const Sample& s) {
  std::vector<core::TensorState> list(inputs_of(s));
  for (size_t i = 0; i < list.size(); ++i)
    if (is_connected(s, i)) list[i] = input_of(s, i);
  return list;
}

void set_inputs(const Sample& s, const std::vector<core::TensorState>& states) {
  for (size_t i = 0; i < states.size(); ++i)
    if (is_connected(s, i)) set_input(s, i, states[i]);
}

namespace {

// Call's own check turns a failure into one for users; here its parts are wanted.
class Prepared {
 public:
  Prepared(core::Session& session, const Sample& s, const core::Plugin* plugin) : call(session) {
    answer.outputs.resize(s.graph->node(s.node).outputs.size());
    call->plugin = plugin;
    call->graph = s.graph.get();
    call->node = s.node;
    call->outputs = &answer.outputs;
  }
  Answer take(mo_status status) {
    answer.status = status;
    answer.text = call->error;
    return std::move(answer);
  }
  core::Call call;
  Answer answer;
};

}  // namespace

Answer call_infer(core::Session& session, const Sample& s, const core::Operation& op) {
  const size_t n = inputs_of(s);
  std::vector<mo_tensor_desc> descs(n);
  std::vector<const mo_tensor_desc*> pointers(n);
  for (size_t i = 0; i < n; ++i) {
    if (!is_connected(s, i)) continue;
    descs[i] = desc_of(input_of(s, i));
    pointers[i] = &descs[i];
  }
  Prepared p(session, s, op.plugin);
  if (op.infer == nullptr) return p.take(MO_OK);
  const mo_infer_args args{sizeof args, node_handle(*s.graph, s.node), pointers.data(),
                           static_cast<uint32_t>(n), static_cast<uint32_t>(p.answer.outputs.size())};
  return p.take(op.infer(op.self, p.call.get(), &args));
}

Answer call_evaluate(core::Session& session, const Sample& s, const core::Operation& op,
                     const std::vector<core::TensorRef>& inputs) {
  std::vector<mo_tensor*> values;
  for (const core::TensorRef& t : inputs) values.push_back(t.get());
  Prepared p(session, s, op.plugin);
  const mo_evaluate_args args{sizeof args, node_handle(*s.graph, s.node), values.data(),
                              static_cast<uint32_t>(values.size()),
                              static_cast<uint32_t>(p.answer.outputs.size())};
  return p.take(op.evaluate(op.self, p.call.get(), &args));
}

Answer call_evaluate(core::Session& session, const Sample& s, const core::Operation& op) {
  std::vector<core::TensorRef> inputs;
  for (const core::TensorState& t : input_states(s)) inputs.push_back(t.value);
  return call_evaluate(session, s, op, inputs);
}

Answer call_extract(core::Session& session, core::Graph& g, core::NodeId n, const core::Extractor& e) {
  core::Call call(session);
  call->plugin = e.plugin;
  call->graph = &g;
  call->node = n;
  Answer a;
  a.status =
      core::contain(*call, "extract", [&] { return e.extract(e.self, call.get(), node_handle(g, n)); });
  a.text = call->declined.empty() ? call->error : call->declined;
  return a;
}

std::string describe_call(const Sample& s) {
  std::string out = to_text(*s.graph, {.tensors = true, .literal_bytes = 64, .side_file = {}});
  // The header says nothing here.
  if (const size_t brace = out.find("{\n"); brace != std::string::npos) out.erase(0, brace + 2);
  while (!out.empty() && (out.back() == '\n' || out.back() == '}')) out.pop_back();
  if (out.size() > 2000) out = out.substr(0, 2000) + " …";
  return out;
}

std::string uncovered(const core::TensorState& general, const core::TensorState& special) {
  if (general.type != ElementType::unknown && special.type != ElementType::unknown &&
      general.type != special.type)
    return text("type ", name(general.type), " against ", name(special.type));
  if (general.shape.has_rank() && special.shape.has_rank()) {
    bool fits = general.shape.size() == special.shape.size();
    for (size_t d = 0; fits && d < general.shape.size(); ++d) {
      const Dim &g = general.shape[d], &s = special.shape[d];
      fits = g.min <= s.min && (g.is_unbounded() || (!s.is_unbounded() && s.max <= g.max));
    }
    if (!fits) return text("shape ", general.shape, " against ", special.shape);
  }
  if (general.shape.has_rank() && general.shape.is_static() && !special.shape.has_rank())
    return text("shape ", general.shape, " against ", special.shape);
  if (general.value && special.value && !core::equal_contents(*general.value, *special.value))
    return "a constant value against another one";
  return {};
}

std::string difference(const std::vector<core::TensorState>& a, const std::vector<core::TensorState>& b) {
  if (a.size() != b.size()) return text(a.size(), " outputs and ", b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].type != b[i].type) return text("output ", i, " is ", name(a[i].type), " and ", name(b[i].type));
    if (a[i].shape != b[i].shape) return text("output ", i, " has shape ", a[i].shape, " and ", b[i].shape);
    if (a[i].bounds != b[i].bounds) return text("output ", i, " has other bounds");
    if (static_cast<bool>(a[i].value) != static_cast<bool>(b[i].value))
      return text("output ", i, " has a value once and none once");
    if (a[i].value && !core::equal_contents(*a[i].value, *b[i].value))
      return text("output ", i, " has other values");
  }
  return {};
}

}  // namespace mo::app::checks

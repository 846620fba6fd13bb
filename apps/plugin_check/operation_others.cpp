// Rules about operations that take more than one call: 220, 230, 231, 237 to 241 and 280.
#include <atomic>
#include <thread>

#include "apps/plugin_check/setting.hpp"
#include "apps/plugin_check/tap.hpp"
#include "core/infer/infer.hpp"

namespace mo::app::checks {

void ir_round_trip(Setting&, const std::string& item);  // operation_ir.cpp

namespace {

void legal_call(Setting& s, const std::string& item) { (void)find_calls(s, item); }

// What infer and evaluate make of a sample.
struct Both {
  Answer told, value;
};

Both ask_both(core::Session& session, const Sample& sample, const core::Operation& op, uint64_t seed) {
  Both b;
  b.told = call_infer(session, sample, op);
  Random random(seed);
  const auto states = input_states(sample);
  if (op.evaluate != nullptr && (op.flags & MO_OP_NO_FOLD) == 0 && b.told.ok() &&
      give_values(sample, random) && call_infer(session, sample, op).ok())
    b.value = call_evaluate(session, sample, op);
  set_inputs(sample, states);
  return b;
}

std::string difference_of(const Both& a, const Both& b) {
  if (a.told.status != b.told.status)
    return text("infer has status ", a.told.status, " and ", b.told.status, " ", b.told.text);
  if (a.value.status != b.value.status)
    return text("evaluate has status ", a.value.status, " and ", b.value.status, " ", b.value.text);
  if (const std::string d = difference(a.told.outputs, b.told.outputs); !d.empty()) return "infer: " + d;
  if (const std::string d = difference(a.value.outputs, b.value.outputs); !d.empty()) return "evaluate: " + d;
  return {};
}

// The answers to all samples, asked in one order or the other.
std::vector<Both> ask_all(core::Session& session, const std::vector<std::string>& samples,
                          const core::Operation& op, uint64_t seed, bool backwards = false) {
  std::vector<Both> answers(samples.size());
  for (size_t k = 0; k < samples.size(); ++k) {
    const size_t i = backwards ? samples.size() - 1 - k : k;
    answers[i] = ask_both(session, read_sample(session, samples[i]), op, seed + i);
  }
  return answers;
}

void compare_all(const std::vector<std::string>& samples, const std::vector<Both>& expected,
                 const std::vector<Both>& got, const std::string& how) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (const std::string d = difference_of(expected[i], got[i]); !d.empty())
      broken(how, ": ", d, "\n", samples[i]);
}

void repeatable(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  std::vector<std::string> calls = s.samples;
  for (const NearCall& c : s.near)
    if (c.taken()) calls.push_back(c.text);
  const auto first = ask_all(s.session(), calls, op, s.seed);
  compare_all(calls, first, ask_all(s.session(), calls, op, s.seed), "asked again");
  compare_all(calls, first, ask_all(s.session(), calls, op, s.seed, true), "asked in another order");
  World second(s.surroundings);
  second.load();
  const core::Operation* there = second.session().registry().operation(op.op, op.opset);
  if (there == nullptr) throw Skipped{"the second session has no such operation"};
  compare_all(calls, first, ask_all(second.session(), calls, *there, s.seed), "asked in a second session");
}

void operation_leaves_process(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  // A sample that is read is inferred, too.
  require_same_process("infer or evaluate", [&] {
    for (const std::string& call : s.samples)
      (void)ask_both(s.session(), read_sample(s.session(), call), op, s.seed);
  });
}

void concurrent(Setting& s, const std::string& item) {
  constexpr int rounds = 4;
  const core::Operation& op = operation_at(s, item);
  // The host's tables of one session serve one thread: the operation of the first works in both.
  World second(s.surroundings);
  second.load();
  // What one thread after the other gets: that a second session or another thread changes it is another
  // rule's.
  const auto alone = [&](core::Session& session) {
    std::vector<Both> answers;
    on_thread([&] { answers = ask_all(session, s.samples, op, s.seed); });
    return answers;
  };
  const auto of_first = alone(s.session()), of_second = alone(second.session());
  std::atomic<int> ready{0};
  const auto work = [&](core::Session& session, const std::vector<Both>& expected) {
    ++ready;
    while (ready < 2) std::this_thread::yield();
    for (int i = 0; i < rounds; ++i)
      compare_all(s.samples, expected, ask_all(session, s.samples, op, s.seed), "on two threads at once");
  };
  std::exception_ptr thrown;
  std::thread other([&] {
    try {
      work(second.session(), of_second);
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  std::exception_ptr here;
  try {
    on_thread([&] { work(s.session(), of_first); });
  } catch (...) {
    here = std::current_exception();
  }
  other.join();
  if (thrown) std::rethrow_exception(thrown);
  if (here) std::rethrow_exception(here);
}

void other_thread(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  const auto here = ask_all(s.session(), s.samples, op, s.seed);
  on_thread([&] {
    compare_all(s.samples, here, ask_all(s.session(), s.samples, op, s.seed),
                "on another thread than the one that loaded it");
  });
}

// Lets each host call fail once; `ask` gives the answer.
template <class Ask>
void with_failures(Setting& s, const Sample& sample, const core::Operation& op, const std::string& what,
                   Ask ask) {
  constexpr size_t most = 400;
  const Answer undisturbed = ask();
  for (const mo_status status : {MO_ERROR, MO_NO_MEMORY})
    for (size_t n = 1; n <= most; ++n) {
      const TapScope tapped(s.session());
      tap().plugin = op.plugin;
      tap().fail_at = n;
      tap().status = status;
      const Answer a = ask();
      require_own_thread();
      if (tap().failed.empty()) break;
      const std::string how = text("when ", tap().failed, " (host call no. ", n, ") fails, ", what, " ");
      if (const std::string why = broken_contract(a); !why.empty())
        broken(how, why, "\n", describe_call(sample));
      if (!a.ok()) continue;
      if (const std::string d = difference(undisturbed.outputs, a.outputs); !d.empty())
        broken(how, "returns MO_OK, but ", d, "\n", describe_call(sample));
    }
}

void failing_infer(Setting& s, const std::string& item) {
  each_sample(s, item, [&](const Sample& sample, const core::Operation& op) {
    if (op.infer == nullptr) throw Skipped{"it has no infer"};
    with_failures(s, sample, op, "infer", [&] { return call_infer(s.session(), sample, op); });
  });
}

void failing_evaluate(Setting& s, const std::string& item) {
  Random random(s.seed, item);
  each_sample(s, item, [&](const Sample& sample, const core::Operation& op) {
    if (op.evaluate == nullptr) throw Skipped{"it has no evaluate"};
    if (!give_values(sample, random) || !call_infer(s.session(), sample, op).ok()) return;
    if ((op.flags & MO_OP_NO_FOLD) != 0) throw Skipped{"it is never folded"};
    with_failures(s, sample, op, "evaluate", [&] { return call_evaluate(s.session(), sample, op); });
  });
}

// Random calls.

core::TensorState random_state(Random& random) {
  core::TensorState t;
  constexpr int64_t sizes[] = {0, 1, 1, 2, 3, 4, 7};
  if (!random.one_in(12)) t.type = static_cast<ElementType>(random.below(element_types.size()));
  if (random.one_in(12)) return t;
  t.shape = Shape::of_rank(random.below(7));
  bool is_static = true;
  for (Dim& d : t.shape) {
    d = Dim(random.of(sizes));
    if (!random.one_in(5)) continue;
    d = random.one_in(2)
            ? Dim()
            : Dim(static_cast<int64_t>(random.below(3)), static_cast<int64_t>(3 + random.below(5)));
    is_static = is_static && d.is_static();
  }
  if (is_static && t.type != ElementType::unknown && random.one_in(2))
    t.value = random_value(random, t.type, t.shape.to_static());
  return t;
}

void random_calls(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  for (size_t round = 0; round < s.rounds; ++round) {
    Random random(s.seed + round, item);
    Sample sample;
    if (!s.samples.empty() && random.one_in(2)) {
      sample = read_sample(s.session(), random.of(s.samples));
    } else {
      const size_t n = op.min_inputs + random.below(std::min<uint32_t>(op.max_inputs - op.min_inputs, 3) + 1);
      sample.graph = s.session().create_graph("random");
      std::vector<core::NodeId> sources;
      for (size_t i = 0; i < n; ++i)
        sources.push_back(sample.graph->add_node(core::words::parameter, "opset1", "x", 0, 1));
      sample.node = sample.graph->add_node(op.op, op.opset, "y", static_cast<uint32_t>(n),
                                           std::max(op.min_outputs, 1U));
      for (uint32_t i = 0; i < n; ++i) sample.graph->connect({sources[i], 0}, {sample.node, i});
      for (const core::AttributeDef& d : op.attributes)
        if (d.required) sample.graph->set_attribute(sample.node, d.name, random_attribute(random, d));
    }
    for (size_t i = 0; i < inputs_of(sample); ++i)
      if (is_connected(sample, i) && !random.one_in(3)) set_input(sample, i, random_state(random));
    for (const core::AttributeDef& d : op.attributes)
      if (random.one_in(3)) sample.graph->set_attribute(sample.node, d.name, random_attribute(random, d));
    const std::string where =
        text("round ", round, " (--seed ", s.seed + round, " --cases 1)\n", describe_call(sample));
    if (!schema_problems(s.session(), *sample.graph, sample.node).empty()) continue;
    const Answer told = call_infer(s.session(), sample, op);
    require_contract(told, where);
    if (!told.ok() || op.evaluate == nullptr || !give_values(sample, random)) continue;
    // As the host does: infer has seen the values that evaluate gets.
    const Answer told_of_values = call_infer(s.session(), sample, op);
    require_contract(told_of_values, where);
    if (!told_of_values.ok()) continue;
    const Answer value = call_evaluate(s.session(), sample, op);
    require_contract(value, where);
  }
}

constexpr CheckRow other_rows[] = {
    {220, legal_call},
    {230, repeatable},
    {231, concurrent},
    {237, ir_round_trip},
    {238, operation_leaves_process},
    {239, other_thread},
    {240, failing_infer},
    {241, failing_evaluate},
    {280, random_calls},
};

}  // namespace

std::span<const CheckRow> operation_other_checks() { return other_rows; }

}  // namespace mo::app::checks

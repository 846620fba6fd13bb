// Rules about evaluate: 228, 229 and 232 to 236.
#include "apps/plugin_check/setting.hpp"
#include "apps/plugin_check/tap.hpp"

namespace mo::app::checks {

namespace {

// f(sample, operation, what evaluate gives) for each sample whose value can be computed.
template <class F>
void each_value(Setting& s, const std::string& item, F f) {
  const core::Operation& op = operation_at(s, item);
  if (op.evaluate == nullptr) throw Skipped{"it has no evaluate"};
  Random random(s.seed, item);
  size_t count = 0;
  each_call(s, item, [&](const Sample& sample, const core::Operation&) {
    if (!give_values(sample, random) || inputs_of(sample) == 0) return;
    if (!call_infer(s.session(), sample, op).ok()) return;
    const Answer a = call_evaluate(s.session(), sample, op);
    require_contract(a, text("evaluate\n", describe_call(sample)));
    if (!a.ok()) return;
    ++count;
    f(sample, op, a);
  });
  if (count == 0) throw Skipped{"evaluate gives no values for the calls that are known"};
}

void value_as_inferred(Setting& s, const std::string& item) {
  each_value(s, item, [&](const Sample& sample, const core::Operation& op, const Answer& value) {
    const Answer told = call_infer(s.session(), sample, op);
    for (size_t i = 0; i < value.outputs.size(); ++i)
      if (const std::string why = uncovered(told.outputs[i], value.outputs[i]);
          value.outputs[i].value && !why.empty())
        broken("infer tells output ", i, " other than evaluate gives it: ", why, "\n", describe_call(sample));
  });
}

void all_values(Setting& s, const std::string& item) {
  each_value(s, item, [&](const Sample& sample, const core::Operation& op, const Answer& value) {
    const Answer told = call_infer(s.session(), sample, op);
    for (size_t i = 0; i < value.outputs.size(); ++i)
      if (!value.outputs[i].value && !told.outputs[i].value)
        broken("evaluate returned MO_OK and gave no value to output ", i, "\n", describe_call(sample));
  });
}

using Access = GuardedBytes::Access;

// The value from inputs that lie somewhere else.
void from_elsewhere(Setting& s, const std::string& item, Access access, size_t offset) {
  each_value(s, item, [&](const Sample& sample, const core::Operation& op, const Answer& value) {
    if ((op.flags & MO_OP_NO_FOLD) != 0) return;
    std::vector<core::TensorRef> inputs;
    for (const core::TensorState& t : input_states(sample))
      inputs.push_back(t.value ? guarded_copy(*t.value, access, offset) : core::TensorRef());
    const Answer again = call_evaluate(s.session(), sample, op, inputs);
    if (again.status != value.status)
      broken("the same inputs at another address give status ", again.status, ": ", again.text, "\n",
             describe_call(sample));
    if (const std::string d = difference(value.outputs, again.outputs); !d.empty())
      broken("from the same inputs at another address ", d, "\n", describe_call(sample));
  });
}

void reads_only(Setting& s, const std::string& item) { from_elsewhere(s, item, Access::read_only, 64); }
void reads_no_more(Setting& s, const std::string& item) { from_elsewhere(s, item, Access::read_write, 0); }
void any_address(Setting& s, const std::string& item) { from_elsewhere(s, item, Access::read_write, 65); }

void writes_no_more(Setting& s, const std::string& item) {
  each_value(s, item, [&](const Sample& sample, const core::Operation& op, const Answer& value) {
    const TapScope tapped(s.session());
    tap().guards_memory = true;
    const Answer again = call_evaluate(s.session(), sample, op);
    if (again.status != value.status)
      broken("outputs at another address: status ", again.status, ": ", again.text, "\n",
             describe_call(sample));
  });
}

void releases_all(Setting& s, const std::string& item) {
  each_value(s, item, [&](const Sample& sample, const core::Operation& op, const Answer&) {
    const auto counts = [&] {
      std::vector<int> list;
      for (const core::TensorState& t : input_states(sample))
        list.push_back(t.value ? t.value->references.load() : 0);
      return list;
    };
    const auto before = counts();
    const TapScope tapped(s.session());
    tap().keeps_tensors = true;
    (void)call_infer(s.session(), sample, op);
    (void)call_evaluate(s.session(), sample, op);
    auto& made = tap().tensors;
    for (; !made.empty(); made.pop_back())  // a view, which was made later, holds what it looks into
      if (const int n = made.back()->references.load(); n != 1)
        broken("of a tensor ", name(made.back()->type), " ", core::shape_of(*made.back()), " that it made, ",
               n - 1, " references are left\n", describe_call(sample));
    if (counts() != before) broken("it keeps a reference to an input\n", describe_call(sample));
  });
}

constexpr CheckRow value_rows[] = {
    {228, value_as_inferred}, {229, all_values},  {232, reads_only},   {233, reads_no_more},
    {234, writes_no_more},    {235, any_address}, {236, releases_all},
};

}  // namespace

std::span<const CheckRow> operation_value_checks() { return value_rows; }

}  // namespace mo::app::checks

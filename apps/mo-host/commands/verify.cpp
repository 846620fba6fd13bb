#include <fmt/format.h>

#include <list>

#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/model_options.hpp"
#include "apps/mo-host/print.hpp"
#include "apps/mo-host/table.hpp"
#include "apps/mo-host/value_inputs.hpp"
#include "apps/run/verify.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;

std::string outputs_table(const core::Verdict& v, double tolerance) {
  Table t{
      "Outputs", {"output", "type", "shape", "largest difference", "relative", "at", ""}, {}, "no outputs"};
  for (const core::ComparedOutput& o : v.outputs) {
    const core::Difference& d = o.difference;
    const bool compared = o.missing.empty() && d.problem.empty();
    t.rows.push_back({o.name, o.value ? std::string(name(o.value->type)) : "-",
                      o.value ? text(core::shape_of(*o.value)) : "-",
                      compared ? fmt::format("{:.3g}", d.largest) : "-",
                      compared ? fmt::format("{:.3g}", d.relative) : "-",
                      compared && d.largest > 0 ? fmt::format("{}", d.index) : "-",
                      !o.missing.empty()    ? "not compared: " + o.missing
                      : !d.problem.empty()  ? d.problem
                      : d.within(tolerance) ? "equal"
                                            : "differs"});
  }
  return as_text(t);
}

std::string origin_of(const core::RunInput& in, uint64_t seed) {
  switch (in.origin) {
    case core::ValueOrigin::random:
      return fmt::format(", random, seed {}", seed);
    case core::ValueOrigin::ones:
      return ", full of ones";
    default:
      return ", from a file";
  }
}

}  // namespace

void verify_command(Run& run, const Arguments& a) {
  const auto& operands = a.operands();
  if (operands.size() == 2 && a.has("input_model"))
    throw Failure(Exit::usage, "MO0107",
                  "'" + operands[1] + "' is one word too many: --input_model names the source");
  const std::string source =
      operands.empty() || a.has("input_model") ? a.path("input_model") : core::resolve_path(operands[0]);
  core::VerifyOptions o;
  o.source = model_options(run, a, InputForm::values, source);
  if (!operands.empty() && (operands.size() == 2 || a.has("input_model")))
    o.ir = core::resolve_path(operands.back());
  o.inputs = parse_value_inputs(a.text("input"));
  o.seed = static_cast<uint64_t>(a.integer("seed"));
  o.tolerance = a.real("tolerance");

  std::list<Run> runs;
  const auto fresh = [&]() -> core::Session& {
    Run& next = runs.emplace_back(Run::Clock::now());
    next.open(run.early(), true);
    next.load_kernels();
    next.session().share_memory(run.session().memory());
    (void)model_options(next, a, InputForm::values, source);
    return next.session();
  };
  core::Verdict v;
  try {
    v = core::verify(fresh, o);
  } catch (Failure& f) {
    throw f.with("model", o.source.input_model);
  }
  run.progress().clear();
  if (!run.silent()) {
    for (const core::RunInput& in : v.inputs)
      print(fmt::format("input '{}': {} {}{}\n", in.name, name(in.value->type),
                        text(core::shape_of(*in.value)), origin_of(in, o.seed)));
    if (v.steps > 1)
      print(fmt::format("{} steps, each with the state that the one before left; per output the worst\n",
                        v.steps));
    print(outputs_table(v, o.tolerance));
  }
  const bool converts_wrong = !v.first_transformation.empty();
  const std::string first =
      converts_wrong
          ? "outputs differ after " + v.first_transformation
          : "no transformation: converted now, the source stays the same; the IR was made in another way";
  const std::string hint =
      converts_wrong ? "`mo-host dump --dump_after " + v.first_transformation + "` shows what it did"
                     : "convert the source again, and compare with the options the IR was made with";
  if (!v.equal)
    throw Failure(Exit::model, "MO0508", "the result does not compute what the source computes")
        .with("model", o.source.input_model)
        .with("result", o.ir)
        .with("first", first)
        .with("hint", hint);
  if (v.compared < v.outputs.size())
    throw Failure(Exit::model, "MO0509",
                  fmt::format("{} of {} outputs cannot be compared: operations without values",
                              v.outputs.size() - v.compared, v.outputs.size()))
        .with("model", o.source.input_model)
        .with("missing", fmt::format("{}", fmt::join(v.without_values, "\n")))
        .with("hint", "their plugins give shapes only; with evaluate they take part");
}

}  // namespace mo::app

#include <fmt/format.h>

#include <list>

#include <nlohmann/json.hpp>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/models/cases.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/output/table.hpp"
#include "apps/mo-host/runtimes/asked_runtime.hpp"
#include "apps/run/verify.hpp"
#include "apps/session/value_inputs.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;

std::string outputs_table(const Verdict& v, double tolerance) {
  Table t{
      "Outputs", {"output", "type", "shape", "largest difference", "relative", "at", ""}, {}, "no outputs"};
  for (const ComparedOutput& o : v.outputs) {
    const Difference& d = o.difference;
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

// ", random from 0 to 9, seed 0"
std::string origin_of(const RunInput& in, uint64_t seed) {
  if (in.origin == ValueOrigin::file) return ", from a file";
  std::string out = in.said.is_static() ? "" : fmt::format(" of {}", text(in.said));
  if (in.origin == ValueOrigin::ones) return out + ", full of ones";
  out += ", random";
  if (is_integer(in.value->type)) out += fmt::format(" from 0 to {}", in.largest);
  return out + fmt::format(", seed {}", seed);
}

// "f32 [2,3] of [?,3], random, seed 0"
std::string input_line(const RunInput& in, uint64_t seed) {
  return fmt::format("input '{}': {} {}{}\n", in.name, name(in.value->type), text(core::shape_of(*in.value)),
                     origin_of(in, seed));
}

nlohmann::ordered_json report_of(const Verdict& v) {
  nlohmann::ordered_json report{{"ok", v.equal && v.compared == v.outputs.size()}};
  for (const ComparedOutput& o : v.outputs) {
    nlohmann::ordered_json output{{"name", o.name}};
    if (o.missing.empty() && o.difference.problem.empty()) {
      output["relative"] = o.difference.relative;
      output["equal"] = o.difference.within(v.tolerance);
    } else {
      output["problem"] = o.missing.empty() ? o.difference.problem : o.missing;
    }
    report["outputs"].push_back(std::move(output));
  }
  if (!v.first_transformation.empty()) report["first"] = v.first_transformation;
  return report;
}

// What one case does wrong is its result, not the end.
void verify_cases(const std::string& path, VerifyOptions o, const std::function<core::Session&()>& fresh) {
  size_t failed = 0;
  const std::vector<Case> cases = read_cases(path);
  for (const Case& c : cases) {
    if (!c.model.empty() || !c.output_dir.empty())
      throw bad_case(c, "has more than inputs, which is all that verify takes");
    o.inputs = c.inputs;
    nlohmann::ordered_json report;
    try {
      const Verdict v = verify(fresh, o);
      report = {{"line", c.line}};
      report.update(report_of(v));
    } catch (const Failure& f) {
      report = {{"line", c.line}, {"ok", false}, {"error", f.render()}};
    }
    failed += report["ok"].get<bool>() ? 0 : 1;
    print(report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }
  if (failed != 0)
    throw Failure(Exit::model, "MO0508",
                  fmt::format("{} of {} cases of '{}' failed", failed, cases.size(), path))
        .with("model", o.source.input_model);
}

// What the source becomes, or a finished IR, is computed by inference, whose mistakes are no fault of a runtime, and then by the
// runtime.
Verdict verify_in_runtime(const std::string& named, VerifyOptions o,
                          const std::function<core::Session&()>& fresh, std::string& release) {
  const PassingFolder folder;
  if (o.ir.empty()) {
    core::Session& session = fresh();
    IrFiles files(session, {.folder = folder.path()});
    (void)core::convert(session, o.source, files);
    o.ir = files.paths().xml;
  }
  std::unique_ptr<AskedRuntime> runtime;
  o.runtime = [&]() -> Runtime& {
    if (!runtime) runtime = ask_runtime(named, o.ir);
    release = runtime->release();
    return *runtime;
  };
  return verify(fresh, o);
}

}  // namespace

void verify_command(Program& program, const Arguments& a) {
  const auto& operands = a.operands();
  if (operands.size() == 2 && a.has("input_model"))
    throw Failure(Exit::usage, "MO0107",
                  "'" + operands[1] + "' is one word too many: --input_model names the source");
  const std::string source =
      operands.empty() || a.has("input_model") ? a.path("input_model") : core::resolve_path(operands[0]);
  VerifyOptions o;
  o.source = model_options(program, a, InputForm::values, source);
  if (!operands.empty() && (operands.size() == 2 || a.has("input_model")))
    o.ir = core::resolve_path(operands.back());
  o.inputs = parse_value_inputs(a.text("input"));
  o.seed = static_cast<uint64_t>(a.integer("seed"));
  if (a.has("tolerance")) o.tolerance = a.real("tolerance");

  // What takes its time is the computing, once for the source and once for the result.
  program.progress().phase("verify", 1, 1);
  o.source.phase_started = {};
  std::list<Program> programs;
  const auto fresh = [&]() -> core::Session& {
    Program& next = programs.emplace_back(program, Program::Says::as_the_other);
    next.load_kernels();
    next.session().share_memory(program.session().memory());
    (void)model_options(next, a, InputForm::values, source);
    next.session().progress_sink = program.session().progress_sink;
    return next.session();
  };
  if (a.has("cases") && a.has("runtime"))
    throw Failure(Exit::usage, "MO0118", "--runtime does not go together with --cases");
  if (a.has("cases")) return verify_cases(a.path("cases"), std::move(o), fresh);
  Verdict v;
  std::string release;
  try {
    v = a.has("runtime") ? verify_in_runtime(a.text("runtime"), o, fresh, release) : verify(fresh, o);
  } catch (Failure& f) {
    throw f.with("model", o.source.input_model);
  }
  program.progress().clear();
  if (a.text("format") == "json") {
    nlohmann::ordered_json report = report_of(v);
    report["tolerance"] = v.tolerance;
    print(report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else if (!program.silent()) {
    for (const RunInput& in : v.inputs) print(input_line(in, o.seed));
    if (v.steps > 1)
      print(fmt::format("{} steps, each with the state that the one before left; per output the worst\n",
                        v.steps));
    if (v.by_runtime) print("the result is computed by OpenVINO " + release + "\n");
    print(outputs_table(v, v.tolerance));
    if (!o.tolerance && v.tolerance > 1e-3)
      print(fmt::format("equal up to {}: the model computes in {}; --tolerance says otherwise\n", v.tolerance,
                        v.tolerance > 1e-2 ? "numbers of 8 bits" : "16-bit floats"));
  }
  if (!v.equal && v.by_runtime)
    throw Failure(Exit::model, "MO0511", "OpenVINO " + release + " does not compute what the source computes")
        .with("model", o.source.input_model)
        .with("result", o.ir)
        .with("hint",
              "inference of mo-host computes the same as the source: an operation differs in the runtime; "
              "--target names its release");
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
        .with("hint", "a plugin that gives shapes only takes part with evaluate");
}

}  // namespace mo::app

#include <fmt/format.h>

#include <list>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/watch/transformation_watch.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;

Verdict compare_numbers(Program& program, const Arguments& a) {
  VerifyOptions o;
  o.source = model_options(program, a);
  o.seed = static_cast<uint64_t>(a.integer("seed"));
  if (a.has("tolerance")) o.tolerance = a.real("tolerance");
  o.layers = true;
  program.progress().phase("verify", 1, 1);
  o.source.phase_started = {};
  std::list<Program> programs;
  const auto fresh = [&]() -> core::Session& {
    // What there is to say is said by the conversion.
    Program& next = programs.emplace_back(program, Program::Says::errors);
    next.load_kernels();
    (void)model_options(next, a);
    next.session().progress_sink = program.session().progress_sink;
    return next.session();
  };
  return verify(fresh, o);
}

}  // namespace

void explore_command(Program& program, const Arguments& a) {
  core::ConvertOptions options = model_options(program, a);
  TransformationWatch watch(program, a, options);
  ReportPage& page = *watch.page();
  core::ConvertResult result;
  std::string verdict;
  std::optional<Failure> differs;
  try {
    const core::GraphPtr g = core::prepare_model(program.session(), options, result);
    Program::keep(g);
    page.notes().about("layers", g->size());
    program.session().close_model();
    if (a.flag("verify")) {
      page.notes().phase("verify");
      const Verdict v = compare_numbers(program, a);
      page.notes().verified(v, v.tolerance);
      verdict = v.equal
                    ? fmt::format("numbers: {} of {} outputs compared, equal\n", v.compared, v.outputs.size())
                : v.first_transformation.empty()
                    ? "numbers: outputs differ\n"
                    : fmt::format("numbers: outputs differ since {}\n", v.first_transformation);
      if (!v.equal)
        differs.emplace(Exit::model, "MO0508", "the result does not compute what the source computes");
    }
  } catch (Failure& f) {
    f.with("model", options.input_model);
    f.with("page", page.file());
    program.session().close_model();
    program.progress().clear();
    page.write_failed(f);
    throw;
  }
  page.write(result, {});
  program.progress().clear();
  if (!program.silent()) print(verdict + fmt::format("written {}: open it in a browser\n", page.file()));
  if (differs) throw differs->with("model", options.input_model).with("page", page.file());
}

}  // namespace mo::app

#include <fmt/format.h>

#include <list>

#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/inspection.hpp"
#include "apps/mo-host/model_options.hpp"
#include "apps/mo-host/print.hpp"

namespace mo::app {

namespace {

using core::Failure;

// In sessions of their own: a session is for one model.
Verdict compare_numbers(Run& run, const Arguments& a) {
  VerifyOptions o;
  o.source = model_options(run, a);
  o.seed = static_cast<uint64_t>(a.integer("seed"));
  o.tolerance = a.real("tolerance");
  o.layers = true;
  std::list<Run> runs;
  const auto fresh = [&]() -> core::Session& {
    Run& next = runs.emplace_back(Run::Clock::now());
    EarlyOptions early = run.early();
    early.silent = true;  // what there is to say is said by the conversion
    next.open(early, true);
    next.load_kernels();
    (void)model_options(next, a);
    return next.session();
  };
  return verify(fresh, o);
}

}  // namespace

void explore_command(Run& run, const Arguments& a) {
  core::ConvertOptions options = model_options(run, a);
  Inspection inspection(run, a, options);
  ReportPage& page = *inspection.page();
  core::ConvertResult result;
  std::string verdict;
  try {
    const core::GraphPtr g = core::prepare_model(run.session(), options, result);
    Run::keep(g);
    page.notes().about("layers", g->size());
    run.session().close_model();
    if (a.flag("verify")) {
      page.notes().phase("verify");
      const Verdict v = compare_numbers(run, a);
      page.notes().verified(v, a.real("tolerance"));
      verdict = v.equal
                    ? fmt::format("numbers: {} of {} outputs compared, equal\n", v.compared, v.outputs.size())
                : v.first_transformation.empty()
                    ? "numbers: outputs differ\n"
                    : fmt::format("numbers: outputs differ since {}\n", v.first_transformation);
    }
  } catch (Failure& f) {
    f.with("model", options.input_model);
    f.with("page", page.file());
    run.session().close_model();
    run.progress().clear();
    page.write_failed(f);
    throw;
  }
  page.write(result);
  run.progress().clear();
  if (!run.silent()) print(verdict + fmt::format("written {}: open it in a browser\n", page.file()));
}

}  // namespace mo::app

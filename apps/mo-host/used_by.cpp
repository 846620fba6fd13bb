#include "apps/mo-host/used_by.hpp"

#include "apps/mo-host/crash.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

std::set<std::string> used_by(const Run& run, const std::vector<std::string>& models,
                              const std::string& framework) {
  std::set<std::string> ids;
  for (const std::string& model : models) {
    Run one(Run::Clock::now());  // a session is for one model
    one.open(run.early(), true);
    watch_model(model);
    core::ConvertOptions options;
    options.input_model = model;
    options.framework = framework;
    core::ConvertResult result;
    try {
      (void)core::prepare_model(one.session(), options, result);
    } catch (core::Failure& f) {
      one.session().close_model();
      throw f.with("model", model);
    }
    one.session().close_model();
    for (const core::RunStatistics& s : result.transformations)
      if (s.matches != 0) ids.insert(s.id);
  }
  return ids;
}

}  // namespace mo::app

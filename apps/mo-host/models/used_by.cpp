#include "apps/mo-host/models/used_by.hpp"

#include "apps/frontends/choose_frontend.hpp"
#include "apps/mo-host/crash/current_work.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

std::set<std::string> used_by(const Program& program, const std::vector<std::string>& models,
                              const std::string& framework) {
  std::set<std::string> ids;
  for (const std::string& model : models) {
    Program one(program, Program::Says::as_the_other);
    watch_model(model);
    core::ConvertOptions options;
    options.frontend = choose_frontend;
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

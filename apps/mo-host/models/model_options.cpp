#include "apps/mo-host/models/model_options.hpp"

#include "apps/mo-host/crash/current_work.hpp"
#include "apps/session/arguments.hpp"

namespace mo::app {

core::ConvertOptions model_options(Program& program, const Arguments& a, InputForm form,
                                   const std::string& model) {
  core::ConvertOptions o = convert_options(program.session(), a, form, model);
  watch_model(o.input_model);
  if (a.flag("progress")) program.progress().enable();
  if (a.flag("stream_output")) program.progress().use_lines();
  if (program.silent()) program.progress().disable();
  o.phase_started = [&program, number = 0](std::string_view name) mutable {
    program.progress().phase(name, ++number, phases_of_a_conversion);
  };
  program.session().progress_sink = [&program](uint64_t done, uint64_t total) {
    program.progress().step(done, total);
    return true;
  };
  return o;
}

}  // namespace mo::app

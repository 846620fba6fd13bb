#include "core/convert/convert.hpp"

#include <chrono>

#include "core/convert/phases.hpp"

namespace mo::core {

ConvertResult convert(Session& session, const ConvertOptions& options, IrOutput& output) {
  ConvertResult result;
  try {
    output.check();
    result.graph = prepare_model(session, options, result);
    if (options.phase_started) options.phase_started("emit");
    const auto begin = std::chrono::steady_clock::now();
    EmitOptions emit = options.emit;
    emit.model_name = result.graph->name();  // a front-end may know better
    result.ir = emit_ir(session, *result.graph, emit, output);
    result.phases.push_back(
        {"emit", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()});
  } catch (Failure& f) {
    tell_of_node(session, f);
    f.with("model", options.input_model);
    session.close_model();
    throw;
  }
  session.close_model();
  return result;
}

}  // namespace mo::core

#include "apps/known_plugins/failure_json.hpp"

#include <nlohmann/json.hpp>

namespace mo::app {

nlohmann::json failure_json(const core::Failure& f) {
  auto context = nlohmann::json::array();
  for (const auto& [label, line] : f.context()) context.push_back({label, line});
  return {{"code", f.code()}, {"message", f.message()}, {"context", std::move(context)}};
}

core::Failure failure_from(const nlohmann::json& j) {
  core::Failure f(core::Exit::plugin, j.at("code").get<std::string>(), j.at("message").get<std::string>());
  for (const nlohmann::json& line : j.at("context"))
    f.with(line.at(0).get<std::string>(), line.at(1).get<std::string>());
  return f;
}

}  // namespace mo::app

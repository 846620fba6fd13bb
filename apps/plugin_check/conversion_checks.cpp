// Rules about converting beside the plugin: 208, 211 and 249.
#include "apps/plugin_check/trial_model.hpp"
#include "core/convert/phases.hpp"
#include "core/schedule/schedule.hpp"

namespace mo::app::checks {

namespace {

void has_an_order(Setting& s, const std::string&) {
  const auto ordered = [](core::Session& session) -> std::optional<core::Failure> {
    try {
      (void)make_schedule(session, {});
      return std::nullopt;
    } catch (const core::Failure& f) {
      return f;
    }
  };
  if (ordered(s.session())) throw Skipped{"the plugins that are there without it cannot be ordered"};
  s.world.load();
  if (const auto f = ordered(s.session())) broken(f->message(), "\n", f->context_of("order"));
}

// Why a trial model cannot be converted; nothing when it can.
std::optional<core::Failure> trial_failure(core::Session& session, core::Graph& g) {
  const TrialFolder folder;
  try {
    convert_trial(session, g, folder.path());
    return std::nullopt;
  } catch (const core::Failure& f) {
    return f;
  }
}

constexpr size_t most_models = 12;

void converts_a_model(Setting& s, const std::string&) {
  s.world.load();
  std::vector<std::pair<std::string, std::string>> models{
      {"a model of an input and an output", "%x = Parameter -> f32[2,3]\nResult (%x)\n"}};
  if (!s.examples.empty()) models.emplace_back("the graph beside the plugin", s.examples);
  for (const core::Transformation* t : s.registry().transformations())
    if (t->plugin == &s.world.plugin() && !t->before.empty() && models.size() < most_models)
      models.emplace_back(text("the graph that ", t->id, " states as `before`"), t->before);
  for (const auto& [what, graph] : models) {
    World world(s.surroundings);  // converting ends with a session that is for one framework only
    world.load();
    core::GraphPtr g;
    try {
      g = parse_text(graph, world.session().space());
      infer_all(world.session(), *g);
      check_all_supported(world.session(), *g);
    } catch (const std::exception&) {  // nobody is loaded who knows what is in it, or it is no whole model
      continue;
    }
    if (g->results().empty()) continue;
    if (const auto f = trial_failure(world.session(), *g))
      broken(what, " cannot be converted: ", f->render(), graph);
  }
}

void converts_its_operation(Setting& s, const std::string&) {
  size_t tried = 0;
  std::string why_not = "no call is known";
  for (const std::string& sample : s.samples) {
    World world(s.surroundings);
    world.load();
    const core::GraphPtr g = model_of(world.session(), read_sample(world.session(), sample));
    const auto f = trial_failure(world.session(), *g);
    // What an IR cannot express is nobody's mistake: types, sizes that are not known. Nor is what another
    // reader makes of attributes that are written in the operation's own way.
    const bool is_own =
        f && f->context_of("step") == "writing" &&
        (f->context_of("plugin") + f->context_of("made by")).find(world.plugin().id) != std::string::npos;
    if (is_own) broken("a model with it cannot be written: ", f->render(), sample);
    if (f) {
      why_not = f->message();
      continue;
    }
    ++tried;
  }
  if (tried == 0) throw Skipped{text("none of the calls that are known can be written as IR: ", why_not)};
}

constexpr CheckRow conversion_rows[] = {
    {208, has_an_order}, {211, converts_a_model}, {249, converts_its_operation}};

}  // namespace

std::span<const CheckRow> conversion_checks() { return conversion_rows; }

}  // namespace mo::app::checks

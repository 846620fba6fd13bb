#include <chrono>

#include "core/convert/cut.hpp"
#include "core/convert/phases.hpp"
#include "core/infer/replaced_graph.hpp"
#include "core/schedule/single_operation.hpp"

namespace mo::core {

namespace {

class Phases {
 public:
  Phases(const ConvertOptions& options, ConvertResult& result) : options_(options), result_(result) {}
  ~Phases() { finish(); }
  Phases(const Phases&) = delete;
  Phases& operator=(const Phases&) = delete;

  void start(std::string_view name) {
    finish();
    if (options_.phase_started) options_.phase_started(name);
    result_.phases.push_back({std::string(name), 0});
    begin_ = Clock::now();
    running_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  void finish() {
    if (running_)
      result_.phases.back().seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    running_ = false;
  }
  const ConvertOptions& options_;
  ConvertResult& result_;
  Clock::time_point begin_;
  bool running_ = false;
};

// The plugins and, of those that do not belong to the host, the operations a runtime needs.
void note_operations(const Session& session, const Graph& g, std::set<const Plugin*>& used,
                     std::map<const Operation*, size_t>& foreign) {
  const Plugin* last = nullptr;
  for (NodeId n = 0; n < g.end_id(); ++n) {
    if (!g.alive(n)) continue;
    if (const Operation* op = operation_of(session, g, n)) {
      if (op->plugin != last) used.insert(last = op->plugin);
      if (op->plugin != nullptr && !op->plugin->built_in) ++foreign[op];
    }
    if (!g.has_bodies()) continue;
    for (const GraphPtr& body : g.bodies(n)) note_operations(session, *body, used, foreign);
  }
}

void note_participants(const Session& session, const Graph& g, std::set<const Plugin*> used,
                       ConvertResult& result) {
  std::map<const Operation*, size_t> foreign;
  note_operations(session, g, used, foreign);
  for (const RunStatistics& s : result.transformations)
    if (s.matches != 0)
      if (const Transformation* t = session.registry().transformation(s.id)) used.insert(t->plugin);
  used.insert(session.frontend->plugin);
  used.erase(nullptr);
  result.used.assign(used.begin(), used.end());
  std::sort(result.used.begin(), result.used.end(),
            [](const Plugin* a, const Plugin* b) { return a->id < b->id; });
  result.needed_at_run_time.assign(foreign.begin(), foreign.end());
  std::sort(result.needed_at_run_time.begin(), result.needed_at_run_time.end(),
            [](const auto& a, const auto& b) {
              return std::tie(a.first->opset, a.first->op) < std::tie(b.first->opset, b.first->op);
            });
}

bool edited(std::span<const RunStatistics> transformations) {
  return std::any_of(transformations.begin(), transformations.end(),
                     [](const RunStatistics& s) { return s.edits != 0; });
}

// The model is the caller's: an error is about a node of it.
GraphPtr prepare(Session& session, const ConvertOptions& options, ConvertResult& result, GraphPtr& model) {
  Phases phases(options, result);
  std::set<const Plugin*> used;
  const auto reached = [&](Stage s) { return options.stop_after == s; };

  phases.start("load");
  model = load_model(session, options);
  Graph& g = *model;
  result.framework = session.frontend->name;
  result.source_nodes = g.size();
  check_configuration(session);
  session.set_option("disabled_transforms", options.disabled);  // for those that run others
  Watch* const watch = options.watch;
  const bool shows_all = watch != nullptr && watch->shows_all();
  if (shows_all) session.registry().open_contents();
  const auto schedule =
      make_schedule(session, {result.framework, options.enabled, options.disabled, shows_all});
  if (watch != nullptr) {
    watch->loaded(session, g);
    watch->scheduled(schedule);
  }
  const auto run = [&](int32_t phase) {
    run_phase(session, g, schedule, phase, &result.transformations, watch);
  };
  run(MO_PHASE_LOAD);
  const std::vector<InputSpec> later = cut(g, options);
  if (watch != nullptr) watch->cut_off(later.empty());
  set_dimensions(g, options.dimensions);
  if (options.batch) set_batch(g, *options.batch);
  if (reached(Stage::load)) return model;

  phases.start("extract");
  extract(session, g, used, watch);
  if (session.survey == nullptr) check_constants(g);
  if (options.extracted) options.extracted(g);
  if (reached(Stage::extract)) return model;

  phases.start("front");
  replace_by_operations(session, g, &result.transformations, watch);
  run(MO_PHASE_FRONT);
  remove_unneeded(g, sinks_and_parameters(session, g));
  if (reached(Stage::front)) return model;
  const bool vendors_at_work = std::any_of(schedule.begin(), schedule.end(), [](const Scheduled& s) {
    return s.runs && s.transformation != nullptr && s.transformation->phase > MO_PHASE_FRONT &&
           !s.transformation->plugin->built_in;
  });
  check_all_supported(session, g, vendors_at_work);

  phases.start("infer");
  infer_all(session, g);
  cut_later(session, g, options, later);
  if (watch != nullptr) watch->cut_off(true);
  clean_up(session, g);
  if (reached(Stage::infer)) return model;

  const size_t clean_since = result.transformations.size();
  phases.start("middle");
  for (const int32_t phase : {MO_PHASE_PRE_MIDDLE, MO_PHASE_MIDDLE, MO_PHASE_POST_MIDDLE}) run(phase);

  phases.start("back");
  for (const int32_t phase : {MO_PHASE_BACK, MO_PHASE_EMIT}) run(phase);
  if (edited(std::span(result.transformations).subspan(clean_since))) clean_up(session, g);
  drop_replaced(g);
  if (watch != nullptr) watch->prepared(g);
  note_participants(session, g, std::move(used), result);
  return model;
}

}  // namespace

GraphPtr prepare_model(Session& session, const ConvertOptions& options, ConvertResult& result) {
  GraphPtr model;
  try {
    return prepare(session, options, result, model);
  } catch (Failure& f) {
    tell_of_node(session, f);
    throw;
  }
}

}  // namespace mo::core

#include "apps/mo-host/watch/transformation_watch.hpp"

#include <cstdlib>

#include "apps/session/convert_options.hpp"
#include "core/support/numbers.hpp"
#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

std::vector<std::string> known_ids(Program& program, const std::string& list, std::string_view what) {
  return core::ids_meant(program.session(), core::split(list), what);
}

std::optional<size_t> steps_of(const Arguments& a) {
  if (!a.has("stop_after")) return std::nullopt;
  const std::string value = a.text("stop_after");
  const auto n = core::parse_number<size_t>(value);
  if (!n)
    throw core::Failure(core::Exit::usage, "MO0104",
                        "--stop_after is '" + value + "'; expected a number of transformations, 0 or more");
  return n;
}

std::optional<GraphDumps> dumps_of(Program& program, const Arguments& a) {
  GraphDumps::What what;
  const std::string wanted = a.text("dump_after");
  what.all = wanted == "all" || is_switched_on("MO_ENABLE_VISUALIZE_TRACING");
  if (wanted != "all") what.ids = known_ids(program, wanted, "dumped");
  if (!what.all && what.ids.empty()) return std::nullopt;
  what.folder = a.path("dump_dir");
  // A command that writes no result has no place of its own.
  const std::string beside = ir_place(a).folder;
  if (what.folder.empty()) what.folder = core::resolve_path(beside.empty() ? "trace" : beside + "/trace");
  return GraphDumps(std::move(what),
                    [&program](const std::string& text) { program.session().log(MO_LOG_WARNING, text); });
}

}  // namespace

bool is_switched_on(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

TransformationWatch::TransformationWatch(Program& program, const Arguments& a, core::ConvertOptions& options)
    : explanations_(known_ids(program, a.text("explain"), "explained")),
      most_steps_(steps_of(a)),
      dumps_(dumps_of(program, a)) {
  options.watch = this;
  if (const std::string file = page_file(a, options); !file.empty()) page_.emplace(program, a, options, file);
  if (!a.flag("provenance")) return;
  if (options.emit.ir_version == 10)
    throw core::Failure(core::Exit::usage, "MO0118",
                        "--provenance needs rt_info, which IR version 10 does not have")
        .with("hint", "leave --ir_version 10, a --target that reads no other, or --provenance away");
  provenance_.emplace();
}

void TransformationWatch::loaded(core::Session& session, core::Graph& g) {
  explanations_.loaded(session.registry());
  if (provenance_) provenance_->loaded(session, g);
  if (page_) page_->notes().loaded(session, g);
}

void TransformationWatch::scheduled(const std::vector<core::Scheduled>& schedule) {
  explanations_.scheduled(schedule);
  if (page_) page_->notes().scheduled(schedule);
}

void TransformationWatch::extracted(const core::Graph& g, core::NodeId n, const core::Extractor& e) {
  if (provenance_) provenance_->extracted(g, n, e);
  if (page_) page_->notes().extracted(g, n, e);
}

bool TransformationWatch::may_run() {
  if (page_) page_->notes().before_run();
  if (!most_steps_ || steps_ < *most_steps_) return true;
  explanations_.left_out("--stop_after ends before it");
  if (page_) page_->notes().left_out("--stop_after ends before it");
  return false;
}

void TransformationWatch::has_run(const core::Ran& ran) {
  steps_ = std::max(steps_, ran.members.front().step);
  explanations_.has_run(ran);
  if (dumps_) dumps_->has_run(ran);
  if (provenance_) provenance_->has_run(ran);
  if (page_) page_->notes().has_run(ran);
}

void TransformationWatch::prepared(core::Graph& g) {
  if (provenance_) provenance_->prepared(g);
  if (page_) page_->notes().prepared(g);
}

}  // namespace mo::app

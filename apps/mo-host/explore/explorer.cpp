#include "apps/mo-host/explore/explorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/explore/source_facts.hpp"
#include "apps/mo-host/reports/conversion_report.hpp"
#include "apps/mo-host/reports/explanations.hpp"
#include "core/config/match_config.hpp"
#include "core/schedule/invariants.hpp"

namespace mo::app {

namespace {

using nlohmann::ordered_json;

constexpr size_t most_declines = 200;  // shown of one transformation

std::string_view phase_name(int32_t phase) {
  switch (phase) {
    case MO_PHASE_LOAD:
      return "load";
    case MO_PHASE_FRONT:
      return "front";
    case MO_PHASE_PRE_MIDDLE:
      return "pre-middle";
    case MO_PHASE_MIDDLE:
      return "middle";
    case MO_PHASE_POST_MIDDLE:
      return "post-middle";
    case MO_PHASE_BACK:
      return "back";
    default:
      return "emit";
  }
}

double in_ms(double seconds) { return std::round(seconds * 1e6) / 1e3; }

template <class F>
void each_node(const core::Graph& g, const F& f) {
  for (const core::NodeId n : g.nodes()) {
    f(g, n);
    if (!g.has_bodies()) continue;
    for (const core::GraphPtr& body : g.bodies(n)) each_node(*body, f);
  }
}

// No number of JSON stands for infinity.
ordered_json number(double d) { return std::isfinite(d) ? ordered_json(d) : ordered_json("infinite"); }

ordered_json difference_json(const Difference& d, const std::string& missing, double tolerance) {
  if (!missing.empty()) return {{"missing", missing}};
  if (!d.problem.empty()) return {{"problem", d.problem}};
  return {{"largest", number(d.largest)}, {"relative", number(d.relative)}, {"good", d.within(tolerance)}};
}

}  // namespace

Explorer::Explorer(Program& program) : program_(program), log_sink_(program.session().log_sink) {
  program.session().log_sink = [this](const core::LogLine& line) {
    if (line.level >= MO_LOG_WARNING)
      messages_.push_back({{"level", line.level >= MO_LOG_ERROR ? "error" : "warning"},
                           {"plugin", line.plugin == nullptr ? "" : line.plugin->id},
                           {"text", line.render()}});
    if (log_sink_) log_sink_(line);
  };
}

Explorer::~Explorer() { program_.session().log_sink = log_sink_; }

void Explorer::end_phase() {
  if (phase_.empty()) return;
  const double seconds = phase_ == "start"
                             ? program_.seconds_to_start()
                             : std::chrono::duration<double>(Clock::now() - phase_began_).count();
  phases_.push_back({{"name", phase_}, {"ms", in_ms(seconds)}, {"peakKib", peak_memory_kib()}});
  phase_.clear();
}

void Explorer::phase(std::string_view name) {
  look_around();
  end_phase();
  // The names that a configuration uses are those of the extracted model.
  if (name == "front") note_configuration();
  phase_ = name;
  phase_began_ = Clock::now();
}

// What the host itself has changed since the last look.
void Explorer::look_around() {
  if (graph_ == nullptr || graph_->space().edits() == edits_) return;
  add_step(phase_, {}, history_.look(*graph_), {});
  edits_ = graph_->space().edits();
}

void Explorer::loaded(core::Session& session, core::Graph& g) {
  session_ = &session;
  places_of_items_ = Places(session.registry());
  graph_ = g.shared_from_this();
  add_step("read", {}, history_.look(g), {});
  edits_ = g.space().edits();
  each_node(g, [&](const core::Graph& of, core::NodeId n) {
    const std::string facts = source_facts(session, of, n);
    if (facts.empty()) return;
    sources_ +=
        fmt::format("{}\"{}\":{}", sources_.empty() ? "" : ",\n", history_.numbers().node(of, n), facts);
  });
}

void Explorer::scheduled(const std::vector<core::Scheduled>& schedule) {
  for (const core::Scheduled& s : schedule) {
    if (s.transformation == nullptr) continue;
    places_[s.id] = entries_.size();
    entries_.push_back({s, {}, {}});
  }
}

void Explorer::extracted(const core::Graph& g, core::NodeId n, const core::Extractor& e) {
  if (e.plugin != nullptr)
    extractors_[history_.numbers().node(g, n)] = e.plugin->id + places_of_items_.in_brackets(&e);
}

void Explorer::before_run() { look_around(); }

void Explorer::has_run(const core::Ran& ran) {
  std::vector<size_t> members;
  for (const core::RunStatistics& s : ran.members) {
    const auto at = places_.find(s.id);
    if (at == places_.end()) continue;
    Entry& entry = entries_[at->second];
    entry.ran = s;
    entry.why_idle = why_idle(*entry.scheduled.transformation, s);
    if (s.edits != 0) members.push_back(at->second);
  }
  if (ran.graph.space().edits() == edits_) return;
  std::map<uint32_t, size_t> authors;
  for (size_t i = 0; members.size() > 1 && i < ran.edits.size(); ++i) {
    const core::Journal::Edit& e = ran.edits[i];
    const core::Transformation* t = ran.author(i);
    if (t == nullptr || e.node == core::no_node || e.what == "mark" || e.what == "infer") continue;
    if (ran.graph.space().find(e.serial) == nullptr) continue;
    if (const auto at = places_.find(t->id); at != places_.end())
      authors[history_.numbers().node(*e.graph, e.node)] = at->second;
  }
  std::string label;
  for (const size_t m : members) label += (label.empty() ? "" : ", ") + entries_[m].scheduled.id;
  // In graphs of its own the replacing of configured operations is no part of the schedule.
  if (label.empty()) label = ran.members.front().id;
  add_step(label, members, history_.look(ran.graph, ran.edits), authors);
  edits_ = ran.graph.space().edits();
}

void Explorer::prepared(const core::Graph&) { look_around(); }

void Explorer::add_step(std::string label, std::vector<size_t> members, const std::string& difference,
                        const std::map<uint32_t, size_t>& authors) {
  if (difference.empty()) return;
  std::string by;
  for (const auto& [node, member] : authors)
    by += fmt::format("{}\"{}\":{}", by.empty() ? "" : ",", node, member);
  steps_ += fmt::format("{}{{\"label\":{},\"phase\":{},\"members\":{},\"by\":{{{}}},{}}}",
                        steps_.empty() ? "" : ",\n", quoted_json(label), quoted_json(phase_),
                        ordered_json(members).dump(), by, difference);
}

void Explorer::note_configuration() {
  if (session_ == nullptr || session_->configuration == nullptr) return;
  configured_ = ordered_json::array();
  for (const core::ConfigEntry& e : *session_->configuration)
    for (size_t i = 0; i < core::instance_count(e); ++i) {
      ordered_json one{{"id", e.id}, {"place", e.place()}, {"kind", core::name(e.kind)}, {"operation", e.op}};
      try {
        core::InstanceMatch found = core::match_instance(*graph_, e, i);
        one["instance"] = found.instance;
        if (found.match) {
          one["nodes"] = ordered_json::array();
          for (const core::NodeId n : found.match->nodes())
            one["nodes"].push_back(history_.numbers().node(*graph_, n));
        } else {
          one["why"] = found.why_not;
        }
      } catch (const core::Failure& f) {
        one["why"] = f.code() + ": " + f.message();
      }
      configured_.push_back(std::move(one));
    }
}

void Explorer::failed(const core::Failure& f) {
  ordered_json context = ordered_json::array();
  for (const auto& [label, text] : f.context()) context.push_back({label, text});
  about_["failure"] = {{"code", f.code()}, {"message", f.message()}, {"context", context}, {"phase", phase_}};
}

void Explorer::finished(const core::ConvertResult& r, const IrPaths& files) {
  about_["framework"] = r.framework;
  about_["sourceNodes"] = r.source_nodes;
  ordered_json used = ordered_json::array();
  for (const core::Plugin* p : r.used)
    used.push_back({{"id", p->id}, {"version", p->version}, {"vendor", p->vendor}});
  about_["plugins"] = std::move(used);
  ordered_json needed = ordered_json::array();
  for (const auto& [op, nodes] : r.needed_at_run_time)
    needed.push_back({{"op", op->opset + "::" + op->op}, {"layers", nodes}, {"plugin", op->plugin->id}});
  about_["needed"] = std::move(needed);
  if (!files.xml.empty())
    about_["files"] = {{{"path", files.xml}, {"bytes", r.ir.xml_bytes}},
                       {{"path", files.bin}, {"bytes", r.ir.bin_bytes}}};
}

void Explorer::verified(const Verdict& v, double tolerance) {
  ordered_json outputs = ordered_json::array(), layers = ordered_json::array();
  for (const ComparedOutput& o : v.outputs) {
    ordered_json one = difference_json(o.difference, o.missing, tolerance);
    one["name"] = o.name;
    outputs.push_back(std::move(one));
  }
  for (const ComparedLayer& l : v.layers) {
    ordered_json one = difference_json(l.difference, l.missing, tolerance);
    one["node"] = l.node;
    one["tensor"] = l.tensor;
    layers.push_back(std::move(one));
  }
  numbers_ = {{"equal", v.equal},
              {"compared", v.compared},
              {"tolerance", tolerance},
              {"first", v.first_transformation},
              {"withoutValues", v.without_values},
              {"outputs", std::move(outputs)},
              {"layers", std::move(layers)}};
}

ordered_json Explorer::pipeline() {
  ordered_json list = ordered_json::array();
  for (const Entry& e : entries_) {
    const core::Transformation& t = *e.scheduled.transformation;
    const std::string plugin = t.plugin == nullptr ? "" : t.plugin->id, phase(phase_name(t.phase));
    const std::string not_run = e.ran                          ? ""
                                : !e.scheduled.why_not.empty() ? e.scheduled.why_not
                                : !left_out_.empty()           ? left_out_
                                                               : "the conversion ended before";
    // Of a thousand nearly all have nothing to do with this model: what they are would be half of the page.
    if (!e.ran ||
        (e.ran->matches == 0 && e.ran->edits == 0 && e.ran->declines.empty() && !e.why_idle.empty())) {
      const auto number = [&](const std::string& shared) { return history_.texts().number(shared); };
      ordered_json brief = ordered_json::array(
          {e.scheduled.id, number(plugin), number(phase), number(e.ran ? e.why_idle : not_run)});
      if (e.ran) brief.push_back(in_ms(e.ran->seconds));
      list.push_back(std::move(brief));
      continue;
    }
    ordered_json one{{"id", e.scheduled.id},     {"plugin", plugin}, {"phase", phase},
                     {"place", e.scheduled.why}, {"doc", t.doc},     {"before", t.before},
                     {"after", t.after}};
    const core::RunStatistics& s = *e.ran;
    ordered_json declines = ordered_json::array();
    for (const core::Decline& d : std::span(s.declines).first(std::min(s.declines.size(), most_declines)))
      declines.push_back({d.node, d.why});
    one["ms"] = in_ms(s.seconds);
    one["matches"] = s.matches;
    if (!e.why_idle.empty()) one["idle"] = e.why_idle;
    if (s.declined != 0) one["declined"] = s.declined;
    if (!declines.empty()) one["declines"] = std::move(declines);
    if (s.edits != 0) one.update({{"nodesBefore", s.nodes_before}, {"nodesAfter", s.nodes_after}});
    list.push_back(std::move(one));
  }
  return list;
}

std::string Explorer::data() {
  look_around();
  end_phase();
  about_["program"] = MO_HOST_VERSION;
  about_["phases"] = phases_;
  about_["messages"] = messages_;
  if (graph_ != nullptr) about_["graph"] = graph_->name();
  ordered_json extractors = ordered_json::object();
  for (const auto& [node, plugin] : extractors_) extractors[std::to_string(node)] = plugin;
  const auto dump = [](const ordered_json& j) {
    return j.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  };
  std::string out = "{\"format\":1,\"about\":" + dump(about_);
  out += ",\n\"pipeline\":" + dump(pipeline());
  out += ",\n\"numbers\":" + dump(numbers_) + ",\n\"configured\":" + dump(configured_);
  out += ",\n\"texts\":" + dump(history_.texts().all()) + ",\n\"extracted\":" + dump(extractors);
  out += ",\n\"sources\":{" + sources_ + "},\n\"steps\":[" + steps_ + "]}";
  return out;
}

}  // namespace mo::app

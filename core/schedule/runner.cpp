#include "core/schedule/runner.hpp"

#include <algorithm>
#include <chrono>

#include "core/config/config_entry.hpp"
#include "core/infer/infer.hpp"
#include "core/registry/contain.hpp"

namespace mo::core {

namespace {

constexpr size_t deepest = 32;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

bool checks_everything(const Session& session) {
#ifndef NDEBUG
  (void)session;
  return true;
#else
  const Attribute* a = session.option(schedule_options::check_graph);
  const bool* on = a == nullptr ? nullptr : std::get_if<bool>(a);
  return on != nullptr && *on;
#endif
}

size_t most_edits(const Session& session, size_t nodes) {
  const Attribute* a = session.option(schedule_options::most_edits);
  const int64_t* n = a == nullptr ? nullptr : std::get_if<int64_t>(a);
  return n != nullptr ? static_cast<size_t>(*n) : 1'000'000 + 64 * nodes;
}

// Where it stopped. Empty: before its first edit.
std::string last_edit(const Journal& journal, size_t start) {
  for (size_t i = journal.size(); i-- > start;)
    if (const std::string_view what = journal.edits()[i].what; what != "mark" && what != "infer")
      return text("the last before this is ", place_of(journal, start, i));
  return {};
}

}  // namespace

JournalScope::JournalScope(Graph& g) : main_(g.main()), journal_(main_.journal()) {
  if (journal_ != nullptr) return;
  journal_ = &own_;
  main_.set_journal(&own_);
}

JournalScope::~JournalScope() {
  if (journal_ == &own_) main_.set_journal(nullptr);
}

Runner::Runner(Session& session, Graph& g, const std::vector<const Transformation*>& members, size_t depth,
               std::optional<ModelOutputs>* outputs)
    : session_(session), graph_(g), depth_(depth), outputs_(outputs), scope_(g), start_(journal().size()) {
  for (const Transformation* t : members) {
    members_.push_back({t, {}, true});
    members_.back().statistics.id = t->id;
  }
}

std::vector<RunStatistics> Runner::run() {
  const auto begin = Clock::now();
  const size_t before = count_nodes();
  most_edits_ = most_edits(session_, before);
  const uint64_t edits_before = session_.space()->edits();
  const auto fail = [&](Failure f) {
    f.with("edit", last_edit(journal(), start_)).with("entry", entry());
    blame(f, *(current_ != nullptr ? *current_ : members_.front()).transformation);
    if (depth_ == 0) {
      const std::vector<Touched> touched = touched_since(*session_.space(), journal(), start_);
      note_authors(touched);
      const auto is_it = [&](const Touched& t) {
        return !t.what.empty() && node_handle(*t.graph, t.node) == f.node();
      };
      if (std::none_of(touched.begin(), touched.end(), is_it)) session_.authors.blame(f, *session_.space());
    }
    journal().roll_back(start_);
    throw f;
  };
  try {
    if (depth_ > deepest)
      throw Failure(Exit::plugin, "MO0604",
                    text("transformations run one another more than ", deepest, " deep"));
    if (outputs_ != nullptr && !*outputs_) *outputs_ = ModelOutputs::of(session_, graph_);
    for (Member& m : members_) m.runs = condition_holds(*m.transformation);
    run_on_all_graphs();
    finish();
    check();
  } catch (const Failure& f) {
    fail(f);
  } catch (const Error& e) {
    fail(Failure(Exit::plugin, "MO0601", e.what()).at(e.where()));
  } catch (const std::exception& e) {
    fail(Failure(Exit::internal, "MO0608", reason_of(e)));
  }
  const uint64_t edits = session_.space()->edits();
  for (const Member& m : members_)
    if (edits == edits_before) session_.quiet[m.transformation] = {graph_.serial(), edits};
  const size_t after = count_nodes();
  double rest = seconds_since(begin);
  for (const Member& m : members_) rest -= m.statistics.seconds;
  std::vector<RunStatistics> list;
  for (Member& m : members_) {
    m.statistics.seconds += rest / static_cast<double>(members_.size());
    m.statistics.nodes_before = before;
    m.statistics.nodes_after = after;
    m.statistics.runs = m.runs;
    list.push_back(std::move(m.statistics));
  }
  return list;
}

bool Runner::condition_holds(const Transformation& t) {
  if (t.condition == nullptr) return true;
  Call call(session_);
  call->transformation = &t;
  call->plugin = t.plugin;
  call->graph = &scope_.main();
  int32_t ok = 1;
  const mo_status status = contain(
      *call, "condition", [&] { return t.condition(t.self, call.get(), scope_.main().serial(), &ok); });
  call.check(status, "condition");
  return ok != 0;
}

// Graphs that nodes of the graph, or of these graphs, hold; holders first.
std::vector<Graph*> Runner::bodies() const {
  std::vector<Graph*> list = graph_.bodies();
  for (size_t i = 0; i < list.size(); ++i) {
    const std::vector<Graph*> inner = list[i]->bodies();
    list.insert(list.end(), inner.begin(), inner.end());
  }
  return list;
}

size_t Runner::count_nodes() const {
  size_t n = graph_.size();
  for (const Graph* g : bodies()) n += g->size();
  return n;
}

void Runner::run_on_all_graphs() {
  const size_t most = 16 * bodies().size() + 1000;
  run_on(graph_, false);
  if (std::none_of(members_.begin(), members_.end(),
                   [](const Member& m) { return m.transformation->recursive; }))
    return;
  // A body may bring others with it, or go away. One that went away lives as long as the journal.
  std::vector<bool> done;  // by serial
  size_t count = 0;
  for (bool more = true; more;) {
    more = false;
    for (Graph* g : bodies()) {
      if (done.size() <= g->serial()) done.resize(session_.space()->end_serial());
      if (done[g->serial()] || g->parent() == nullptr) continue;
      done[g->serial()] = true;
      if (++count > most)
        throw Failure(Exit::plugin, "MO0604",
                      text("endless loop: it has been run on ", most, " bodies and makes more of them"))
            .with("hint", "run_not_recursively keeps a transformation from the bodies it makes");
      run_on(*g, true);
      more = true;
    }
  }
}

void Runner::finish() {
  const auto wants = [&](bool Transformation::*what) {
    return std::any_of(members_.begin(), members_.end(),
                       [&](const Member& m) { return m.runs && m.transformation->*what; });
  };
  if (wants(&Transformation::force_clean_up)) clean_up(session_, graph_);
  if (!wants(&Transformation::force_shape_inference)) return;
  infer_marked(session_, graph_);
  for (Graph* g : bodies())
    if (g->has_marked()) infer_marked(session_, *g);
}

std::vector<const Transformation*> Runner::group(std::string_view id) const {
  std::vector<const Transformation*> list;
  for (const Member& m : members_)
    if (m.runs && m.transformation->group == id) list.push_back(m.transformation);
  return list;
}

const Runner::Span* Runner::span(size_t edit) const {
  const auto span =
      std::upper_bound(spans_.begin(), spans_.end(), edit, [](size_t e, const Span& s) { return e < s.end; });
  return span == spans_.end() ? nullptr : &*span;
}

const Transformation* Runner::author(size_t edit) const {
  const Span* s = span(edit);
  return s == nullptr ? nullptr : s->member->transformation;
}

// Behind the last one, what is met follows from that.
std::string Runner::entry() const {
  if (config_ == nullptr) return spans_.empty() ? std::string() : spans_.back().entry;
  return text(config_->place(), " (\"", config_->id, "\")", instance_.empty() ? "" : ", ", instance_);
}

// What nobody has a span for is the member's whose callback runs, or the host's on its request.
void Runner::note_authors(const std::vector<Touched>& touched) {
  std::map<std::pair<const Span*, std::string_view>, uint32_t> deeds;
  for (const Touched& t : touched) {
    const Span* s = span(t.edit);
    if (t.what.empty()) continue;
    const std::string_view what = t.connected ? "connect" : t.what;
    uint32_t& deed = deeds[{s, what}];
    if (deed == 0) {
      const Transformation& by = *(s != nullptr          ? s->member
                                   : current_ != nullptr ? current_
                                                         : &members_[0])
                                      ->transformation;
      deed = session_.authors.add({by.plugin, by.id, s != nullptr ? s->entry : entry(), what});
    }
    session_.authors.note(*t.graph, t.node, deed, t.made);
  }
}

// Of a transformation that another one runs, the outer one answers for: it may be in the middle of something.
void Runner::check() {
  if (depth_ != 0 || journal().size() == start_) return;
  const std::vector<Touched> touched = touched_since(*session_.space(), journal(), start_);
  auto broken = check_touched(session_, journal(), start_, touched);
  if (!broken) broken = check_cycles(journal(), start_, touched);
  if (broken) {
    if (const Span* s = span(broken->edit)) {
      broken->failure.with("entry", s->entry);
      blame(broken->failure, *s->member->transformation);
    }
    throw broken->failure;
  }
  if (outputs_ != nullptr) {
    ModelOutputs now = ModelOutputs::of(session_, graph_);
    check_outputs(graph_, **outputs_, now, members_.front().transformation->is_configured());
    *outputs_ = std::move(now);
  }
  note_authors(touched);
  if (checks_everything(session_)) check_graph(graph_);
}

void Runner::blame(Failure& f, const Transformation& t) {
  f.with("pass", t.id);
  if (t.plugin != nullptr) f.with("plugin", full_name(*t.plugin));
}

}  // namespace mo::core

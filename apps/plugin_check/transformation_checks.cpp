// Rules about transformations: 243, 250 to 255, 257 and 283.
#include "apps/plugin_check/extractor_trial.hpp"
#include "apps/plugin_check/tap.hpp"
#include "apps/plugin_check/transformation_trial.hpp"
#include "core/infer/infer.hpp"
#include "core/schedule/invariants.hpp"
#include "core/support/nearest.hpp"

namespace mo::app::checks {

std::string shown_graph(const core::Graph& g) {
  std::string out = to_text(g, {.tensors = true, .literal_bytes = 64, .side_file = {}});
  return out.size() > 3000 ? out.substr(0, 3000) + " …" : out;
}

const core::Transformation& transformation_at(Setting& s, const std::string& id) {
  const core::Transformation* t = s.registry().transformation(id);
  if (t == nullptr) broken("the transformation ", id, " is not registered");
  return *t;
}

const core::Transformation& one_that_runs(Setting& s, const std::string& id) {
  const core::Transformation& t = transformation_at(s, id);
  if (t.is_configured()) throw Skipped{"it runs for an entry of a configuration file only"};
  return t;
}

Applied apply_once(core::Session& session, core::Graph& g, const core::Transformation& t) {
  try {
    return {std::nullopt, run_transformation(session, g, t).edits != 0};
  } catch (const core::Failure& f) {
    return {f, false};
  }
}

namespace {

bool callback_failed(const core::Failure& f) { return f.code() == "MO0601"; }

// f(graph) after the transformation has changed it.
template <class F>
void each_changed(Setting& s, const std::string& id, F f) {
  size_t count = 0;
  each_graph(s, id, [&](core::Graph& g, const core::Transformation& t) {
    const std::string before = shown_graph(g);
    const Applied a = apply_once(s.session(), g, t);
    if (a.failure || !a.edited) return;
    ++count;
    f(g, t, before);
  });
  if (count == 0)
    throw Skipped{
        "it found nothing to do in any graph; `before` in the text form, or a graph beside the plugin, "
        "helps"};
}

// What nobody defines cannot be inferred, and infer leaves it out. In front there may be operations of a framework, and
// what another transformation is to replace.
void all_defined(Setting& s, const core::Graph& g, const std::string& before) {
  for (const core::NodeId n : g.nodes()) {
    const std::string_view op = g.op(n), opset = g.opset(n);
    const bool plain =
        op == core::words::parameter || op == core::words::result || op == core::words::constant;
    if (plain || opset.empty() || operation_of(s.session(), g, n) != nullptr || is_looked_for(s, op))
      continue;
    const std::string made = text(opset, "::", op);
    if (before.find(text(op, "@")) != std::string::npos) continue;
    std::vector<std::string> known;
    for (const core::Operation* o : s.registry().operations()) known.push_back(item_of(*o));
    const std::string hint = core::did_you_mean(made, known);
    broken("the graph has ", made, " afterwards, which no plugin that is loaded defines",
           hint.empty() ? "" : "; " + hint, "\nbefore:\n", before, "after:\n", shown_graph(g));
  }
}

void infer_or_find(Setting& s, core::Graph& g, const std::string& before) {
  try {
    check_graph(g);
    infer_all(s.session(), g);
    check_schema(s.session(), g);
  } catch (const core::Failure& f) {
    broken("the graph is not right afterwards: ", f.message(), f.context_of("nodes"), "\nbefore:\n", before,
           "after:\n", shown_graph(g));
  }
  all_defined(s, g, before);
}

void pass_leaves_process(Setting& s, const std::string& id) {
  each_graph(s, id, [&](core::Graph& g, const core::Transformation& t) {
    require_same_process("its callback", [&] { (void)apply_once(s.session(), g, t); });
  });
}

void twice_is_once(Setting& s, const std::string& id) {
  each_changed(s, id, [&](core::Graph& g, const core::Transformation& t, const std::string& before) {
    const std::string once = canonical_text(g);
    const Applied again = apply_once(s.session(), g, t);
    if (again.failure || !again.edited || canonical_text(g) == once) return;
    broken("a second run changes the graph again\nbefore:\n", before, "once:\n", once, "twice:\n",
           canonical_text(g));
  });
}

void leaves_whole(Setting& s, const std::string& id) {
  each_graph(s, id, [&](core::Graph& g, const core::Transformation& t) {
    const std::string before = shown_graph(g);
    const Applied a = apply_once(s.session(), g, t);
    if (a.failure && !callback_failed(*a.failure)) broken(a.failure->message(), "\nbefore:\n", before);
    if (a.edited) infer_or_find(s, g, before);
  });
}

std::vector<core::TensorState> outputs_of(const core::Graph& g) {
  std::vector<core::TensorState> list;
  for (const core::NodeId r : g.results()) {
    const core::PortRef from = g.node(r).inputs.empty() ? core::PortRef{} : g.source({r, 0});
    list.push_back(from ? g.out(from).tensor : core::TensorState{});
  }
  return list;
}

// Channels last or first: some transformations are there to change it.
bool same_sizes(const Shape& a, const Shape& b) {
  if (merge(a, b)) return true;
  if (!a.is_static() || !b.is_static() || a.size() != b.size() || a.size() < 3) return false;
  const auto channels_first = [](std::vector<int64_t> dims) {
    std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
    return dims;
  };
  return channels_first(a.to_static()) == b.to_static() || channels_first(b.to_static()) == a.to_static();
}

void keeps_outputs(Setting& s, const std::string& id) {
  each_graph(s, id, [&](core::Graph& g, const core::Transformation& t) {
    const std::string before = shown_graph(g);
    const auto had = outputs_of(g);
    const Applied a = apply_once(s.session(), g, t);
    if (a.failure || !a.edited) return;
    try {
      infer_all(s.session(), g);
    } catch (const core::Failure&) {  // rule 251
      return;
    }
    const auto has = outputs_of(g);
    if (had.size() != has.size())
      broken("the model has ", has.size(), " outputs, and had ", had.size(), "\nbefore:\n", before);
    for (size_t i = 0; i < had.size(); ++i) {
      const bool same_type = had[i].type == has[i].type || had[i].type == ElementType::unknown ||
                             has[i].type == ElementType::unknown;
      if (!same_type || !same_sizes(had[i].shape, has[i].shape))
        broken("output ", i, " was ", name(had[i].type), " ", had[i].shape, " and is ", name(has[i].type),
               " ", has[i].shape, "\nbefore:\n", before, "after:\n", shown_graph(g));
    }
  });
}

core::GraphPtr stated(Setting& s, const std::string& text) {
  try {
    core::GraphPtr g = parse_text(text, s.session().space());
    infer_all(s.session(), *g);
    return g;
  } catch (const std::exception&) {
    throw Skipped{"it states no graphs in the text form"};
  }
}

void does_what_it_states(Setting& s, const std::string& id) {
  const core::Transformation& t = transformation_at(s, id);
  if (t.before.empty() || t.after.empty()) throw Skipped{"it states nothing"};
  const core::GraphPtr g = stated(s, t.before), after = stated(s, t.after);
  const Applied a = apply_once(s.session(), *g, t);
  if (a.failure) broken("it fails on the graph that it states as `before`: ", a.failure->message());
  if (!a.edited) throw Skipped{"it does nothing to `before` as things are: an option may have to be set"};
  try {
    infer_all(s.session(), *g);
  } catch (const core::Failure&) {  // rule 251
    return;
  }
  if (canonical_text(*g) != canonical_text(*after))
    broken("from `before` it makes\n", canonical_text(*g), "and not `after`, which is\n",
           canonical_text(*after));
}

void leaves_empty_alone(Setting& s, const std::string& id) {
  const core::Transformation& t = one_that_runs(s, id);
  const core::GraphPtr g = s.session().create_graph("nothing to do");
  const core::NodeId x = g->add_node(core::words::parameter, "opset1", "x", 0, 1);
  g->set_attribute(x, "element_type", ElementType::f32);
  g->set_attribute(x, "shape", core::shape_attribute(Shape{2, 3}));
  g->connect({x, 0}, {g->add_node(core::words::result, "opset1", "y", 1, 0), 0});
  infer_all(s.session(), *g);
  const std::string before = to_text(*g);
  const Applied a = apply_once(s.session(), *g, t);
  if (!a.failure && to_text(*g) != before)
    broken("a graph of an input and an output becomes\n", to_text(*g), "from\n", before);
}

void does_not_fail(Setting& s, const std::string& id) {
  each_graph(s, id, [&](core::Graph& g, const core::Transformation& t) {
    const std::string before = shown_graph(g);
    const Applied a = apply_once(s.session(), g, t);
    if (a.failure && callback_failed(*a.failure))
      broken("it fails: ", a.failure->message(), "\nbefore:\n", before);
  });
}

void failing_transformation(Setting& s, const std::string& id) {
  constexpr size_t most_graphs = 3, most_calls = 150;
  size_t graphs = 0;
  each_changed(s, id, [&](core::Graph& changed, const core::Transformation& t, const std::string& before) {
    if (before.find(" …") != std::string::npos || before.find("file(") != std::string::npos ||
        ++graphs > most_graphs)
      return;
    const auto fresh = [&] { return parse_text(before, s.session().space()); };
    const std::string done = canonical_text(changed);
    for (size_t n = 1; n <= most_calls; ++n) {
      const core::GraphPtr g = fresh();
      const std::string untouched = canonical_text(*g);
      const TapScope tapped(s.session());
      tap().plugin = t.plugin;
      tap().fail_at = n;
      const Applied a = apply_once(s.session(), *g, t);
      require_own_thread();
      if (tap().failed.empty()) return;
      const std::string how = text("when ", tap().failed, " (host call no. ", n, ") fails, ");
      if (a.failure) {
        const std::string& m = a.failure->message();
        if (m.starts_with("MOX-026") || m.find("and no text") != std::string::npos)
          broken(how, m, "\nbefore:\n", before);
        continue;
      }
      if (const std::string now = canonical_text(*g); now != done && now != untouched)
        broken(how,
               "it returns MO_OK and leaves a graph that is neither as before nor as it should be\nbefore:\n",
               before, "after:\n", now);
    }
  });
}

void random_graphs(Setting& s, const std::string& id) {
  const core::Transformation& t = one_that_runs(s, id);
  s.session().set_option(core::schedule_options::check_graph, true);
  for (size_t round = 0; round < s.rounds; ++round)
    for (const core::GraphPtr& g : graphs_for(s, t, s.seed + round, 2, 12)) {
      const std::string before = shown_graph(*g);
      const std::string where = text(" in round ", round, " (--seed ", s.seed + round, " --cases 1)");
      const Applied a = apply_once(s.session(), *g, t);
      if (a.failure) broken("it fails", where, ": ", a.failure->message(), "\nbefore:\n", before);
      if (!a.edited) continue;
      infer_or_find(s, *g, before);
      const std::string once = canonical_text(*g);
      (void)apply_once(s.session(), *g, t);
      if (canonical_text(*g) != once)
        broken("a second run changes the graph again", where, "\nbefore:\n", before);
    }
}

constexpr CheckRow transformation_rows[] = {
    {243, failing_transformation}, {250, twice_is_once},       {251, leaves_whole},
    {252, keeps_outputs},          {253, does_what_it_states}, {257, pass_leaves_process},
    {254, leaves_empty_alone},     {255, does_not_fail},       {283, random_graphs},
};

}  // namespace

std::span<const CheckRow> transformation_checks() { return transformation_rows; }

}  // namespace mo::app::checks

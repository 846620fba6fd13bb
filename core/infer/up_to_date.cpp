#include "core/infer/infer.hpp"

namespace mo::core {

namespace {

// What follows from edits is none itself: it is not counted, and is computed again when they are taken back.
class WithoutJournal {
 public:
  explicit WithoutJournal(Graph& main) : main_(main), journal_(main.journal()) { main_.set_journal(nullptr); }
  ~WithoutJournal() { main_.set_journal(journal_); }
  WithoutJournal(const WithoutJournal&) = delete;
  WithoutJournal& operator=(const WithoutJournal&) = delete;

 private:
  Graph& main_;
  Journal* journal_;
};

void infer_now(Session& session, Graph& g, NodeId n) {
  g.unmark(n);
  g.set_followed(n);
  try {
    infer_node(session, g, n);
    return;
  } catch (
      const Failure&) {  // reported by the inference at the end of the phase, unless it is mended until then
  } catch (const Error&) {
  }
  for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i) g.set_tensor({n, i}, TensorState());
  g.mark(n);
}

// Stale sources first. A node is fresh from the moment it is on the path, so that the walk ends in a graph
// that has a cycle while it is edited.
void follow_marks(Session& session, Graph& g, NodeId asked) {
  g.spread_marks();
  if (!g.stale(asked)) return;
  std::vector<std::pair<NodeId, size_t>> path;
  const auto enter = [&](NodeId n) {
    g.set_fresh(n);
    path.emplace_back(n, 0);
  };
  enter(asked);
  while (!path.empty()) {
    const NodeId n = path.back().first;
    size_t& port = path.back().second;
    const InSlots& inputs = g.node(n).inputs;
    while (port < inputs.size() && !(inputs[port].source && g.stale(inputs[port].source.node))) ++port;
    if (port < inputs.size()) {
      enter(inputs[port].source.node);
      continue;
    }
    path.pop_back();
    if (g.marked(n)) infer_now(session, g, n);
  }
}

// What goes into a body comes from whoever holds it.
void follow_marks_of_holders(Session& session, const Graph& body) {
  if (body.parent() == nullptr) return;
  follow_marks_of_holders(session, *body.parent());
  follow_marks(session, *body.parent(), body.parent_node());
}

bool has_marked_up_to_main(const Graph& g) {
  for (const Graph* at = &g; at != nullptr; at = at->parent())
    if (at->has_marked()) return true;
  return false;
}

}  // namespace

void bring_up_to_date(Session& session, Graph& g, NodeId n) {
  if (!has_marked_up_to_main(g)) return;
  Graph& main = g.main();
  if (!main.is_inferred()) return;
  const WithoutJournal quiet(main);
  follow_marks_of_holders(session, g);
  g.mark_changed_holders();
  follow_marks(session, g, n);
}

}  // namespace mo::core

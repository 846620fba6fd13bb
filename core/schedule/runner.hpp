// Runs one transformation, or the matchers of one group, on a graph and its bodies.
#pragma once

#include "core/schedule/invariants.hpp"
#include "core/schedule/rewrite.hpp"
#include "core/schedule/schedule.hpp"

namespace mo::core {

// While it lives, edits of the graph are journaled: in the journal that is there, or in one of its own.
class JournalScope {
 public:
  explicit JournalScope(Graph&);
  ~JournalScope();
  JournalScope(const JournalScope&) = delete;
  JournalScope& operator=(const JournalScope&) = delete;
  Journal& journal() const { return *journal_; }
  Graph& main() const { return main_; }

 private:
  Journal own_;
  Graph& main_;
  Journal* journal_;
};

struct Member {
  const Transformation* transformation;
  RunStatistics statistics;
  bool runs = true;  // its condition holds
};

// A place that was looked at and left as it is.
void note_decline(RunStatistics&, const Graph&, NodeId, std::string why);

class Runner {
 public:
  using Callback = std::function<mo_status(mo_context*)>;

  // `depth`: how many transformations run one another; 0: this one is run by the schedule. `outputs`: those
  // that the model had when the phase began, or nullptr when the graph is a part of one that is being edited.
  Runner(Session&, Graph&, const std::vector<const Transformation*>& members, size_t depth,
         std::optional<ModelOutputs>* outputs);

  // Failure: nothing has happened then.
  std::vector<RunStatistics> run();

  // True when the callback edited something that stays. What a candidate that is declined did is taken back.
  bool call(Member&, Graph&, NodeId, Match*, std::string_view name, const Callback&,
            std::vector<NodeId>* registered = nullptr);
  bool call_on_match(Member&, Match&, std::vector<NodeId>* registered = nullptr);

  Session& session() const { return session_; }
  Journal& journal() const { return scope_.journal(); }
  // What runs here, when that is the group of this id; else nothing.
  std::vector<const Transformation*> group(std::string_view id) const;
  // nullptr: made by the host, because a member asked for it.
  const Transformation* author(size_t edit) const;

 private:
  struct Span {  // edits before `end`, and not of an earlier span, are of this member
    size_t end;
    const Member* member;
    std::string entry;  // of a configuration that it ran for
  };
  void run_on_all_graphs();
  void run_on(Graph&, bool is_body);
  void run_on_graph(Member&, Graph&);
  void run_on_ops(Member&, Graph&);
  void run_on_patterns(Member&, Graph&);
  void run_on_config(Member&, Graph&);
  bool condition_holds(const Transformation&);
  struct Answer {
    mo_status status;
    std::string why;  // it declines
    std::vector<NodeId> registered;
  };
  Answer ask(Member&, Graph&, NodeId, Match*, std::string_view name, const Callback&);
  std::vector<Graph*> bodies() const;
  size_t count_nodes() const;
  void finish();
  void check();
  const Span* span(size_t edit) const;
  std::string entry() const;  // that is run for, with its place and instance; "" without
  void note_authors(const std::vector<Touched>&);
  static void blame(Failure&, const Transformation&);

  Session& session_;
  Graph& graph_;
  std::vector<Member> members_;
  size_t depth_;
  std::optional<ModelOutputs>* outputs_;
  JournalScope scope_;
  size_t start_;
  size_t most_edits_ = 0;
  std::vector<Span> spans_;
  const ConfigEntry* config_ = nullptr;  // the entry that is run for
  std::string instance_;                 // and which part of it
  const Member* current_ = nullptr;      // whose callback runs, or ran last
};

}  // namespace mo::core

// Looking on while a model is prepared: what is explained, dumped, left out or noted for a user who wants to
// see inside. Without a Watch nothing of that costs anything.
#pragma once

#include "core/schedule/schedule.hpp"

namespace mo::core {

// What one transformation, or the matchers of one group, have done. Valid during the call that gets it.
struct Ran {
  Graph& graph;  // the main one
  const std::vector<RunStatistics>& members;
  const std::vector<Journal::Edit>& edits;
  // Whose edit that was; nullptr: the host's, who cleaned up or inferred because a transformation asked for
  // it.
  const std::function<const Transformation*(size_t edit)>& author;
  bool edited_something() const { return members.front().step != 0; }
};

class Watch {
 public:
  virtual ~Watch() = default;
  // Is everything that is registered to be shown, and why it stands where it does?
  virtual bool shows_all() const { return false; }
  // Both stay until the end of the preparation.
  virtual void loaded(Session&, Graph&) {}
  virtual void scheduled(const std::vector<Scheduled>&) {}
  // Whether the model is cut off everywhere it is to be: not yet where the place says nothing of its shape.
  virtual void cut_off(bool) {}
  virtual void extracted(const Graph&, NodeId, const Extractor&) {}
  // Asked before a transformation, or a group, runs; `false` leaves it out.
  virtual bool may_run() { return true; }
  virtual void has_run(const Ran&) {}
  // Nothing follows but emission.
  virtual void prepared(Graph&) {}
};

}  // namespace mo::core

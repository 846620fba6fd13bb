// Who made the nodes of a session's graphs, and who edited them last: an error about a node names them, and
// not only who met it.
#pragma once

#include "core/registry/registry.hpp"
#include "core/support/failure.hpp"

namespace mo::core {

class Authors {
 public:
  // What a transformation, an extractor or an entry of a configuration did in one run.
  struct Deed {
    const Plugin* plugin = nullptr;  // nullptr: the host, as a configuration asked for it
    std::string transformation;      // its id; "": an extractor
    std::string entry;               // of a configuration, with its place and instance; ""
    std::string_view what;           // a literal, as the journal has it
    bool is_ours() const { return plugin != nullptr && plugin->built_in && entry.empty(); }
  };
  // What is noted later has a greater number.
  uint32_t add(Deed);
  void note(const Graph&, NodeId, uint32_t deed, bool made);
  // Nodes from `first` on were made of one that the front-end knows by this tag, if it is not 0.
  void note_origin(const Graph&, NodeId first, uint64_t native);
  // The tag of a node, or of what it was made of; 0: none.
  uint64_t origin(const Graph&, NodeId) const;
  // What is found wrong from here on follows from what is noted from here on.
  void note_inferred() { inferred_ = deeds_.size(); }

  // " made by …" of a node that a vendor or a configuration made or changed; else "".
  std::string blame(const Graph&, NodeId) const;
  // Of a failure that names its node: who made or changed it, and who met it, when that was another one.
  void blame(Failure&, const GraphSpace&) const;

 private:
  struct Hands {
    uint32_t made = 0, changed = 0;  // numbers of deeds; 0: none is known
  };
  Hands hands(const Graph&, NodeId) const;
  const Deed& deed(uint32_t number) const { return deeds_[number - 1]; }
  // The one to be blamed: the last that is not built in.
  uint32_t foreign(const Hands&) const;
  void blame_nearest(Failure&, const Graph&, NodeId) const;

  std::vector<Deed> deeds_;
  size_t inferred_ = SIZE_MAX;                               // not yet
  std::unordered_map<uint32_t, std::vector<Hands>> graphs_;  // by serial, then by node
  struct Origin {
    NodeId first, end;
    uint64_t native;
  };
  std::unordered_map<uint32_t, std::vector<Origin>> origins_;  // by serial; as the nodes were made
};

// "com.acme 1.0 (path)", for messages.
std::string full_name(const Plugin&);

}  // namespace mo::core

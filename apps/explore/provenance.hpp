// Who made and who changed each node, noted while a model is prepared and written into its rt_info.
#pragma once

#include "core/schedule/watch.hpp"

namespace mo::core {

class Provenance : public Watch {
 public:
  void loaded(Session&, Graph&) override;
  void extracted(const Graph&, NodeId, const Extractor&) override;
  void has_run(const Ran&) override;
  // Sets rt_info "provenance_made_by", "provenance_extracted_by" and "provenance_changed_by" of each node.
  void prepared(Graph&) override;

 private:
  using Place = uint64_t;  // graph and node
  struct History {
    const Plugin* frontend = nullptr;
    const Plugin* extractor = nullptr;
    const Transformation* maker = nullptr;
    std::vector<const Transformation*> changed;  // in their order
  };
  static Place place(const Graph& g, NodeId n) { return (uint64_t{g.serial()} << 32) | n; }
  std::unordered_map<Place, History> nodes_;
};

}  // namespace mo::core

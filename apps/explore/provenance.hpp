// Who made and who changed each node, noted while a model is prepared and written into its rt_info.
#pragma once

#include "apps/explore/source_files.hpp"
#include "core/schedule/watch.hpp"

namespace mo::app {

class Provenance : public core::Watch {
 public:
  void loaded(core::Session&, core::Graph&) override;
  void extracted(const core::Graph&, core::NodeId, const core::Extractor&) override;
  void has_run(const core::Ran&) override;
  // Sets rt_info "provenance_made_by", "provenance_extracted_by" and "provenance_changed_by" of each node.
  void prepared(core::Graph&) override;

 private:
  using Place = uint64_t;  // graph and node
  struct History {
    const core::Plugin* frontend = nullptr;
    const core::Extractor* extractor = nullptr;
    const core::Transformation* maker = nullptr;
    std::vector<const core::Transformation*> changed;  // in their order
  };
  static Place place(const core::Graph& g, core::NodeId n) { return (uint64_t{g.serial()} << 32) | n; }
  std::string who(const core::Transformation&) const;

  std::unordered_map<Place, History> nodes_;
  Places places_;
};

}  // namespace mo::app

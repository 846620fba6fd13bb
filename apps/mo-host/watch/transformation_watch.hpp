// What the user asked to see of the transformations: --explain, --stop_after, --dump_after, --provenance,
// --explore.
#pragma once

#include "apps/explore/provenance.hpp"
#include "apps/mo-host/explore/report_page.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/mo-host/reports/explanations.hpp"
#include "apps/mo-host/watch/graph_dumps.hpp"
#include "apps/session/arguments.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

class TransformationWatch : public core::Watch {
 public:
  // Becomes the watch of these options.
  TransformationWatch(Program&, const Arguments&, core::ConvertOptions&);

  bool shows_all() const override { return page_.has_value(); }
  void loaded(core::Session&, core::Graph&) override;
  void scheduled(const std::vector<core::Scheduled>&) override;
  void extracted(const core::Graph&, core::NodeId, const core::Extractor&) override;
  bool may_run() override;
  void has_run(const core::Ran&) override;
  void prepared(core::Graph&) override;

  // What --explain says; empty when nobody asked.
  std::string explanations() const { return explanations_.text(); }
  // Of `explore` and --explore; nullptr when nobody asked.
  ReportPage* page() { return page_ ? &*page_ : nullptr; }

 private:
  Explanations explanations_;
  std::optional<size_t> most_steps_;
  size_t steps_ = 0;
  std::optional<GraphDumps> dumps_;
  std::optional<Provenance> provenance_;
  std::optional<ReportPage> page_;
};

// A switch of the environment: set, and neither empty nor 0.
bool is_switched_on(const char* variable);

}  // namespace mo::app

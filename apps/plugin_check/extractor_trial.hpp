// Letting an extractor work on a node of a model that no file has.
#pragma once

#include "apps/plugin_check/source_model.hpp"

namespace mo::app::checks {

const core::Extractor& extractor_at(Setting&, const std::string& item);

struct ExtractorTrial {
  Answer answer;
  core::GraphPtr graph;
  core::NodeId node = core::no_node;
};
ExtractorTrial try_extractor(Setting&, const core::Extractor&, const SourceModel::Answers&, uint32_t inputs,
                             uint32_t outputs);

// A transformation looks for such nodes, and may take them from there. `of`: only those of one plugin.
bool is_looked_for(Setting&, std::string_view op, const core::Plugin* of = nullptr);

}  // namespace mo::app::checks

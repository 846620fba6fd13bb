// Letting an extractor work on a node of a model that no file has.
#pragma once

#include "apps/plugin_check/source_model.hpp"

namespace mo::core::checks {

const Extractor& extractor_at(Setting&, const std::string& item);

struct ExtractorTrial {
  Answer answer;
  GraphPtr graph;
  NodeId node = no_node;
};
ExtractorTrial try_extractor(Setting&, const Extractor&, const SourceModel::Answers&, uint32_t inputs,
                             uint32_t outputs);

// A transformation looks for such nodes, and may take them from there. `of`: only those of one plugin.
bool is_looked_for(Setting&, std::string_view op, const Plugin* of = nullptr);

}  // namespace mo::core::checks

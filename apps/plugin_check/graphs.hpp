// Small graphs for transformations to work on.
#pragma once

#include "apps/plugin_check/setting.hpp"

namespace mo::app::checks {

// A graph of so many operations, chosen from these; everything is inferred.
core::GraphPtr random_graph(Setting&, Random&, const std::vector<const core::Operation*>&, size_t operations);

// Operations a transformation looks for, those of its own plugin, and some others.
std::vector<const core::Operation*> operations_for(Setting&, const core::Transformation&, Random&);

// The graph it states as `before`, the plugin's example, some built from its pattern, and random ones.
std::vector<core::GraphPtr> graphs_for(Setting&, const core::Transformation&, uint64_t seed,
                                       size_t random_ones, size_t operations);

// Nodes in the order in which the results need them, without names and what else says nothing about meaning.
std::string canonical_text(const core::Graph&);

}  // namespace mo::app::checks

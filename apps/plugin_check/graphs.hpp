// Small graphs for transformations to work on.
#pragma once

#include "apps/plugin_check/setting.hpp"

namespace mo::core::checks {

// A graph of so many operations, chosen from these; everything is inferred.
GraphPtr random_graph(Setting&, Random&, const std::vector<const Operation*>&, size_t operations);

// Operations a transformation looks for, those of its own plugin, and some others.
std::vector<const Operation*> operations_for(Setting&, const Transformation&, Random&);

// The graph it states as `before`, the plugin's example, some built from its pattern, and random ones.
std::vector<GraphPtr> graphs_for(Setting&, const Transformation&, uint64_t seed, size_t random_ones,
                                 size_t operations);

// Nodes in the order in which the results need them, without names and what else says nothing about meaning.
std::string canonical_text(const Graph&);

}  // namespace mo::core::checks

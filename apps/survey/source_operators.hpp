// Every operator of a framework that something converts: by an extractor, or by a transformation that takes one node as it
// was in the source.
#pragma once

#include "core/registry/registry.hpp"

namespace mo::app {

struct SourceOperator {
  std::string framework;  // "" = any
  std::string name;       // with its domain and a point before it where it has one
  int32_t since = 0, until = 0;
  std::string transformation;  // its id; "" = an extractor
  const core::Registered* item = nullptr;
};

// Sorted by framework and name.
std::vector<SourceOperator> source_operators(const core::Registry&);

// That is its name, or its name without the domain.
bool is_called(const SourceOperator&, std::string_view name);

}  // namespace mo::app

// Which layers a network has in a state: its phase, level and stages.
#pragma once

#include "loader/message.hpp"

#include <set>

namespace mo::caffe {

struct NetState {
  std::string phase = "TEST";
  int64_t level = 0;
  std::set<std::string, std::less<>> stages;
};

// By the layer's include and exclude rules.
bool is_included(const Message& layer, const NetState& state);

}  // namespace mo::caffe

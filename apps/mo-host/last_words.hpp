// What a signal handler can say: nothing here allocates or waits.
#pragma once

#include <string_view>

#include "core/registry/session.hpp"

namespace mo::app {

// Collects a text without allocating, and writes it at once.
class LastWords {
 public:
  LastWords() = default;
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
  LastWords& operator<<(std::string_view);
  LastWords& operator<<(uint64_t);
  // Between quotes; bytes that a terminal could obey become '?'.
  LastWords& quote(std::string_view name);

 private:
  char text_[16 * 1024];
  size_t size_ = 0;
};

// Innermost first: the first call that knows a thing is the one at hand.
struct AtHand {
  const core::Plugin* plugin = nullptr;
  const core::Transformation* transformation = nullptr;
  const core::Graph* graph = nullptr;
  core::NodeId node = core::no_node;
};

// Of the session that is watched. Between calls, whoever is asked to let go of something.
AtHand at_hand();
// One line for each thing that is known.
void describe(LastWords&, const AtHand&);
std::string_view name_of(const core::Plugin&);
// The session whose callbacks are reported; nullptr: none.
const core::Session* watched_session();

}  // namespace mo::app

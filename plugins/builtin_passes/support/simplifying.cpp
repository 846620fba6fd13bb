#include "support/simplifying.hpp"

#include <mutex>

namespace mo::builtin_passes {

namespace {

// Sessions may register, and run, at the same time.
struct SimplifyingPasses {
  std::mutex mutex;
  std::set<std::pair<Stage, std::string>> ids;
};

SimplifyingPasses& simplifying_passes() {
  static SimplifyingPasses all;
  return all;
}

}  // namespace

void note_simplifying(Stage stage, std::string id) {
  SimplifyingPasses& all = simplifying_passes();
  const std::lock_guard lock(all.mutex);
  all.ids.emplace(stage, std::move(id));
}

std::vector<std::string> simplifying_ids() {
  SimplifyingPasses& all = simplifying_passes();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> list;
  for (const auto& [stage, id] : all.ids) list.push_back(id);
  return list;
}

}  // namespace mo::builtin_passes

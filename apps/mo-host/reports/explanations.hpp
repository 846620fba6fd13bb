// Why transformations were not applied.
#pragma once

#include "apps/explore/source_files.hpp"
#include "core/schedule/watch.hpp"

namespace mo::app {

// Why one that was run edited nothing; "" when its declines say it, or it did edit.
std::string why_idle(const core::Transformation&, const core::RunStatistics&);

class Explanations {
 public:
  explicit Explanations(std::vector<std::string> ids) : ids_(std::move(ids)) {}

  // Places are asked of all plugins, which opens those that wait for it.
  void loaded(const core::Registry& r) {
    if (!ids_.empty()) places_ = Places(r);
  }
  void scheduled(const std::vector<core::Scheduled>&);
  void left_out(std::string why) { left_out_ = std::move(why); }
  void has_run(const core::Ran&);
  // One paragraph for each id.
  std::string text() const;

 private:
  std::string about(const std::string& id) const;

  std::vector<std::string> ids_;
  Places places_;
  struct Known {
    const core::Transformation* transformation;
    std::string why_not;
  };
  std::map<std::string, Known> scheduled_;
  std::map<std::string, core::RunStatistics> ran_;
  std::string left_out_;  // why the rest does not run
};

}  // namespace mo::app

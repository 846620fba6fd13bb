// The graph after transformations, as files: NNN_<id>.txt, .dot and, with graphviz, .svg.
#pragma once

#include "core/schedule/watch.hpp"

namespace mo::app {

class GraphDumps {
 public:
  struct What {
    bool all = false;  // after each transformation that edited something
    std::vector<std::string> ids;
    std::string folder;
  };
  // `say` gets what the user should know.
  GraphDumps(What what, std::function<void(const std::string&)> say)
      : what_(std::move(what)), say_(std::move(say)) {}

  void has_run(const core::Ran&);

 private:
  bool wanted(const core::Ran&) const;
  void write(const core::Ran&, const std::string& stem);

  What what_;
  std::function<void(const std::string&)> say_;
  size_t steps_ = 0;  // so far
  bool draws_ = true;
};

}  // namespace mo::app

// The user's own runtime, asked in a process of its own, so that its end is told and not suffered.
#pragma once

#include <sys/types.h>

#include <memory>

#include "apps/mo-host/runtimes/passing_folder.hpp"
#include "apps/run/verify.hpp"
#include "core/support/descriptor.hpp"

namespace mo::app {

// That process has read the IR and answers a line with a line, over descriptor 3:
//
//     none WHY              there is no runtime, and the process ends
//     refused RELEASE WHY   it does not take the model, and the process ends
//     ready RELEASE         the model is compiled
//     done SHAPES           to a line with the shapes of all inputs: those of the outputs; see passed_values.hpp
//     failed WHY
//
// Elements have the type that the IR says; strings are files of NumPy.
class AskedRuntime : public Runtime {
 public:
  ~AskedRuntime() override;
  std::vector<core::TensorRef> infer(const core::Graph&, std::span<const core::TensorRef> inputs) override;
  const std::string& release() const { return release_; }

 protected:
  // As the user has named the runtime, and the IR.
  AskedRuntime(std::string runtime, std::string xml);
  const std::string& folder() const { return folder_.path(); }
  // "", or why the process cannot be started.
  std::string start(std::vector<std::string> words);
  // Until it has read the model. What follows `none`, when there is no runtime.
  std::optional<std::string> wait_until_ready();

 private:
  virtual bool knows_strings() const { return true; }
  void write_input(const core::Graph&, size_t i, const core::TensorRef&) const;
  core::TensorRef read_output(const core::Graph&, size_t i, const std::vector<int64_t>& shape) const;
  // What follows `done`.
  std::string ask(const std::string& line);
  std::string next_answer();
  [[noreturn]] void fail(const std::string& what, const std::string& said = {}) const;
  [[noreturn]] void fail_at_the_end();

  std::string runtime_, xml_, release_;
  PassingFolder folder_;
  core::Descriptor line_;
  std::string read_;  // behind the last answer
  pid_t child_ = 0;
};

// What `--runtime` names: a Python, a library or a folder that has one. It has read the IR. Throws Failure when there
// is no runtime, or it does not take the model.
std::unique_ptr<AskedRuntime> ask_runtime(const std::string& named, const std::string& xml);

}  // namespace mo::app

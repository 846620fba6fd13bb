// The user's own runtime, asked through a Python that has it.
#pragma once

#include <sys/types.h>

#include "apps/files/scratch_folder.hpp"
#include "apps/run/verify.hpp"
#include "core/support/descriptor.hpp"

namespace mo::app {

// Failure when none can be made.
class PassingFolder : public ScratchFolder {
 public:
  PassingFolder();
};

// A process of that Python, which has read the IR and answers call by call; values lie in files of NumPy in between.
// Throws Failure when there is no such Python, no runtime in it, or the runtime does not take the model.
class AskedRuntime : public Runtime {
 public:
  AskedRuntime(const std::string& python, const std::string& xml);
  ~AskedRuntime() override;
  std::vector<core::TensorRef> infer(std::span<const core::TensorRef> inputs) override;
  const std::string& release() const { return release_; }

 private:
  std::string ask(const std::string& words);
  [[noreturn]] void fail(const std::string& what, const std::string& said) const;

  std::string python_, xml_, release_;
  PassingFolder folder_;
  core::Descriptor line_;
  std::string read_;  // behind the last answer
  pid_t child_ = 0;
  size_t calls_ = 0;
};

}  // namespace mo::app

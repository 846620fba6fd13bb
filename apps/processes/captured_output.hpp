// Standard output, as long as it lives, is a file that has no name: what is written to it can be looked at.
#pragma once

#include <string>

namespace mo::app {

class CapturedOutput {
 public:
  CapturedOutput();
  // What was written, also what the C library has not yet written out. Standard output is the old one again.
  std::string take();
  ~CapturedOutput() { (void)take(); }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

 private:
  int saved_ = -1, file_ = -1;
};

}  // namespace mo::app

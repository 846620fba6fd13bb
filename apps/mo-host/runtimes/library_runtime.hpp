// A runtime that is a library. It is loaded by a process of this program that does nothing else.
#pragma once

#include "apps/mo-host/runtimes/asked_runtime.hpp"

namespace mo::app {

class LibraryRuntime : public AskedRuntime {
 public:
  LibraryRuntime(const std::string& library, const std::string& xml);

 private:
  bool knows_strings() const override { return false; }
};

}  // namespace mo::app

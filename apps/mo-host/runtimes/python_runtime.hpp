// A runtime that a Python can import.
#pragma once

#include "apps/mo-host/runtimes/asked_runtime.hpp"

namespace mo::app {

class PythonRuntime : public AskedRuntime {
 public:
  PythonRuntime(const std::string& python, const std::string& xml);
};

}  // namespace mo::app

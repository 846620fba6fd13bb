// One conversion, with all that its options ask for beside the result.
#pragma once

#include "apps/ir_files/ir_files.hpp"
#include "apps/mo-host/watch/transformation_watch.hpp"

namespace mo::app {

struct Conversion {
  core::ConvertOptions options;
  core::ConvertResult result;
  IrPaths files;
  std::string explanations;  // of --explain
  std::string page;          // of --explore; "" = none
  bool cached = false;       // the files are those of an earlier conversion
};

// Throws Failure; what was explained until then is printed.
Conversion convert_one(Program&, const Arguments&);

}  // namespace mo::app

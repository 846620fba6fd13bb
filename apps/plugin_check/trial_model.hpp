// Small models as files: written as IR, which some front-end reads.
#pragma once

#include "apps/files/scratch_folder.hpp"
#include "apps/plugin_check/setting.hpp"
#include "core/convert/convert.hpp"

namespace mo::app::checks {

// Skipped when none can be made.
class TrialFolder : public ScratchFolder {
 public:
  TrialFolder() : ScratchFolder("mo-check") {
    if (path().empty()) throw Skipped{"no temporary folder can be made"};
  }
};

// Inputs with values are constants, the others are inputs of the model; each output of the call is one of it.
// The node is called "the_operation".
core::GraphPtr model_of(core::Session&, const Sample&);

// Skipped when no front-end that is loaded reads the file.
void expect_reader(core::Session&, const std::string& path);

// Writes the graph as IR into the folder, and converts that file with all that the session has. Failure: with
// the phase that it came from as context "step".
void convert_trial(core::Session&, core::Graph&, const std::string& folder);

}  // namespace mo::app::checks

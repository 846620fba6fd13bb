// Files that are handed to another process.
#pragma once

#include "apps/files/scratch_folder.hpp"

namespace mo::app {

// Failure when none can be made.
class PassingFolder : public ScratchFolder {
 public:
  PassingFolder();
};

}  // namespace mo::app

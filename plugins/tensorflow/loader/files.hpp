// Which files make up a model.
#pragma once

#include "loader/checkpoint.hpp"
#include "loader/form.hpp"

#include <mo/sdk.hpp>

namespace mo::tensorflow {

struct ModelFiles {
  std::string graph;  // the file with the graph
  CheckpointPlace checkpoint;
};

// `path` is what the user named: a file, or the folder of a SavedModel.
ModelFiles find_files(Context, const std::string& path);
// The file in the folder of a SavedModel; empty when it is none.
std::string saved_model_file(const std::string& folder);

}  // namespace mo::tensorflow

// Which files make up a model.
#pragma once

#include "loader/checkpoint.hpp"
#include "loader/form.hpp"

#include <mo/model_files.hpp>
#include <mo/sdk.hpp>

namespace mo::tensorflow {

struct ModelFiles {
  std::string graph;  // the file with the graph
  CheckpointPlace checkpoint;
};

// The source is a file, or the folder of a SavedModel; its variables may be parts in memory, too.
ModelFiles find_files(Context, const ModelSource&);
// The file in the folder of a SavedModel; empty when it is none.
std::string saved_model_file(const std::string& folder);

}  // namespace mo::tensorflow

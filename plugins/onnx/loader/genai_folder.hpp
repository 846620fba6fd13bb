// A folder of onnxruntime-genai: genai_config.json says which file the decoder is, and what its cache is
// called. One of Hugging Face has a config.json, and its decoder is called model.onnx.
#pragma once

#include <mo/sdk.hpp>

namespace mo::onnx {

struct GenaiCache {
  std::string past, present;  // names of an input and an output
};

struct GenaiFolder {
  std::string model;  // path of the file
  std::vector<GenaiCache> caches;
  Dim heads, size;                    // of a cache, where the file says them
  std::vector<std::string> not_read;  // files of other parts: encoders, embeddings, …
};

bool is_genai_folder(std::string_view path);
// Where the configuration of a model lies that is this file or folder; "" when there is none.
std::string folder_of_configuration(std::string_view model);
// Errors name the entry that is wrong; what leads out of the folder is refused.
GenaiFolder read_genai_folder(Context, std::string_view path);
// Tells graph and inputs what the folder says of the cache: sizes that the model leaves open, and the
// attribute "cache_pairs" of the graph, which back.keep_state reads.
void describe_cache(const GenaiFolder&, const Graph&);

}  // namespace mo::onnx

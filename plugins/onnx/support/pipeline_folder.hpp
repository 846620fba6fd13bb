// --genai_folder: the result is a folder that pipelines of language models open: its files are called as they look for
// them, and configurations and tokenizer of the model's folder lie beside.
#pragma once

#include <mo/sdk.hpp>

namespace mo::onnx {

void register_pipeline_options(Registry& r);
// Names the result, and checks what the option needs before a big model is read.
void prepare_pipeline_folder(Context c, const ModelSource& source, const Graph& g);
// Writes what lies beside the model. `source` is the folder of its configuration.
void write_pipeline_folder(Context c, const std::string& source);

}  // namespace mo::onnx

// Reads TensorFlow models: the loader, one extractor per operator that has a counterpart in the operation
// sets, and front transformations for operators that become several operations.
#include "loader/front_end.hpp"
#include "support/detector_settings.hpp"

#include <mo/sdk.hpp>

namespace mo::tensorflow {

#define MO_ITEM(name, file) void register_##name(mo::Registry&);
#include "tensorflow_items.inc"
#undef MO_ITEM

static void register_options(Registry& r) {
  r.option("saved_model_dir", MO_OPTION_MODEL, "TensorFlow: the folder of a SavedModel");
  r.option("saved_model_tags", MO_OPTION_LIST,
           "TensorFlow: tags of the graph in a SavedModel, separated by commas; serve when absent");
  r.option("input_meta_graph", MO_OPTION_MODEL,
           "TensorFlow: a graph with the names of its variables (.meta); its checkpoint is beside it");
  r.option(
      "input_checkpoint", MO_OPTION_PATH,
      "TensorFlow: values of the variables in --input_model: a file of a checkpoint, what the names of its "
      "files begin with, or a folder with a file that names the last one");
  r.option("input_model_is_text", MO_OPTION_FLAG,
           "TensorFlow: --input_model is in text form; found by looking into the file when absent");
  r.option(pipeline_option, MO_OPTION_PATH,
           "TensorFlow: how a model of the Object Detection API was trained; what the configurations for "
           "such models read");
  r.option("tensorboard_logdir", MO_OPTION_PATH, "TensorFlow: no effect; `mo-host dump` shows the graph");
  r.option("tensorflow_custom_layer_libraries", MO_OPTION_LIST,
           "TensorFlow: refused; operators of one's own are converted by a plugin (--extensions)");
}

static void register_contents([[maybe_unused]] mo::Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "tensorflow_items.inc"
#undef MO_ITEM
}

static void register_all(mo::Registry& r) {
  r.frontend<TensorflowFrontEnd>(register_contents);
  register_options(r);
}

}  // namespace mo::tensorflow

MO_PLUGIN("org.mo-host.tensorflow", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "reads TensorFlow models", "",
          mo::tensorflow::register_all)

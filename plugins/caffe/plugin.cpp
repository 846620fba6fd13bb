// Reads Caffe networks: the loader with a schema of its own, and one front transformation for each layer,
// which makes operations of the operation sets of it.
#include "loader/front_end.hpp"

#include <mo/sdk.hpp>

namespace mo::caffe {

#define MO_ITEM(name, file) void register_##name(Registry&);
#include "caffe_items.inc"
#undef MO_ITEM

void register_custom_operation(Registry&);

static void register_options(Registry& r) {
  r.option(
      "input_proto", MO_OPTION_PATH,
      "Caffe: the network (.prototxt) of the weights in --input_model; when absent the file beside them");
  r.option("caffe_proto", MO_OPTION_PATH,
           "Caffe: a fork's schema (caffe.proto), in the place of the built-in one");
  r.option("allow_missing_weights", MO_OPTION_FLAG,
           "Caffe: zeros where there are no weights, to inspect a network");
  r.option("caffe_phase", MO_OPTION_STRING, "Caffe: phase for the rules of layers, TEST when absent", {}, {},
           {"TEST", "TRAIN"});
  r.option("caffe_level", MO_OPTION_INT, "Caffe: level for the rules of layers");
  r.option("caffe_stages", MO_OPTION_LIST, "Caffe: stages for the rules of layers, separated by commas");
  r.option("k", MO_OPTION_PATH, "Caffe: CustomLayersMapping.xml, layers that go to the IR as they are");
  r.option("enable_flattening_nested_params", MO_OPTION_FLAG,
           "Caffe: nested parameters of mapped layers become attributes outer__inner");
  r.option("disable_omitting_optional", MO_OPTION_FLAG,
           "Caffe: absent parameters of mapped layers become attributes, too");
  r.option("mean_file", MO_OPTION_PATH, "Caffe: an image (.binaryproto) that is subtracted from the input");
  r.option("mean_file_offsets", MO_OPTION_STRING,
           "Caffe: which part of the image of --mean_file, as (x,y); its middle when absent");
}

static void register_contents([[maybe_unused]] Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "caffe_items.inc"
#undef MO_ITEM
}

static void register_all(Registry& r) {
  r.frontend<CaffeFrontEnd>(register_contents);
  register_options(r);
  register_custom_operation(r);
}

}  // namespace mo::caffe

MO_PLUGIN("org.mo-host.caffe", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "reads Caffe models", "",
          mo::caffe::register_all)

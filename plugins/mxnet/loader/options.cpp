#include "loader/options.hpp"

#include <mo/registry.hpp>

namespace mo::mxnet {

void register_options(Registry& r) {
  r.option(option_name::symbol, MO_OPTION_MODEL_FILE,
           "MXNet: the symbol (NAME-symbol.json) of the arrays in --input_model; when absent the file beside "
           "them");
  r.option(option_name::nd_prefix, MO_OPTION_STRING,
           "MXNet: NAME of NAME_args.nd and NAME_auxs.nd, arrays that take the place of those in "
           "--pretrained_model_name; both files lie beside it");
  r.option(
      option_name::pretrained, MO_OPTION_PATH,
      "MXNet: arrays (NAME-NUMBER.params, or that without .params) for what the files of --nd_prefix_name "
      "lack");
  r.option(
      option_name::save_params, MO_OPTION_FLAG,
      "MXNet: write what --nd_prefix_name and --pretrained_model_name give together as NAME-NUMBER.params, "
      "NAME that of --nd_prefix_name");
  r.option(option_name::legacy, MO_OPTION_FLAG,
           "MXNet: not needed; symbols of old releases are upgraded anyway");
  r.option(option_name::gluoncv_ssd, MO_OPTION_FLAG,
           "MXNet: the end of an SSD of gluoncv, with its three outputs, becomes one DetectionOutput");
}

bool flag(Context c, std::string_view name) { return option<bool>(c, name).value_or(false); }

}  // namespace mo::mxnet

#include "caffe_layers.hpp"

MO_PLUGIN("com.acme.caffe_layers", MO_PLUGIN_VERSION, "Acme", "Apache-2.0", "layers of Acme's fork of Caffe",
          "", acme::register_caffe_layers)

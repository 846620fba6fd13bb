#include "mxnet_custom.hpp"

MO_PLUGIN("com.acme.mxnet_custom", MO_PLUGIN_VERSION, "Acme", "Apache-2.0",
          "Custom operators of Acme's networks", "", acme::register_mxnet_custom)

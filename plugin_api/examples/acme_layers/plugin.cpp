#include "acme_layers.hpp"

static void register_all(mo::Registry& registry) {
  acme::register_scaled_shift(registry);
  acme::register_scaled_shift_extractor(registry);
  acme::register_fuse_swish(registry);
}

// Id, version, vendor, licence, one line on what it is, and where users find help: shown with errors.
MO_PLUGIN("com.acme.layers", MO_PLUGIN_VERSION, "Acme", "Apache-2.0", "layers of Acme's networks",
          "https://acme.example/support", register_all)

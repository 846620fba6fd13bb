#include "seeds.hpp"

static void register_all(mo::Registry& registry) {
#define SEEDS_EXAMPLE(NAME) seeds::register_##NAME(registry);
#include "examples.inc"
#undef SEEDS_EXAMPLE
}

MO_PLUGIN("com.example.seeds", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0",
          "the examples of the documents mo-host was made from", "https://example.com/seeds", register_all)

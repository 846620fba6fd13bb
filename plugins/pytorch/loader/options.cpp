#include "loader/options.hpp"

namespace mo::pytorch {

static constexpr std::string_view buffers = "mutated_buffers";

void register_options(Registry& r) {
  r.option(
      buffers, MO_OPTION_STRING,
      "PyTorch: what buffers become that the program changes: 'state', which is kept from one run to the "
      "next, or 'inputs', with outputs for what they are changed to; 'state' when absent",
      {}, {}, {"state", "inputs"});
}

bool keeps_state(Context c) { return option<std::string>(c, buffers).value_or("state") != "inputs"; }

}  // namespace mo::pytorch

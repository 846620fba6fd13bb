// What the command line says about models of MXNet.
#pragma once

#include <mo/frontend.hpp>

namespace mo {
class Registry;
}

namespace mo::mxnet {

namespace option_name {
constexpr std::string_view symbol = "input_symbol";
constexpr std::string_view nd_prefix = "nd_prefix_name";
constexpr std::string_view pretrained = "pretrained_model_name";
constexpr std::string_view save_params = "save_params_from_nd";
constexpr std::string_view legacy = "legacy_mxnet_model";
constexpr std::string_view gluoncv_ssd = "enable_ssd_gluoncv";
}  // namespace option_name

void register_options(Registry& r);
bool flag(Context c, std::string_view name);

}  // namespace mo::mxnet

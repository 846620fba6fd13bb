// Names of layers that front transformations convert. Networks write them in any case, older ones in capitals
// with underscores.
#pragma once

#include <optional>
#include <string_view>

namespace mo::caffe {

// As transformations name it: "InnerProduct" for "inner_product" and "INNER_PRODUCT"; nothing for what is not
// built in.
std::optional<std::string_view> known_layer_type(std::string_view written);

}  // namespace mo::caffe

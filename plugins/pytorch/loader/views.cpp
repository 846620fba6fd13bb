#include "loader/views.hpp"

#include <unordered_map>

namespace mo::pytorch {

View view_of(std::string_view operator_base) {
  static const std::unordered_map<std::string_view, View> all{
      {"detach", View::same},
      {"alias", View::same},
      {"view", View::reshaped},
      {"view_as", View::reshaped},
      {"unsqueeze", View::reshaped},
      {"squeeze", View::reshaped},
      {"unflatten", View::reshaped},
      {"view_as_real", View::same},
      {"view_as_complex", View::same},
      {"reshape", View::if_dense},
      {"reshape_as", View::if_dense},
      {"flatten", View::if_dense},
      {"contiguous", View::if_dense},
      {"ravel", View::if_dense},
      {"transpose", View::swapped},
      {"swapaxes", View::swapped},
      {"swapdims", View::swapped},
      {"t", View::swapped},
      {"numpy_T", View::swapped},
      {"mT", View::swapped},
      {"matrix_H", View::swapped},
      {"permute", View::permuted},
      {"movedim", View::moved},
      {"moveaxis", View::moved},
      {"select", View::some},
      {"slice", View::some},
      {"diagonal", View::some},
      {"as_strided", View::some},
      {"narrow", View::narrowed},
      {"split", View::parts},
      {"split_with_sizes", View::parts},
      {"chunk", View::parts},
      {"tensor_split", View::parts},
      {"unbind", View::unbound},
      {"expand", View::repeated},
      {"expand_as", View::repeated},
      {"broadcast_to", View::repeated},
  };
  const auto found = all.find(operator_base);
  return found == all.end() ? View::none : found->second;
}

}  // namespace mo::pytorch

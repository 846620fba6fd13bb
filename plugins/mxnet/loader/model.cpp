#include "loader/model.hpp"

#include "loader/attributes.hpp"

namespace mo::mxnet {

bool MxnetModel::native_attr(Context c, uint64_t tag, std::string_view name) {
  const std::string* value = known(tag).node->find(name);
  return value != nullptr && give_attribute(c, *value);
}

std::vector<std::string> MxnetModel::native_attr_names(uint64_t tag) {
  std::vector<std::string> names;
  for (const auto& [key, value] : known(tag).node->attributes) names.push_back(key);
  return names;
}

}  // namespace mo::mxnet

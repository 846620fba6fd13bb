#include "loader/model.hpp"

#include "loader/attributes.hpp"

#include <algorithm>

namespace mo::mxnet {

bool MxnetModel::native_attr(Context c, uint64_t tag, std::string_view name) {
  const std::string* value = known(tag).node->find(name);
  return value != nullptr && give_attribute(c, *value);
}

FrontEndModel::Place MxnetModel::native_place(uint64_t tag) {
  const size_t byte = known(tag).node->byte;
  if (byte == 0) return {};
  const std::string_view before = file_.bytes().substr(0, byte);
  return {path_, 1 + static_cast<uint64_t>(std::count(before.begin(), before.end(), '\n'))};
}

std::vector<std::string> MxnetModel::native_attr_names(uint64_t tag) {
  std::vector<std::string> names;
  for (const auto& [key, value] : known(tag).node->attributes) names.push_back(key);
  return names;
}

}  // namespace mo::mxnet

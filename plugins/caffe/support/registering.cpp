#include "support/registering.hpp"

namespace mo::caffe {

// "relu", "p_relu" and "tanh", as other frameworks' operators are called.
static std::string in_words(std::string_view type) {
  std::string name(type);
  for (const std::string_view word : {"ReLU", "TanH"})
    if (const size_t at = name.find(word); at != std::string::npos)
      for (size_t i = at + 1; i < at + word.size(); ++i)
        if (name[i] >= 'A' && name[i] <= 'Z') name[i] = static_cast<char>(name[i] - 'A' + 'a');
  return name;
}

void convert(Registry& r, MakeOperator make, std::string_view types, std::string_view before,
             std::string_view after) {
  const std::string name = in_words(types.substr(0, types.find(' ')));
  r.transformation<GroupedReplacement>(
      make, OperatorGroupText{"caffe", "caffe.front.layers", types, name, before, after});
}

}  // namespace mo::caffe

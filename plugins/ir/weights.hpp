// The .bin of an IR: constants are views of it.
#pragma once

#include "elements.hpp"

namespace mo::ir {

class Weights {
 public:
  // `path` is the .xml; the .bin beside it may not be a link that leads out of its folder.
  Weights(Context c, std::string_view path);
  // The value of a layer of type Const from its <data>.
  Tensor value(pugi::xml_node data, int version);

 private:
  Context c_;
  std::string folder_, file_name_;
  std::optional<File> file_;  // opened when the first constant is read: a model may have none
};

}  // namespace mo::ir

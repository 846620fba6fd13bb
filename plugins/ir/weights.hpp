// The .bin of an IR: constants are views of it.
#pragma once

#include "elements.hpp"

namespace mo::ir {

class Weights {
 public:
  Weights(Context c, std::string path) : c_(c), path_(std::move(path)) {}
  // The value of a layer of type Const from its <data>.
  Tensor value(pugi::xml_node data, int version);

 private:
  Context c_;
  std::string path_;
  std::optional<File> file_;  // opened when the first constant is read: a model may have none
};

}  // namespace mo::ir

// Registration of layers, and the transformation that converts them one after the other: each one finds what
// it reads converted already, so shapes are known.
#pragma once

#include "support/layer.hpp"

#include <map>

namespace mo::caffe {

using Convert = Ports (*)(Layer&);
using Converters = std::map<std::string, Convert, std::less<>>;  // by type in lower case

std::string lower_case(std::string_view s);

class Items {
 public:
  explicit Items(Registry& r) : host(r) {}
  // Types are found in any case.
  void layer(std::string_view type, Convert convert) { converters_[lower_case(type)] = convert; }
  // "module.Class"
  void python_layer(std::string_view key, Convert convert) {
    converters_["python." + lower_case(key)] = convert;
  }
  // All are there: registers the transformation.
  void done();

  Registry& host;

 private:
  Converters converters_;
};

}  // namespace mo::caffe

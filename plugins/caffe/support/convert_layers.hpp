// Registration of layers. front/convert_layers.cpp converts them one after the other: each one finds what it
// reads converted already, so shapes are known.
#pragma once

#include "support/layer.hpp"

#include <map>
#include <memory>

namespace mo::caffe {

using Convert = Ports (*)(Layer&);
using Converters = std::map<std::string, Convert, std::less<>>;  // by type in lower case

inline std::string lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

class Items {
 public:
  explicit Items(Registry& r) : host(r) {}
  // Types are found in any case.
  void layer(std::string_view type, Convert convert) { (*converters_)[lower_case(type)] = convert; }
  // "module.Class"
  void python_layer(std::string_view key, Convert convert) {
    (*converters_)["python." + lower_case(key)] = convert;
  }
  // Those of all items, once these are registered.
  std::shared_ptr<const Converters> converters() const { return converters_; }

  Registry& host;

 private:
  std::shared_ptr<Converters> converters_ = std::make_shared<Converters>();
};

}  // namespace mo::caffe

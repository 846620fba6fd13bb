// Functions that a model brings along: operators defined by a list of nodes.
#pragma once

#include "loader/messages.hpp"

#include <map>
#include <tuple>

namespace mo::onnx {

struct FunctionMessage {
  std::string_view name, domain, overload;
  Bytes bytes;
  std::vector<std::string_view> inputs, outputs;
  std::vector<OpsetImport> opsets;
};

FunctionMessage parse_function(Bytes function_proto);

class Functions {
 public:
  // Errors: one without a name, two of one name.
  explicit Functions(const std::vector<Bytes>& protos);
  // The function that a node calls; nullptr when it is no call.
  const FunctionMessage* called_by(const NodeMessage& node) const;

 private:
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;  // domain, name, overload
  std::map<Key, FunctionMessage> by_key_;
};

}  // namespace mo::onnx

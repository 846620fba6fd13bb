#include "loader/functions.hpp"

namespace mo::onnx {

FunctionMessage parse_function(Bytes bytes) {
  FunctionMessage m;
  m.bytes = bytes;
  for (const wire::Field& f : wire::Message(bytes)) {
    switch (f.number) {
      case field::function::name:
        m.name = f.bytes();
        break;
      case field::function::domain:
        m.domain = plain_domain(f.bytes());
        break;
      case field::function::overload:
        m.overload = f.bytes();
        break;
      case field::function::input:
        m.inputs.push_back(f.bytes());
        break;
      case field::function::output:
        m.outputs.push_back(f.bytes());
        break;
      case field::function::opset_import:
        m.opsets.push_back(parse_opset(f.bytes()));
        break;
      default:
        break;
    }
  }
  return m;
}

Functions::Functions(const std::vector<Bytes>& protos) {
  for (const Bytes proto : protos) {
    FunctionMessage f = parse_function(proto);
    require(!f.name.empty(), "a function of the model has no name");
    const Key key{f.domain, f.name, f.overload};
    const bool is_new = by_key_.emplace(key, std::move(f)).second;
    require(is_new, "function '", std::get<1>(key), "' of domain '", std::get<0>(key), "' is there twice");
  }
}

const FunctionMessage* Functions::called_by(const NodeMessage& node) const {
  if (by_key_.empty()) return nullptr;
  const auto found = by_key_.find({node.domain, node.op, node.overload});
  return found == by_key_.end() ? nullptr : &found->second;
}

}  // namespace mo::onnx

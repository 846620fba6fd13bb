#include "core/graph/attribute.hpp"

namespace mo::core {

namespace {

struct Kind {
  int32_t operator()(std::monostate) const { return MO_VALUE_NONE; }
  int32_t operator()(int64_t) const { return MO_VALUE_INT; }
  int32_t operator()(double) const { return MO_VALUE_FLOAT; }
  int32_t operator()(bool) const { return MO_VALUE_BOOL; }
  int32_t operator()(const std::string&) const { return MO_VALUE_STRING; }
  int32_t operator()(ElementType) const { return MO_VALUE_TYPE; }
  int32_t operator()(const std::shared_ptr<const Shape>&) const { return MO_VALUE_SHAPE; }
  int32_t operator()(const TensorRef&) const { return MO_VALUE_TENSOR; }
  int32_t operator()(const GraphPtr&) const { return MO_VALUE_GRAPH; }
  int32_t operator()(const Bytes&) const { return MO_VALUE_BYTES; }
  int32_t operator()(const std::vector<int64_t>&) const { return MO_VALUE_INTS; }
  int32_t operator()(const std::vector<double>&) const { return MO_VALUE_FLOATS; }
  int32_t operator()(const std::vector<uint8_t>&) const { return MO_VALUE_BOOLS; }
  int32_t operator()(const std::vector<std::string>&) const { return MO_VALUE_STRINGS; }
  int32_t operator()(const std::vector<ElementType>&) const { return MO_VALUE_TYPES; }
  int32_t operator()(const std::vector<Shape>&) const { return MO_VALUE_SHAPES; }
  int32_t operator()(const std::vector<TensorRef>&) const { return MO_VALUE_TENSORS; }
  int32_t operator()(const std::vector<GraphPtr>&) const { return MO_VALUE_GRAPHS; }
};

}  // namespace

int32_t kind_of(const Attribute& a) { return std::visit(Kind{}, a); }

}  // namespace mo::core

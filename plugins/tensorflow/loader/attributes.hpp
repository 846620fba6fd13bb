// AttrValue: what an attribute of a node holds.
#pragma once

#include "loader/body.hpp"
#include "loader/schema.hpp"

#include <mo/sdk.hpp>
#include <mo/wire.hpp>

namespace mo::tensorflow {

// A list has one of the vectors filled; a single value is the first element of one.
struct AttrValue {
  enum Kind { none, text, integer, real, boolean, type, shape, tensor, function };
  Kind kind = none;
  bool list = false;
  std::vector<Bytes>
      messages;  // text, shape (TensorShapeProto), tensor (TensorProto), function (NameAttrList)
  std::vector<int64_t> integers;  // integer, boolean, type (numbers of DataType)
  std::vector<float> reals;
};

AttrValue parse_attr_value(Bytes);

// A TensorShapeProto; errors: negative sizes other than -1, too many dimensions.
Shape parse_shape(Bytes);
// As sizes, for tensors: an error when one is not known.
std::vector<int64_t> parse_dims(Bytes);

// A function with the values of its attributes.
struct FunctionValue {
  std::string_view name;
  std::vector<std::pair<std::string_view, Bytes>> attributes;
};
FunctionValue parse_function_value(Bytes);

// The attribute that a NodeDef message has itself.
std::optional<Bytes> find_attribute(Bytes node_def, std::string_view name);
// The entry of a map<string, …>.
std::pair<std::string_view, Bytes> parse_entry(Bytes);

// Gives the decoded value to the host. `view` makes tensors.
class TensorReader;
void give_attribute(Context c, TensorReader& tensors, Bytes attr_value, std::string_view name);

}  // namespace mo::tensorflow

// The steps between loading and emission.
#pragma once

#include "core/convert/convert.hpp"
#include "core/infer/infer.hpp"

namespace mo::core {

// Applies --input and --output; returns the inputs that have to wait for inferred shapes.
std::vector<InputSpec> cut(Graph&, const ConvertOptions&);
void cut_later(Session&, Graph&, const ConvertOptions&, const std::vector<InputSpec>& inputs);

// Every source operation that has an extractor becomes an operation of an opset, bodies included.
void extract(Session&, Graph&, std::set<const Plugin*>& used, Watch*);

// Failure with a constant that has no value, bodies included: a damaged model. Transformations rely on it.
void check_constants(const Graph&);

// Failure with all operations that nobody defines, grouped by type. What vendors made may be of their own use while
// transformations of theirs are still to come.
void check_all_supported(Session&, const Graph&, bool vendors_at_work = false);

// What the framework calls a node's operation; nothing for a node that no front-end made.
struct NativeKey {
  std::string domain, op;
  int32_t version = 0;
};
std::optional<NativeKey> native_key(Session&, const Graph&, NodeId);

// Where the model's description of a node stands: "net.prototxt:12"; "" when that is not known.
std::string native_place(Session&, const Graph&, NodeId);

// Whose doing it is, and where the node stands in the model.
void tell_of_node(Session&, Failure&);

}  // namespace mo::core

// A graph as plain data: the nodes of a GraphDef or of a function, before anything is made of them.
#pragma once

#include <mo/error.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace mo::tensorflow {

using Bytes = std::string_view;

struct Body;

// An output of a node of the same body.
struct Source {
  uint32_t node = 0, output = 0;
  friend bool operator==(const Source& a, const Source& b) {
    return a.node == b.node && a.output == b.output;
  }
};

// Names and messages are views: of the file, or of what TensorflowModel::keep() holds.
struct NodeDef {
  std::string_view name, op;
  std::vector<Source> inputs;      // in order, without control inputs
  std::vector<uint32_t> controls;  // nodes
  Bytes bytes;                     // the NodeDef message with its attributes; empty for a node that was made
  std::vector<std::pair<std::string_view, Bytes>>
      made;  // AttrValue messages that come before those of `bytes`
  std::vector<std::pair<std::string_view, std::shared_ptr<const Body>>> bodies;  // "cond", "body", …
};

struct Body {
  struct Output {
    std::string_view name;
    Source from;
  };
  std::vector<NodeDef> nodes;
  std::vector<uint32_t> arguments;  // nodes of op "_Arg" with attribute T, in the order of the function
  std::vector<Output> outputs;      // of a function
};

}  // namespace mo::tensorflow

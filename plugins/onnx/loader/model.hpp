// The loaded model: what native attributes and keys of its nodes are read from.
#pragma once

#include "loader/functions.hpp"
#include "loader/tensors.hpp"

#include <deque>

namespace mo::onnx {

// Where a node stands: the main graph, or the body of a function with the attributes of its call.
struct Scope {
  std::vector<OpsetImport> opsets;
  Bytes call, defaults;  // NodeProto and FunctionProto; empty in the main graph
  const Scope* caller = nullptr;
};

// The attribute itself; inside a function it may stand for one of the call, or for the function's default.
// Nothing when neither has it.
std::optional<Bytes> resolve_attribute(Bytes attribute_proto, const Scope& scope);

// Version of `domain` that a scope imports; nothing when it imports none.
std::optional<int64_t> version_of(const Scope& scope, std::string_view domain);

class OnnxModel : public FrontEndModel {
 public:
  OnnxModel(Context c, std::string_view path);

  Files& files() { return files_; }
  const ModelMessage& message() const { return message_; }
  const Scope& main_scope() const { return scopes_.front(); }
  const Functions& functions() const { return functions_; }
  const Scope& add_scope(Scope scope) { return scopes_.emplace_back(std::move(scope)); }
  // Counts what calls of functions add to the graph: a few of them can stand for any number of nodes.
  void charge(uint64_t bytes);
  // The tag of a new node.
  uint64_t add_node(const NodeMessage& node, const Scope& scope);

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override;
  Place native_place(uint64_t tag) override;

 private:
  struct Record {
    Bytes bytes;
    std::string_view domain, op;
    int32_t version;
    const Scope* scope;
  };
  static constexpr int64_t latest_opset = 28;
  const Record& record(uint64_t tag) const;
  int64_t assumed_opset(Context c) const;
  void check_opset(Context c) const;

  Files files_;
  ModelMessage message_;
  Functions functions_;
  uint64_t expanded_ = 0;
  std::deque<Scope> scopes_;
  std::vector<Record> records_;
};

}  // namespace mo::onnx

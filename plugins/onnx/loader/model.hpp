// The loaded model: what native attributes and keys of its nodes are read from.
#pragma once

#include "loader/tensors.hpp"

#include <deque>

namespace mo::onnx {

// Where a node stands: the main graph, or the body of a function with the attributes of its call.
struct Scope {
  std::vector<OpsetImport> opsets;
  Bytes call, defaults;  // NodeProto and FunctionProto; empty in the main graph
  const Scope* caller = nullptr;
};

// Version of `domain` that a scope imports; nothing when it imports none.
std::optional<int64_t> version_of(const Scope& scope, std::string_view domain);

class OnnxModel : public FrontEndModel {
 public:
  OnnxModel(Context c, std::string_view path);

  Files& files() { return files_; }
  const ModelMessage& message() const { return message_; }
  const Scope& main_scope() const { return scopes_.front(); }
  // The tag of a new node.
  uint64_t add_node(const NodeMessage& node, const Scope& scope);

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override;

 private:
  struct Record {
    Bytes bytes;
    std::string_view domain, op;
    int32_t version;
    const Scope* scope;
  };
  static constexpr int64_t latest_opset = 22;
  const Record& record(uint64_t tag) const;
  int64_t assumed_opset(Context c) const;
  void check_opset(Context c) const;

  Files files_;
  ModelMessage message_;
  std::deque<Scope> scopes_;
  std::vector<Record> records_;
};

}  // namespace mo::onnx

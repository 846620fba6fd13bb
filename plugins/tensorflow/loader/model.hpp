// The loaded model: what native attributes of its nodes are read from, and the functions it brings along.
#pragma once

#include "loader/attributes.hpp"
#include "loader/operators.hpp"
#include "loader/tensors.hpp"

#include <deque>

namespace mo::tensorflow {

// Where a node stands: the main graph, or the body of a function that a node calls.
struct Scope {
  std::string prefix;                                          // of the names of its nodes
  std::vector<std::pair<std::string_view, Bytes>> attributes;  // AttrValues that placeholders stand for
  std::string_view function = {};                              // empty in the main graph
  const Scope* caller = nullptr;
  uint32_t depth = 0;
};

class Variables;

class TensorflowModel : public FrontEndModel {
 public:
  TensorflowModel(Context c, std::string_view path);
  ~TensorflowModel() override;

  const std::string& path() const { return path_; }
  TensorReader& tensors() { return tensors_; }
  // Of made nodes; stays where it is until the model goes.
  std::string_view keep(std::string s) { return kept_.emplace_back(std::move(s)); }
  const Scope& add_scope(Scope scope) { return scopes_.emplace_back(std::move(scope)); }
  std::shared_ptr<const Body> add_body(Body body) {
    return bodies_.emplace_back(std::make_shared<const Body>(std::move(body)));
  }

  // The functions of a GraphDef's library.
  void add_functions(Bytes graph_def);
  // FunctionDef; nothing when the model has none of this name.
  std::optional<Bytes> function(std::string_view name) const;
  // The function that a node calls by being there; nothing for While, If and operators.
  std::optional<FunctionValue> called_by(const NodeDef& node, const Scope& scope);
  // The scope of a body for `function`, with the attributes that its call gives. Error when functions call
  // one another in a circle.
  const Scope& enter(const Scope& caller, const FunctionValue& function, std::string prefix);

  const Operator* find_operator(std::string_view op) { return operators_.find(op); }
  // AttrValue: the node's own, what stands for it in this scope, or the operator's default.
  std::optional<Bytes> attribute(const NodeDef& node, std::string_view name, const Scope& scope);
  // Types of the outputs; nothing when the operator is not known.
  std::optional<std::vector<DataType>> output_types(const NodeDef& node, const Scope& scope);
  // How many there are; 1 when the operator is not known.
  size_t output_count(const NodeDef& node, const Scope& scope);
  // The number of the first output of this name; nothing when there is none, or the operator is not known.
  std::optional<uint32_t> output_number(const NodeDef& node, std::string_view output, const Scope& scope);

  // Some operation has channels in the last dimension where the operation sets have them in the second one.
  void note_channels_last() { channels_last_ = true; }
  bool channels_last() const { return channels_last_; }
  // TensorProtos of the keys and values that a table begins with.
  struct Table {
    Bytes keys, values;
  };
  void add_table(std::string_view name, const Table& t) { tables_.emplace(name, t); }
  const Table* table(std::string_view name) const {
    const auto known = tables_.find(name);
    return known == tables_.end() ? nullptr : &known->second;
  }
  // Values of variables; nullptr when there is no checkpoint.
  Variables* variables() { return variables_.get(); }
  void set_variables(std::unique_ptr<Variables>);

  // Counts what calls of functions and lists of outputs add: a few bytes can stand for any number of nodes.
  void charge(uint64_t bytes);
  // The tag of a new node, with an operator of another name for one that has another meaning. All of them
  // must stay where they are.
  uint64_t add_node(const NodeDef& node, const Scope& scope, std::string_view op);

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override;
  Place native_place(uint64_t tag) override;

 private:
  struct Record {
    const NodeDef* node;
    const Scope* scope;
    std::string_view op;
  };
  const Record& record(uint64_t tag) const;
  std::vector<DataType> types_of(const Operator::Output&, const NodeDef&, const Scope&);
  std::optional<Operator> signature(std::string_view function) const;

  std::string path_;
  TensorReader tensors_;
  Operators operators_;
  std::unordered_map<std::string_view, Bytes> functions_;
  std::unordered_map<std::string_view, Table> tables_;
  std::deque<std::string> kept_;
  std::deque<Scope> scopes_;
  std::deque<std::shared_ptr<const Body>> bodies_;
  std::vector<Record> records_;
  uint64_t charged_ = 0;
  bool channels_last_ = false;
  std::unique_ptr<Variables> variables_;
};

// Attributes of one node, read by their kind; an error when one is of another kind.
class Attributes {
 public:
  Attributes(TensorflowModel& m, const NodeDef& node, const Scope& scope)
      : m_(m), node_(node), scope_(scope) {}
  std::optional<AttrValue> find(std::string_view name) const;
  int64_t integer(std::string_view name, int64_t fallback) const;
  bool boolean(std::string_view name, bool fallback) const { return integer(name, fallback ? 1 : 0) != 0; }
  std::string_view text(std::string_view name, std::string_view fallback = {}) const;
  DataType type(std::string_view name, DataType fallback = DataType::invalid) const;
  std::vector<DataType> types(std::string_view name) const;
  std::optional<Shape> shape(std::string_view name) const;
  std::vector<Shape> shapes(std::string_view name) const;
  // Its name is empty when there is none.
  FunctionValue function(std::string_view name) const;
  std::vector<FunctionValue> functions(std::string_view name) const;

 private:
  AttrValue get(std::string_view name, AttrValue::Kind kind) const;
  TensorflowModel& m_;
  const NodeDef& node_;
  const Scope& scope_;
};

}  // namespace mo::tensorflow

// The loaded model: its sub-graphs, and what native attributes and keys of its nodes are read from.
#pragma once

#include "loader/operators.hpp"
#include "loader/tensors.hpp"

#include <mo/frontend.hpp>

namespace mo::tflite {

struct OperatorCode {
  std::string_view op;  // of a custom operator the name that it was given
  bool is_custom = false;
  int32_t version = 1;
};

struct Operator {
  const format::Operator* table = nullptr;
  const OperatorCode* code = nullptr;
  std::vector<int32_t> inputs, outputs;  // tensors; -1: left out
  std::vector<int32_t> intermediates;    // tensors that only tell how a kernel quantizes within itself
  // Its table of options; nullptr when it has none.
  const Table* options = nullptr;
};

struct SubGraph {
  std::string_view name;
  std::vector<TensorInfo> tensors;
  std::vector<Operator> operators;
  std::vector<int32_t> inputs, outputs;
};

struct Signature {
  std::string_view key;
  size_t sub_graph = 0;
  // Names of the signature, and tensors.
  std::vector<std::pair<std::string_view, int32_t>> inputs, outputs;
};

class TfliteModel : public FrontEndModel {
 public:
  TfliteModel(Context c, std::string_view path);

  const Buffers& buffers() const { return buffers_; }
  // Error when there is none with this number.
  const SubGraph& sub_graph(int64_t number) const;
  // Error when it is not there, with the names of those that are.
  Signature signature(std::string_view key) const;

  // Counts what reading adds to the graph: a few sub-graphs that refer to one another can stand for any
  // number of nodes.
  void charge(const SubGraph& g);
  static constexpr int deepest_call = 64;
  uint64_t add_node(const Operator& op, const SubGraph& g);

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override;
  Place native_place(uint64_t tag) override;

 private:
  struct Record {
    const Operator* op;
    const SubGraph* graph;
  };
  void verify_file();
  void read_codes();
  void read_sub_graphs();
  SubGraph read_sub_graph(const format::SubGraph& t);
  Operator read_operator(const format::Operator& t, const SubGraph& g);
  // Counts elements of lists: many tables may refer to one list.
  void count_listed(size_t elements);
  const Record& record(uint64_t tag) const;
  Bytes custom_options(const Operator& op) const;

  Buffers buffers_;
  const format::Model* root_ = nullptr;
  std::vector<OperatorCode> codes_;
  std::vector<SubGraph> sub_graphs_;
  std::vector<Record> records_;
  uint64_t expanded_ = 0, listed_ = 0;
};

// "operator 3 (CONV_2D)", for messages.
std::string describe(const SubGraph& g, const Operator& op);
std::string describe(const SubGraph& g, int64_t tensor);

// Its options, of the type that operators of its name have; nullptr when it has none.
template <class T>
const T* options_as(const Operator& op) {
  return reinterpret_cast<const T*>(op.options);
}
bool is_activated(const Operator& op);

// Whether it reads or writes complex tensors.
bool has_complex_numbers(const Operator& op, const SubGraph& g);

// One option of a custom operator, from a FlexBuffer that is a map; false when there is none of this name.
bool give_custom_option(Context c, Bytes flexbuffer, std::string_view name);
std::vector<std::string> custom_option_names(Bytes flexbuffer);

}  // namespace mo::tflite

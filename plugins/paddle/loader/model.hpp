// The loaded model: its program, and what native attributes and keys of its nodes are read from.
#pragma once

#include "loader/parameters.hpp"
#include "loader/program.hpp"

#include <mo/frontend.hpp>

namespace mo::paddle {

class PaddleModel : public FrontEndModel {
 public:
  PaddleModel(Context c, const ModelSource& source);

  const Program& program() const { return program_; }
  const Parameters& parameters() const { return parameters_; }

  static constexpr int deepest_block = 32;
  // Counts what reading adds to the graph: blocks that are run again and again could stand for any number of
  // nodes.
  void charge(const Block& b);
  uint64_t add_node(const Operation& op, std::vector<std::string> inputs, std::vector<std::string> outputs);

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override;
  Place native_place(uint64_t tag) override;

 private:
  struct Record {
    const Operation* op;
    std::vector<std::string> inputs, outputs;  // slots of the node's ports
  };
  const Record& record(uint64_t tag) const;

  std::string path_;
  size_t file_bytes_ = 0;
  Program program_;
  Parameters parameters_;
  std::vector<Record> records_;
  uint64_t expanded_ = 0;
};

}  // namespace mo::paddle

// The archive and the program in it. What differs between releases of torch is here.
#pragma once

#include "loader/archive.hpp"
#include "loader/calls.hpp"
#include "loader/weights.hpp"

#include <mo/frontend.hpp>

namespace mo::pytorch {

class PytorchModel : public FrontEndModel {
 public:
  PytorchModel(Context c, std::string_view path);

  Value graph() const { return document_->root().at("graph_module").at("graph"); }
  Value signature() const { return document_->root().at("graph_module").at("signature"); }
  const Ranges& ranges() const { return ranges_; }
  const Weights& weights() const { return weights_; }
  // "torch 2.8.0", or what is known of it.
  std::string writer() const;
  int64_t schema_major() const { return major_; }

  // Counts what reading adds to the graph: a condition is read twice, and loops may be nested.
  void charge(uint64_t nodes);
  uint64_t add_call(CallRecord call);

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override;
  Place native_place(uint64_t tag) override;

 private:
  void read_entries(Context c, const Archive& archive);
  void read_document(Bytes text, std::string name);
  const CallRecord& call(uint64_t tag) const;

  std::string path_;
  File file_;
  Weights weights_;
  std::unique_ptr<Document> document_;
  Ranges ranges_;
  int64_t major_ = 0;
  uint64_t nodes_ = 0, text_size_ = 0;
  std::deque<CallRecord> calls_;
  std::deque<std::string> places_;  // files that native_place has named
};

// What a file that is none of torch.export is, and how to get one; nothing for others.
std::string other_file_of_torch(Bytes head);
// How an archive is made: three lines of Python.
std::string how_to_export();

}  // namespace mo::pytorch

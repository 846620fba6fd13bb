// The loaded network: what native attributes and keys of its nodes are read from.
#pragma once

#include "loader/attributes.hpp"
#include "loader/weights.hpp"

#include <deque>

namespace mo::caffe {

class CaffeModel : public FrontEndModel {
 public:
  // Keeps the schema alive that the layers' messages refer to, and the network's text for who asks where a
  // layer stands in it.
  CaffeModel(std::shared_ptr<const Schema> schema, File proto, std::string path)
      : schema_(std::move(schema)), proto_(std::move(proto)), path_(std::move(path)) {}
  const Schema& schema() const { return schema_ ? *schema_ : builtin_schema(); }
  Weights& weights() { return weights_; }
  std::string_view proto() const { return proto_.bytes(); }

  // The tag of a new node. A mapped layer is nobody's but the mapping's.
  uint64_t add_layer(std::shared_ptr<const Message> layer, bool mapped);
  // As extractors know it: of a Python layer module and class.
  std::string_view op_of(uint64_t tag) const { return record(tag).op; }

  bool native_attr(Context c, uint64_t tag, std::string_view name) override;
  std::vector<std::string> native_attr_names(uint64_t tag) override;
  Key native_key(uint64_t tag) override;
  Place native_place(uint64_t tag) override;

 private:
  struct Record {
    std::shared_ptr<const Message> layer;
    std::string domain, op, name;
  };
  const Record& record(uint64_t tag) const;

  std::shared_ptr<const Schema> schema_;  // nullptr: the built-in one
  File proto_;
  std::string path_;
  Weights weights_;
  std::deque<Record> records_;
};

}  // namespace mo::caffe

// Makes a graph from a network.
#pragma once

#include "loader/custom_layers.hpp"
#include "loader/model.hpp"
#include "loader/rules.hpp"
#include "loader/upgrade.hpp"

namespace mo::caffe {

class NetReader {
 public:
  NetReader(Context c, CaffeModel& model, const CustomLayers& mapping, Graph graph)
      : c_(c), model_(model), mapping_(mapping), graph_(graph) {}
  void read(const Message& net, const NetState& state);

 private:
  // What a blob's name stands for at the moment.
  struct Blob {
    mo_port port{};
    bool read = false;
    bool is_input = false;
    size_t number = 0;  // of its last writer
    std::string layer;
  };
  struct Shared {  // a parameter with a name
    mo_port port{};
    std::vector<int64_t> dims;
  };
  void add_inputs(const Message& net);
  void add_data_layer(const std::shared_ptr<const Message>& layer, size_t number);
  void add_layer(const std::shared_ptr<const Message>& layer, size_t number);
  void add_parameter(std::string_view name, const std::string& blob, const Shape& shape,
                     const std::string& layer, size_t number, uint64_t native = 0);
  void add_blobs(const Message& layer, std::vector<mo_port>& inputs);
  void define(const std::string& blob, const mo_port& port, const Message& layer);
  void find_last_writers(const Layers& layers);
  void add_results();
  static std::string name_of(const Message& layer);

  Context c_;
  CaffeModel& model_;
  const CustomLayers& mapping_;
  Graph graph_;
  std::map<std::string, Blob, std::less<>> blobs_;
  size_t count_ = 0;
  std::map<std::string, size_t, std::less<>> last_writer_;
  std::map<std::string, Shared, std::less<>> shared_;
  std::vector<mo_node> data_;  // inputs that data layers became
  std::string left_out_;
};

}  // namespace mo::caffe

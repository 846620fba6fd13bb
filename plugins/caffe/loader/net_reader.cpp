#include "loader/net_reader.hpp"

#include "loader/data_layers.hpp"
#include "loader/layer_types.hpp"

#include <algorithm>

namespace mo::caffe {

std::string NetReader::name_of(const Message& layer) {
  std::string name = layer.text("name");
  if (!name.empty()) return name;
  const auto tops = layer.texts("top");
  return tops.empty() ? layer.text("type") : tops.front();
}

void NetReader::read(const Message& net, const NetState& state) {
  Layers layers;
  for (const auto& layer : upgraded_layers(net, model_.schema()))
    if (is_included(*layer, state)) layers.push_back(layer);
  find_last_writers(layers);
  add_inputs(net);
  for (size_t i = 0; i < layers.size(); ++i) {
    const Message& layer = *layers[i];
    try {
      if (is_data_layer(layer))
        add_data_layer(layers[i], i);
      else if (is_left_out(layer))
        left_out_ += text(left_out_.empty() ? "'" : ", '", name_of(layer), '\'');
      else
        add_layer(layers[i], i);
    } catch (const Error& e) {
      throw Error(text("layer '", name_of(layer), "' (", layer.text("type"), "): ", e.what()), e.status(),
                  e.where());
    }
  }
  if (!left_out_.empty())
    c_.log(MO_LOG_INFO, text("layers that inference does not need are left out: ", left_out_));
  add_results();
}

// In-place layers give a blob its name again; the last one of them keeps it as the tensor's.
void NetReader::find_last_writers(const Layers& layers) {
  for (size_t i = 0; i < layers.size(); ++i)
    if (!is_left_out(*layers[i]))
      for (const std::string& top : layers[i]->texts("top")) last_writer_[top] = i;
}

void NetReader::add_inputs(const Message& net) {
  const auto names = net.texts("input");
  const auto shapes = net.messages("input_shape");
  const auto dims = net.integers("input_dim");
  require(shapes.empty() || dims.empty(), "the network has input_shape and input_dim; expected one of them");
  require(shapes.empty() || shapes.size() == names.size(), "there are ", shapes.size(), " input_shape for ",
          names.size(), " inputs");
  require(dims.empty() || dims.size() == 4 * names.size(), "there are ", dims.size(), " input_dim for ",
          names.size(), names.size() == 1 ? " input" : " inputs", "; expected 4 for each");
  for (size_t i = 0; i < names.size(); ++i) {
    Shape shape = Shape::unknown();
    if (!shapes.empty()) shape = shape_of_blob(*shapes[i]);
    if (!dims.empty()) {
      std::vector<Dim> four;
      for (size_t d = 4 * i; d < 4 * i + 4; ++d) {
        require(dims[d] >= -1, "input_dim of input '", names[i], "' is ", dims[d]);
        four.push_back(dims[d] == -1 ? any_dim : Dim(dims[d]));
      }
      shape = Shape(four);
    }
    add_parameter(names[i], names[i], shape, names[i], SIZE_MAX);
  }
}

void NetReader::add_parameter(std::string_view name, const std::string& blob, const Shape& shape,
                              const std::string& layer, size_t number, uint64_t native) {
  require(!blob.empty(), "an input of the network has no name");
  require(blobs_.count(blob) == 0, "blob '", blob, "' is given twice");
  const mo_str tensor_name = str(blob);
  const auto writer = last_writer_.find(blob);
  const bool keeps_name = writer == last_writer_.end() || writer->second == number;
  mo_node_init init{};
  init.op = str("Parameter");
  init.opset = str("opset1");
  init.name = str(name);
  init.n_outputs = 1;
  init.output_names = keeps_name ? &tensor_name : nullptr;
  init.native = native;
  const Node n = graph_.create_node(init);
  n.set("element_type", ElementType::f32).set("shape", shape);
  n.out_port().set_shape(ElementType::f32, shape);
  blobs_[blob] = {n.out_port().abi(), false, true, count_++, layer};
}

void NetReader::add_data_layer(const std::shared_ptr<const Message>& data, size_t number) {
  const Message& layer = *data;
  const auto tops = layer.texts("top");
  require(!tops.empty(), "it has no output");
  const uint64_t tag = model_.add_layer(data, false);
  const std::string own = layer.text("type");
  for (size_t i = 0; i < tops.size(); ++i) {
    const std::string name = tops.size() == 1 ? name_of(layer) : tops[i];
    add_parameter(name, tops[i], data_shape(layer, i), name_of(layer), number, tag);
    if (own != "Input" && own != "input") data_.push_back(blobs_[tops[i]].port.node);
  }
}

void NetReader::define(const std::string& blob, const mo_port& port, const Message& layer) {
  const auto known = blobs_.find(blob);
  if (known != blobs_.end()) {
    const auto bottoms = layer.texts("bottom");
    require(std::find(bottoms.begin(), bottoms.end(), blob) != bottoms.end(), "blob '", blob,
            "' is already given by layer '", known->second.layer,
            "'; only a layer that reads it may give it again");
  }
  blobs_[blob] = {port, false, false, count_++, name_of(layer)};
}

// Weights are inputs behind those that the layer reads.
void NetReader::add_blobs(const Message& layer, std::vector<mo_port>& inputs) {
  const std::string name = layer.text("name");
  const Weights::LayerBlobs* own = model_.weights().find(name);
  const auto specs = layer.messages("param");
  const size_t own_count = own == nullptr ? 0 : own->blobs.size();
  for (size_t i = 0; i < std::max(own_count, specs.size()); ++i) {
    const std::string shared = i < specs.size() ? specs[i]->text("name") : "";
    Shared* known = nullptr;
    if (const auto k = shared_.find(shared); !shared.empty() && k != shared_.end()) known = &k->second;
    if (i >= own_count && known == nullptr) return;  // a layer may have fewer weights than settings for them
    Tensor value;
    if (i < own_count) {
      try {
        value = model_.weights().tensor(c_, own->blobs[i]);
      } catch (const Error& e) {
        fail("weights ", i, ": ", e.what());
      }
    }
    if (known != nullptr && (!value || value.dims() == known->dims)) {
      inputs.push_back(known->port);
      continue;
    }
    const Node n = graph_.create_const(text(name_of(layer), "/blob_", i), value);
    inputs.push_back(n.out_port().abi());
    if (!shared.empty() && known == nullptr) shared_[shared] = {n.out_port().abi(), value.dims()};
  }
}

void NetReader::add_layer(const std::shared_ptr<const Message>& layer, size_t number) {
  const std::string type = layer->text("type");
  require(!type.empty(), "it has no type");
  std::vector<mo_port> inputs;
  for (const std::string& bottom : layer->texts("bottom")) {
    const auto b = blobs_.find(bottom);
    require(b != blobs_.end(), "it reads blob '", bottom, "', which no layer before it gives");
    b->second.read = true;
    inputs.push_back(b->second.port);
  }
  const CustomLayer* mapped = mapping_.find(type);
  const auto tops = layer->texts("top");
  const uint64_t tag = model_.add_layer(layer, mapped != nullptr);
  add_blobs(*layer, inputs);
  std::vector<mo_str> names;
  for (const std::string& top : tops) names.push_back(last_writer_[top] == number ? str(top) : mo_str{});
  const std::string name = name_of(*layer),
                    written = type == "Python" ? text("Python.", model_.op_of(tag)) : type;
  mo_node_init init{};
  init.op = str(known_layer_type(written).value_or(written));
  init.name = str(name);
  init.inputs = inputs.data();
  init.n_inputs = static_cast<uint32_t>(inputs.size());
  init.n_outputs = static_cast<uint32_t>(tops.size());
  init.output_names = names.data();
  init.native = tag;
  const Node node = graph_.create_node(init);
  if (mapped != nullptr) mapping_.apply(*mapped, *layer, node);
  for (uint32_t i = 0; i < tops.size(); ++i) {
    const OutPort port = node.out_port(i);
    if (mapped == nullptr) port.set_shape(ElementType::f32, Shape::unknown());
    define(tops[i], port.abi(), *layer);
  }
}

// Blobs that no layer reads, in the order in which they are given.
void NetReader::add_results() {
  std::vector<const Blob*> ends;
  for (const auto& [name, b] : blobs_)
    if (!b.read && !b.is_input) ends.push_back(&b);
  std::sort(ends.begin(), ends.end(), [](const Blob* a, const Blob* b) { return a->number < b->number; });
  for (const mo_node n : data_) {
    const OutPort port(c_, n, 0);
    if (port.disconnected()) port.node().remove();  // labels
  }
  require(!ends.empty(), "the network gives nothing: no layer's output is left unread");
  for (const Blob* b : ends) {
    const std::string name = text(Node(c_, b->port.node).name(), "/sink_port_", b->port.index);
    mo_node_init init{};
    init.op = str("Result");
    init.opset = str("opset1");
    init.name = str(name);
    init.inputs = &b->port;
    init.n_inputs = 1;
    graph_.create_node(init);
  }
}

}  // namespace mo::caffe

#include "loader/upgrade.hpp"

#include "loader/layer_types.hpp"

namespace mo::caffe {

namespace {

// Types of V1 layers; "INNER_PRODUCT" is InnerProduct.
std::string type_of_v1(std::string_view name) {
  static const std::map<std::string_view, std::string_view> special{
      {"HDF5_DATA", "HDF5Data"}, {"HDF5_OUTPUT", "HDF5Output"}, {"SOFTMAX_LOSS", "SoftmaxWithLoss"}};
  if (const auto i = special.find(name); i != special.end()) return std::string(i->second);
  if (const auto known = known_layer_type(name)) return std::string(*known);
  std::string type;
  bool first = true;
  for (const char c : name) {
    if (c == '_') {
      first = true;
      continue;
    }
    type += first || c < 'A' || c > 'Z' ? c : static_cast<char>(c - 'A' + 'a');
    first = false;
  }
  return type;
}

struct Rename {
  std::string_view from, child, to;  // child "": of the layer itself
};

// Fields of V0 layers, by their type.
struct V0Type {
  std::string_view old_type, type;
  std::vector<Rename> fields;
};

const std::vector<V0Type>& v0_types() {
  static const std::vector<V0Type> types = [] {
    const auto window = [](std::string_view p) {
      return std::vector<Rename>{{"num_output", p, "num_output"},
                                 {"biasterm", p, "bias_term"},
                                 {"weight_filler", p, "weight_filler"},
                                 {"bias_filler", p, "bias_filler"},
                                 {"pad", p, "pad"},
                                 {"kernelsize", p, "kernel_size"},
                                 {"group", p, "group"},
                                 {"stride", p, "stride"},
                                 {"pool", p, "pool"}};
    };
    const auto data = [](std::string_view p) {
      return std::vector<Rename>{{"source", p, "source"},
                                 {"batchsize", p, "batch_size"},
                                 {"rand_skip", p, "rand_skip"},
                                 {"new_height", p, "new_height"},
                                 {"new_width", p, "new_width"},
                                 {"shuffle_images", p, "shuffle"},
                                 {"cropsize", "transform_param", "crop_size"},
                                 {"scale", "transform_param", "scale"},
                                 {"meanfile", "transform_param", "mean_file"},
                                 {"mirror", "transform_param", "mirror"}};
    };
    std::vector<V0Type> list{{"accuracy", "Accuracy", {}},
                             {"bnll", "BNLL", {}},
                             {"concat", "Concat", {{"concat_dim", "concat_param", "concat_dim"}}},
                             {"conv", "Convolution", window("convolution_param")},
                             {"data", "Data", data("data_param")},
                             {"dropout", "Dropout", {{"dropout_ratio", "dropout_param", "dropout_ratio"}}},
                             {"euclidean_loss", "EuclideanLoss", {}},
                             {"flatten", "Flatten", {}},
                             {"hdf5_data", "HDF5Data", data("hdf5_data_param")},
                             {"hdf5_output", "HDF5Output", {{"hdf5_output_param", "", "hdf5_output_param"}}},
                             {"im2col", "Im2col", window("convolution_param")},
                             {"images", "ImageData", data("image_data_param")},
                             {"infogain_loss", "InfogainLoss", {{"source", "infogain_loss_param", "source"}}},
                             {"innerproduct", "InnerProduct", window("inner_product_param")},
                             {"lrn",
                              "LRN",
                              {{"local_size", "lrn_param", "local_size"},
                               {"alpha", "lrn_param", "alpha"},
                               {"beta", "lrn_param", "beta"},
                               {"k", "lrn_param", "k"}}},
                             {"multinomial_logistic_loss", "MultinomialLogisticLoss", {}},
                             {"pool", "Pooling", window("pooling_param")},
                             {"relu", "ReLU", {}},
                             {"sigmoid", "Sigmoid", {}},
                             {"softmax", "Softmax", {}},
                             {"softmax_loss", "SoftmaxWithLoss", {}},
                             {"split", "Split", {}},
                             {"tanh", "TanH", {}},
                             {"window_data", "WindowData", data("window_data_param")},
                             {"padding", "padding", {}}};
    return list;
  }();
  return types;
}

void add_values(Message& to, std::string_view name, const Message::Field& from) {
  Message::Field& f = to.field(name);
  f.values.insert(f.values.end(), from.values.begin(), from.values.end());
}

class Upgrade {
 public:
  explicit Upgrade(const MessageType* layer) : layer_(layer) {}

  std::shared_ptr<Message> from_v1(const Message& old) const {
    if (const Message* v0 = old.child("layer")) return from_v0(old, *v0);
    auto m = std::make_shared<Message>(layer_);
    for (const auto& entry : old.fields()) {
      const std::string& name = entry.first;
      const Message::Field& field = entry.second;
      if (name == "type") {
        m->add_text("type", type_of_v1(old.text("type")));
      } else if (name == "param") {
        add_shared(*m, field.values.size(),
                   [&](size_t i, Message& spec) { spec.add_text("name", field.values[i].s); });
      } else if (name == "blob_share_mode") {
        add_shared(*m, field.values.size(),
                   [&](size_t i, Message& spec) { spec.add_text("share_mode", field.values[i].s); });
      } else if (name != "blobs_lr" && name != "weight_decay" && name != "layer") {  // for training only
        add_values(*m, name, field);
      }
    }
    return m;
  }

 private:
  // ParamSpec i of the layer gets something.
  template <class Set>
  static void add_shared(Message& m, size_t count, Set set) {
    Message::Field& specs = m.field("param");
    while (specs.values.size() < count) {
      Value v;
      v.kind = Value::message;
      v.m = std::make_shared<Message>(specs.type == nullptr ? nullptr : specs.type->message_type);
      specs.values.push_back(std::move(v));
    }
    for (size_t i = 0; i < count; ++i) set(i, *specs.values[i].m);
  }

  std::shared_ptr<Message> from_v0(const Message& connection, const Message& old) const {
    auto m = std::make_shared<Message>(layer_);
    for (const std::string_view name : {"bottom", "top", "include", "exclude"})
      if (const Message::Field* f = connection.find(name)) add_values(*m, name, *f);
    if (const Message::Field* f = old.find("name")) add_values(*m, "name", *f);
    const std::string type = old.text("type");
    for (const V0Type& t : v0_types()) {
      if (t.old_type != type) continue;
      m->add_text("type", std::string(t.type));
      for (const Rename& r : t.fields) {
        const Message::Field* f = old.find(r.from);
        if (f == nullptr) continue;
        Message& target = r.child.empty() ? *m : m->make_child(r.child);
        if (target.type() == nullptr || target.type()->find(r.to) != nullptr) add_values(target, r.to, *f);
      }
      // What a padding layer holds goes to the convolution behind it.
      if (type == "padding")
        if (const Message::Field* f = old.find("pad"))
          add_values(m->make_child("convolution_param"), "pad", *f);
      return m;
    }
    fail("layer '", old.text("name"), "' has the type '", type,
         "', which is none of the oldest form of Caffe's layers");
  }

  const MessageType* layer_;
};

// Padding layers of the oldest form are part of the convolution that reads them.
Layers without_padding(const std::vector<std::shared_ptr<Message>>& layers) {
  std::map<std::string, const Message*> paddings;  // by the blob they give
  Layers kept;
  for (const std::shared_ptr<Message>& layer : layers) {
    if (layer->text("type") == "padding") {
      const auto tops = layer->texts("top");
      require(tops.size() == 1 && layer->texts("bottom").size() == 1, "padding layer '", layer->text("name"),
              "' needs one input and one output");
      paddings[tops.front()] = layer.get();
      continue;
    }
    Message::Field& bottoms = layer->field("bottom");
    for (Value& b : bottoms.values) {
      const auto p = paddings.find(b.s);
      if (p == paddings.end()) continue;
      require(layer->text("type") == "Convolution" || layer->text("type") == "Pooling", "layer '",
              layer->text("name"), "' reads a padding layer, but is neither a convolution nor a pooling");
      const std::string_view child =
          layer->text("type") == "Convolution" ? "convolution_param" : "pooling_param";
      if (const Message* held = p->second->child("convolution_param"))
        if (const Message::Field* pad = held->find("pad")) {
          Message& target = layer->make_child(child);
          target.field("pad").values = pad->values;
        }
      b.s = p->second->texts("bottom").front();
    }
    kept.push_back(layer);
  }
  return kept;
}

}  // namespace

Layers upgraded_layers(const Message& net, const Schema& schema) {
  Layers layers;
  const Message::Field* newest = net.find("layer");
  const Message::Field* older = net.find("layers");
  require(
      newest == nullptr || older == nullptr,
      "the network has layers of the new form ('layer') and of the old one ('layers'); expected one of them");
  if (newest != nullptr)
    for (const Value& v : newest->values) {
      require(v.kind == Value::message, "field 'layer' is not a message");
      layers.push_back(v.m);
    }
  if (older == nullptr) return layers;
  const MessageType* type = schema.message("LayerParameter");
  const Upgrade upgrade(type);
  std::vector<std::shared_ptr<Message>> made;
  for (const Message* m : net.messages("layers")) made.push_back(upgrade.from_v1(*m));
  return without_padding(made);
}

}  // namespace mo::caffe

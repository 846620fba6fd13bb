#include "loader/model.hpp"

#include "support/blobs.hpp"

#include <mo/prototext.hpp>

namespace mo::caffe {

uint64_t CaffeModel::add_layer(std::shared_ptr<const Message> layer, bool mapped) {
  Record r{std::move(layer), "", "", ""};
  r.op = r.layer->text("type");
  r.name = r.layer->text("name");
  if (mapped) {
    r.domain = "mapped";
  } else if (r.op == "Python") {
    const Message* p = r.layer->child("python_param");
    require(p != nullptr && p->has("module") && p->has("layer"),
            "python_param with a module and a layer is missing");
    r.domain = "Python";
    r.op = text(p->text("module"), '.', p->text("layer"));
  }
  records_.push_back(std::move(r));
  return records_.size();
}

const CaffeModel::Record& CaffeModel::record(uint64_t tag) const {
  require(tag != 0 && tag <= records_.size(), "no layer of the network has tag ", tag);
  return records_[static_cast<size_t>(tag) - 1];
}

FrontEndModel::Key CaffeModel::native_key(uint64_t tag) {
  const Record& r = record(tag);
  return {r.domain, 1, r.op};
}

FrontEndModel::Place CaffeModel::native_place(uint64_t tag) {
  const auto place = prototext::find_message(proto_.bytes(), {"layer", "layers"}, record(tag).name);
  if (!place) return {};
  return {path_, place->line};
}

bool CaffeModel::native_attr(Context c, uint64_t tag, std::string_view name) {
  const Record& r = record(tag);
  if (name.substr(0, 1) == "#") {
    const Weights::LayerBlobs* held = weights_.find(r.name);
    return held != nullptr && give_by_number(c, held->bytes, name.substr(1));
  }
  if (name == bottoms_attribute) {
    const Message::Field* bottoms = r.layer->find("bottom");
    give_native(c, static_cast<int64_t>(bottoms == nullptr ? 0 : bottoms->values.size()));
    return true;
  }
  // Of a Python layer these three have short names.
  if (r.domain == "Python" && (name == "module" || name == "layer" || name == "param_str"))
    return give_attribute(c, *r.layer, text("python_param.", name));
  return give_attribute(c, *r.layer, name);
}

std::vector<std::string> CaffeModel::native_attr_names(uint64_t tag) {
  return attribute_names(*record(tag).layer);
}

}  // namespace mo::caffe

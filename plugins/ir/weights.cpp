#include "weights.hpp"

#include <filesystem>

namespace mo::ir {

namespace {

std::vector<int64_t> dims_of(pugi::xml_node data) {
  std::vector<int64_t> dims;
  std::string_view list = data.attribute("shape").value();
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    std::string_view item = list.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    dims.push_back(parse_int(item, data.parent(), "a dimension in 'shape'"));
    require(dims.back() >= 0, describe(data.parent()), ": the shape of a constant is '",
            data.attribute("shape").value(), "'; expected no negative dimension");
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return dims;
}

}  // namespace

Weights::Weights(Context c, std::string_view path) : c_(c) {
  const std::filesystem::path bin = std::filesystem::path(path).replace_extension(".bin");
  folder_ = bin.parent_path().string();
  file_name_ = bin.filename().string();
}

Tensor Weights::value(pugi::xml_node data, int version) {
  const pugi::xml_node layer = data.parent();
  require(data, "a layer of type Const has no <data>");
  const std::string_view type_name = text_of(data, "element_type");
  const ElementType type = element_type_from_name(type_name);
  require(type != ElementType::unknown, describe(layer), ": there is no element type '", type_name, "'");
  require(version > 10 || (type != ElementType::i4 && type != ElementType::u4), describe(layer),
          ": in IR version 10 the order of ", name(type), " elements depends on the runtime that wrote it");
  const int64_t offset = int_of(data, "offset"), size = int_of(data, "size");
  require(offset >= 0 && size >= 0, describe(layer), ": offset ", offset, " and size ", size,
          " of a constant; expected numbers from 0 on");
  const std::vector<int64_t> dims = dims_of(data);
  const bool empty = std::find(dims.begin(), dims.end(), 0) != dims.end();
  // OpenVINO gives what has no elements a byte of the file.
  if (type != ElementType::string && (size == 0 || (size == 1 && empty))) {
    // Nothing of it is in the file: it must not take memory either.
    require(empty, describe(layer), ": shape '", data.attribute("shape").value(),
            "' does not fit a size of 0");
    return Tensor::create_bytes(c_, type, dims).first;
  }
  try {
    if (!file_) file_ = File::open_below(c_, folder_, file_name_);
    return file_->tensor(c_, static_cast<uint64_t>(offset), static_cast<uint64_t>(size), type, dims);
  } catch (const Error& e) {
    fail(describe(layer), ": ", e.what());
  }
}

}  // namespace mo::ir

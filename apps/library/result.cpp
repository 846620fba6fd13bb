#include "apps/library/result.hpp"

namespace mo::app {

std::byte* Result::make_room(uint64_t bytes) {
  constexpr uint64_t alignment = 64;  // as the IR's
  if (bytes > SIZE_MAX - alignment) return nullptr;
  weights_.reset(static_cast<std::byte*>(
      std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)));
  return weights_.get();
}

void Result::set_weights(const std::byte* at, uint64_t bytes) {
  bin = at;
  bin_bytes = bytes;
}

void Result::set_xml(std::string text) {
  xml_ = std::move(text);
  xml = str(xml_);
}

void Result::set_files(IrPaths files) {
  files_ = std::move(files);
  xml_path = str(files_.xml);
  bin_path = str(files_.bin);
}

void Result::set_report(std::string json) {
  report_ = std::move(json);
  report = str(report_);
}

void Result::set_outputs(const std::vector<Output>& values) {
  for (const Output& o : values) {
    const mo_tensor& t = *o.value;
    const std::byte* begin = t.data();
    outputs_.push_back(
        {o.name, t.dims,
         begin == nullptr ? std::vector<std::byte>() : std::vector<std::byte>(begin, begin + t.bytes)});
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const Kept& v = outputs_[i];
    arrays_.push_back({sizeof(mo_array), str(v.name), v.dims.data(), static_cast<int64_t>(v.dims.size()),
                       v.bytes.data(), v.bytes.size(), static_cast<mo_type>(values[i].value->type), 0});
  }
  outputs = arrays_.data();
  n_outputs = arrays_.size();
}

}  // namespace mo::app

#include "apps/library/error.hpp"

#include <mo/text.hpp>

#include "core/support/split.hpp"

namespace mo::app {

using core::Exit;
using core::Failure;

namespace {

// Lines that are indented say more of the one before.
std::vector<std::string> items_of(const std::string& lines) {
  std::vector<std::string> items;
  for (std::string& line : core::split(lines, '\n'))
    if (!line.starts_with(' ')) items.push_back(std::move(line));
  return items;
}

}  // namespace

mo_status status_of(const Failure& f) {
  if (f.code() == "MO0721") return MO_CANCELLED;
  if (f.code() == "MO0209" || f.code() == "MO0510") return MO_NO_MEMORY;
  switch (f.exit()) {
    case Exit::usage:
      return MO_INVALID_ARGUMENT;
    case Exit::output:
      return MO_IO_ERROR;
    case Exit::unsupported:
      return MO_UNSUPPORTED;
    default:
      return MO_ERROR;
  }
}

ErrorData::ErrorData(const Failure& f, mo_status status)
    : code_(f.code()),
      text_(f.message()),
      hint_(f.context_of("hint")),
      node_(f.context_of("node")),
      plugin_(f.context_of("plugin")),
      transformation_(f.context_of("pass")),
      place_(f.context_of(f.has("place") ? "place" : "file")),
      model_(f.context_of("model")),
      shown_(f.render()),
      missing_(items_of(f.context_of("missing"))) {
  for (const std::string& m : missing_) missing_data_.push_back(str(m));
  data_ = {sizeof data_,         status,       static_cast<int32_t>(f.exit()),
           str(code_),           str(text_),   str(hint_),
           str(node_),           str(plugin_), str(transformation_),
           str(place_),          str(model_),  missing_data_.data(),
           missing_data_.size(), str(shown_)};
}

}  // namespace mo::app

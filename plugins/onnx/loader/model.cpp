#include "loader/model.hpp"

#include "loader/attributes.hpp"

namespace mo::onnx {

// A function that does not say which operators it means has those of its caller.
std::optional<int64_t> version_of(const Scope& scope, std::string_view domain) {
  for (const Scope* s = &scope; s != nullptr; s = s->caller)
    for (const OpsetImport& o : s->opsets)
      if (o.domain == domain) return o.version;
  return std::nullopt;
}

std::optional<Bytes> resolve_attribute(Bytes attribute, const Scope& scope) {
  std::optional<Bytes> found = attribute;
  for (const Scope* s = &scope; found; s = s->caller) {
    const std::string_view reference = referenced_attribute(*found);
    if (reference.empty()) return found;
    require(s != nullptr && !s->call.empty(), "attribute '", name_of_attribute(attribute),
            "' refers to attribute '", reference, "' of a function, but the node is in none");
    found = find_attribute(s->call, reference);
    if (!found) found = find_default(s->defaults, reference);
  }
  return found;
}

OnnxModel::OnnxModel(Context c, std::string_view path)
    : files_(c, path), message_(parse_model(files_.bytes())), functions_(message_.functions) {
  require(!files_.bytes().empty(), "the file is empty");
  require(!message_.graphs.empty(), "the file is not an ONNX model: it has no graph");
  require(message_.graphs.size() == 1, "the file has ", message_.graphs.size(), " graphs; expected one");
  scopes_.push_back({message_.opsets, {}, {}, nullptr});
  if (message_.ir_version == 0) c.warn("the file has no ir_version; it is read all the same");
  if (!version_of(scopes_.front(), "")) scopes_.front().opsets.push_back({"", assumed_opset(c)});
  check_opset(c);
}

// The operator set of files that name none. Those of IR version 1 and 2 import nothing and follow the first;
// of others the last one is taken that was released with their IR version.
int64_t OnnxModel::assumed_opset(Context c) const {
  constexpr std::array<int64_t, 14> released{1, 1, 1, 8, 10, 10, 11, 14, 18, 20, 22, 23, 24, 27};
  const int64_t ir = message_.ir_version;
  if (ir < 3 && message_.opsets.empty() && ir != 0) return 1;
  const auto last = ir < 1 || ir >= static_cast<int64_t>(released.size()) ? latest_opset
                                                                          : released[static_cast<size_t>(ir)];
  // A model of other domains alone needs none.
  if (message_.opsets.empty())
    c.warn(
        text("no opset_import says which version of ONNX's operators the model has; ", last, " is assumed"));
  return last;
}

void OnnxModel::check_opset(Context c) const {
  const auto version = version_of(scopes_.front(), "");
  if (version && *version > latest_opset)
    c.warn(text("the model says opset ", *version, ", and operators are known up to ", latest_opset,
                "; those that are newer are read as the latest known ones"));
}

uint64_t OnnxModel::add_node(const NodeMessage& node, const Scope& scope) {
  const auto version = version_of(scope, node.domain);
  records_.push_back({node.bytes, node.domain, node.op,
                      static_cast<int32_t>(std::clamp<int64_t>(version.value_or(1), 0, INT32_MAX)), &scope});
  return records_.size();
}

const OnnxModel::Record& OnnxModel::record(uint64_t tag) const {
  require(tag != 0 && tag <= records_.size(), "no node of the model has tag ", tag);
  return records_[static_cast<size_t>(tag) - 1];
}

FrontEndModel::Key OnnxModel::native_key(uint64_t tag) {
  const Record& r = record(tag);
  return {r.domain, r.version, r.op};
}

FrontEndModel::Place OnnxModel::native_place(uint64_t tag) {
  return {files_.path(), 0, static_cast<uint64_t>(record(tag).bytes.data() - files_.bytes().data())};
}

bool OnnxModel::native_attr(Context c, uint64_t tag, std::string_view name) {
  const Record& r = record(tag);
  auto found = find_attribute(r.bytes, name);
  if (found) found = resolve_attribute(*found, *r.scope);
  if (!found) return false;
  give_attribute(c, files_, *found, name);
  return true;
}

void OnnxModel::charge(uint64_t bytes) {
  constexpr uint64_t for_each_node = 100, any_file = uint64_t{2} << 20, for_each_byte = 64;
  expanded_ += bytes + for_each_node;
  require(expanded_ / for_each_byte <= any_file / for_each_byte + files_.bytes().size(),
          "the calls of functions stand for too many nodes: ", expanded_ >> 20, " MiB in a file of ",
          files_.bytes().size(), " bytes");
}

std::vector<std::string> OnnxModel::native_attr_names(uint64_t tag) {
  std::vector<std::string> names;
  for (const wire::Field& f : wire::Message(record(tag).bytes))
    if (f.number == field::node::attribute) names.emplace_back(name_of_attribute(f.bytes()));
  return names;
}

}  // namespace mo::onnx

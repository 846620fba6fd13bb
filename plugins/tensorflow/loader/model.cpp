#include "loader/model.hpp"

#include "loader/variables.hpp"

#include <mo/prototext.hpp>

#include <functional>

namespace mo::tensorflow {

namespace {

std::string_view name_of_function(Bytes function_def) {
  for (const wire::Field& f : wire::Message(function_def)) {
    if (f.number != field::function::signature) continue;
    for (const wire::Field& part : wire::Message(f.bytes()))
      if (part.number == field::op::name) return part.bytes();
  }
  return {};
}

Operator::Output parse_argument(Bytes arg_def) {
  Operator::Output o;
  for (const wire::Field& f : wire::Message(arg_def)) {
    if (f.number == field::op::arg_name) o.name = f.bytes();
    if (f.number == field::op::arg_type) o.type = data_type(f.integer());
    if (f.number == field::op::arg_type_attr) o.type_attribute = f.bytes();
    if (f.number == field::op::arg_number_attr) o.count_attribute = f.bytes();
    if (f.number == field::op::arg_type_list_attr) {
      o.type_attribute = f.bytes();
      o.list = true;
    }
  }
  return o;
}

// The attribute of the function around it that an AttrValue stands for; empty: none.
std::string_view placeholder_of(Bytes attr_value) {
  for (const wire::Field& f : wire::Message(attr_value))
    if (f.number == field::attr::placeholder) return f.bytes();
  return {};
}

std::optional<Bytes> resolve(Bytes attr_value, const Scope& scope) {
  const std::string_view wanted = placeholder_of(attr_value);
  if (wanted.empty()) return attr_value;
  for (const auto& [name, value] : scope.attributes)
    if (name == wanted) return value;
  return std::nullopt;
}

}  // namespace

TensorflowModel::TensorflowModel(Context c, std::string_view path)
    : path_(path), tensors_(File::open(c, path)) {}

TensorflowModel::~TensorflowModel() = default;

void TensorflowModel::set_variables(std::unique_ptr<Variables> v) { variables_ = std::move(v); }

void TensorflowModel::add_functions(Bytes graph_def) {
  for (const wire::Field& f : wire::Message(graph_def)) {
    if (f.number != field::graph::library) continue;
    for (const wire::Field& part : wire::Message(f.bytes()))
      if (part.number == field::library::function)
        functions_.emplace(name_of_function(part.bytes()), part.bytes());
  }
}

std::optional<Bytes> TensorflowModel::function(std::string_view name) const {
  const auto found = functions_.find(name);
  if (found == functions_.end()) return std::nullopt;
  return found->second;
}

std::optional<FunctionValue> TensorflowModel::called_by(const NodeDef& node, const Scope& scope) {
  if (node.op == "PartitionedCall" || node.op == "StatefulPartitionedCall") {
    FunctionValue f = Attributes(*this, node, scope).function("f");
    require(function(f.name).has_value(), "it calls function '", f.name, "', which the model does not have");
    return f;
  }
  const auto found = functions_.find(node.op);
  if (found == functions_.end() || operators_.find(node.op) != nullptr) return std::nullopt;
  FunctionValue f{found->first, node.made};
  for (const wire::Field& part : wire::Message(node.bytes))
    if (part.number == field::node::attr) f.attributes.push_back(parse_entry(part.bytes()));
  return f;
}

const Scope& TensorflowModel::enter(const Scope& caller, const FunctionValue& f, std::string prefix) {
  constexpr uint32_t deepest = 100;
  for (const Scope* s = &caller; s != nullptr; s = s->caller)
    require(s->function != f.name, "function '", f.name, "' calls itself, which is not supported");
  require(caller.depth < deepest, "calls of functions are nested more than ", deepest, " deep");
  Scope scope{std::move(prefix), {}, f.name, &caller, caller.depth + 1};
  for (const auto& [name, value] : f.attributes)
    if (const auto resolved = resolve(value, caller)) scope.attributes.emplace_back(name, *resolved);
  return add_scope(std::move(scope));
}

std::optional<Bytes> TensorflowModel::attribute(const NodeDef& node, std::string_view name,
                                                const Scope& scope) {
  for (const auto& [key, value] : node.made)
    if (key == name) return resolve(value, scope);
  if (const auto found = find_attribute(node.bytes, name))
    if (const auto resolved = resolve(*found, scope)) return resolved;
  const Operator* op = operators_.find(node.op);
  if (op == nullptr) return std::nullopt;
  const auto found = op->defaults.find(name);
  if (found == op->defaults.end()) return std::nullopt;
  return found->second;
}

std::optional<Operator> TensorflowModel::signature(std::string_view name) const {
  const auto found = functions_.find(name);
  if (found == functions_.end()) return std::nullopt;
  Operator op;
  for (const wire::Field& f : wire::Message(found->second)) {
    if (f.number != field::function::signature) continue;
    for (const wire::Field& part : wire::Message(f.bytes()))
      if (part.number == field::op::output_arg) op.outputs.push_back(parse_argument(part.bytes()));
  }
  return op;
}

std::vector<DataType> TensorflowModel::types_of(const Operator::Output& o, const NodeDef& node,
                                                const Scope& scope) {
  const Attributes a(*this, node, scope);
  if (o.list) return a.types(o.type_attribute);
  const DataType type = o.type_attribute.empty() ? o.type : a.type(o.type_attribute);
  if (o.count_attribute.empty()) return {type};
  const int64_t count = a.integer(o.count_attribute, 0);
  constexpr int64_t most = 1 << 20, bytes_for_each = 64;
  require(count >= 0 && count <= most, "attribute '", o.count_attribute, "' is ", count,
          ", which is not a number of outputs");
  charge(static_cast<uint64_t>(count * bytes_for_each));
  return std::vector<DataType>(static_cast<size_t>(count), type);
}

std::optional<std::vector<DataType>> TensorflowModel::output_types(const NodeDef& node, const Scope& scope) {
  const Operator* op = operators_.find(node.op);
  std::optional<Operator> called;
  if (op == nullptr) {
    called = signature(node.op);
    if (!called) return std::nullopt;
    op = &*called;
  }
  std::vector<DataType> types;
  for (const Operator::Output& o : op->outputs) {
    const auto more = types_of(o, node, scope);
    types.insert(types.end(), more.begin(), more.end());
  }
  return types;
}

size_t TensorflowModel::output_count(const NodeDef& node, const Scope& scope) {
  if (const auto f = called_by(node, scope))
    if (const auto op = signature(f->name)) return op->outputs.size();
  const auto types = output_types(node, scope);
  return types ? types->size() : 1;
}

std::optional<uint32_t> TensorflowModel::output_number(const NodeDef& node, std::string_view output,
                                                       const Scope& scope) {
  const Operator* op = operators_.find(node.op);
  std::optional<Operator> called;
  if (op == nullptr) {
    called = signature(node.op);
    if (!called) return std::nullopt;
    op = &*called;
  }
  if (op->outputs.size() == 1) return 0;
  size_t number = 0;
  for (const Operator::Output& o : op->outputs) {
    if (o.name == output) return static_cast<uint32_t>(number);
    number += types_of(o, node, scope).size();
  }
  return std::nullopt;
}

void TensorflowModel::charge(uint64_t bytes) {
  constexpr uint64_t for_each_node = 100, any_file = uint64_t{4} << 20, for_each_byte = 64;
  charged_ += bytes + for_each_node;
  require(charged_ / for_each_byte <= any_file / for_each_byte + tensors_.file().size(),
          "the calls of functions and lists of outputs stand for too much: ", charged_ >> 20,
          " MiB in a file of ", tensors_.file().size(), " bytes");
}

uint64_t TensorflowModel::add_node(const NodeDef& node, const Scope& scope, std::string_view op) {
  records_.push_back({&node, &scope, op});
  return records_.size();
}

const TensorflowModel::Record& TensorflowModel::record(uint64_t tag) const {
  require(tag != 0 && tag <= records_.size(), "no node of the model has tag ", tag);
  return records_[static_cast<size_t>(tag) - 1];
}

bool TensorflowModel::native_attr(Context c, uint64_t tag, std::string_view name) {
  const Record& r = record(tag);
  const auto found = attribute(*r.node, name, *r.scope);
  if (!found) return false;
  give_attribute(c, tensors_, *found, name);
  return true;
}

std::vector<std::string> TensorflowModel::native_attr_names(uint64_t tag) {
  const NodeDef& node = *record(tag).node;
  std::vector<std::string> names;
  const auto add = [&names](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  };
  for (const auto& [name, value] : node.made) add(name);
  for (const wire::Field& f : wire::Message(node.bytes))
    if (f.number == field::node::attr) add(parse_entry(f.bytes()).first);
  if (const Operator* op = operators_.find(node.op))
    for (const auto& [name, value] : op->defaults) add(name);
  return names;
}

FrontEndModel::Key TensorflowModel::native_key(uint64_t tag) { return {"", 0, record(tag).op}; }

// What was read from a text does not lie in its file.
FrontEndModel::Place TensorflowModel::native_place(uint64_t tag) {
  const NodeDef& node = *record(tag).node;
  const Bytes file = tensors_.file();
  const std::less_equal<> before;
  if (node.bytes.empty()) return {};
  if (before(file.data(), node.bytes.data()) && before(node.bytes.data(), file.data() + file.size()))
    return {path_, 0, static_cast<uint64_t>(node.bytes.data() - file.data())};
  const auto place = prototext::find_message(file, {"node", "node_def"}, node.name);
  if (!place) return {};
  return {path_, place->line};
}

}  // namespace mo::tensorflow

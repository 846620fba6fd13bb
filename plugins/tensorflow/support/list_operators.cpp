#include "support/list_operators.hpp"

#include <map>

namespace mo::tensorflow {

ListOperator list_operator(const Node& n) {
  using K = ListOperator::Kind;
  static const std::map<std::string, ListOperator, std::less<>> table = {
      {"TensorArrayV3", {K::reserve, -1, -1, 0, 1, "dtype"}},
      {"TensorArrayReadV3", {K::get, 2, 1, -1, 0, "dtype"}},
      {"TensorArrayWriteV3", {K::set, 3, 1, 2, 0, "T"}},
      {"TensorArrayGatherV3", {K::gather, 2, 1, -1, 0, "dtype"}},
      {"TensorArrayScatterV3", {K::scatter_into, 3, 1, 2, 0, "T"}},
      {"TensorArraySizeV3", {K::length, 1, -1, -1, 0, ""}},
      {"TensorArrayConcatV3", {K::concat, 1, -1, -1, 0, "dtype"}},
      {"TensorArraySplitV3", {K::split, 3, 2, 1, 0, "T"}},
      {"TensorArrayCloseV3", {K::close, -1, -1, -1, 0, ""}},
      {"TensorListReserve", {K::reserve, -1, -1, 1, 0}},
      {"EmptyTensorList", {K::empty, -1, -1, -1, 0}},
      {"TensorListGetItem", {K::get, 0, 1, -1, 0}},
      {"TensorListSetItem", {K::set, 0, 1, 2, 0}},
      {"TensorListPushBack", {K::push, 0, -1, 1, 0}},
      {"TensorListPopBack", {K::pop, 0, -1, -1, 0}},
      {"TensorListStack", {K::all, 0, -1, -1, 0}},
      {"TensorListFromTensor", {K::from_tensor, -1, -1, 0, 0}},
      {"TensorListGather", {K::gather, 0, 1, -1, 0}},
      {"TensorListScatter", {K::scatter, -1, 1, 0, 0}},
      {"TensorListScatterV2", {K::scatter, -1, 1, 0, 0}},
      {"TensorListScatterIntoExistingList", {K::scatter_into, 0, 2, 1, 0}},
      {"TensorListLength", {K::length, 0, -1, -1, 0, ""}},
      {"TensorListConcat", {K::concat, 0, -1, -1, 0}},
      {"TensorListConcatV2", {K::concat, 0, -1, -1, 0}},
      {"TensorListSplit", {K::split, -1, 2, 0, 0}},
  };
  const auto it = table.find(n.op_name());
  return it == table.end() ? ListOperator() : it->second;
}

OutPort behind_identities(OutPort p) {
  while (p) {
    const Node n = p.node();
    const std::string op = n.op_name();
    const bool same = op == "Identity" || op == "StopGradient" || op == "PreventGradient" || op == "Snapshot";
    if (!same || !n.is_in_port_connected(0)) break;
    p = n.in_port(0).get_source();
  }
  return p;
}

std::optional<int64_t> constant_integer(const OutPort& p) {
  const OutPort source = behind_identities(p);
  const auto value = source ? source.value() : std::nullopt;
  if (!value || value->size() != 1) return std::nullopt;
  if (value->type() != ElementType::i32 && value->type() != ElementType::i64) return std::nullopt;
  return value->integer(0);
}

bool counts_from_zero(const OutPort& p) {
  const OutPort source = behind_identities(p);
  if (const auto value = source.value(); value && value->rank() == 1) {
    if (value->type() != ElementType::i32 && value->type() != ElementType::i64) return false;
    for (size_t i = 0; i < value->size(); ++i)
      if (value->integer(i) != static_cast<int64_t>(i)) return false;
    return true;
  }
  const Node n = source.node();
  return n.is("Range") && n.in_count() == 3 && constant_integer(n.in_port(0).get_source()) == 0 &&
         constant_integer(n.in_port(2).get_source()) == 1;
}

std::vector<InPort> readers_of(const OutPort& p) {
  std::vector<InPort> found;
  Ports waiting{p};
  while (!waiting.empty()) {
    const OutPort at = waiting.back();
    waiting.pop_back();
    for (const InPort& in : at.get_destinations()) {
      const Node n = in.node();
      const std::string op = n.op_name();
      if (op == "Identity" || op == "StopGradient" || op == "PreventGradient" || op == "Snapshot")
        waiting.push_back(n.out_port());
      else
        found.push_back(in);
    }
  }
  return found;
}

ElementType element_type_of_list(const SourceNode& n, const ListOperator& op) {
  return *op.element_type == '\0' ? ElementType::unknown : n.native(op.element_type, ElementType::unknown);
}

std::optional<OutPort> stated_element_shape(const Build& b, const SourceNode& maker, const ListOperator& op) {
  if (op.element_type == std::string_view("dtype")) {
    const auto shape = maker.find_native<Shape>("element_shape");
    return shape && shape->is_static() ? std::optional(b.list(shape->to_static())) : std::nullopt;
  }
  const auto dims = b.constant(0);
  if (!dims) return b.convert(b.in(0), ElementType::i64);
  if (dims->rank() != 1) return std::nullopt;
  const Ints list = dims->to_ints();
  const bool known = std::all_of(list.begin(), list.end(), [](int64_t d) { return d >= 0; });
  return known ? std::optional(b.list(list)) : std::nullopt;
}

OutPort zeros(const Build& b, ElementType type, const OutPort& shape) {
  const ElementType known = type == ElementType::unknown ? ElementType::f32 : type;
  return b.op("Broadcast", "opset3", {b.constant(Tensor::filled(b.context(), known, {0}, {})), shape});
}

OutPort list_of_zeros(const Build& b, const SourceNode& maker, const ListOperator& op,
                      const OutPort& element_shape) {
  const OutPort size =
      op.kind == ListOperator::Kind::empty
          ? b.list({0})
          : b.reshape(b.convert(b.in(static_cast<size_t>(op.value)), ElementType::i64), Ints{1});
  return zeros(b, element_type_of_list(maker, op), b.concat({size, element_shape}));
}

}  // namespace mo::tensorflow

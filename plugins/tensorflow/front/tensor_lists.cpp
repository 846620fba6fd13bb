// Lists of tensors outside of loops, and what loops do with them other than one element per iteration: a list
// is a tensor whose first dimension counts the elements.
//   TensorListSetItem(list, i, x)   ->   ScatterUpdate(list, i, x)
#include "support/list_operators.hpp"

#include <set>

namespace mo::tensorflow {

namespace tensor_lists {

using Kind = ListOperator::Kind;

static OutPort input(const Build& b, int i) { return b.in(static_cast<size_t>(i)); }
static OutPort gather(const Build& b, const OutPort& list, const OutPort& index) {
  return b.op("Gather", "opset7", {list, index, b.integer(0)});
}
static OutPort scatter(const Build& b, const OutPort& list, const OutPort& index, const OutPort& value) {
  return b.op("ScatterUpdate", "opset3", {list, index, value, b.integer(0)});
}
// Where a list was made: behind all that writes to it.
static Node maker_of(OutPort list) {
  for (int steps = 0; steps < 1'000'000; ++steps) {
    const OutPort p = behind_identities(list);
    const ListOperator op = list_operator(p.node());
    const bool writes = op.kind == Kind::set || op.kind == Kind::scatter_into || op.kind == Kind::split;
    if (!writes || op.list < 0) return p.node();
    list = p.node().in_port(static_cast<size_t>(op.list)).get_source();
    if (!list) break;
  }
  return {};
}

// Every element, in its order.
static bool takes_all(const OutPort& list, const OutPort& indices) {
  if (!counts_from_zero(indices)) return false;
  const OutPort from = behind_identities(indices);
  const Node maker = maker_of(list);
  const ListOperator made = maker ? list_operator(maker) : ListOperator();
  std::optional<OutPort> size;
  if (made.kind == Kind::reserve) size = maker.in_port(static_cast<size_t>(made.value)).get_source();
  if (const auto value = from.value())
    return size && constant_integer(*size) == static_cast<int64_t>(value->size());
  const OutPort end = behind_identities(from.node().in_port(1).get_source());
  const ListOperator length = list_operator(end.node());
  if (length.kind == Kind::length) {
    const OutPort its = end.node().in_port(static_cast<size_t>(length.list)).get_source();
    return behind_identities(its) == behind_identities(list);
  }
  return size && behind_identities(*size) == end;
}

static Ports take(Build& b, const SourceNode& n, const ListOperator& op) {
  const OutPort list = input(b, op.list), indices = input(b, op.index);
  if (takes_all(list, indices)) return {list};
  (void)n;
  return {gather(b, list, indices)};
}

static Ports put(Build& b, const SourceNode& n, const ListOperator& op) {
  const OutPort value = input(b, op.value), indices = input(b, op.index);
  if (op.kind == Kind::set)
    return {scatter(b, input(b, op.list), b.reshape(indices, Ints{1}), b.unsqueeze(value, b.list({0})))};
  if (op.kind == Kind::scatter_into) {
    const Node maker = maker_of(input(b, op.list));
    const bool fresh = maker && list_operator(maker).kind == Kind::reserve;
    if (fresh && counts_from_zero(indices)) return {value};
    return {scatter(b, input(b, op.list), indices, value)};
  }
  const auto count = b.has(3) ? constant_integer(b.in(3)) : std::optional<int64_t>(-1);
  if (count == -1 && counts_from_zero(indices)) return {value};
  OutPort size;
  if (!count || *count >= 0)
    size = b.reshape(b.convert(b.in(3), ElementType::i64), Ints{1});
  else
    size =
        b.op("Add", "opset1",
             {b.reduce("ReduceMax", b.convert(indices, ElementType::i64), b.list({0}), true), b.integer(1)});
  const OutPort shape = b.concat({size, b.part(b.shape_of(value), 1, INT64_MAX)});
  return {scatter(b, zeros(b, element_type_of_list(n, op), shape), indices, value)};
}

static Ports grow(Build& b, const ListOperator& op) {
  const OutPort list = input(b, op.list), value = b.unsqueeze(input(b, op.value), b.list({0}));
  if (list_operator(behind_identities(list).node()).kind == Kind::empty) return {value};
  return {b.concat({list, value})};
}

static Ports shrink(Build& b, const ListOperator& op) {
  const OutPort list = input(b, op.list);
  return {b.part(list, INT64_MIN, -1), gather(b, list, b.integer(-1))};
}

static Ports count(Build& b, const SourceNode& n, const ListOperator& op) {
  const OutPort list = input(b, op.list);
  const Node maker = maker_of(list);
  const ListOperator made = maker ? list_operator(maker) : ListOperator();
  if (made.kind == Kind::reserve)
    return bypass(n, maker.in_port(static_cast<size_t>(made.value)).get_source());
  return {b.convert(b.reshape(b.dim(list, 0), b.list({})), ElementType::i32)};
}

// Elements have one shape, so that their lengths are the same.
static Ports join(Build& b, const ListOperator& op) {
  const OutPort list = input(b, op.list), shape = b.shape_of(list);
  const OutPort all = b.reshape(list, b.concat({b.list({-1}), b.part(shape, 2, INT64_MAX)}));
  const OutPort lengths = b.op("Broadcast", "opset3", {b.part(shape, 1, 2), b.part(shape, 0, 1)});
  return {all, lengths};
}

static Ports part_by_part(Build& b, const ListOperator& op) {
  const OutPort value = input(b, op.value);
  const auto lengths = b.ints(static_cast<size_t>(op.index));
  const bool equal =
      lengths && !lengths->empty() &&
      std::all_of(lengths->begin(), lengths->end(), [&](int64_t l) { return l == lengths->front(); });
  require(equal,
          "a list whose elements have different lengths, or lengths that are not constant, is not a tensor");
  const auto size = static_cast<int64_t>(lengths->size());
  return {b.reshape(value,
                    b.concat({b.list({size, lengths->front()}), b.part(b.shape_of(value), 1, INT64_MAX)}))};
}

// The shape of an element: what the operator says, or the shape of what is written.
static OutPort element_shape(const Build& b, const SourceNode& n, const ListOperator& op) {
  if (const auto stated = stated_element_shape(b, n, op)) return *stated;
  for (const InPort& in : readers_of(n.out_port(op.output))) {
    const Node writer = in.node();
    if (writer.is("ScatterUpdate") && in.index() == 0)
      return b.part(b.shape_of(writer.in_port(2).get_source()), 1, INT64_MAX);
  }
  fail(
      "the shape of the elements of this list is neither stated nor that of a value that is written to it; a "
      "list is converted to a tensor, which needs it");
}

static Ports replaced(Build& b, const SourceNode& n, const ListOperator& op) {
  switch (op.kind) {
    case Kind::get:
      return {gather(b, input(b, op.list), input(b, op.index))};
    case Kind::gather:
      return take(b, n, op);
    case Kind::set:
    case Kind::scatter:
    case Kind::scatter_into:
      return put(b, n, op);
    case Kind::push:
      return grow(b, op);
    case Kind::pop:
      return shrink(b, op);
    case Kind::all:
      return bypass(n, input(b, op.list));
    case Kind::from_tensor:
      return bypass(n, input(b, op.value));
    case Kind::length:
      return count(b, n, op);
    case Kind::concat:
      return join(b, op);
    case Kind::split:
      return part_by_part(b, op);
    case Kind::reserve:
    case Kind::empty: {
      Ports ports(op.output + size_t{1});
      ports[op.output] = list_of_zeros(b, n, op, element_shape(b, n, op));
      return ports;
    }
    default:
      return {};
  }
}

// A list has no handle: an operator that is none on lists has no use for it. What no output needs goes anyway.
static void require_no_handle(const SourceNode& n, const ListOperator& op) {
  for (size_t i = 0; i < n.out_count(); ++i) {
    if (i == op.output) continue;
    for (const InPort& in : readers_of(n.out_port(i))) {
      std::vector<Node> open{in.node()};
      std::set<mo_node> seen{in.node().id()};
      while (!open.empty()) {
        const Node at = open.back();
        open.pop_back();
        require(at.op() != "Result", "output ", i, " of it, the handle of a list, is read by '",
                in.node().name(), "' (", in.node().op(), "), which is no operator on lists");
        for (const OutPort& p : at.out_ports())
          for (const InPort& next : p.get_destinations())
            if (seen.insert(next.node().id()).second) open.push_back(next.node());
      }
    }
  }
}

// One step: what is asked about a list is replaced before what made it.
class Step : public FrontReplacementOp {
 public:
  std::vector<OutPort> replace_op(Graph g, Node node) override {
    const SourceNode n(node);
    const ListOperator what = list_operator(node);
    if (what.kind == Kind::close) {
      n.remove();
      return {};
    }
    if (what.kind == Kind::reserve || what.kind == Kind::empty)
      if (!n.is_out_port_connected(what.output)) return {};
    if (what.kind == Kind::reserve || what.kind == Kind::empty) require_no_handle(n, what);
    Build b(g, node);
    Ports ports = replaced(b, n, what);
    if (ports.empty()) return ports;
    if (what.kind != Kind::reserve) require_outputs(n, ports);
    const ElementType type = element_type_of_list(n, what);
    if (ports[0] && ports[0].type() == ElementType::unknown && type != ElementType::unknown)
      ports[0].set_shape(type, Shape::unknown());
    return ports;
  }

 protected:
  Step(std::string what_it_does, std::vector<std::string> earlier, std::vector<std::string> list) {
    doc = std::move(what_it_does);
    frameworks = {"tf"};
    run_after = std::move(earlier);
    ops = std::move(list);
  }
};

class Taken : public Step {
 public:
  Taken()
      : Step("elements of a list are gathered", {"tf.front.while"},
             {"::TensorArrayGatherV3", "::TensorListGather", "::TensorArrayScatterV3",
              "::TensorListScatterIntoExistingList"}) {
    id = "tf.front.lists_taken";
    before = "TensorListGather(list, indices)";
    after = "Gather(list, indices)";
  }
};
class Used : public Step {
 public:
  Used()
      : Step("what is done with a list is done with a tensor", {"tf.front.lists_taken"},
             {"::TensorArrayReadV3", "::TensorArrayWriteV3", "::TensorArraySizeV3", "::TensorArrayConcatV3",
              "::TensorArraySplitV3", "::TensorArrayCloseV3", "::TensorListGetItem", "::TensorListSetItem",
              "::TensorListPushBack", "::TensorListPopBack", "::TensorListStack", "::TensorListFromTensor",
              "::TensorListScatter", "::TensorListScatterV2", "::TensorListLength", "::TensorListConcat",
              "::TensorListConcatV2", "::TensorListSplit"}) {
    id = "tf.front.lists_used";
    before = "TensorListSetItem(list, i, x)";
    after = "ScatterUpdate(list, i, x)";
  }
};
class Made : public Step {
 public:
  Made()
      : Step("a list that is still needed is a tensor of zeros", {"tf.front.lists_used"},
             {"::TensorArrayV3", "::TensorListReserve", "::EmptyTensorList"}) {
    id = "tf.front.lists_made";
    before = "TensorListReserve(shape, n)";
    after = "Broadcast(0, [n, shape])";
  }
};

}  // namespace tensor_lists

void register_tensor_lists(Registry& r) {
  r.transformation<tensor_lists::Taken>();
  r.transformation<tensor_lists::Used>();
  r.transformation<tensor_lists::Made>();
}

}  // namespace mo::tensorflow

// What takes data from a queue or an iterator is where the model begins: each tensor is a Parameter.
#include "support/build.hpp"
#include "support/list_operators.hpp"

namespace mo::tensorflow {

namespace queues {

// The shapes of what the queue or iterator holds, one for each output.
static std::vector<Shape> shapes_of(const SourceNode& n, const Node& maker) {
  if (const auto own = n.find_native<std::vector<Shape>>("output_shapes"); own && !own->empty()) return *own;
  if (!maker) return {};
  const SourceNode source(maker);
  for (const char* name : {"shapes", "output_shapes"})
    if (const auto its = source.find_native<std::vector<Shape>>(name); its && !its->empty()) return *its;
  return {};
}

static Shape with_batch(const Shape& element, std::optional<int64_t> count) {
  if (!element.has_rank()) return Shape::unknown();
  std::vector<Dim> dims{count && *count >= 0 ? Dim(*count) : Dim(0, -1)};
  for (size_t i = 0; i < element.size(); ++i) dims.push_back(element[i]);
  return Shape(dims);
}

}  // namespace queues

static Ports taken(Build& b, const SourceNode& n) {
  const std::string op = n.op_name();
  const Node maker = b.has(0) ? behind_identities(b.in(0)).node() : Node();
  const std::vector<Shape> shapes = queues::shapes_of(n, maker);
  const bool many = op.find("Many") != std::string::npos || op.find("UpTo") != std::string::npos;
  const auto count = many && b.has(1) && op.find("UpTo") == std::string::npos ? constant_integer(b.in(1))
                                                                              : std::optional<int64_t>();
  Ports ports;
  for (size_t i = 0; i < n.out_count(); ++i) {
    const ElementType type = n.out_port(i).type();
    Shape shape = i < shapes.size() ? shapes[i] : Shape::unknown();
    if (many) shape = queues::with_batch(shape, count);
    const Node p = b.graph().create_node("Parameter", "opset1", text(n.name(), "/output_", i));
    if (type != ElementType::unknown) p.set("element_type", type);
    p.set("shape", shape);
    p.out_port().set_shape(type, shape);
    ports.push_back(p.out_port());
  }
  return ports;
}

void register_queues(Registry& r) {
  for (const char* op : {"IteratorGetNext", "IteratorGetNextSync", "QueueDequeue", "QueueDequeueV2",
                         "QueueDequeueMany", "QueueDequeueManyV2", "QueueDequeueUpTo", "QueueDequeueUpToV2"})
    replace<taken>(r, {op, text(op, "(queue)"), "Parameter()"});
}

}  // namespace mo::tensorflow

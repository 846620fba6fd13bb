#include "graph_reader.hpp"

#include "bodies.hpp"

#include <algorithm>
#include <mo/port_map.hpp>

namespace mo::ir {

// Not in the table of opset1, though IRs say so.
static bool came_later(std::string_view type) {
  constexpr std::string_view types[] = {"MVN", "ROIPooling", "ReorgYolo", "RNNCell", "ShuffleChannels"};
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

namespace {

constexpr int deepest_body = 32;

std::unordered_map<int64_t, uint32_t> port_ids(pugi::xml_node list) {
  std::unordered_map<int64_t, uint32_t> ids;
  for (const pugi::xml_node port : list.children("port")) {
    const bool is_new = ids.emplace(int_of(port, "id"), static_cast<uint32_t>(ids.size())).second;
    require(is_new, describe(list.parent()), " has two ports with the id ", port.attribute("id").value());
  }
  return ids;
}

Shape shape_of(pugi::xml_node port) {
  Shape shape;
  for (const pugi::xml_node dim : port.children("dim")) {
    const int64_t d = parse_int(dim.child_value(), port.parent().parent(), "<dim>");
    require(d >= -1, describe(port.parent().parent()), ": <dim> is ", d, "; expected -1 or more");
    shape.push_back(d < 0 ? any_dim : Dim(d));
  }
  return shape;
}

// "a,b\,c" is two names.
std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names(1);
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ',')
      names.back() += list[++i];
    else if (list[i] == ',')
      names.emplace_back();
    else
      names.back() += list[i];
  }
  return names;
}

ElementType type_of_precision(std::string_view precision) {
  for (const ElementTypeInfo& t : element_types)
    if (t.precision == precision) return t.type;
  return ElementType::unknown;
}

}  // namespace

void GraphReader::read(pugi::xml_node net, const Graph& graph, int depth) {
  require(depth <= deepest_body, "bodies of the IR are nested deeper than ", deepest_body, " levels");
  const pugi::xml_node list = net.child("layers");
  require(list, describe(net), " has no <layers>");
  Layers layers;
  for (const pugi::xml_node e : list.children("layer")) {
    const int64_t id = int_of(e, "id");
    require(layers.emplace(id, read_layer(e, graph, depth)).second, "two layers have the id ", id);
  }
  for (const pugi::xml_node e : net.child("edges").children("edge")) connect(e, layers);
  for (const auto& [id, layer] : layers)
    if (!layer.is_nothing) keep_packed(layer.node);
}

Layer GraphReader::read_layer(pugi::xml_node e, const Graph& graph, int depth) {
  Layer layer;
  layer.element = e;
  // OpenVINO writes one for each input of an operation that is left out.
  layer.is_nothing = text_of(e, "type") == "Const" &&
                     e.child("data").attribute("element_type").value() == std::string_view("dynamic");
  layer.inputs = port_ids(e.child("input"));
  layer.outputs = port_ids(e.child("output"));
  if (layer.is_nothing) return layer;
  layer.node = create(e, graph, static_cast<uint32_t>(layer.inputs.size()),
                      static_cast<uint32_t>(layer.outputs.size()));
  rt_info(e, layer.node);
  bodies(layer, graph, depth);
  return layer;
}

Node GraphReader::create(pugi::xml_node e, const Graph& graph, uint32_t inputs, uint32_t outputs_count) {
  const std::string_view name = text_of(e, "name"), type = text_of(e, "type"),
                         version = text_of(e, "version");
  if (type == "Const") {
    require(outputs_count == 1, describe(e), " is a Const with ", outputs_count, " outputs; expected one");
    const Node n = graph.create_const(name, weights_.value(e.child("data"), version_));
    outputs(e, n, true);
    return n;
  }
  const bool own = type == "Parameter" || type == "Result";
  require(!own || (type == "Parameter" ? inputs == 0 && outputs_count == 1 : inputs == 1), describe(e),
          " is a ", type, " with ", inputs, " inputs and ", outputs_count, " outputs");
  auto opset = own ? std::optional<std::string>("opset1") : defining_opset(c_, type, version);
  // Writers of IRs put some operations into opset1 that came later: reference of the opsets, rule 6.
  for (const char* later : {"opset2", "opset3"})
    if (!opset && version == "opset1" && came_later(type)) opset = defining_opset(c_, type, later);
  mo_node_init init{};
  init.op = str(type);
  const std::string chosen = opset.value_or(std::string(version));
  init.opset = str(chosen);
  init.name = str(name);
  init.n_inputs = inputs;
  const std::vector<mo_port> unconnected(inputs, mo_port{});
  init.inputs = unconnected.data();
  init.n_outputs = type == "Result" ? 0 : outputs_count;
  const Node n = graph.create_node(init);
  if (type == "Result") return n;
  attributes(e, n);
  // A plugin that knows the operations of extensions infers them; of others the file has all that is known.
  outputs(e, n, opset.has_value() && *opset != "extension");
  return n;
}

void GraphReader::attributes(pugi::xml_node e, const Node& n) {
  for (const pugi::xml_attribute a : e.child("data").attributes()) n.set_ir_attr(a.name(), a.value());
}

void GraphReader::outputs(pugi::xml_node e, const Node& n, bool is_defined) {
  size_t i = 0;
  for (const pugi::xml_node port : e.child("output").children("port")) {
    const OutPort out = n.out_port(i++);
    if (const pugi::xml_attribute names = port.attribute("names"); names && *names.value() != '\0')
      out.set_tensor_names(split_names(names.value()));
    if (n.op() == "Parameter")
      out.set_shape(n.attr<ElementType>("element_type"), n.attr<Shape>("shape"));
    else if (!is_defined)  // nobody will infer it
      out.set_shape(type_of_precision(port.attribute("precision").value()), shape_of(port));
  }
}

// On the layer; the layout of a model's inputs and outputs stands on their port.
void GraphReader::rt_info(pugi::xml_node e, const Node& n) {
  if (version_ < 11) return;
  for (const pugi::xml_node place : {e, e.child("output").child("port"), e.child("input").child("port")})
    for (const pugi::xml_node a : place.child("rt_info").children("attribute")) {
      const std::string_view key = text_of(a, "name");
      if (const pugi::xml_attribute layout = a.attribute("layout"))
        n.set_rt_info(key, std::string_view(layout.value()));
      else if (const pugi::xml_attribute value = a.attribute("value"))
        n.set_rt_info(key, std::string_view(value.value()));
      else
        n.set_rt_info(key, true);
    }
}

void GraphReader::connect(pugi::xml_node edge, const Layers& layers) {
  const auto end = [&](const char* layer_key, const char* port_key, auto ports) {
    const int64_t id = int_of(edge, layer_key), port = int_of(edge, port_key);
    const auto layer = layers.find(id);
    require(layer != layers.end(), "an edge names a layer ", id, ", which does not exist");
    const auto& known = layer->second.*ports;
    const auto at = known.find(port);
    require(at != known.end(), "an edge names port ", port, " of ", describe(layer->second.element),
            ", which has no such ", ports == &Layer::inputs ? "input" : "output");
    return std::pair(&layer->second, at->second);
  };
  const auto from = end("from-layer", "from-port", &Layer::outputs);
  const auto to = end("to-layer", "to-port", &Layer::inputs);
  if (from.first->is_nothing) return;
  const InPort in = to.first->node.in_port(to.second);
  require(in.disconnected(), "two edges end at port ", text_of(edge, "to-port"), " of ",
          describe(to.first->element));
  from.first->node.out_port(from.second).connect(in);
}

// Weights that are stored in few bits and converted where they are used: folding would undo what made them
// small.
void GraphReader::keep_packed(const Node& n) {
  if (n.op() != "Convert" || n.in_port(0).disconnected()) return;
  const OutPort source = n.in_port(0).get_source();
  if (source.node().op() != "Const" || bits(source.type()) > 16) return;
  if (is_float(n.attr<ElementType>("destination_type"))) n.set(MO_ATTR_STOP_VALUE, true);
}

void GraphReader::bodies(const Layer& layer, const Graph& graph, int depth) {
  for (const pugi::xml_node e : layer.element.children()) {
    const auto prefix = body_prefix(e.name());
    if (!prefix) continue;
    const Graph body = graph.create_sub_graph(text(layer.node.name(), '/', e.name()));
    read(e, body, depth + 1);
    const BodyMap map = read_body_map(layer, e, std::string(*prefix));
    layer.node.set(text(*prefix, "port_map"), map.entries);
    if (!map.back_edges.empty()) layer.node.set(text(*prefix, "back_edges"), map.back_edges);
    layer.node.set(e.name(), GraphHandle{body.id()});
  }
}

}  // namespace mo::ir

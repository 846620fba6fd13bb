#include "apps/plugin_check/source_model.hpp"

#include "core/registry/abi.hpp"

namespace mo::app::checks {

SourceModel::SourceModel(core::Session& session, const core::Extractor& e, Answers answers)
    : session_(session), extractor_(e), answers_(std::move(answers)) {
  frontend_.name = e.framework;
  frontend_.self = this;
  frontend_.native_attr = attribute;
  frontend_.native_attr_names = names;
  frontend_.native_key = key;
  session_.frontend = &frontend_;
  session_.model = this;
}

SourceModel::~SourceModel() {
  session_.frontend = nullptr;
  session_.model = nullptr;
}

mo_status SourceModel::attribute(void* self, mo_context* c, void*, uint64_t, mo_str name) {
  const core::Attribute value = static_cast<SourceModel*>(self)->answers_(view(name));
  if (std::holds_alternative<std::monostate>(value)) return MO_NOT_FOUND;
  *static_cast<core::CallContext*>(c)->returned = value;
  return MO_OK;
}

mo_status SourceModel::names(void* self, mo_context* c, void*, uint64_t) {
  std::vector<std::string> list;
  for (const char* name : {"axis", "alpha", "an_attribute_of_somebody_else"})
    if (!std::holds_alternative<std::monostate>(static_cast<SourceModel*>(self)->answers_(name)))
      list.emplace_back(name);
  *static_cast<core::CallContext*>(c)->returned = list;
  return MO_OK;
}

mo_status SourceModel::key(void* self, mo_context*, void*, uint64_t, mo_str* domain, int32_t* version,
                           mo_str* op) {
  const core::Extractor& e = static_cast<SourceModel*>(self)->extractor_;
  *domain = str(e.domain);
  *version = std::max(e.since, 1);
  *op = str(e.op);
  return MO_OK;
}

core::GraphPtr SourceModel::graph(uint32_t inputs, uint32_t outputs, core::NodeId& node) const {
  const core::GraphPtr g = session_.create_graph("a model");
  std::vector<core::NodeId> sources;
  for (uint32_t i = 0; i < inputs; ++i) {
    sources.push_back(g->add_node(core::words::parameter, "opset1", text("input_", i), 0, 1));
    g->set_attribute(sources.back(), "element_type", ElementType::f32);
    g->set_attribute(sources.back(), "shape", core::shape_attribute(Shape{2, 3, 4, 4}));
    core::TensorState t;
    t.type = ElementType::f32;
    t.shape = Shape{2, 3, 4, 4};
    g->set_tensor({sources.back(), 0}, t);
  }
  node = g->add_node(extractor_.op, "", "the_node", inputs, outputs);
  g->set_native(node, 1);
  for (uint32_t i = 0; i < inputs; ++i) g->connect({sources[i], 0}, {node, i});
  const core::NodeId neighbour = g->add_node("NeighbourOfAnotherKind", "", "neighbour", 1, 1);
  if (inputs != 0) g->connect({sources[0], 0}, {neighbour, 0});
  g->set_attribute(neighbour, "axis", int64_t{7});
  for (uint32_t i = 0; i < outputs; ++i)
    g->connect({node, i}, {g->add_node(core::words::result, "opset1", text("output_", i), 1, 0), 0});
  return g;
}

}  // namespace mo::app::checks

#include "loader/front_end.hpp"

#include "loader/control_flow.hpp"
#include "loader/form.hpp"
#include "loader/graph_reader.hpp"

namespace mo::tensorflow {

int TensorflowFrontEnd::probe(const ProbeInfo& p) const {
  const Form form = form_of(p.head);
  if (form == Form::text) return p.extension == ".pbtxt" ? 90 : 60;
  if (form != Form::none) return p.extension == ".pb" || p.extension == ".meta" ? 95 : 70;
  return p.extension == ".pb" || p.extension == ".pbtxt" ? 20 : 0;
}

std::unique_ptr<FrontEndModel> TensorflowFrontEnd::load(Context c, std::string_view path, Graph graph) {
  auto model = std::make_unique<TensorflowModel>(c, path);
  const Bytes file = model->tensors().file();
  require(!file.empty(), "the file is empty");
  model->add_functions(file);
  const Scope& scope = model->add_scope({});
  Body body = read_graph(*model, file, scope);
  require(!body.nodes.empty(), "the file has no nodes; is it a GraphDef?");
  lower_control_flow(*model, scope, body);
  GraphReader(c, *model, graph, true).read(*model->add_body(std::move(body)), scope, {});
  graph.set("framework", "tf");
  graph.set("layout", model->channels_last() ? "NHWC" : "NCHW");
  return model;
}

}  // namespace mo::tensorflow

#include "loader/front_end.hpp"

#include "loader/control_flow.hpp"
#include "loader/entry_points.hpp"
#include "loader/files.hpp"
#include "loader/graph_reader.hpp"
#include "loader/tables.hpp"
#include "loader/text_form.hpp"
#include "loader/variables.hpp"

#include <filesystem>
#include <utility>

namespace mo::tensorflow {

// Keras's own formats: HDF5, and a zip archive that is told by its name.
static bool is_of_keras(std::string_view head, std::string_view extension) {
  return head.substr(0, 8) == "\x89HDF\r\n\x1a\n" || (extension == ".keras" && head.substr(0, 2) == "PK");
}

int TensorflowFrontEnd::probe(const ProbeInfo& p) const {
  if (p.head.empty() && p.file_bytes == 0) return saved_model_file(std::string(p.path)).empty() ? 0 : 95;
  if (is_of_keras(p.head, p.extension)) return 90;
  const Form form = form_of(p.head);
  if (form == Form::text) return p.extension == ".pbtxt" ? 90 : 60;
  if (form != Form::none) return p.extension == ".pb" || p.extension == ".meta" ? 95 : 70;
  return p.extension == ".pb" || p.extension == ".pbtxt" || p.extension == ".meta" ? 20 : 0;
}

namespace {

// A graph that is ready to be made.
struct Loaded {
  Body body;
  const Scope* scope = nullptr;
  std::vector<Body::Output> outputs;  // empty: those that no node reads
};

// The messages of the file, whichever form it has.
MetaGraph read_file(Context c, TensorflowModel& model, bool as_text) {
  Bytes file = model.tensors().file();
  require(!file.empty(), "the file is empty");
  const std::filesystem::path path(model.path());
  require(!is_of_keras(file, path.extension().native()),
          "this is a model in a format of Keras, whose layers only Keras can build",
          hint("keras.models.load_model('", path.filename().native(),
               "').export('saved') in Python, then --saved_model_dir saved"));
  Form form = form_of(file.substr(0, size_t{1} << 16));
  if (as_text || form == Form::text) {
    file = model.tensors().keep(text_to_wire(file, model.path()));
    form = form_of(file);
  }
  if (form == Form::saved_model || (form == Form::none && path.stem() == "saved_model"))
    return choose_meta_graph(
        c, file,
        option<std::vector<std::string>>(c, "saved_model_tags").value_or(std::vector<std::string>{}));
  if (form == Form::meta_graph || path.extension() == ".meta") {
    MetaGraph m = parse_meta_graph(file);
    require(!m.graph_def.empty(), "the MetaGraphDef has no graph");
    return m;
  }
  MetaGraph m;
  m.graph_def = file;
  return m;
}

Loaded choose_part(Context c, TensorflowModel& model, Body body, const Scope& scope, const MetaGraph& meta,
                   Variables* variables) {
  Loaded out{std::move(body), &scope, {}};
  const Signature* signature = choose_signature(c, meta);
  if (signature != nullptr && !signature->outputs.empty()) {
    out.outputs = outputs_of(out.body, *signature);
    auto entry = enter_function(model, out.body, scope, out.outputs);
    if (entry) {
      if (variables != nullptr) variables->match_objects(c, meta.objects, entry->name, entry->captured);
      out = {std::move(entry->body), entry->scope, std::move(entry->outputs)};
    }
  }
  const bool frozen = signature == nullptr && variables == nullptr;
  std::vector<Body::Output> chosen = chosen_outputs(c, out.body);
  if (!chosen.empty()) {
    out.body = prune(std::move(out.body), chosen);
    out.outputs.clear();
  } else if (option<std::string>(c, "output")) {
    out.outputs.clear();  // the host finds them, or says that they are not there
  } else if (!frozen) {
    if (out.outputs.empty()) out.outputs = inference_leaves(model, out.body, *out.scope);
    if (!out.outputs.empty()) out.body = prune(std::move(out.body), out.outputs);
  }
  return out;
}

}  // namespace

std::unique_ptr<FrontEndModel> TensorflowFrontEnd::load(Context c, const ModelSource& source, Graph graph) {
  const ModelFiles files = find_files(c, source);
  auto model = std::make_unique<TensorflowModel>(c, files.graph);
  const MetaGraph meta = read_file(c, *model, option<bool>(c, "input_model_is_text").value_or(false));
  model->add_functions(meta.graph_def);
  const Scope& scope = model->add_scope({});
  Body body = read_graph(*model, meta.graph_def, scope);
  require(!body.nodes.empty(), "the file has no nodes; is it a GraphDef?");
  read_tables(*model, body, scope);
  if (!files.checkpoint.empty())
    model->set_variables(
        std::make_unique<Variables>(*model, body, scope, open_checkpoint(c, source, files.checkpoint)));
  Loaded part = choose_part(c, *model, std::move(body), scope, meta, model->variables());
  part.body.outputs = std::move(part.outputs);  // they move with the nodes
  lower_control_flow(*model, *part.scope, part.body);
  part.outputs = std::exchange(part.body.outputs, {});
  GraphReader(c, *model, graph, true).read(*model->add_body(std::move(part.body)), *part.scope, part.outputs);
  graph.set(MO_GRAPH_FRAMEWORK, "tf");
  graph.set(MO_GRAPH_LAYOUT, model->channels_last() ? "NHWC" : "NCHW");
  return model;
}

}  // namespace mo::tensorflow

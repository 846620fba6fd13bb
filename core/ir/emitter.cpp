#include "core/ir/check_ir.hpp"
#include "core/ir/constants.hpp"
#include "core/ir/layers.hpp"
#include "core/ir/metadata.hpp"
#include "core/ir/source_files.hpp"
#include "core/support/output_file.hpp"
#include "core/support/utf8.hpp"

namespace mo::core {

namespace {

// Readers look for the version in the first 512 bytes, which a long name must not push it out of.
std::string_view short_name(std::string_view name) {
  constexpr size_t longest = 64;
  if (name.size() <= longest) return name;
  size_t end = 0;
  while (const size_t length = utf8_length(name, end)) {
    if (end + length > longest) break;
    end += length;
  }
  return name.substr(0, end);
}

int version_of(const Graph& g, const EmitOptions& options) {
  const Attribute* a = g.attribute("ir_version");
  const int64_t* said = a == nullptr ? nullptr : std::get_if<int64_t>(a);
  const int version = options.ir_version != 0 ? options.ir_version : said != nullptr && *said == 10 ? 10 : 11;
  if (version != 10 && version != 11)
    throw Failure(Exit::usage, "MO0709", text("there is no IR version ", version))
        .with("hint", "10 and 11 can be written");
  return version;
}

// Layers, edges and what is said of the model.
void write_xml(Session& session, const Graph& graph, const EmitOptions& options, const ModelPlan& model,
               const ConstantPlan& constants, const std::function<void(std::string_view)>& sink,
               Problems& problems) {
  XmlWriter xml(sink);
  xml.raw("<?xml version=\"1.0\"?>\n<net").attribute("name", short_name(options.model_name));
  xml.attribute("version", model.ir_version).raw(">");
  LayerWriter(session, model, constants.offsets, xml, problems).graph(model.main, 1);
  write_metadata(xml, metadata_of(graph, options), model.ir_version);
  xml.raw("\n</net>\n").flush();
  problems.check();
}

IrReader reader_of(const Session& session, const Graph& g, const EmitOptions& options) {
  IrReader reader;
  reader.ir_version = version_of(g, options);
  reader.release = &session.target();
  return reader;
}

}  // namespace

EmitResult emit_ir(Session& session, const Graph& graph, const EmitOptions& options) {
  const IrReader reader = reader_of(session, graph, options);
  Problems problems(reader.ir_version);
  const ModelPlan model = plan_model(session, graph, reader, problems);
  problems.check();
  const ConstantPlan constants = plan_constants(model.constants);

  OutputPair files(options.output_dir, file_stem(options.model_name));
  if (!options.overwrite_source) check_not_read_from(session, {files.xml().path(), files.bin().path()});
  write_xml(
      session, graph, options, model, constants, [&](std::string_view bytes) { files.xml().write(bytes); },
      problems);
  write_constants(files.bin(), constants, session.progress_sink);
  check_source_unchanged(session);
  files.commit(options.fsync);

  EmitResult result;
  result.ir_version = reader.ir_version;
  result.xml_path = files.xml().path();
  result.bin_path = files.bin().path();
  result.xml_bytes = files.xml().size();
  result.bin_bytes = files.bin().size();
  result.layers = model.layers;
  result.shared_constants = constants.shared;
  return result;
}

void check_ir(Session& session, const Graph& graph, const EmitOptions& options) {
  const IrReader reader = reader_of(session, graph, options);
  Problems problems(reader.ir_version);
  const ModelPlan model = plan_model(session, graph, reader, problems);
  problems.check();
  ConstantPlan nowhere;  // no weights are read
  nowhere.offsets.resize(model.constants.size());
  write_xml(
      session, graph, options, model, nowhere, [](std::string_view) {}, problems);
}

}  // namespace mo::core

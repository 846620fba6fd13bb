#include "core/ir/emitter.hpp"

#include "core/ir/constants.hpp"
#include "core/ir/layers.hpp"
#include "core/ir/metadata.hpp"
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

// What came of a file that was written to meanwhile is of both.
void check_source_unchanged(const Session& session) {
  for (const FileRef& file : session.files())
    if (!is_unchanged(*file))
      throw Failure(Exit::model, "MO0212", text("'", file->path, "' was changed while it was converted"))
          .with("hint", "nothing was written; convert it again when nobody writes to it");
}

}  // namespace

EmitResult emit_ir(Session& session, const Graph& graph, const EmitOptions& options, IrOutput& output) {
  const IrReader reader = reader_of(session, graph, options);
  Problems problems(reader.ir_version);
  const ModelPlan model = plan_model(session, graph, reader, problems);
  problems.check();
  const ConstantPlan constants = plan_constants(model.constants);
  EmitResult result;
  result.ir_version = reader.ir_version;
  result.bin_bytes = constants.bytes;
  result.layers = model.layers;
  result.shared_constants = constants.shared;
  output.begin(options.model_name);
  const auto sink = [&](std::string_view text) {
    result.xml_bytes += text.size();
    output.text(text);
  };
  write_xml(session, graph, options, model, constants, sink, problems);
  output.reserve(constants.bytes);
  write_constants([&](uint64_t at, std::string_view bytes) { output.weights(at, bytes); }, constants,
                  session.progress_sink);
  check_source_unchanged(session);
  output.finish();
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

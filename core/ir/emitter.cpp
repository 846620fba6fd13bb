#include "core/ir/check_ir.hpp"
#include "core/ir/constants.hpp"
#include "core/ir/layers.hpp"
#include "core/ir/metadata.hpp"
#include "core/ir/source_files.hpp"
#include "core/support/output_file.hpp"
#include "core/support/utf8.hpp"

#include <cstring>

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

void write_to_files(Session& session, const Graph& graph, const EmitOptions& options, const ModelPlan& model,
                    const ConstantPlan& constants, Problems& problems, EmitResult& result) {
  OutputPair files(options.output_dir, file_stem(options.model_name));
  OutputFile &xml = files.xml(), &bin = files.bin();
  if (!options.overwrite_source) check_not_read_from(session, {xml.path(), bin.path()});
  write_xml(
      session, graph, options, model, constants, [&](std::string_view bytes) { xml.write(bytes); }, problems);
  bin.reserve(constants.bytes);
  write_constants([&](uint64_t at, std::string_view bytes) { bin.write_at(at, bytes); }, constants,
                  session.progress_sink);
  check_source_unchanged(session);
  files.commit(options.fsync);
  result.xml_path = xml.path();
  result.bin_path = bin.path();
  result.xml_bytes = xml.size();
}

void write_to_memory(Session& session, const Graph& graph, const EmitOptions& options, const ModelPlan& model,
                     const ConstantPlan& constants, Problems& problems, EmitResult& result) {
  write_xml(
      session, graph, options, model, constants, [&](std::string_view bytes) { result.xml += bytes; },
      problems);
  std::byte* const to = options.memory(constants.bytes);
  if (to == nullptr && constants.bytes != 0)
    throw Failure(Exit::output, "MO0710",
                  text("there is no room for ", constants.bytes, " bytes of weights"));
  if (constants.blobs.empty() && constants.bytes != 0) std::memset(to, 0, constants.bytes);
  write_constants(
      [&](uint64_t at, std::string_view bytes) { std::memcpy(to + at, bytes.data(), bytes.size()); },
      constants, session.progress_sink);
  check_source_unchanged(session);
  result.xml_bytes = result.xml.size();
}

}  // namespace

EmitResult emit_ir(Session& session, const Graph& graph, const EmitOptions& options) {
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
  (options.memory ? write_to_memory : write_to_files)(session, graph, options, model, constants, problems,
                                                      result);
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

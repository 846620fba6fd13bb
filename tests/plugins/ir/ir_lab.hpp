// Graphs in the text form to IRs, and back through the front-end.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "apps/frontends/choose_frontend.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "apps/views/text.hpp"
#include "built.hpp"
#include "core/convert/convert.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "load.hpp"
#include "temporary_folder.hpp"

namespace mo::test {

inline std::unique_ptr<core::Session> session_with_plugins() {
  auto session = std::make_unique<core::Session>(core::host_table());
  load_built_in(*session);
  return session;
}

inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

class IrLab {
 public:
  // FOLDER/m.xml and .bin of a graph.
  void write(std::string_view body, int version = 11) const {
    const auto session = session_with_plugins();
    const core::GraphPtr g =
        app::parse_text(text("mo-graph 1\ngraph \"m\" {\n", body, "\n}\n"), session->space());
    core::infer_all(*session, *g);
    core::EmitOptions options;
    options.ir_version = version;
    options.model_name = "m";
    options.metadata = {{{"MO_version"}, "1.2"}, {{"conversion_parameters", "input model"}, "a<b>.onnx"}};
    app::IrFiles files(*session, {.folder = folder()});
    emit_ir(*session, *g, options, files);
  }

  std::string xml() const { return content(path("m.xml")); }

  // FOLDER/again/m.xml: what a conversion of FOLDER/m.xml writes.
  void convert() const {
    const auto session = session_with_plugins();
    core::ConvertOptions options;
    options.frontend = app::choose_frontend;
    options.input_model = path("m.xml");
    options.emit.model_name = "m";
    app::IrFiles files(*session, {.folder = path("again")});
    core::convert(*session, options, files);
  }

  // The graph as the front-end gives it.
  std::string loaded() const {
    const auto session = session_with_plugins();
    core::ConvertOptions options;
    options.frontend = app::choose_frontend;
    options.input_model = path("m.xml");
    const core::GraphPtr g = core::load_model(*session, options);
    std::string all = app::to_text(*g);
    session->close_model();
    return all;
  }

  void expect_same_again() const {
    convert();
    EXPECT_EQ(content(path("m.xml")), content(path("again/m.xml")));
    EXPECT_EQ(content(path("m.bin")), content(path("again/m.bin")));
  }

  // What is said about FOLDER/m.xml with this content.
  std::string error(const std::string& xml) const {
    std::ofstream(path("m.xml"), std::ios::binary) << xml;
    try {
      loaded();
    } catch (const core::Failure& f) {
      return f.render();
    }
    return "no error";
  }

  std::string folder() const { return folder_.path(); }
  std::string path(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

}  // namespace mo::test

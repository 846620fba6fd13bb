// What the tests of front-ends share: a folder, conversions up to any stage, and questions to the graph.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mo/tensor.hpp>

#include "apps/frontends/choose_frontend.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "apps/views/text.hpp"
#include "built.hpp"
#include "core/convert/convert.hpp"
#include "core/host/host_tables.hpp"
#include "failure_of.hpp"
#include "load.hpp"
#include "temporary_folder.hpp"
#include "twice.hpp"

namespace mo::test {

class ConversionTest : public testing::Test {
 protected:
  explicit ConversionTest(std::string framework) {
    convert_.framework = std::move(framework);
    convert_.frontend = app::choose_frontend;
  }

  // A session is one conversion; it lives as long as the graphs that came out of it.
  core::Session& new_session() {
    core::Session& session = *sessions_.emplace_back(std::make_unique<core::Session>(core::host_table()));
    load_built_in(session);
    if (plugin_) plugin_(session);
    for (const auto& [name, value] : options_) session.set_option(name, value);
    session.log_sink = [this](const core::LogLine& line) { log_ += line.text + '\n'; };
    return session;
  }
  core::GraphPtr prepare(const std::filesystem::path& model, core::Stage stage = core::Stage::final) {
    core::ConvertOptions options = convert_;
    options.input_model = model.string();
    options.stop_after = stage;
    options.emit.model_name = "model";
    core::ConvertResult result;
    core::Session& session = new_session();
    TwiceEqualsOnce twice(session);
    options.watch = &twice;
    return core::prepare_model(session, options, result);
  }
  // The model in memory: the file, and all that lies in its folder, by their names there.
  core::GraphPtr prepare_in_memory(const std::filesystem::path& model,
                                   core::Stage stage = core::Stage::final) {
    namespace fs = std::filesystem;
    core::Session& session = new_session();
    std::vector<core::Session::Part> parts;
    for (const auto& entry : fs::recursive_directory_iterator(model.parent_path())) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const auto bytes = std::make_shared<const std::string>(std::istreambuf_iterator<char>(in),
                                                             std::istreambuf_iterator<char>());
      parts.push_back({fs::relative(entry.path(), model.parent_path()).string(),
                       std::as_bytes(std::span(*bytes)), bytes});
    }
    session.set_parts(std::move(parts));
    core::ConvertOptions options = convert_;
    options.input_model = model.filename().string();
    options.stop_after = stage;
    options.emit.model_name = "model";
    core::ConvertResult result;
    return core::prepare_model(session, options, result);
  }
  // As a user is told: with what a conversion adds to it.
  std::string located_failure_of(const std::filesystem::path& model) {
    core::ConvertOptions options = convert_;
    options.input_model = model.string();
    options.emit.model_name = "model";
    core::Session& session = new_session();
    app::IrFiles files(session, {.folder = folder_ / "out"});
    try {
      core::convert(session, options, files);
      return {};
    } catch (const core::Failure& f) {
      return f.render();
    }
  }
  // Is the model in memory what it is in its folder?
  void expect_the_same_in_memory(const std::filesystem::path& model) {
    const core::GraphPtr there = prepare(model), here = prepare_in_memory(model);
    EXPECT_EQ(app::to_text(*here), app::to_text(*there));
  }
  // Of the model in memory without this part; a file of its name in the working folder does not count.
  std::string failure_without(const std::filesystem::path& model, const std::string& part) {
    std::filesystem::remove(model.parent_path() / part);
    const std::filesystem::path before = std::filesystem::current_path();
    const TemporaryFolder here;
    std::filesystem::current_path(std::filesystem::path(here.write(part, "of another model")).parent_path());
    std::string failure;
    try {
      prepare_in_memory(model);
    } catch (const core::Failure& f) {
      failure = f.render();
    }
    std::filesystem::current_path(before);
    return failure;
  }
  // The text of the failure with all its context; empty when there is none.
  std::string failure_of(const std::filesystem::path& model, core::Stage stage = core::Stage::final) {
    return test::failure_of([&] { prepare(model, stage); });
  }

  static core::NodeId node(const core::Graph& g, std::string_view name) {
    const core::NodeId n = g.find(name);
    EXPECT_NE(n, core::no_node) << "no node '" << name << "' in\n" << app::to_text(g);
    return n;
  }
  // "Convolution@opset1" of the node that users know by this name.
  static std::string type(const core::Graph& g, std::string_view name) {
    const core::NodeId n = node(g, name);
    return n == core::no_node ? "" : text(g.op(n), '@', g.opset(n));
  }
  // The name of the node that input i of a node reads.
  static std::string source(const core::Graph& g, std::string_view name, uint32_t i = 0) {
    const core::PortRef from = g.source({node(g, name), i});
    return from ? std::string(g.name(from.node)) : std::string();
  }
  static size_t count(const core::Graph& g, std::string_view op) { return g.nodes_of(op).size(); }
  static core::PortRef output(const core::Graph& g, size_t i = 0) { return g.source({g.results()[i], 0}); }
  static Shape shape(const core::Graph& g, size_t i = 0) { return g.out(output(g, i)).tensor.shape; }
  static std::vector<double> values_of(const core::TensorRef& value) {
    std::vector<double> list;
    const Tensor t = Tensor::borrow(session_host(), value.get());
    for (size_t k = 0; k < t.size(); ++k) list.push_back(t.number(k));
    return list;
  }
  // The elements of an output that is known.
  static std::vector<double> values(const core::Graph& g, size_t i = 0) {
    const core::TensorRef& value = g.out(output(g, i)).tensor.value;
    if (value) return values_of(value);
    ADD_FAILURE() << "output " << i << " has no value in\n" << app::to_text(g);
    return {};
  }
  template <class T>
  static T attribute(const core::Graph& g, core::NodeId n, std::string_view name) {
    const core::Attribute* a = g.attribute(n, name);
    if (a == nullptr || !std::holds_alternative<T>(*a)) {
      ADD_FAILURE() << "no such attribute: " << name << "\n" << app::to_text(g);
      return {};
    }
    return std::get<T>(*a);
  }
  static const mo_host* session_host() {
    static const core::Session session{core::host_table()};
    return session.host();
  }

  TemporaryFolder folder_;
  core::ConvertOptions convert_;
  std::map<std::string, core::Attribute> options_;
  std::function<void(core::Session&)> plugin_;  // registers what a test brings along
  std::string log_;
  std::vector<std::unique_ptr<core::Session>> sessions_;
};

}  // namespace mo::test

// Loads and converts PaddlePaddle programs, built from rows of text, up to any stage.
#pragma once

#include "apps/frontends/choose_frontend.hpp"
#include "conversion_test.hpp"
#include "core/infer/execute.hpp"
#include "load.hpp"
#include "program_rows.hpp"

namespace mo::test {

using testing::HasSubstr;

class Paddle : public ConversionTest {
 protected:
  using ConversionTest::failure_of;
  using ConversionTest::prepare;

  Paddle() : ConversionTest("paddle") {}

  std::filesystem::path write(const paddle_rows::Row& row) {
    const paddle_rows::Files files = paddle_rows::files_of(row);
    if (!files.parameters.empty()) folder_.write("model.pdiparams", files.parameters);
    return folder_.write(paddle_rows::file_name(row), files.program);
  }
  std::vector<core::TensorRef> run(core::Graph& g, const paddle_rows::Row& row) {
    return run(*sessions_.back(), g, row);
  }
  static std::vector<core::TensorRef> run(core::Session& session, core::Graph& g,
                                          const paddle_rows::Row& row) {
    std::vector<core::TensorRef> inputs;
    for (const paddle_rows::Tensor& t : row.inputs)
      if (!t.is_parameter)
        inputs.push_back(
            core::make_tensor_from_bytes(type_of(t.type), t.dims, paddle_rows::bytes_of(t.type, t.values)));
    session.executing = true;
    auto results = core::execute(session, g, inputs);
    session.executing = false;
    return results;
  }
  static ElementType type_of(const std::string& name) {
    return name == "bool"  ? ElementType::boolean
           : name == "f32" ? ElementType::f32
           : name == "f64" ? ElementType::f64
           : name == "f16" ? ElementType::f16
           : name == "i64" ? ElementType::i64
           : name == "i32" ? ElementType::i32
           : name == "i8"  ? ElementType::i8
                           : ElementType::u8;
  }
  // Rows of one program, as the files of rows have them.
  static paddle_rows::Row row_of(const std::string& text) {
    return paddle_rows::parse("case row\n" + text).at(0);
  }
};

// Conversions one after another without loading the plugins each time.
class OneSession {
 public:
  OneSession() { load_built_in(session_); }
  core::Session& session() { return session_; }
  core::GraphPtr prepare(const std::filesystem::path& model, core::Stage stage = core::Stage::final) {
    core::ConvertOptions options;
    options.frontend = app::choose_frontend;
    options.input_model = model.string();
    options.framework = "paddle";
    options.stop_after = stage;
    options.emit.model_name = "model";
    core::ConvertResult result;
    TwiceEqualsOnce twice(session_);
    options.watch = &twice;
    return core::prepare_model(session_, options, result);
  }
  // Graphs are gone before.
  void close() {
    session_.close_model();
    session_.loose_graphs().clear();
    session_.declined.clear();
  }

 private:
  core::Session session_{core::host_table()};
};

}  // namespace mo::test

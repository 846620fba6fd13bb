// Files of both formats: how they are recognised, where parameters lie, what is damaged, and control flow.
#include "paddle_fixture.hpp"
#include "test_plugin.hpp"

namespace mo::test {
namespace {

using paddle_rows::Row;

constexpr const char* pir_product = R"(
input x f32 2x3 given spread 1
input w f32 3x2 parameter spread 2
op 1.data - > 1:f32:2x3 | name=s:x shape=A:2,3 dtype=t:float32
op 1.data - > 2:f32:3x2 | name=s:w shape=A:3,2 dtype=t:float32
op 1.matmul 1,2 > 3:f32:2x2 | transpose_x=b:0 transpose_y=b:0
op 1.relu 3 > 4:f32:2x2 |
op 1.fetch 4 > 5:f32:2x2 | name=s:result col=i:0
)";
constexpr const char* desc_product = R"(
input x f32 2x3 given spread 1
input w f32 3x2 parameter spread 2
block 0 -1 x=f32:2x3 w=f32:3x2 y=f32:2x2 z=f32:2x2
op feed X=feed > Out=x | col=i:0
op matmul_v2 X=x Y=w > Out=y | trans_x=b:0 trans_y=b:0
op relu X=y > Out=z |
op fetch X=z > Out=fetch | col=i:0
)";

void acme_scale(SourceNode& n) {
  const auto factor = n.native<double>("factor");
  n.set_op("Elu", "opset1");
  n.set("alpha", factor);
}
void register_acme_scale(Registry& r) { r.extractor<acme_scale>({"paddle", "", "acme_scale"}); }

class PaddleLoader : public Paddle {
 protected:
  std::string failure_of_text(const std::string& name, const std::string& bytes) {
    return failure_of(folder_.write(name, bytes), core::Stage::load);
  }
  std::string failure_of_row(const std::string& text) { return failure_of(write(row_of(text))); }
};

TEST_F(PaddleLoader, NamesOfPirAreThoseOfInputsAndResults) {
  const core::GraphPtr g = prepare(write(row_of(pir_product)));
  EXPECT_EQ(type(*g, "x"), "Parameter@opset1");
  EXPECT_EQ(type(*g, "relu_4"), "ReLU@opset1");
}

TEST_F(PaddleLoader, BothFormatsGiveTheSame) {
  const Row pir = row_of(pir_product), old = row_of(desc_product);
  const auto a = values_of(run(*prepare(write(pir)), pir).at(0)),
             b = values_of(run(*prepare(write(old)), old).at(0));
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.size(), 4U);
}

TEST_F(PaddleLoader, AnyNameDoesForTheProgram) {
  const paddle_rows::Files files = paddle_rows::files_of(row_of(desc_product));
  folder_.write("__params__", files.parameters);
  EXPECT_EQ(shape(*prepare(folder_.write("__model__", files.program))), Shape({2, 2}));
}

TEST_F(PaddleLoader, EachParameterMayHaveAFile) {
  const paddle_rows::Files files = paddle_rows::files_of(row_of(desc_product));
  folder_.write("w", files.parameters);
  EXPECT_EQ(shape(*prepare(folder_.write("__model__", files.program))), Shape({2, 2}));
}

TEST_F(PaddleLoader, ParametersAreNamedByAnOption) {
  const paddle_rows::Files files = paddle_rows::files_of(row_of(pir_product));
  options_ = {{"paddle_params", folder_.write("others.pdiparams", files.parameters)}};
  EXPECT_EQ(shape(*prepare(folder_.write("net.json", files.program))), Shape({2, 2}));
}

TEST_F(PaddleLoader, ParametersLeadToTheirProgram) {
  write(row_of(pir_product));
  EXPECT_EQ(shape(*prepare(folder_ / "model.pdiparams")), Shape({2, 2}));
}

TEST_F(PaddleLoader, AFolderIsAModel) {
  const paddle_rows::Files files = paddle_rows::files_of(row_of(pir_product));
  folder_.write("net/inference.json", files.program);
  folder_.write("net/inference.pdiparams", files.parameters);
  EXPECT_EQ(shape(*prepare(folder_ / "net")), Shape({2, 2}));
}

TEST_F(PaddleLoader, WithoutParametersItIsSaidWhichOneIsMissing) {
  const paddle_rows::Files files = paddle_rows::files_of(row_of(pir_product));
  EXPECT_THAT(failure_of_text("model.json", files.program),
              testing::AllOf(HasSubstr("parameter 'w'"), HasSubstr("--paddle_params")));
}

TEST_F(PaddleLoader, ParametersThatAreNotThoseOfTheProgram) {
  const paddle_rows::Files files = paddle_rows::files_of(row_of(pir_product));
  const auto failure = [&](const std::string& parameters) {
    folder_.write("model.pdiparams", parameters);
    return failure_of_text("model.json", files.program);
  };
  EXPECT_THAT(failure(paddle_rows::record(5, {2, 3}, std::string(24, 'x'))),
              HasSubstr("it is of shape [2,3], but the program says [3,2]"));
  EXPECT_THAT(failure(paddle_rows::record(3, {3, 2}, std::string(48, 'x'))),
              HasSubstr("it is of type int64, but the program says"));
  EXPECT_THAT(failure(files.parameters + "more"), HasSubstr("has 4 bytes behind the 1 parameters"));
  EXPECT_THAT(failure(files.parameters.substr(0, files.parameters.size() - 1)),
              HasSubstr("the file ends within its record"));
  EXPECT_THAT(failure(paddle_rows::record(23, {3, 2}, std::string(48, 'x'))),
              HasSubstr("complex64, which the IR does not have"));
}

TEST_F(PaddleLoader, VersionsOfPirThatAreNotKnown) {
  std::string program = paddle_rows::files_of(row_of(pir_product)).program;
  const size_t at = program.find("\"version\": 4");
  program.replace(at, 12, "\"version\": 9");
  EXPECT_THAT(failure_of_text("model.json", program),
              HasSubstr("a PIR program of version 9; versions 1 to 4 are read"));
}

TEST_F(PaddleLoader, DamagedProgramsAreRefusedOrRead) {
  OneSession one;
  for (const char* text : {pir_product, desc_product}) {
    const Row row = row_of(text);
    const paddle_rows::Files files = paddle_rows::files_of(row);
    folder_.write("model.pdiparams", files.parameters);
    const auto failure = [&](const std::string& program) {
      std::filesystem::remove(folder_ / paddle_rows::file_name(row));
      const auto model = folder_.write(paddle_rows::file_name(row), program);
      std::string said = test::failure_of([&] { (void)one.prepare(model, core::Stage::load); });
      one.close();
      return said;
    };
    for (size_t at = 0; at < files.program.size(); at += 5) {
      EXPECT_NE(failure(files.program.substr(0, at)), "") << at;
      for (const unsigned change : {0x15U, 0xffU}) {
        std::string spoilt = files.program;
        spoilt[at] = static_cast<char>(static_cast<unsigned char>(spoilt[at]) ^ change);
        (void)failure(spoilt);
      }
    }
  }
}

TEST_F(PaddleLoader, AnOperatorThatNobodyKnowsIsNamed) {
  EXPECT_THAT(failure_of_row(R"(
op 1.data - > 1:f32:2 | name=s:x shape=A:2 dtype=t:float32
op 3.acme_scale 1 > 2:f32:2 | factor=f:2
op 1.fetch 2 > 3:f32:2 | name=s:y col=i:0
)"),
              HasSubstr("acme_scale"));
}

TEST_F(PaddleLoader, AVendorTakesItsOperator) {
  plugin_ = [](core::Session& s) { load_test_plugin<register_acme_scale>(s); };
  const core::GraphPtr g = prepare(write(row_of(R"(
op 1.data - > 1:f32:2 | name=s:x shape=A:2 dtype=t:float32
op 3.acme_scale 1 > 2:f32:2 | factor=f:0.5
op 1.fetch 2 > 3:f32:2 | name=s:y col=i:0
)")));
  EXPECT_EQ(type(*g, "acme_scale_2"), "Elu@opset1");
}

TEST_F(PaddleLoader, WhatReadsAnythingLaterIsRefused) {
  EXPECT_THAT(failure_of_row(R"(
block 0 -1 x=f32:2 y=f32:2 z=f32:2
op feed X=feed > Out=x | col=i:0
op relu X=z > Out=y |
op relu X=y > Out=z |
op fetch X=z > Out=fetch | col=i:0
)"),
              HasSubstr("it reads 'z', which no operator before it writes"));
}

TEST_F(PaddleLoader, TheLastWriterOfAVariableCounts) {
  const Row row = row_of(R"(
input x f32 3 given spread 1
block 0 -1 x=f32:3
op feed X=feed > Out=x | col=i:0
op scale X=x > Out=x | scale=f:2 bias=f:0 bias_after_scale=b:1
op scale X=x > Out=x | scale=f:1 bias=f:1 bias_after_scale=b:1
op fetch X=x > Out=fetch | col=i:0
)");
  const auto y = values_of(run(*prepare(write(row)), row).at(0));
  ASSERT_EQ(y.size(), 3U);
  EXPECT_NEAR(y[0], 0, 1e-6);
  EXPECT_NEAR(y[1], 1.4, 1e-6);
}

TEST_F(PaddleLoader, OutputsAreOrderedByTheirColumns) {
  const Row row = row_of(R"(
input x f32 2 given spread 1
block 0 -1 x=f32:2 y=f32:2 z=f32:2
op feed X=feed > Out=x | col=i:0
op relu X=x > Out=y |
op abs X=x > Out=z |
op fetch X=z > Out=fetch | col=i:1
op fetch X=y > Out=fetch | col=i:0
)");
  const auto results = run(*prepare(write(row)), row);
  EXPECT_NEAR(values_of(results.at(0))[0], 0, 1e-6);
  EXPECT_NEAR(values_of(results.at(1))[0], 0.5, 1e-6);
}

TEST_F(PaddleLoader, ABlockThatRunsItselfIsRefused) {
  EXPECT_THAT(failure_of_row(R"(
block 0 -1 x=f32:2 c=bool:1
op feed X=feed > Out=x | col=i:0
op feed X=feed > Out=c | col=i:1
op while Condition=c X=x > Out=x | sub_block=k:1
op fetch X=x > Out=fetch | col=i:0
block 1 0
op while Condition=c X=x > Out=x | sub_block=k:1
)"),
              HasSubstr("nested deeper"));
}

// A block alone that changes a variable, or does not.
TEST_F(PaddleLoader, AConditionalBlockWithoutACounterpart) {
  const auto result = [&](const char* condition) {
    const Row row =
        row_of(std::string("input x f32 2 given spread 1\ninput c bool 1 given values ") + condition + R"(
block 0 -1 x=f32:2 c=bool:1 y=f32:2
op feed X=feed > Out=x | col=i:0
op feed X=feed > Out=c | col=i:1
op scale X=x > Out=y | scale=f:1 bias=f:3 bias_after_scale=b:1
op conditional_block Cond=c Input=x > Out=y | sub_block=k:1 is_scalar_condition=b:1
op fetch X=y > Out=fetch | col=i:0
block 1 0
op abs X=x > Out=y |
)");
    return values_of(run(*prepare(write(row)), row).at(0)).at(0);
  };
  EXPECT_NEAR(result("1"), 0.5, 1e-6);
  EXPECT_NEAR(result("0"), 2.5, 1e-6);
}

TEST_F(PaddleLoader, SequenceOperatorsSayWhyNot) {
  EXPECT_THAT(failure_of_row(R"(
block 0 -1 x=f32:2 y=f32:2
op feed X=feed > Out=x | col=i:0
op sequence_pool X=x > Out=y |
op fetch X=y > Out=fetch | col=i:0
)"),
              HasSubstr("LoDTensors"));
}

class PaddleMemory : public Paddle {};

TEST_F(PaddleMemory, AModelInMemoryIsTheSame) { expect_the_same_in_memory(write(row_of(pir_product))); }

TEST_F(PaddleMemory, ErrorsSayWhereTheOperatorStands) {
  EXPECT_THAT(located_failure_of(write(row_of(R"(
block 0 -1 x=f32:2 y=f32:2
op feed X=feed > Out=x | col=i:0
op acme X=x > Out=y |
op fetch X=y > Out=fetch | col=i:0
)"))),
              testing::ContainsRegex("model.pdmodel, byte [0-9]+"));
}

}  // namespace
}  // namespace mo::test

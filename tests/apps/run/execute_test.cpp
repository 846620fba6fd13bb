// Bodies that are run: what is wrong with them is an error of the model, and no crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/run/npy.hpp"
#include "core/infer/execute.hpp"
#include "core/infer/infer.hpp"
#include "temporary_folder.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::HasSubstr;

struct Call {  // runs its body
  static constexpr std::string_view type = "Call", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).attr<GraphHandle>("body"); }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
  static void evaluate(EvalContext& c) {
    const Graph body(c.context(), c.attr<GraphHandle>("body").id);
    c.output(0, c.run_body(body, {c.input(0)}).at(0));
  }
};

std::string folding(std::string_view body) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) { r.operation<Call>(); });
  const auto g =
      lab.graph(text("%k = Const -> f32[2] {1,2}\n%c = Call@test (%k) {body=graph { %p = Parameter\n", body,
                     "\n}}\nResult (%c)"));
  std::string failure = test::failure_of([&] { core::infer_all(lab.session, *g); });
  if (failure.empty() && g->out({g->find("c"), 0}).tensor.value) return "folded";
  return failure;
}

TEST(Execute, ABodyIsRun) { EXPECT_EQ(folding("Result (%p)"), "folded"); }

TEST(Execute, AResultThatReadsNothingIsAnError) {
  EXPECT_THAT(folding("Result \"r\" (_)"), HasSubstr("'r' (Result) of the graph '' is connected to nothing"));
  EXPECT_THAT(folding("Result \"r\" ()"), HasSubstr("is connected to nothing"));
}

TEST(Execute, SoIsAParameterWithoutAnOutput) {
  Lab lab;
  const auto g = lab.session.create_graph("g");
  g->add_node("Parameter", "opset1", "x", 0, 0);
  const core::TensorRef value = core::make_tensor(ElementType::f32, {});
  EXPECT_THAT(test::failure_of([&] { (void)core::execute(lab.session, *g, std::span(&value, 1)); }),
              HasSubstr("has 0 outputs; expected one"));
}

struct Wrong {
  static constexpr std::string_view type = "Wrong", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1); }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
  static void evaluate(EvalContext& c) {
    const Graph g = c.node().graph();
    c.output(
        0, c.run_body(Graph(c.context(), g.find("other")->attr<GraphHandle>("body").id), {c.input(0)}).at(0));
  }
};

// Somebody else's body, or the graph around: that could go on for ever.
TEST(Execute, OnlyTheBodyOfTheNodeAtHandIsRun) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) { r.operation<Wrong>(); });
  const auto g = lab.graph(R"(
    %k = Const -> f32[2] {1,2}
    %other = Holder {body=graph { %p = Parameter
      Result (%p) }}
    %c = Wrong@test (%k)
    Result (%c)
  )");
  EXPECT_THAT(test::failure_of([&] { core::infer_all(lab.session, *g); }),
              HasSubstr("the graph is not a body of the node at hand"));
}

TEST(Npy, AnEmptyDescriptionIsAnError) {
  const TemporaryFolder folder;
  std::string header = "{'descr': '', 'fortran_order': False, 'shape': (2,), }";
  header.resize(117, ' ');
  std::string file("\x93NUMPY\x01\x00\x76\x00", 10);
  file += header + "\n12345678";
  EXPECT_THAT(test::failure_of([&] { (void)app::read_npy(folder.write("x.npy", file)); }),
              HasSubstr("does not say what its elements are"));
}

}  // namespace
}  // namespace mo::test

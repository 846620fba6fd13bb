// Operations whose values are never folded: random numbers, and variables in a single run.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <mo/half.hpp>

#include "apps/views/text.hpp"
#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/execute.hpp"
#include "core/infer/infer.hpp"
#include "load.hpp"

namespace mo::test {
namespace {

using namespace mo::core;
using ::testing::ElementsAre;
using ::testing::Pointwise;

Session& run_session() {
  static Session* const s = [] {
    auto* fresh = new Session{host_table()};
    load_only(*fresh, {builtin("opset")});
    fresh->executing = true;
    return fresh;
  }();
  return *s;
}

// The elements of the first Result of a graph without Parameters.
template <class T>
std::vector<T> run(const std::string& nodes) {
  const GraphPtr g = app::parse_text("mo-graph 1\ngraph \"g\" {\n" + nodes + "\n}\n", run_session().space());
  infer_all(run_session(), *g);
  const std::vector<TensorRef> results = execute(run_session(), *g, {});
  std::vector<T> list(results[0]->bytes / sizeof(T));
  std::memcpy(list.data(), results[0]->data(), results[0]->bytes);
  return list;
}

std::string uniform(const std::string& shape, const std::string& low, const std::string& high,
                    const std::string& attributes) {
  return "%s = Const -> " + shape + "\n%a = Const -> " + low + "\n%b = Const -> " + high +
         "\n%r = RandomUniform@opset8 (%s, %a, %b) {" + attributes + "}\nResult (%r)";
}

// The examples of the specification.
TEST(RandomUniform, GivesTheNumbersOfTensorFlow) {
  EXPECT_THAT(run<float>(uniform("i64[2] {3,3}", "f32[] {0}", "f32[] {1}",
                                 "output_type=f32, global_seed=150, op_seed=10")),
              Pointwise(::testing::FloatEq(), {0.7011236F, 0.30539632F, 0.93931055F, 0.9456035F, 0.11694777F,
                                               0.50770056F, 0.5197197F, 0.22727466F, 0.991374F}));
  EXPECT_THAT(run<double>(uniform("i64[2] {2,2}", "f64[] {2}", "f64[] {10}",
                                  "output_type=f64, global_seed=80, op_seed=100")),
              Pointwise(::testing::DoubleNear(1e-8), {5.65927959, 4.23122376, 2.67008206, 2.36423758}));
  EXPECT_THAT(run<int32_t>(uniform("i64[2] {2,3}", "i32[] {50}", "i32[] {100}",
                                   "output_type=i32, global_seed=80, op_seed=100")),
              ElementsAre(65, 70, 56, 59, 82, 92));
}

// numpy.random.MT19937 with the same seed gives the numbers that these are made of.
TEST(RandomUniform, GivesTheNumbersOfPyTorch) {
  const std::string pytorch = "alignment=\"PYTORCH\", global_seed=";
  const auto floats =
      run<float>(uniform("i64[1] {1300}", "f32[] {0}", "f32[] {1}", "output_type=f32, " + pytorch + "150"));
  EXPECT_FLOAT_EQ(floats[0], 0.59748673F);
  EXPECT_FLOAT_EQ(floats[1], 0.54458201F);
  EXPECT_FLOAT_EQ(floats[1299], 0.95032227F);
  EXPECT_THAT(
      run<int32_t>(uniform("i64[1] {4}", "i32[] {50}", "i32[] {100}", "output_type=i32, " + pytorch + "80")),
      ElementsAre(77, 58, 62, 69));
  EXPECT_THAT(
      run<double>(uniform("i64[1] {2}", "f64[] {2}", "f64[] {10}", "output_type=f64, " + pytorch + "80")),
      Pointwise(::testing::DoubleNear(1e-12), {9.067076401353173, 5.073877446908415}));
  EXPECT_THAT(run<int64_t>(uniform("i64[1] {2}", "i64[] {0}", "i64[] {1099511627776}",
                                   "output_type=i64, " + pytorch + "80")),
              ElementsAre(754523346108, 715238508755));
}

TEST(RandomUniform, HalvesAreExactFractions) {
  const auto bits =
      run<uint16_t>(uniform("i64[1] {200}", "f16[] {0}", "f16[] {1}", "output_type=f16, op_seed=7"));
  for (const uint16_t b : bits) {
    const float f = half_to_float(b);
    EXPECT_TRUE(f >= 0 && f < 1 && f * 1024 == std::floor(f * 1024)) << f;
  }
}

TEST(RandomUniform, RefusesAnEmptyRange) {
  EXPECT_THROW(run<int32_t>(uniform("i64[1] {2}", "i32[] {5}", "i32[] {5}", "output_type=i32")),
               std::exception);
  EXPECT_THROW(run<float>(uniform("i64[1] {900000000000}", "f32[] {0}", "f32[] {1}", "output_type=f32")),
               std::exception);
}

std::string multinomial(const std::string& probabilities, const std::string& samples,
                        const std::string& attributes) {
  return "%p = Const -> " + probabilities + "\n%n = Const -> i64[] {" + samples +
         "}\n%r = Multinomial@opset13 (%p, %n) {convert_type=i64, " + attributes + "}\nResult (%r)";
}

TEST(Multinomial, DrawsByProbability) {
  const auto drawn = run<int64_t>(
      multinomial("f32[1,3] {1,0,3}", "4000", "with_replacement=true, log_probs=false, global_seed=3"));
  const auto count = [&](int64_t k) { return std::count(drawn.begin(), drawn.end(), k); };
  EXPECT_EQ(count(0) + count(2), 4000);
  EXPECT_NEAR(static_cast<double>(count(0)), 1000.0, 120.0);
  // a certain class in each row
  EXPECT_THAT(run<int64_t>(multinomial("f32[2,2] {-1000,0,0,-1000}", "3",
                                       "with_replacement=true, log_probs=true, op_seed=9")),
              ElementsAre(1, 1, 1, 0, 0, 0));
}
TEST(Multinomial, DrawsNothingTwiceWithoutReplacement) {
  for (const std::string seed : {"1", "2", "3", "4"}) {
    auto drawn = run<int64_t>(multinomial("f16[1,4] {1,2,3,4}", "4",
                                          "with_replacement=false, log_probs=false, global_seed=" + seed));
    std::sort(drawn.begin(), drawn.end());
    EXPECT_THAT(drawn, ElementsAre(0, 1, 2, 3));
  }
}

TEST(Variables, StartFromTheirInitialValue) {
  EXPECT_THAT(
      run<int32_t>("%c = Const -> i32[2] {4,5}\n%v = ReadValue@opset3 (%c) {variable_id=\"v\"}\nResult (%v)"),
      ElementsAre(4, 5));
  EXPECT_THAT(
      run<float>(
          "%v = ReadValue@opset6 () {variable_id=\"v\", variable_type=f32, variable_shape=shape[2,1]}\n"
          "Result (%v)"),
      ElementsAre(0.0F, 0.0F));
  EXPECT_THAT(
      run<int32_t>("%c = Const -> i32[2] {4,5}\n%v = Assign@opset6 (%c) {variable_id=\"v\"}\nResult (%v)"),
      ElementsAre(4, 5));
}

TEST(Strings, ArePackedAndUnpacked) {
  const std::string pack =
      "%b = Const -> i64[2,2] {0,3,3,8}\n%e = Const -> i64[2,2] {3,3,8,9}\n"
      "%s = Const -> u8[9] {79,77,90,71,101,110,65,73,32}\n%p = StringTensorPack@opset15 (%b, %e, %s)\n";
  const auto bytes = run<char>(pack + "Result (%p)");
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()),
            std::string("\4\0\0\0\0\0\0\0\3\0\0\0\3\0\0\0\10\0\0\0\11\0\0\0OMZGenAI ", 33));
  EXPECT_THAT(run<int32_t>("%t = Const -> string[3] {\"OMZ\",\"\",\"GenAI\"}\n"
                           "%u = StringTensorUnpack@opset15 (%t) -> (_, _, _)\nResult (%u:1)"),
              ElementsAre(3, 3, 8));
}

// The bytes of a result that an operation makes of the elements 1, 2 and 3 of u4, which is named %t.
std::vector<uint8_t> packed(const std::string& nodes) {
  return run<uint8_t>(
      "%t = Const -> u4[3] hex \"2103\"\n%z = Const -> i64[] {0}\n%o = Const -> i64[1] {1}\n"
      "%s = Const -> u4[] hex \"07\"\n%v = Const -> u4[1] hex \"07\"\n" +
      nodes + "\nResult (%r)");
}

TEST(PackedElements, AreMoved) {
  EXPECT_THAT(packed("%r = Pad@opset1 (%t, %o, %o, %s) {pad_mode=\"constant\"}"),
              ElementsAre(0x17, 0x32, 0x07));
  EXPECT_THAT(packed("%c = Const -> boolean[3] {true,false,true}\n%r = Select@opset1 (%c, %t, %s)"),
              ElementsAre(0x71, 0x03));
  EXPECT_THAT(packed("%i = Const -> i64[4,1] {2,1,0,2}\n%r = GatherND@opset8 (%t, %i) {batch_dims=0}"),
              ElementsAre(0x23, 0x31));
  EXPECT_THAT(packed("%i = Const -> i64[4] {2,1,0,2}\n%r = GatherElements@opset6 (%t, %i) {axis=0}"),
              ElementsAre(0x23, 0x31));
  EXPECT_THAT(packed("%i = Const -> i64[3] {2,1,0}\n%d = Const -> i64[] {3}\n%f = Const -> u4[] hex \"01\"\n"
                     "%r = OneHot@opset1 (%i, %d, %s, %f) {axis=0}"),
              ElementsAre(0x11, 0x17, 0x17, 0x17, 0x01));
  EXPECT_THAT(packed("%r = ScatterUpdate@opset3 (%t, %o, %v, %z)"), ElementsAre(0x71, 0x03));
  EXPECT_THAT(packed("%r = ScatterElementsUpdate@opset3 (%t, %o, %v, %z)"), ElementsAre(0x71, 0x03));
  EXPECT_THAT(packed("%i = Const -> i64[1,1] {1}\n%r = ScatterNDUpdate@opset15 (%t, %i, %v)"),
              ElementsAre(0x71, 0x03));
  EXPECT_THAT(packed("%e = Const -> i64[1] {2}\n%r = SliceScatter@opset15 (%t, %v, %o, %e, %o)"),
              ElementsAre(0x71, 0x03));
  EXPECT_THAT(packed("%r = Reverse@opset1 (%t, %z) {mode=\"index\"}"), ElementsAre(0x23, 0x01));
  EXPECT_THAT(packed("%r = Roll@opset7 (%t, %o, %z)"), ElementsAre(0x13, 0x02));
}

// What is never folded is not folded in a body either.
TEST(Bodies, WithRandomNumbersStay) {
  run_session().executing = false;
  const std::string body =
      "{%s = Const -> i64[1] {2}\n%a = Const -> f32[] {0}\n%b = Const -> f32[] {1}\n"
      "%r = RandomUniform@opset8 (%s, %a, %b) {output_type=f32}\nResult (%r)\n}";
  const GraphPtr g = app::parse_text(
      "mo-graph 1\ngraph \"g\" {\n%c = Const -> boolean[] {true}\n"
      "%i = If@opset8 \"i\" (%c) {then_port_map=[\"out 0 <- 0\"], then_body=graph \"t\" " +
          body + ", else_port_map=[\"out 0 <- 0\"], else_body=graph \"e\" " + body +
          "} -> (_)\nResult (%i)\n}\n",
      run_session().space());
  infer_all(run_session(), *g);
  const TensorState& t = g->out({g->find("i"), 0}).tensor;
  run_session().executing = true;
  EXPECT_FALSE(t.value);
  EXPECT_EQ(text(t.shape), "[2]");
}

// A loop that goes on for ever, around these nodes.
std::string endless(const std::string& nodes) {
  return "Loop@opset5 (%n, %yes, %x) {port_map=[\"in 2 -> 0\",\"out 0 <- 0\","
         "\"out -1 <- 1 purpose=execution_condition\"], back_edges=[0,0], body=graph \"b\" {\n"
         "%x = Parameter\n%yes = Const -> boolean[] {true}\n" +
         nodes + "Result (%y)\nResult (%yes)\n}} -> (_)\n";
}
std::string failure_of_loop(const std::string& loop) {
  try {
    (void)run<float>(
        "%n = Const -> i64[] {-1}\n%yes = Const -> boolean[] {true}\n"
        "%x = Const -> f32[] {1}\n%l = " +
        loop + "Result (%l)\n");
  } catch (const Failure& f) {
    return f.render();
  }
  return "it came to an end";
}

TEST(Loops, WithoutEndAreAnError) {
  if (sanitized) GTEST_SKIP() << "a million iterations take half a minute with sanitizers";
  EXPECT_THAT(failure_of_loop(endless("%y = Negative@opset1 (%x)\n")),
              ::testing::StartsWith("error MO0504: a loop of more than 1048576 iterations\n"));
}

// Neither of them is too long by itself.
TEST(Loops, InLoopsAreCountedTogether) {
  if (sanitized) GTEST_SKIP() << "two million iterations take a minute with sanitizers";
  const std::string inner = "%n = Const -> i64[] {1000000}\n%y = " + endless("%y = Negative@opset1 (%x)\n");
  EXPECT_THAT(failure_of_loop(endless(inner)),
              ::testing::HasSubstr(
                  "error MO0504: a loop of more than 2097152 iterations, with those of the loops in it"));
}

}  // namespace
}  // namespace mo::test

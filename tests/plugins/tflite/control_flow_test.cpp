// Sub-graphs that others run, and what lasts from one run to the next.
#include <cstdlib>

#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;

class TfliteControlFlow : public Tflite {
 protected:
  // x + 1
  static LiteGraph plus_one() {
    LiteGraph g;
    g.name = "plus_one";
    const int32_t x = g.input({.name = "x", .dims = {1}}), y = g.output({.name = "y", .dims = {1}});
    g.operators.push_back(
        {.code = lite::add, .inputs = {x, g.floats({1}, {1})}, .outputs = {y}, .options_type = 11});
    return g;
  }
  // x < 3
  static LiteGraph below_three() {
    LiteGraph g;
    const int32_t x = g.input({.name = "x", .dims = {1}}),
                  y = g.output({.name = "y", .type = LiteType::boolean, .dims = {1}});
    g.operators.push_back({.code = lite::less, .inputs = {x, g.floats({1}, {3})}, .outputs = {y}});
    return g;
  }
  static LiteFile caller(LiteOperator op, std::vector<LiteGraph> others, LiteGraph main) {
    LiteFile file;
    main.operators.push_back(std::move(op));
    file.graphs = {std::move(main)};
    for (LiteGraph& g : others) file.graphs.push_back(std::move(g));
    return file;
  }
  static LiteFile loop(bool constant) {
    LiteGraph main;
    const int32_t x = constant ? main.floats({1}, {0.5F}) : main.input({.name = "x", .dims = {1}});
    const int32_t y = main.output({.name = "y", .dims = {1}});
    return caller({.code = lite::while_,
                   .inputs = {x},
                   .outputs = {y},
                   .options_type = 93,
                   .options = {{0, 1}, {1, 2}}},
                  {below_three(), plus_one()}, main);
  }
};

TEST_F(TfliteControlFlow, LoopsRunTheirBody) {
  EXPECT_EQ(count(*prepare(loop(false)), "Loop"), 1U);
  EXPECT_THAT(computed(loop(true)), ElementsAre(3.5));
}

TEST_F(TfliteControlFlow, BranchesAreChosen) {
  LiteGraph minus;
  const int32_t a = minus.input({.name = "x", .dims = {1}}), r = minus.output({.name = "y", .dims = {1}});
  minus.operators.push_back({.code = lite::neg, .inputs = {a}, .outputs = {r}});
  for (const uint8_t which : {0, 1}) {
    LiteGraph main;
    const int32_t c = main.constant<uint8_t>(LiteType::boolean, {1}, {which}), x = main.floats({1}, {5});
    const int32_t y = main.output({.name = "y", .dims = {1}});
    EXPECT_THAT(computed(caller({.code = lite::if_,
                                 .inputs = {c, x},
                                 .outputs = {y},
                                 .options_type = 92,
                                 .options = {{0, 1}, {1, 2}}},
                                {plus_one(), minus}, main)),
                ElementsAre(which != 0 ? 6 : -5));
  }
}

TEST_F(TfliteControlFlow, SubGraphsThatCallThemselvesAreErrors) {
  LiteFile file = loop(false);
  LiteGraph& body = file.graphs[2];
  body.operators = {
      {.code = lite::while_, .inputs = {0}, .outputs = {1}, .options_type = 93, .options = {{0, 1}, {1, 2}}}};
  EXPECT_THAT(load_failure(file), HasSubstr("sub-graph 2 calls itself"));
}

TEST_F(TfliteControlFlow, SubGraphsThatCallOneAnotherAreErrors) {
  LiteFile file = loop(false);
  file.main().operators[0].options = {{0, 1}, {1, 0}};
  EXPECT_THAT(load_failure(file), HasSubstr("operator 0 (WHILE): sub-graph 0 calls itself"));
  file = loop(false);
  const LiteOperator back{
      .code = lite::if_, .inputs = {2, 0}, .outputs = {1}, .options_type = 92, .options = {{0, 0}, {1, 0}}};
  LiteGraph& body = file.graphs[2];
  body.constant<uint8_t>(LiteType::boolean, {1}, {1});
  body.operators = {back};
  body.operators[0].inputs[0] = static_cast<int32_t>(body.tensors.size()) - 1;
  EXPECT_THAT(load_failure(file),
              HasSubstr("operator 0 (IF) of sub-graph 'plus_one': sub-graph 0 calls itself"));
}

TEST_F(TfliteControlFlow, SubGraphsWithOtherInputsAndOutputsAreErrors) {
  LiteFile file = loop(false);
  file.graphs[2].outputs.push_back(file.graphs[2].outputs[0]);
  EXPECT_THAT(load_failure(file), HasSubstr("its body has 1 inputs and 2 outputs, expected 1"));
  file = loop(false);
  file.graphs[1].inputs.clear();
  EXPECT_THAT(load_failure(file), HasSubstr("has 0 inputs, expected 1"));
  file = loop(false);
  file.graphs[1].outputs.push_back(0);
  EXPECT_THAT(load_failure(file), HasSubstr("its condition has 2 outputs, expected 1"));
}

TEST_F(TfliteControlFlow, SubGraphsThatAreNotThereAreErrors) {
  LiteFile file = loop(false);
  file.main().operators[0].options = {{0, 1}, {1, 9}};
  EXPECT_THAT(load_failure(file), HasSubstr("it refers to sub-graph 9, but the model has 3"));
  file.main().operators[0].options = {{0, 1}, {1, -1}};
  EXPECT_THAT(load_failure(file), HasSubstr("it refers to sub-graph -1"));
}

// Each calls the next one twice: 2^24 operators.
TEST_F(TfliteControlFlow, SubGraphsThatStandForTooManyOperatorsAreErrors) {
  LiteFile file;
  file.graphs.clear();
  for (int32_t k = 0; k < 25; ++k) {
    LiteGraph g;
    const int32_t x = g.input({.name = "x", .dims = {1}}), y = g.tensor({.name = "y", .dims = {1}}),
                  z = g.output({.name = "z", .dims = {1}});
    const int32_t code = k == 24 ? lite::neg : lite::composite;
    for (const auto& [from, to] : {std::pair(x, y), std::pair(y, z)})
      g.operators.push_back({.code = code,
                             .inputs = {from},
                             .outputs = {to},
                             .options_type = static_cast<uint8_t>(k == 24 ? 0 : 21),
                             .options = {{1, k + 1}},
                             .second_options = true});
    file.graphs.push_back(g);
  }
  EXPECT_THAT(load_failure(file), HasSubstr("stand for too many operators"));
}

TEST_F(TfliteControlFlow, CompositesAreWhatTheyAreMadeOf) {
  LiteGraph main;
  const int32_t x = main.floats({1}, {4}), y = main.output({.name = "y", .dims = {1}});
  EXPECT_THAT(computed(caller({.code = lite::composite,
                               .inputs = {x},
                               .outputs = {y},
                               .options_type = 21,
                               .options = {{0, std::string("odml.plus_one")}, {1, 1}},
                               .second_options = true},
                              {plus_one()}, main)),
              ElementsAre(5));
}

LiteOperator handle(int32_t to, const std::string& name) {
  return {.code = lite::var_handle, .outputs = {to}, .options_type = 111, .options = {{1, name}}};
}

TEST_F(TfliteControlFlow, VariablesBeginAsTheirInitializationSaysAndKeepWhatIsAssigned) {
  LiteGraph init;
  const int32_t h = init.tensor({.name = "h", .type = LiteType::resource, .dims = {}});
  init.operators = {handle(h, "total"),
                    {.code = lite::assign_variable, .inputs = {h, init.floats({1}, {7})}}};
  LiteGraph main;
  const int32_t x = main.input({.name = "x", .dims = {1}}),
                v = main.tensor({.name = "v", .type = LiteType::resource, .dims = {}}),
                old = main.tensor({.name = "old", .dims = {1}}),
                sum = main.output({.name = "sum", .dims = {1}});
  main.operators = {{.code = lite::call_once, .options_type = 103, .options = {{0, 1}}},
                    handle(v, "total"),
                    {.code = lite::read_variable, .inputs = {v}, .outputs = {old}},
                    {.code = lite::add, .inputs = {old, x}, .outputs = {sum}, .options_type = 11},
                    {.code = lite::assign_variable, .inputs = {v, sum}}};
  LiteFile file;
  file.graphs = {main, init};
  const core::GraphPtr g = prepare(file);
  const auto read = g->nodes_of("ReadValue"), assign = g->nodes_of("Assign");
  ASSERT_EQ(read.size(), 1U);
  ASSERT_EQ(assign.size(), 1U);
  EXPECT_EQ(attribute<std::string>(*g, read[0], "variable_id"), "total");
  EXPECT_EQ(attribute<std::string>(*g, assign[0], "variable_id"), "total");
  EXPECT_EQ(source(*g, g->name(assign[0])), "sum");
  const core::PortRef first = g->source({read[0], 0});
  ASSERT_TRUE(g->out(first).tensor.value);
  EXPECT_THAT(values_of(g->out(first).tensor.value), ElementsAre(7));
}

LiteOperator read(int32_t handle, int32_t to) {
  return {.code = lite::read_variable, .inputs = {handle}, .outputs = {to}};
}
LiteOperator assign(int32_t handle, int32_t from) {
  return {.code = lite::assign_variable, .inputs = {handle, from}};
}
int32_t handle_tensor(LiteGraph& g) {
  return g.tensor({.name = "h", .type = LiteType::resource, .dims = {}});
}
// total = 10, once
LiteGraph ten() {
  LiteGraph g;
  const int32_t h = handle_tensor(g);
  g.operators = {handle(h, "total"), assign(h, g.floats({1}, {10}))};
  return g;
}
// total += x; x + 1
LiteGraph counted() {
  LiteGraph g;
  g.name = "counted";
  const int32_t x = g.input({.name = "x", .dims = {1}}), y = g.output({.name = "y", .dims = {1}}),
                h = handle_tensor(g), old = g.tensor({.name = "old", .dims = {1}}),
                sum = g.tensor({.name = "sum", .dims = {1}}), one = g.floats({1}, {1});
  g.operators = {handle(h, "total"),
                 read(h, old),
                 {.code = lite::add, .inputs = {old, x}, .outputs = {sum}, .options_type = 11},
                 assign(h, sum),
                 {.code = lite::add, .inputs = {x, one}, .outputs = {y}, .options_type = 11}};
  return g;
}
LiteOperator once(int32_t graph) {
  return {.code = lite::call_once, .options_type = 103, .options = {{0, graph}}};
}
// For the interpreter to compute it again.
void write_model(const LiteFile& file, const char* name) {
  if (const char* folder = std::getenv("MO_LITE_MODELS"))
    std::ofstream(std::filesystem::path(folder) / name, std::ios::binary) << file.bytes();
}

// TensorFlow Lite's interpreter (tests/conformance/litert_run.mjs) gives 3.5 and 14.5: 10 + 0.5 + 1.5 + 2.5.
TEST_F(TfliteControlFlow, LoopsCarryVariables) {
  LiteFile file = loop(true);
  LiteGraph& main = file.main();
  const int32_t h = handle_tensor(main), total = main.output({.name = "total", .dims = {1}});
  main.operators.insert(main.operators.begin(), once(3));
  main.operators.push_back(handle(h, "total"));
  main.operators.push_back(read(h, total));
  file.graphs[2] = counted();
  file.graphs.push_back(ten());
  write_model(file, "loop_variable.tflite");
  EXPECT_THAT(computed(file, 0), ElementsAre(3.5));
  EXPECT_THAT(computed(file, 1), ElementsAre(14.5));
  const core::GraphPtr g = load(file);
  EXPECT_EQ(count(*g, "ReadValue"), 1U);
  EXPECT_EQ(count(*g, "Assign"), 1U);
}

// The same interpreter gives 6 and 15 for true, 5 and 10 for false.
TEST_F(TfliteControlFlow, BranchesCarryVariables) {
  for (const uint8_t which : {0, 1}) {
    LiteGraph main, same;
    const int32_t a = same.input({.name = "x", .dims = {1}}), r = same.output({.name = "y", .dims = {1}});
    same.operators = {{.code = lite::abs, .inputs = {a}, .outputs = {r}}};
    const int32_t c = main.constant<uint8_t>(LiteType::boolean, {1}, {which}), x = main.floats({1}, {5});
    const int32_t y = main.output({.name = "y", .dims = {1}}), h = handle_tensor(main),
                  total = main.output({.name = "total", .dims = {1}});
    main.operators = {once(3),
                      {.code = lite::if_,
                       .inputs = {c, x},
                       .outputs = {y},
                       .options_type = 92,
                       .options = {{0, 1}, {1, 2}}},
                      handle(h, "total"),
                      read(h, total)};
    LiteFile file;
    file.graphs = {main, counted(), same, ten()};
    write_model(file, which != 0 ? "if_variable_true.tflite" : "if_variable_false.tflite");
    EXPECT_THAT(computed(file, 0), ElementsAre(which != 0 ? 6 : 5));
    EXPECT_THAT(computed(file, 1), ElementsAre(which != 0 ? 15 : 10));
  }
}

// A branch for each number, the last one for all others; only the third one changes the variable.
LiteFile branches(int32_t number, bool constant) {
  const auto plain = [](int32_t code) {
    LiteGraph g;
    const int32_t x = g.input({.name = "x", .dims = {1}}), y = g.output({.name = "y", .dims = {1}});
    g.operators = {{.code = code, .inputs = {x}, .outputs = {y}}};
    return g;
  };
  LiteGraph main;
  const int32_t which = constant ? main.constant<int32_t>(LiteType::i32, {}, {number})
                                 : main.input({.name = "which", .type = LiteType::i32, .dims = {}});
  const int32_t x = main.floats({1}, {5}), y = main.output({.name = "y", .dims = {1}}),
                h = handle_tensor(main), total = main.output({.name = "total", .dims = {1}});
  main.operators = {once(5),
                    {.code = 209,
                     .inputs = {which, x},
                     .outputs = {y},
                     .options_type = 23,
                     .options = {{0, std::vector<int32_t>{1, 2, 3, 4}}},
                     .second_options = true},
                    handle(h, "total"),
                    read(h, total)};
  LiteFile file;
  file.graphs = {main, plain(lite::neg), plain(lite::abs), counted(), plain(92), ten()};
  return file;
}

TEST_F(TfliteControlFlow, CasesChooseByNumber) {
  const std::vector<std::pair<int32_t, double>> known{{0, -5}, {1, 5}, {2, 6}, {3, 25}, {4, 25}, {-1, 25}};
  for (const auto& [number, result] : known) {
    write_model(branches(number, true), text("case_", number, ".tflite").c_str());
    EXPECT_THAT(computed(branches(number, true), 0), ElementsAre(result)) << number;
    EXPECT_THAT(computed(branches(number, true), 1), ElementsAre(number == 2 ? 15 : 10)) << number;
  }
}

TEST_F(TfliteControlFlow, CasesAreNestedBranches) {
  const core::GraphPtr g = load(branches(0, false));
  EXPECT_EQ(count(*g, "If"), 1U);
  EXPECT_EQ(count(*g, "Assign"), 1U);
  EXPECT_EQ(count(*prepare(branches(0, false)), "If"), 1U);
}

TEST_F(TfliteControlFlow, CasesThatDoNotFitAreErrors) {
  LiteFile file = branches(0, false);
  LiteOperator& op = file.main().operators[1];
  op.options = {{0, std::vector<int32_t>{}}};
  EXPECT_THAT(load_failure(file), HasSubstr("it has no branches"));
  op.options = {{0, std::vector<int32_t>{1, 77}}};
  EXPECT_THAT(load_failure(file), HasSubstr("it refers to sub-graph 77"));
  op.options = {{0, std::vector<int32_t>{1, 2, 3}}};
  file.graphs[3].outputs.push_back(file.graphs[3].outputs[0]);
  EXPECT_THAT(load_failure(file), HasSubstr("the sub-graph of 'branch_2' has 2 outputs, expected 1"));
}

TEST_F(TfliteControlFlow, OneCaseIsNoChoice) {
  LiteFile file = branches(7, true);
  file.main().operators[1].options = {{0, std::vector<int32_t>{1}}};
  EXPECT_THAT(computed(file), ElementsAre(-5));
  EXPECT_EQ(count(*load(file), "If"), 0U);
}

// A step of RNN, which adds its state to x, and 1 more: 0.5, 1.5, 3. TensorFlow Lite's interpreter gives 3,
// too.
TEST_F(TfliteControlFlow, LoopsCarryStatesOfKernels) {
  LiteFile file = loop(true);
  LiteGraph body;
  const int32_t x = body.input({.name = "x", .dims = {1}}), y = body.output({.name = "y", .dims = {1}}),
                h = body.tensor({.name = "h", .dims = {1, 1}, .is_variable = true}),
                wide = body.tensor({.name = "wide", .dims = {1, 1}}),
                out = body.tensor({.name = "out", .dims = {1, 1}}),
                flat = body.tensor({.name = "flat", .dims = {1}});
  const int32_t w = body.floats({1, 1}, {1}), bias = body.floats({1}, {0});
  body.operators = {
      {.code = lite::reshape, .inputs = {x, body.ints({1, 1})}, .outputs = {wide}},
      {.code = 24,
       .inputs = {wide, w, w, bias, h},
       .outputs = {out},
       .options_type = 7,
       .options = {{0, int8_t{0}}}},
      {.code = lite::reshape, .inputs = {out, body.ints({1})}, .outputs = {flat}},
      {.code = lite::add, .inputs = {flat, body.floats({1}, {1})}, .outputs = {y}, .options_type = 11}};
  file.graphs[2] = body;
  write_model(file, "loop_state.tflite");
  EXPECT_THAT(computed(file), ElementsAre(3));
  EXPECT_EQ(count(*load(file), "Assign"), 1U);
}

// What they only read goes in and does not come out.
TEST_F(TfliteControlFlow, VariablesThatABodyOnlyReadsAreNotAssigned) {
  LiteFile file = loop(true);
  LiteGraph body;
  const int32_t x = body.input({.name = "x", .dims = {1}}), y = body.output({.name = "y", .dims = {1}}),
                h = handle_tensor(body), old = body.tensor({.name = "old", .dims = {1}});
  body.operators = {handle(h, "total"),
                    read(h, old),
                    {.code = lite::add, .inputs = {x, old}, .outputs = {y}, .options_type = 11}};
  file.main().operators.insert(file.main().operators.begin(), once(3));
  file.graphs[2] = body;
  file.graphs.push_back(ten());
  EXPECT_THAT(computed(file), ElementsAre(10.5));
  EXPECT_EQ(count(*load(file), "Assign"), 0U);
}

TEST_F(TfliteControlFlow, VariablesThatNothingSetsAreErrors) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t v = g.tensor({.name = "v", .type = LiteType::resource, .dims = {}}),
                y = g.output({.name = "y", .dims = {1}});
  g.operators = {handle(v, "total"), {.code = lite::read_variable, .inputs = {v}, .outputs = {y}}};
  EXPECT_THAT(load_failure(file), HasSubstr("variable 'total' is read, but nothing gives it a first value"));
  g.operators.erase(g.operators.begin());
  EXPECT_THAT(load_failure(file), HasSubstr("its input is not a variable"));
}

}  // namespace
}  // namespace mo::test

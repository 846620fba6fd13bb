// Sub-graphs that others run, and what lasts from one run to the next.
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

TEST_F(TfliteControlFlow, VariablesThatNothingSetsAreErrors) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t v = g.tensor({.name = "v", .type = LiteType::resource, .dims = {}}),
                y = g.output({.name = "y", .dims = {1}});
  g.operators = {handle(v, "total"), {.code = lite::read_variable, .inputs = {v}, .outputs = {y}}};
  EXPECT_THAT(load_failure(file), HasSubstr("variable 'total' is read, but nothing gives it a first value"));
  g.operators.erase(g.operators.begin());
  EXPECT_THAT(load_failure(file), HasSubstr("its input is no variable"));
}

}  // namespace
}  // namespace mo::test

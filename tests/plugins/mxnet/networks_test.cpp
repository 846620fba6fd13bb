// Control flow and quantized networks, against values/networks.txt: what numpy computes by MXNet's
// documentation and kernels, step by step and in integers. It is made by tests/conformance/mxnet_operators.
#include <sstream>

#include "core/infer/execute.hpp"
#include "mxnet_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

struct Network {
  std::string name, symbol;
  struct Given {
    ArrayBytes array;
    bool is_int8;
  };
  std::vector<Given> arrays;
  std::vector<ArrayBytes> outputs;
};

void read_numbers(const std::string& dims, const std::string& numbers, ArrayBytes& to) {
  std::istringstream sizes(dims), values(numbers);
  for (std::string d; std::getline(sizes, d, ',');) to.dims.push_back(std::stoll(d));
  for (std::string v; values >> v;) to.values.push_back(std::stof(v));
}

std::map<std::string, Network> read_networks() {
  std::ifstream file(MO_SOURCE_DIR "/tests/plugins/mxnet/values/networks.txt");
  std::map<std::string, Network> all;
  Network* n = nullptr;
  for (std::string line; std::getline(file, line);) {
    const std::string word = line.substr(0, line.find(' ')), rest = line.substr(line.find(' ') + 1);
    const size_t colon = rest.find(':');
    if (word == "network") {
      n = &all[rest];
      n->name = rest;
    } else if (word == "symbol") {
      n->symbol = rest;
    } else if (word == "in") {
      std::istringstream head(rest.substr(0, colon));
      Network::Given g;
      std::string dims, type;
      head >> g.array.name >> dims >> type;
      g.is_int8 = type == "int8";
      read_numbers(dims, rest.substr(colon + 1), g.array);
      n->arrays.push_back(g);
    } else if (word == "out") {
      read_numbers(rest.substr(0, colon), rest.substr(colon + 1), n->outputs.emplace_back());
    }
  }
  return all;
}

class MxnetNetworks : public Mxnet {
 protected:
  // Arrays whose name `is_input` knows are not in the file: inputs of the network.
  core::GraphPtr load(const Network& n, const std::function<bool(const std::string&)>& is_input,
                      core::Stage stage = core::Stage::final) {
    convert_.inputs.clear();
    ArraysBuilder arrays;
    for (const auto& [a, is_int8] : n.arrays) {
      if (is_input(a.name)) {
        core::InputSpec& spec = convert_.inputs.emplace_back();
        spec.name = a.name;
        spec.shape = Shape::dims_of(a.dims.data(), static_cast<int64_t>(a.dims.size()));
        continue;
      }
      std::string bytes;
      for (const float v : a.values) bytes += static_cast<char>(static_cast<int8_t>(v));
      if (is_int8)
        arrays.typed(a.name, a.dims, 5, bytes);
      else
        arrays.dense(a);
    }
    return prepare(n.symbol, arrays.bytes(), stage);
  }
  static void compare(const std::vector<double>& got, const Shape& shape, const ArrayBytes& wanted) {
    EXPECT_EQ(text(shape),
              text(Shape::dims_of(wanted.dims.data(), static_cast<int64_t>(wanted.dims.size()))));
    ASSERT_EQ(got.size(), wanted.values.size());
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(got[i], wanted.values[i], 2e-5 + 2e-5 * std::abs(wanted.values[i])) << "element " << i;
  }
  // What the converted network computes of these inputs.
  void expect_computed(const Network& n, const core::GraphPtr& g) {
    std::vector<core::TensorRef> inputs;
    for (const core::NodeId p : g->parameters())
      for (const auto& [a, is_int8] : n.arrays)
        if (a.name == g->name(p)) {
          std::string bytes(a.values.size() * sizeof(float), '\0');
          std::memcpy(bytes.data(), a.values.data(), bytes.size());
          inputs.push_back(core::make_tensor_from_bytes(ElementType::f32, a.dims, bytes));
        }
    core::Session& session = *sessions_.back();
    session.executing = true;
    const auto results = core::execute(session, *g, inputs);
    ASSERT_EQ(results.size(), n.outputs.size());
    for (size_t i = 0; i < n.outputs.size(); ++i)
      compare(values_of(results[i]),
              Shape::dims_of(results[i]->dims.data(), static_cast<int64_t>(results[i]->dims.size())),
              n.outputs[i]);
  }

  const std::map<std::string, Network> networks_ = read_networks();
};

TEST_F(MxnetNetworks, GiveWhatMxnetGives) {
  ASSERT_GE(networks_.size(), 14U);
  for (const auto& [name, n] : networks_) {
    SCOPED_TRACE(name);
    const auto g = load(n, [](const std::string&) { return false; });
    expect_computed(n, g);
  }
}

// Nothing is known in advance but shapes: what is in the bodies stays there.
TEST_F(MxnetNetworks, ControlFlowStaysWhatItIs) {
  const std::map<std::string, std::string> kinds{
      {"foreach", "TensorIterator"}, {"while", "Loop"}, {"cond", "If"}};
  for (const auto& [name, n] : networks_) {
    SCOPED_TRACE(name);
    const auto kind = kinds.find(name.substr(0, name.find('_')));
    if (kind == kinds.end()) continue;
    const auto g = load(n, [](const std::string&) { return true; });
    EXPECT_EQ(count(*g, kind->second), 1U);
    for (size_t i = 0; i < n.outputs.size(); ++i) EXPECT_TRUE(shape(*g, i).is_static()) << text(shape(*g, i));
    expect_computed(n, g);
  }
}

// Runtimes with kernels of 8 bits look for weights of 8 bits, and a FakeQuantize on what they are applied to.
TEST_F(MxnetNetworks, QuantizedWeightsStayPacked) {
  for (const char* name : {"quantized_conv", "quantized_fully_connected"}) {
    SCOPED_TRACE(name);
    const Network& n = networks_.at(name);
    const auto g = load(n, [](const std::string& input) { return input == "x"; });
    EXPECT_EQ(count(*g, "FakeQuantize"), 2U);
    EXPECT_EQ(count(*g, "Convert"), 1U) << "biases are folded, they are not multiplied with anything";
    EXPECT_EQ(g->out({node(*g, "w"), 0}).tensor.type, ElementType::i8);
    expect_computed(n, g);
  }
}

// Names of what is in a body have the operator's in front; arrays that a body reads keep theirs.
TEST_F(MxnetNetworks, BodiesHaveNamesOfTheSymbol) {
  const auto g =
      load(networks_.at("foreach_of_a_cell"), [](const std::string& n) { return n != "w" && n != "b"; });
  const auto bodies = g->bodies();
  ASSERT_EQ(bodies.size(), 1U);
  EXPECT_NE(bodies[0]->find("loop/body/new"), core::no_node) << app::to_text(*bodies[0]);
  EXPECT_NE(bodies[0]->find("w"), core::no_node) << app::to_text(*bodies[0]);
  EXPECT_EQ(names_of(*g, output(*g, 2)), "loop:2");
}

TEST_F(MxnetNetworks, WhatIsWrongWithSubGraphs) {
  const auto failure = [&](std::string_view name, std::string_view from, std::string_view to) {
    Network n = networks_.at(std::string(name));
    const size_t at = n.symbol.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    n.symbol.replace(at, from.size(), to);
    try {
      load(n, [](const std::string&) { return false; });
      return std::string();
    } catch (const core::Failure& f) {
      return f.render();
    }
  };
  const auto foreach = [&](std::string_view from, std::string_view to) {
    return failure("foreach_of_the_documentation", from, to);
  };
  EXPECT_THAT(foreach (R"j("in_data_locs": "(0,)")j", R"j("in_data_locs": "(2,)")j"),
              HasSubstr("node 2 ('loop'): attribute 'in_data_locs' is [2], but there are 2 inputs"));
  EXPECT_THAT(foreach (R"j("in_data_locs": "(0,)")j", R"j("in_data_locs": "zero")j"),
              HasSubstr("attribute 'in_data_locs' is 'zero'; expected a list of numbers"));
  EXPECT_THAT(foreach (R"j("in_state_locs": "(1,)")j", R"j("in_state_locs": "(0,)")j"),
              HasSubstr("two inputs have place 0 in its sub-graph"));
  EXPECT_THAT(foreach (R"j("in_state_locs": "(1,)")j", R"j("in_state_locs": "()")j"),
              HasSubstr("have 1 places for 2 inputs"));
  EXPECT_THAT(foreach (R"j("num_out_data": "1")j", R"j("num_out_data": "2")j"),
              HasSubstr("its sub-graph has 2 outputs; expected 3"));
  EXPECT_THAT(foreach (R"j("num_out_data": "1")j", R"j("num_out_data": "-1")j"),
              HasSubstr("attribute 'num_out_data' is '-1'; expected a number from 0 on"));
  EXPECT_THAT(foreach (R"j("subgraphs": [)j", R"j("subgraphs": [7, )j"),
              HasSubstr("there is '7' where a symbol should be"));
  EXPECT_THAT(foreach (R"j("subgraphs": [)j", R"j("others": [)j"),
              HasSubstr("_foreach has 0 sub-graphs; expected 1"));
  EXPECT_THAT(foreach (R"j("inputs": [[1, 0, 0]], "attrs": {"scalar")j",
                       R"j("inputs": [[9, 0, 0]], "attrs": {"scalar")j"),
              HasSubstr("node 2 ('loop'), sub-graph 0: node 3 ('twice') reads node 9, but there are only 4"));
  EXPECT_THAT(failure("while_loop_that_ends", R"j("max_iterations": "10")j", R"j("max_iterations": "0")j"),
              HasSubstr("attribute 'max_iterations' is '0'; expected a number from 1 on"));
  EXPECT_THAT(
      failure("while_loop_that_ends", R"j("func_var_locs": "(0, 1)")j", R"j("func_var_locs": "(0, 0)")j"),
      HasSubstr("two variables of the loop are input 0"));
  EXPECT_THAT(failure("cond_then", R"j("_cond")j", R"j("_while_loop")j"),
              HasSubstr("_while_loop has 3 sub-graphs; expected 2"));
}

}  // namespace

}  // namespace mo::test

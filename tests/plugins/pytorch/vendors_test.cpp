// Operators of torch.library, and what options of the program do to an exported program.
#include "apps/survey/survey.hpp"
#include "pytorch_fixture.hpp"
#include "tests/support/test_plugin.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;

void extract_scaled(mo::SourceNode& n) {
  n.set_op("Elu", "opset1");
  n.set("alpha", n.native<double>("scale"));
  EXPECT_EQ(n.native<std::vector<std::string>>("call.arguments"),
            (std::vector<std::string>{"self", "sizes[1]"}));
  EXPECT_EQ(n.native<std::vector<int64_t>>("sizes"), (std::vector<int64_t>{3, INT64_MIN}));
  EXPECT_EQ(n.native<std::string>("call.module"), "layers.0");
  n.delete_input_port(1);
}

void register_acme(mo::Registry& r) { r.extractor<extract_scaled>({"pytorch", "acme", "scaled.default"}); }

class PytorchVendors : public Pytorch {
 protected:
  PytorchVendors() {
    plugin_ = [](core::Session& s) { load_test_plugin<register_acme>(s); };
  }
};

TEST_F(PytorchVendors, OperatorsOfALibrary) {
  Pt2File file;
  file.input("x", {"Symbol('s7', positive=True, integer=True)"});
  file.graph.call("torch.ops.aten.sym_size.int", {{"self", arg::tensor("x")}, {"dim", arg::integer(0)}},
                  arg::symbol("size"), "size");
  file.graph.tensor("y", {"s7"});
  file.graph.call("torch.ops.acme.scaled.default",
                  {{"self", arg::tensor("x")},
                   {"scale", arg::number(0.5)},
                   {"sizes", R"({"as_sym_ints": [{"as_int": 3}, {"as_name": "size"}]})"},
                   {"device", R"({"as_device": {"type": "cpu", "index": null}})"}},
                  arg::tensor("y"), "scaled",
                  R"("nn_module_stack": "L__self__,,Net;L__self__layers_0,layers.0,Layer")");
  file.output("y");
  const core::GraphPtr g = prepare(file);
  EXPECT_EQ(type(*g, "layers/0/scaled"), "Elu@opset1");
  EXPECT_EQ(attribute<double>(*g, node(*g, "layers/0/scaled"), "alpha"), 0.5);
}

class PytorchProgram : public Pytorch {
 protected:
  static Pt2File chain() {
    Pt2File file;
    file.input("x", {"2"});
    file.graph.node("torch.ops.aten.relu.default", {{"self", arg::tensor("x")}}, "first", {"2"});
    file.graph.node("torch.ops.aten.add.Tensor", {{"self", arg::tensor("first")}, {"other", arg::integer(1)}},
                    "second", {"2"});
    file.graph.node("torch.ops.aten.mul.Tensor",
                    {{"self", arg::tensor("second")}, {"other", arg::integer(2)}}, "third", {"2"});
    file.output("third");
    return file;
  }
};

TEST_F(PytorchProgram, InMemory) { expect_the_same_in_memory(folder_.write("model.pt2", chain().bytes())); }

// Each operator is a transformation of its own.
TEST_F(PytorchProgram, AnOperatorIsSwitchedOff) {
  convert_.disabled = {"pytorch.front.mul.tensor"};
  const std::string failure =
      ConversionTest::failure_of(std::filesystem::path(folder_.write("model.pt2", chain().bytes())));
  EXPECT_THAT(failure, HasSubstr("mul.Tensor of domain 'aten', version 1: 1 node, 'third'"));
  EXPECT_THAT(failure, testing::Not(HasSubstr("add.Tensor")));
}

TEST_F(PytorchProgram, TheContentSaysWhatItIs) {
  convert_.framework.clear();
  for (const std::string& bytes : {chain().bytes(), chain().old_bytes(), chain().pickled_bytes()}) {
    const core::GraphPtr g =
        ConversionTest::prepare(std::filesystem::path(folder_.write("model.any", bytes)));
    EXPECT_EQ(type(*g, "first"), "ReLU@opset1");
  }
}

}  // namespace
}  // namespace mo::test

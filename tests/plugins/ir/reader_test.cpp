// What is read from IRs that others wrote, and what is said about broken ones.
#include "tests/plugins/ir/ir_lab.hpp"

namespace mo::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// x -> ReLU -> r, with a place for changes.
std::string net(const std::string& layers, const std::string& edges, const std::string& more = "") {
  return "<?xml version=\"1.0\"?>\n<net name=\"n\" version=\"11\"><layers>" + layers + "</layers><edges>" +
         edges + "</edges>" + more + "</net>";
}
const std::string x_layer =
    R"(<layer id="0" name="x" type="Parameter" version="opset1"><data element_type="f32" shape="1,?"/>)"
    R"(<output><port id="0" precision="FP32"><dim>1</dim><dim>-1</dim></port></output></layer>)";
std::string op_layer(const std::string& type, const std::string& version, const std::string& data = "") {
  return "<layer id=\"7\" name=\"op\" type=\"" + type + "\" version=\"" + version + "\">" + data +
         R"(<input><port id="0"/></input><output><port id="1" precision="FP32" names="y"/></output></layer>)";
}
const std::string r_layer =
    R"(<layer id="9" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>)";
const std::string x_to_op = R"(<edge from-layer="0" from-port="0" to-layer="7" to-port="0"/>)";
const std::string op_to_r = R"(<edge from-layer="7" from-port="1" to-layer="9" to-port="0"/>)";

std::string loaded(const IrLab& lab, const std::string& xml) {
  std::ofstream(lab.path("m.xml")) << xml;
  return lab.loaded();
}

TEST(IrReader, AVersionMeansTheNewestDefinitionUpToIt) {
  const IrLab lab;
  const std::string axis = R"(<data axis="-1"/>)";
  EXPECT_THAT(loaded(lab, net(x_layer + op_layer("ReLU", "opset13") + r_layer, x_to_op + op_to_r)),
              HasSubstr("ReLU@opset1 \"op\""));
  EXPECT_THAT(loaded(lab, net(x_layer + op_layer("SoftMax", "opset9", axis) + r_layer, x_to_op + op_to_r)),
              HasSubstr("SoftMax@opset8 \"op\""));
  EXPECT_THAT(loaded(lab, net(x_layer + op_layer("SoftMax", "opset7", axis) + r_layer, x_to_op + op_to_r)),
              HasSubstr("SoftMax@opset1 \"op\""));
  // Written into opset1 by others, though they came later.
  EXPECT_THAT(loaded(lab, net(x_layer + op_layer("ReorgYolo", "opset1", R"(<data stride="2"/>)") + r_layer,
                              x_to_op + op_to_r)),
              HasSubstr("ReorgYolo@opset2 \"op\""));
  EXPECT_THAT(
      loaded(lab,
             net(x_layer + op_layer("ShuffleChannels", "opset1", R"(<data axis="1" group="1"/>)") + r_layer,
                 x_to_op + op_to_r)),
      HasSubstr("ShuffleChannels@opset3 \"op\""));
}

TEST(IrReader, AnUnknownOperationCanBeLookedAt) {
  const IrLab lab;
  const std::string text = loaded(
      lab, net(x_layer + op_layer("Acme", "acme1", R"(<data speed="9 m/s"/>)") + r_layer, x_to_op + op_to_r));
  EXPECT_THAT(text,
              AllOf(HasSubstr("Acme@acme1 \"op\""), HasSubstr("speed=\"9 m/s\""), HasSubstr("names(\"y\")")));
}

TEST(IrReader, WhatAnExtensionDefinesIsWrittenAsItWas) {
  const IrLab lab;
  std::ofstream(lab.path("m.bin")) << "";
  loaded(lab, net(x_layer + op_layer("Acme", "extension", R"(<data speed="9 m/s"/>)") + r_layer,
                  x_to_op + op_to_r));
  lab.convert();
  const std::string again = content(lab.path("again/m.xml"));
  EXPECT_THAT(again, AllOf(HasSubstr("type=\"Acme\" version=\"extension\""), HasSubstr("speed=\"9 m/s\""),
                           HasSubstr("precision=\"FP32\" names=\"y\"")));
}

// As OpenVINO writes what has no elements, and an input that is left out.
TEST(IrReader, ConstantsOfNothing) {
  const IrLab lab;
  std::ofstream(lab.path("m.bin")) << "x";
  const auto constant = [](const std::string& data) {
    return R"(<layer id="3" name="c" type="Const" version="opset1"><data )" + data +
           R"( offset="0" size="1"/><output><port id="0"/></output></layer>)";
  };
  const std::string c_to_r = R"(<edge from-layer="3" from-port="0" to-layer="9" to-port="0"/>)";
  EXPECT_THAT(loaded(lab, net(constant(R"(element_type="i64" shape="0")") + r_layer, c_to_r)),
              HasSubstr("Const@opset1 \"c\" -> i64[0] {}"));
  const std::string two = R"(<layer id="7" name="op" type="Acme" version="acme1"><input><port id="0"/>)"
                          R"(<port id="1"/></input><output><port id="2" precision="FP32"/></output></layer>)";
  const std::string text =
      loaded(lab, net(x_layer + constant(R"(element_type="dynamic" shape="0")") + two + r_layer,
                      x_to_op + R"(<edge from-layer="3" from-port="0" to-layer="7" to-port="1"/>)" +
                          R"(<edge from-layer="7" from-port="2" to-layer="9" to-port="0"/>)"));
  EXPECT_THAT(text, AllOf(HasSubstr("Acme@acme1 \"op\""), testing::Not(HasSubstr("Const"))));
}

// Words that the specification has in upper case, and OpenVINO writes in lower case.
TEST(IrReader, WordsAsOpenVinoWritesThem) {
  const IrLab lab;
  lab.write(R"(
    %s = Const@opset1 "s" -> i64[1] {2}
    %l = Const@opset1 "l" -> f32[] {0}
    %h = Const@opset1 "h" -> f32[] {1}
    %y = RandomUniform@opset8 "y" (%s, %l, %h) {output_type=f32, alignment="pytorch", global_seed=3, op_seed=4}
    Result@opset1 "r" (%y))");
  EXPECT_THAT(lab.loaded(), HasSubstr("alignment=\"pytorch\""));
}

TEST(IrReader, WeightsOutsideOfTheFolderAreNotRead) {
  const IrLab lab, other;
  other.write(R"(
    %c = Const@opset1 "c" -> f32[2] {1,2}
    Result@opset1 "r" (%c))");
  const std::string constant = net(
      R"(<layer id="0" name="c" type="Const" version="opset1"><data element_type="f32" shape="2" offset="0" size="8"/>)"
      R"(<output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>)" +
          r_layer,
      R"(<edge from-layer="0" from-port="0" to-layer="9" to-port="0"/>)");
  std::filesystem::create_symlink(other.path("m.bin"), lab.path("m.bin"));
  EXPECT_THAT(lab.error(constant), HasSubstr("a link leads out of the folder"));
}

TEST(IrReader, LayersMayStandInAnyOrder) {
  const IrLab lab;
  EXPECT_THAT(loaded(lab, net(r_layer + op_layer("ReLU", "opset1") + x_layer, op_to_r + x_to_op)),
              HasSubstr("ReLU@opset1 \"op\" (%"));
}

TEST(IrReader, BrokenFiles) {
  const IrLab lab;
  const std::string good = x_layer + op_layer("ReLU", "opset1") + r_layer;
  const auto layer = [](const std::string& data) {
    return R"(<layer id="7" name="op" type="Const" version="opset1">)" + data +
           R"(<output><port id="1" precision="FP32"/></output></layer>)";
  };
  struct Row {
    std::string xml;
    std::vector<std::string> parts;
  };
  const Row rows[] = {
      {"<net ", {"line 1 is not well-formed XML"}},
      {"<net name=\"n\" version=\"11\">\n<layers>\n<layer></net>", {"line 3 is not well-formed XML"}},
      {"<net name=\"n\" version=\"7\"/>", {"the IR has version 7; 10 and 11 can be read"}},
      {"<net name=\"n\" version=\"x\"/>", {"<net name=\"n\">: version is 'x'; expected a whole number"}},
      {"<net name=\"n\" version=\"11\"/>", {"has no <layers>"}},
      {net(good + good, x_to_op), {"two layers have the id 0"}},
      {net(x_layer + op_layer("ReLU", "opset1"), x_to_op), {"MO0207"}},
      {net(good, x_to_op), {"connected to nothing"}},
      {net(good, x_to_op + x_to_op + op_to_r), {"two edges end at port 0 of <layer id=\"7\" name=\"op\">"}},
      {net(good, R"(<edge from-layer="5" from-port="0" to-layer="7" to-port="0"/>)"),
       {"a layer 5, which does not exist"}},
      {net(good, R"(<edge from-layer="0" from-port="3" to-layer="7" to-port="0"/>)"),
       {"names port 3 of <layer id=\"0\" name=\"x\">, which has no such output"}},
      {net(good, R"(<edge from-layer="7" from-port="1" to-layer="7" to-port="0"/>)" + op_to_r), {"MO0301"}},
      {net(x_layer + op_layer("Elu", "opset1", R"(<data alpha="big"/>)") + r_layer, x_to_op + op_to_r),
       {"attribute 'alpha' of 'op': 'big' is not a number"}},
      {net(x_layer + op_layer("Parameter", "opset1") + r_layer, x_to_op + op_to_r),
       {"is a Parameter with 1 inputs"}},
      {net(x_layer + layer("") + r_layer, op_to_r), {"a layer of type Const has no <data>"}},
      {net(x_layer + layer(R"(<data element_type="f33" shape="1" offset="0" size="4"/>)") + r_layer, op_to_r),
       {"there is no element type 'f33'"}},
      {net(x_layer + layer(R"(<data element_type="f32" shape="1" offset="0" size="4"/>)") + r_layer, op_to_r),
       {"m.bin"}},
      {net(x_layer + layer(R"(<data element_type="f32" shape="1" offset="-1" size="4"/>)") + r_layer,
           op_to_r),
       {"offset -1"}},
      {net(x_layer + layer(R"(<data element_type="f32" shape="-3" offset="0" size="4"/>)") + r_layer,
           op_to_r),
       {"expected no negative dimension"}},
      {net(x_layer +
               layer(R"(<data element_type="f32" shape="9999999999,9999999999" offset="0" size="0"/>)") +
               r_layer,
           op_to_r),
       {"error MO0201", "does not fit a size of 0"}},
  };
  for (const Row& r : rows) {
    const std::string got = lab.error(r.xml);
    for (const std::string& part : r.parts) EXPECT_THAT(got, HasSubstr(part)) << r.xml;
    if (got.find("MO0201") != std::string::npos) {
      EXPECT_THAT(got, HasSubstr("m.xml")) << r.xml;
    }
  }
}

TEST(IrReader, ConstantsBeyondTheFile) {
  const IrLab lab;
  std::ofstream(lab.path("m.bin")) << "1234";
  const std::string layer =
      R"(<layer id="7" name="op" type="Const" version="opset1"><data element_type="f32" shape="2" offset="0" size="8"/>)"
      R"(<output><port id="1" precision="FP32"/></output></layer>)";
  EXPECT_THAT(lab.error(net(x_layer + layer + r_layer, op_to_r)),
              AllOf(HasSubstr("name=\"op\""), HasSubstr("m.bin")));
}

TEST(IrReader, DeeplyNestedBodies) {
  const IrLab lab;
  std::string inside = x_layer + r_layer;
  std::string edges = R"(<edge from-layer="0" from-port="0" to-layer="9" to-port="0"/>)";
  for (int i = 0; i < 40; ++i)
    inside = x_layer +
             R"(<layer id="7" name="op" type="TensorIterator" version="opset1"><port_map/><body><layers>)" +
             inside + "</layers><edges>" + edges + "</edges></body></layer>" + r_layer;
  EXPECT_THAT(lab.error(net(inside, edges)), HasSubstr("nested deeper than 32 levels"));
}

}  // namespace
}  // namespace mo::test

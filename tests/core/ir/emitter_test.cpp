#include "core/ir/emitter.hpp"
#include "core/host/host_tables.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "apps/ir_files/ir_files.hpp"
#include "apps/views/text.hpp"
#include "tests/support/test_plugin.hpp"

namespace mo::core {
namespace {

using test::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Plain {
  static constexpr std::string_view type = "Plain", opset = "opset1";
  static void schema(OpSchema& s) { s.inputs(0, any_number).outputs(0, any_number); }
  static void infer(InferContext&) {}
};
struct Newer {
  static constexpr std::string_view type = "Newer", opset = "opset8";
  static void schema(OpSchema& s) { s.inputs(0, any_number); }
  static void infer(InferContext&) {}
};
struct Vendor {
  static constexpr std::string_view type = "ScaledShift", opset = "acme";
  static void schema(OpSchema& s) { s.inputs(1); }
  static void infer(InferContext&) {}
};
struct Kept {
  static constexpr std::string_view type = "Kept", opset = "opset6";
  static void schema(OpSchema& s) { s.inputs(1).outputs(0, 1).flags(MO_OP_SINK); }
  static void infer(InferContext&) {}
};
struct Rich {
  static constexpr std::string_view type = "Rich", opset = "opset3";
  static void schema(OpSchema& s) {
    s.inputs(0, 2);
    s.attr<int64_t>("axis")
        .attr("epsilon", 1e-5)
        .attr("keep", true)
        .attr("mode", "a<b")
        .ir_name("exclude-pad");
    s.attr("strides", std::vector<int64_t>{1, -2}).attr("scales", std::vector<double>{1.0, 0.1});
    s.attr("none", std::vector<int64_t>{}).attr("type", ElementType::i64);
    s.optional_attr<Shape>("shape").optional_attr<std::vector<std::string>>("labels");
    s.attr("secret", 7).not_in_ir();
  }
  static void infer(InferContext&) {}
};
struct EmitterComputed {
  static constexpr std::string_view type = "Computed", opset = "opset1";
  static void schema(OpSchema& s) { s.inputs(0, 1).attr("a", 1).attr("b", 2); }
  static void infer(InferContext&) {}
  static void ir_attrs(Node n, IrAttributes& out) {
    if (n.name() == "broken") fail("cannot say");
    if (n.name() == "odd") return out.add("no name", "1");
    out.add("a", text("of ", n.name()));
    out.add("c", "<3>");
  }
};
struct Body {
  static constexpr std::string_view type = "Loopy", opset = "opset5";
  static void schema(OpSchema& s) { s.inputs(0, any_number).outputs(0, any_number); }
  static void infer(InferContext&) {}
};

void register_all(mo::Registry& r) {
  r.operation<Plain>();
  r.operation<Newer>();
  r.operation<Vendor>();
  r.operation<Kept>();
  r.operation<Rich>();
  r.operation<EmitterComputed>();
  r.operation<Body>();
}

class Emitter : public testing::Test {
 protected:
  Emitter() {
    mo::test::load_test_plugin<register_all>(session_);
    place_.folder = folder_ / "out";
    options_.model_name = "m";
  }

  GraphPtr parse(std::string_view text) { return app::parse_text(text, session_.space()); }

  EmitResult emit(std::string_view text, int version = 11) {
    options_.ir_version = version;
    app::IrFiles files(session_, place_);
    const EmitResult result = emit_ir(session_, *parse(text), options_, files);
    paths_ = files.paths();
    return result;
  }

  // The document of a successful run; its text is kept for tests of the spelling.
  const pugi::xml_document& document(std::string_view text, int version = 11) {
    result_ = emit(text, version);
    xml_ = folder_.read("out/m.xml");
    EXPECT_EQ(result_.xml_bytes, xml_.size());
    const pugi::xml_parse_result parsed = document_.load_string(xml_.c_str());
    EXPECT_TRUE(parsed) << parsed.description() << "\n" << xml_;
    return document_;
  }

  pugi::xml_node layer(const char* name) {
    return document_.child("net").child("layers").find_child_by_attribute("layer", "name", name);
  }

  std::string error(std::string_view text, int version = 11, Exit exit = Exit::model) {
    try {
      emit(text, version);
    } catch (const Failure& f) {
      EXPECT_EQ(f.exit(), exit);
      EXPECT_THAT(folder_.names(), IsEmpty());
      return f.render();
    }
    return "no failure";
  }

  Session session_{host_table()};
  TemporaryFolder folder_;
  EmitOptions options_;
  app::IrPlace place_;
  app::IrPaths paths_;
  EmitResult result_;
  std::string xml_;
  pugi::xml_document document_;
};

constexpr const char* small_net = R"(
  %x = Parameter@opset1 "x" -> f32[1,3] names("input,0","a")
  %w = Const@opset1 "w" -> f32[1,3] {1,2,3}
  %y = Plain@opset1 "y" (%x, %w) rt {fused_names="conv,relu"} -> (f32[1,3] names("y:0"), i64[])
  Result@opset1 "out" (%y)
)";

TEST_F(Emitter, V11) {
  options_.metadata = {{{"MO_version"}, "0.1"},
                       {{"conversion_parameters", "framework"}, "x"},
                       {{"conversion_parameters", "odd key"}, "<"}};
  document(small_net);
  EXPECT_EQ(xml_, R"(<?xml version="1.0"?>
<net name="m" version="11">
	<layers>
		<layer id="0" name="x" type="Parameter" version="opset1">
			<data element_type="f32" shape="1,3"/>
			<output>
				<port id="0" precision="FP32" names="a,input\,0"><dim>1</dim><dim>3</dim></port>
			</output>
		</layer>
		<layer id="1" name="w" type="Const" version="opset1">
			<data element_type="f32" shape="1,3" offset="0" size="12"/>
			<output>
				<port id="0" precision="FP32"><dim>1</dim><dim>3</dim></port>
			</output>
		</layer>
		<layer id="2" name="y" type="Plain" version="opset1">
			<rt_info>
				<attribute name="fused_names" version="0" value="conv,relu"/>
			</rt_info>
			<input>
				<port id="0" precision="FP32"><dim>1</dim><dim>3</dim></port>
				<port id="1" precision="FP32"><dim>1</dim><dim>3</dim></port>
			</input>
			<output>
				<port id="2" precision="FP32" names="y:0"><dim>1</dim><dim>3</dim></port>
				<port id="3" precision="I64"></port>
			</output>
		</layer>
		<layer id="3" name="out" type="Result" version="opset1">
			<input>
				<port id="0" precision="FP32"><dim>1</dim><dim>3</dim></port>
			</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
		<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
		<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
	</edges>
	<rt_info>
		<MO_version value="0.1"/>
		<conversion_parameters>
			<framework value="x"/>
			<info name="odd key" value="&lt;"/>
		</conversion_parameters>
	</rt_info>
</net>
)");
  EXPECT_EQ(result_.layers, 4U);
  EXPECT_EQ(result_.bin_bytes, 12U);
  EXPECT_EQ(paths_.xml, folder_ / "out/m.xml");
  EXPECT_EQ(folder_.read("out/m.bin").size(), 12U);
}

TEST_F(Emitter, V10) {
  options_.metadata = {{{"MO_version"}, "0.1"}, {{"conversion_parameters", "framework"}, "x"}};
  document(small_net, 10);
  EXPECT_THAT(xml_, HasSubstr("<net name=\"m\" version=\"10\">"));
  EXPECT_THAT(xml_, Not(HasSubstr("rt_info")));
  EXPECT_THAT(xml_, HasSubstr("\t<meta_data>\n\t\t<MO_version value=\"0.1\"/>\n\t\t<cli_parameters>\n"));
}

TEST_F(Emitter, TheSameGraphGivesTheSameBytes) {
  emit(small_net);
  const std::string xml = folder_.read("out/m.xml"), bin = folder_.read("out/m.bin");
  place_.fsync = true;
  emit(small_net);
  EXPECT_EQ(folder_.read("out/m.xml"), xml);
  EXPECT_EQ(folder_.read("out/m.bin"), bin);
}

TEST_F(Emitter, ParametersComeFirstResultsLastInModelOrder) {
  document(R"(
    %r1 = Result "r1" (%c)
    %s = Kept@opset6 "s" (%b) -> ()
    %c = Plain@opset1 "c" (%b, %p2) -> f32[]
    %b = Plain@opset1 "b" (%p1) -> f32[]
    %r2 = Result "r2" (%p1)
    %p1 = Parameter "p1" -> f32[]
    %p2 = Parameter "p2" -> f32[]
  )");
  std::vector<std::string> names;
  int id = 0;
  for (const auto& l : document_.child("net").child("layers").children()) {
    names.push_back(l.attribute("name").value());
    EXPECT_EQ(l.attribute("id").as_int(), id++);
  }
  EXPECT_THAT(names, ElementsAre("p1", "p2", "b", "c", "s", "r1", "r2"));
}

TEST_F(Emitter, AttributesFollowTheSchema) {
  document(R"(
    %a = Rich@opset3 "a" {axis=-1, shape=shape[1,?,2..,..8,3..4], labels=["p","q&r"], other=1} -> f32[]
    %b = Rich@opset3 "b" {axis=9223372036854775807, keep=false, mode="", scales=[1e+30], type=f16, shape=shape[...]} -> f32[]
    Result "r" (%a)
    Result "s" (%b)
  )");
  EXPECT_THAT(xml_, HasSubstr(R"(<data axis="-1" epsilon="1e-05" keep="true" exclude-pad="a&lt;b" )"
                              R"(strides="1,-2" scales="1,0.1" none="" type="i64" )"
                              R"(shape="1,?,2..,..8,3..4" labels="p,q&amp;r"/>)"));
  EXPECT_THAT(xml_,
              HasSubstr(R"(<data axis="9223372036854775807" epsilon="1e-05" keep="false" exclude-pad="" )"
                        R"(strides="1,-2" scales="1e+30" none="" type="f16" shape="..."/>)"));
}

TEST_F(Emitter, ComputedAttributesReplaceAndFollow) {
  document("%a = Computed@opset1 \"a\" -> f32[]\nResult (%a)");
  EXPECT_THAT(xml_, HasSubstr("<data b=\"2\" a=\"of a\" c=\"&lt;3&gt;\"/>"));
}

TEST_F(Emitter, AFailingAttributeCallbackNamesNodeAndPlugin) {
  const std::string failed = error("%a = Computed@opset1 \"broken\" -> f32[]\nResult (%a)");
  EXPECT_THAT(failed, HasSubstr("cannot say"));
  EXPECT_THAT(failed, HasSubstr("'broken'"));
  EXPECT_THAT(failed, HasSubstr("org.mo-host.test"));
  EXPECT_THAT(
      error("%a = Computed@opset1 \"odd\" -> f32[]\nResult (%a)"),
      HasSubstr("'no name' given by ir_attrs is not a name of an XML attribute, or given twice: 'odd'"));
}

TEST_F(Emitter, AttributesThatHaveNoTextAreAnError) {
  EXPECT_THAT(error("%a = Rich@opset3 \"a\" {axis=f32[1] {1}} -> f32[]\nResult (%a)"),
              HasSubstr("attribute 'axis' is of a kind that the IR cannot hold: 'a'"));
}

TEST_F(Emitter, DynamicDimensions) {
  document(R"(
    %x = Parameter "x" -> f32[1,?,2..4]
    %y = Plain@opset1 "y" (%x) -> f32[...]
    Result "r" (%y)
  )");
  EXPECT_THAT(xml_, HasSubstr("shape=\"1,?,2..4\""));
  EXPECT_THAT(xml_, HasSubstr("<dim>1</dim><dim>-1</dim><dim>-1</dim>"));
  EXPECT_THAT(xml_, HasSubstr("precision=\"FP32\" names=\"y\"></port>"));
}

TEST_F(Emitter, EveryOutputNeedsAType) {
  for (const int version : {10, 11})
    EXPECT_THAT(
        error("%x = Parameter \"x\" -> f32[1]\n%y = Plain@opset1 \"y\" (%x) -> (f32[1], _)\nResult (%y)",
              version),
        AllOf(HasSubstr("MO0703"), HasSubstr("the element type of output 1 of Plain is not known"),
              HasSubstr("'y'")));
}

TEST_F(Emitter, ScalarsStringsAndEmptyConstants) {
  document(R"(
    %s = Const "s" -> i64[] {7}
    %t = Const "t" -> string[2] {"a","bc"}
    %e = Const "e" -> f32[0,2] {}
    %b = Const "b" -> boolean[2] {true,false}
    %y = Plain@opset1 "y" (%s, %t, %e, %b) -> f32[]
    Result "r" (%y)
  )");
  EXPECT_STREQ(layer("s").child("data").attribute("shape").value(), "");
  EXPECT_STREQ(layer("t").child("data").attribute("element_type").value(), "string");
  EXPECT_EQ(layer("t").child("data").attribute("size").as_int(), 4 * 4 + 3);
  EXPECT_EQ(layer("e").child("data").attribute("size").as_int(), 0);
  EXPECT_STREQ(layer("b").child("data").attribute("element_type").value(), "boolean");
  EXPECT_EQ(result_.bin_bytes, 128 + 2U);
}

TEST_F(Emitter, EqualConstantsShareBytesAlsoWithBodies) {
  document(R"(
    %a = Const "a" -> i64[2] {1,2}
    %l = Loopy@opset5 "l" (%a) {port_map=["out 0 <- 0"], body=graph {
      %c = Const "c" -> i64[2] {1,2}
      %d = Const "d" -> i64[2] {3,4}
      Result "r" (%c)
      Result "s" (%d)
    }} -> i64[2]
    Result "r" (%l)
  )");
  EXPECT_EQ(result_.shared_constants, 1U);
  EXPECT_EQ(result_.bin_bytes, 80U);
  EXPECT_EQ(result_.layers, 7U);
}

TEST_F(Emitter, BodiesWithPortMaps) {
  document(R"(
    %x = Parameter "x" -> f32[4,2]
    %h = Parameter "h" -> f32[1,2]
    %l = Loopy@opset5 "l" (%x, %h) {
      port_map=["in 0 -> 0 axis=0", "in 1 -> 1", "out 0 <- 0 axis=0 start=-1 end=0 stride=-1", "out 1 <- 1",
                "in -1 -> 2 purpose=current_iteration"],
      back_edges=[1,1],
      body=graph {
        %o1 = Result "o1" (%y)
        %y = Plain@opset1 "y" (%xi, %hi, %i) -> f32[1,2]
        %o2 = Result "o2" (%y)
        %xi = Parameter "xi" -> f32[1,2]
        %hi = Parameter "hi" -> f32[1,2]
        %i = Parameter "i" -> i64[]
      }} -> (f32[4,2], f32[1,2])
    Result "r" (%l:1)
  )");
  const pugi::xml_node l = layer("l");
  EXPECT_FALSE(l.child("data"));
  EXPECT_THAT(xml_, HasSubstr(R"(			<port_map>
				<input external_port_id="0" internal_layer_id="0" axis="0" start="0" end="-1" stride="1" part_size="1"/>
				<input external_port_id="1" internal_layer_id="1"/>
				<output external_port_id="2" internal_layer_id="4" axis="0" start="-1" end="0" stride="-1" part_size="1"/>
				<output external_port_id="3" internal_layer_id="5"/>
				<input external_port_id="-1" internal_layer_id="2" purpose="current_iteration"/>
			</port_map>
			<back_edges>
				<edge from-layer="5" to-layer="1"/>
			</back_edges>
			<body>
				<layers>
					<layer id="0" name="xi" type="Parameter" version="opset1">
)"));
  // Only what users of the model address gets names.
  EXPECT_FALSE(
      l.child("body").child("layers").first_child().child("output").child("port").attribute("names"));
}

TEST_F(Emitter, SeveralBodies) {
  document(R"(
    %c = Parameter "c" -> boolean[]
    %i = Loopy@opset5 "i" (%c) {then_port_map=["out 0 <- 0"], else_port_map=["out 0 <- 0"],
      then_body=graph { %a = Const "a" -> f32[] {1}
        Result "r" (%a) },
      else_body=graph { %a = Const "a" -> f32[] {2}
        Result "r" (%a) }} -> f32[]
    Result "r" (%i)
  )");
  const pugi::xml_node i = layer("i");
  for (const char* child : {"then_port_map", "then_body", "else_port_map", "else_body"})
    EXPECT_TRUE(i.child(child)) << child;
  EXPECT_FALSE(i.child("back_edges"));
  EXPECT_EQ(i.child("else_port_map").child("output").attribute("external_port_id").as_int(), 1);
}

TEST_F(Emitter, BrokenBodies) {
  const auto body_error = [&](std::string_view attributes) {
    return error(text("%x = Parameter \"x\" -> f32[]\n%l = Loopy@opset5 \"l\" (%x) {", attributes,
                      "} -> f32[]\nResult (%l)"));
  };
  const std::string body = "body=graph { %p = Parameter \"p\" -> f32[]\n Result \"o\" (%p) }";
  EXPECT_THAT(body_error(body), HasSubstr("attribute 'port_map', a list of strings, is missing: 'l'"));
  EXPECT_THAT(body_error(body + ", port_map=[\"in 0\"]"),
              HasSubstr("'in 0' is no entry of a port map: expected '->'"));
  EXPECT_THAT(body_error(body + ", port_map=[\"in 1 -> 0\"]"), HasSubstr("the node has 1 inputs"));
  EXPECT_THAT(body_error(body + ", port_map=[\"out 0 <- 1\"]"), HasSubstr("the body has no Result 1"));
  EXPECT_THAT(body_error(body + ", port_map=[\"in 0 -> 0\",\"in 0 -> 0\"]"),
              HasSubstr("that port of the node is mapped twice"));
  EXPECT_THAT(body_error(body + ", port_map=[\"in 0 -> 0\"], back_edges=[0,1]"),
              HasSubstr("'back_edges' is not a list of pairs"));
  EXPECT_THAT(body_error("odd=graph { }"), HasSubstr("attribute 'odd' holds a graph"));
  EXPECT_THAT(body_error("port_map=strings[], body=graph \"b\" { Nope \"n\" }"),
              testing::AllOf(HasSubstr("a graph without a Result has nothing to compute: 'b'"),
                             HasSubstr("turned Nope into an operation of the IR: 'l' > 'n'")));
}

TEST_F(Emitter, UnsupportedOperationsAreListedAtOnce) {
  const std::string message = error(R"(
    %a = Foo "a" -> f32[]
    %b = Foo "b" (%a) -> f32[]
    %c = Plian@opset1 "c" (%b) -> f32[]
    %d = Plain@opset1 "d" (%c, _, %a) -> f32[]
    Result "r" (%d)
  )");
  EXPECT_EQ(message,
            "error MO0701: the model cannot be written as IR version 11\n"
            "  layers  no extractor or transformation turned Foo into an operation of the IR: 'a', 'b'\n"
            "          no plugin defines opset1::Plian (did you mean 'Plain'?): 'c'\n"
            "          input 1 of Plain is not connected, but a later one is: 'd'\n"
            "  hint    load a plugin that knows the operation (--extensions)");
}

TEST_F(Emitter, ManyNodesOfOneProblemAreCounted) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += mo::text("Foo \"n", i, "\"\n");
  EXPECT_THAT(error(text), HasSubstr("'n19' and 80 more"));
}

TEST_F(Emitter, InputsAtTheEndMayBeLeftOut) {
  document("%x = Parameter \"x\" -> f32[]\n%y = Plain@opset1 \"y\" (%x, _, _) -> f32[]\nResult (%y)");
  EXPECT_EQ(layer("y").child("output").child("port").attribute("id").as_int(), 1);
}

TEST_F(Emitter, BrokenGraphs) {
  EXPECT_THAT(error("%x = Parameter \"x\" -> f32[]"), HasSubstr("a graph without a Result"));
  EXPECT_THAT(error("Result \"r\" (_)"), HasSubstr("a Result needs one input: 'r'"));
  EXPECT_THAT(error("%c = Const \"c\" -> f32[]\nResult (%c)"), HasSubstr("a Const has no value: 'c'"));
  EXPECT_THAT(error("%x = Parameter \"x\"\nResult (%x)"),
              HasSubstr("the element type of a Parameter is not known"));
  EXPECT_THAT(error("%a = Plain@opset1 \"a\" (%a)\nResult (%a)"), HasSubstr("has a cycle"));
}

TEST_F(Emitter, WhatV10CannotExpress) {
  EXPECT_THAT(
      error("%n = Newer@opset8 \"n\" -> f32[]\nResult (%n)", 10),
      HasSubstr("opset8::Newer is newer than IR version 10, which ends with opset7; the first release "
                "that has it is 2022.1: 'n'"));
  EXPECT_THAT(error("%x = Parameter \"x\" -> f32[?]\nResult (%x)", 10),
              HasSubstr("IR version 10 needs static shapes; not static is the output of Parameter: 'x'"));
  EXPECT_THAT(error("%x = Const \"x\" -> u4[2] hex \"21\"\nResult (%x)", 10),
              HasSubstr("disagree about the order"));
  EXPECT_THAT(error("%x = Const \"x\" -> nf4[2] hex \"21\"\nResult (%x)", 10),
              HasSubstr("no element type nf4"));
  document("%n = Newer@opset8 \"n\" -> f32[]\nResult (%n)");
  document("%v = Parameter \"p\" -> f32[]\n%n = ScaledShift@acme \"n\" (%v) -> f32[]\nResult (%n)", 10);
  EXPECT_THAT(xml_, HasSubstr("type=\"ScaledShift\" version=\"acme\""));
}

TEST_F(Emitter, WhatAReleaseDoesNotHave) {
  constexpr const char* net = "%n = Newer@opset8 \"n\" -> f32[]\nResult (%n)";
  session_.set_option("target", std::string("2021.4"));
  EXPECT_THAT(error(net), HasSubstr("MO0714"));
  EXPECT_THAT(error(net),
              HasSubstr("newer than release 2021.4; the first release that has it is 2022.1: 'n'"));
  EXPECT_THROW(check_ir(session_, *parse(net), options_), Failure);
  session_.set_option("target", std::string("2022.1"));
  check_ir(session_, *parse(net), options_);
  EXPECT_THAT(folder_.names(), IsEmpty());
  document(net);
  session_.set_option("target", std::string("1999.1"));
  EXPECT_THROW(emit(net), Failure);
}

// As the documentation of 2022.3 and 2023.3 lists them.
TEST_F(Emitter, TypesThatAReleaseDoesNotHave) {
  const auto constant = [](const std::string& type) {
    return "%x = Const \"x\" -> " + type + "[2] hex \"2121\"\nResult (%x)";
  };
  session_.set_option("target", std::string("2022.3"));
  EXPECT_THAT(error(constant("f8e4m3")), HasSubstr("MO0714"));
  EXPECT_THAT(error(constant("f8e4m3")), HasSubstr("release 2022.3 has no element type f8e4m3: 'x'"));
  session_.set_option("target", std::string("2023.3"));
  EXPECT_THAT(error(constant("f8e8m0")), HasSubstr("release 2023.3 has no element type f8e8m0: 'x'"));
  session_.set_option("target", std::string("2025.0"));
  for (const char* type : {"f8e4m3", "f8e5m2", "f8e8m0"})
    check_ir(session_, *parse(constant(type)), options_);
}

// Sizes that only the run shows are written as the largest ones, but those of inputs have to be known.
TEST_F(Emitter, V10HasUpperBounds) {
  EXPECT_THAT(error("%x = Parameter \"x\" -> f32[1..4]\nResult (%x)", 10), HasSubstr("needs static shapes"));
  document("%p = Parameter \"p\" -> f32[2]\n%x = Plain@opset1 \"x\" (%p) -> f32[1..4,3]\nResult (%x)", 10);
  EXPECT_STREQ(layer("x").child("output").child("port").child("dim").text().get(), "4");
}

TEST_F(Emitter, V10HasNoEmptyInputsAndOutputs) {
  constexpr const char* inside =
      "%p = Parameter \"p\" -> f32[2]\n%x = Plain@opset1 \"x\" (%p) -> f32[0]\n"
      "%y = Plain@opset1 \"y\" (%x) -> f32[2]\nResult (%y)";
  document(inside, 10);
}

TEST_F(Emitter, AnEmptyBorderBefore2023_3) {
  constexpr const char* net = "%x = Parameter \"x\" -> f32[2,0]\nResult (%x)";
  session_.set_option("target", std::string("2023.2"));
  EXPECT_THAT(error(net), HasSubstr("release 2023.2 has no input or output with a dimension of 0: 'x'"));
  session_.set_option("target", std::string("2023.3"));
  check_ir(session_, *parse(net), options_);
}

TEST_F(Emitter, V10HasNoEmptyBorder) {
  constexpr const char* what = "no input or output with a dimension of 0";
  EXPECT_THAT(
      error("%p = Parameter \"p\" -> f32[0]\n%y = Plain@opset1 \"y\" (%p) -> f32[2]\nResult (%y)", 10),
      HasSubstr(what));
  EXPECT_THAT(
      error("%p = Parameter \"p\" -> f32[2]\n%y = Plain@opset1 \"y\" (%p) -> f32[0]\nResult (%y)", 10),
      HasSubstr(what));
  document("%p = Parameter \"p\" -> f32[2]\n%y = Plain@opset1 \"y\" (%p) -> f32[0]\nResult (%y)");
}

// Readers take "inf" for 0.
TEST_F(Emitter, NumbersAreFinite) {
  EXPECT_THAT(error("%r = Rich@opset3 \"r\" () {axis=1, epsilon=inf} -> f32[]\nResult (%r)"),
              HasSubstr("attribute 'epsilon' of Rich is infinite or no number"));
  EXPECT_THAT(error("%r = Rich@opset3 \"r\" () {axis=1, scales=[1.0,nan]} -> f32[]\nResult (%r)"),
              HasSubstr("attribute 'scales' of Rich is infinite or no number"));
}

TEST_F(Emitter, BlankNamesAreLeftOutOfV10) {
  document(
      "%p = Parameter \"p\" -> f32[2] names(\" \",\"a\")\n%y = Plain@opset1 \"y\" (%p) -> f32[2] names(\"  "
      "\")\nResult (%y)",
      10);
  EXPECT_STREQ(layer("p").child("output").child("port").attribute("names").value(), "a");
  EXPECT_FALSE(layer("y").child("output").child("port").attribute("names"));
}

TEST_F(Emitter, ConstantsHaveAFileThatIsNotEmpty) {
  document("%c = Const \"c\" -> f32[0] {}\n%y = Plain@opset1 \"y\" (%c) -> f32[2]\nResult (%y)");
  EXPECT_EQ(folder_.read("out/m.bin"), std::string(1, '\0'));
  EXPECT_EQ(result_.bin_bytes, 1U);
}

TEST_F(Emitter, OnlyTwoVersionsExist) {
  EXPECT_THAT(error(small_net, 12, Exit::usage), HasSubstr("there is no IR version 12"));
}

TEST_F(Emitter, InputsAndOutputsOfAModelHaveNames) {
  document(R"(
    %x = Parameter "x" -> f32[]
    %s = Plain@opset1 "s" (%x) -> (f32[], f32[] names("b","a","b"), f32[])
    %t = Plain@opset1 "t" (%x) -> f32[] names("x")
    Result "r0" (%s)
    Result "r1" (%s:1)
    Result "r2" (%t)
  )");
  EXPECT_STREQ(layer("x").child("output").child("port").attribute("names").value(), "x_1");
  auto port = layer("s").child("output").child("port");
  EXPECT_STREQ(port.attribute("names").value(), "s.0");
  port = port.next_sibling();
  EXPECT_STREQ(port.attribute("names").value(), "a,b");
  port = port.next_sibling();
  EXPECT_FALSE(port.attribute("names"));
}

TEST_F(Emitter, NamesThatMeetAreAnError) {
  const char* net = R"(
    %x = Parameter "x" -> f32[] names("same")
    %y = Plain@opset1 "y" (%x) -> f32[] names("same")
    Result "r" (%y)
  )";
  EXPECT_THAT(
      error(net),
      HasSubstr("two inputs or outputs of the model are called 'same'; that of 'x' and that of: 'y'"));
  EXPECT_THAT(
      error("%x = Parameter \"x\" -> f32[]\n%y = Plain@opset1 \"y\" (%x) -> f32[] names(\"x\")\nResult (%y)",
            10),
      HasSubstr("are called 'x'"));
}

TEST_F(Emitter, OddTensorNames) {
  std::vector<std::string> lines;
  session_.log_sink = [&](const LogLine& l) { lines.push_back(l.text); };
  document(R"(
    %x = Parameter "x" -> f32[] names("z","a\\","<","b\\")
    Result "r" (%x)
  )");
  EXPECT_STREQ(layer("x").child("output").child("port").attribute("names").value(), "<,z,a\\");
  EXPECT_THAT(lines, ElementsAre(HasSubstr("ends with a backslash is left out: b\\")));
}

TEST_F(Emitter, RtInfo) {
  EXPECT_THAT(error("%x = Parameter \"x\" rt {a=graph {}} -> f32[]\nResult (%x)"), HasSubstr("rt_info 'a'"));
  document(R"(
    %x = Parameter "x" rt {layout="[N,C]", old_api_map_order=[0,2,1], gone=false} -> f32[1,2]
    %y = Plain@opset1 "y" (%x) rt {decompression=true, layout="[?]"} -> f32[1,2]
    Result "r" (%y) rt {layout="[N]"}
  )");
  EXPECT_THAT(xml_, HasSubstr(R"(			<rt_info>
				<attribute name="old_api_map_order" version="0" value="0,2,1"/>
			</rt_info>
			<output>
				<port id="0" precision="FP32" names="x"><dim>1</dim><dim>2</dim>
					<rt_info>
						<attribute name="layout" version="0" layout="[N,C]"/>
					</rt_info>
				</port>
			</output>)"));
  EXPECT_THAT(xml_, HasSubstr("<attribute name=\"decompression\" version=\"0\"/>"));
  EXPECT_TRUE(layer("r").child("input").child("port").child("rt_info"));
  EXPECT_FALSE(layer("r").child("rt_info"));
}

TEST_F(Emitter, LongModelNamesKeepTheVersionInReach) {
  options_.model_name = "ü" + std::string(180, '&');
  emit(small_net);
  const std::string xml = folder_.read("out/" + options_.model_name + ".xml");
  EXPECT_LT(xml.find("version=\"11\""), 500U);
}

TEST_F(Emitter, ModelNamesDoNotLeaveTheFolder) {
  options_.model_name = "../m";
  emit(small_net);
  EXPECT_THAT(folder_.names(), ElementsAre("out"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/.._m.xml"));
}

TEST_F(Emitter, AnUnusableFolderIsNamed) {
  folder_.write("file", "");
  place_.folder = folder_ / "file";
  try {
    emit(small_net);
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.exit(), Exit::output);
    EXPECT_THAT(f.message(), HasSubstr(folder_ / "file"));
  }
}

TEST_F(Emitter, CanBeCancelledWhileItWrites) {
  std::vector<uint64_t> told;
  session_.progress_sink = [&](uint64_t done, uint64_t total) {
    told.push_back(total);
    return done == 0;
  };
  EXPECT_EQ(error(small_net), "error MO0721: cancelled while the weights were written");
  EXPECT_THAT(told, ElementsAre(12));
}

}  // namespace
}  // namespace mo::core

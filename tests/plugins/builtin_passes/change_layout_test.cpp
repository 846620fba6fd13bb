#include "tests/plugins/builtin_passes/layout_lab.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

std::string net(const std::string& shape = "1,4,5,3") {
  return "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[" + shape + "]} -> f32[" + shape +
         "] names(\"x:0\")\n" + R"(
    %first = Const@opset1 "first" -> i64[4] {0,3,1,2}
    %last = Const@opset1 "last" -> i64[4] {0,2,3,1}
    %w = Const@opset1 "w" -> f32[2,3,1,1] {1,10,100,1,0,0}
    %t = Transpose@opset1 "y/Transpose" (%x, %first)
    %c = Convolution@opset1 "y/Convolution" (%t, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
    %y = Transpose@opset1 "y" (%c, %last) -> _ names("y:0")
    Result@opset1 "r" (%y)
  )";
}

struct Changed {
  std::string input, output;
  size_t transposes = 0;
  friend bool operator==(const Changed&, const Changed&) = default;
  friend void PrintTo(const Changed& c, std::ostream* out) {
    *out << c.input << " " << c.output << " " << c.transposes;
  }
};

Changed changed(const std::vector<std::pair<std::string, core::Attribute>>& options,
                const std::string& layout = "NHWC", const std::string& text_form = net()) {
  LayoutLab lab;
  for (const auto& [name, value] : options) lab.session.set_option(name, value);
  const auto g = lab.graph(text_form);
  g->set_attribute("layout", layout);
  lab.run(*g, layout_passes);
  const core::PortRef out = g->source({g->results()[0], 0});
  Changed c{text(g->out({g->parameters()[0], 0}).tensor.shape), text(g->out(out).tensor.shape),
            LayoutLab::count(*g, "Transpose")};
  EXPECT_EQ(g->name(g->parameters()[0]), "x");
  EXPECT_EQ(g->symbols().text(g->out({g->parameters()[0], 0}).names.at(0)), "x:0");
  EXPECT_EQ(g->name(out.node), "y");
  EXPECT_EQ(g->symbols().text(g->out(out).names.at(0)), "y:0");
  const std::string once = app::to_text(*g);
  lab.run(*g, layout_passes);
  EXPECT_EQ(app::to_text(*g), once);
  return c;
}

TEST(ChangeLayout, InputsAndOutputsAreTurned) {
  using std::string;
  EXPECT_EQ(changed({}), (Changed{"[1,3,4,5]", "[1,2,4,5]", 0}));
  EXPECT_EQ(changed({{"disable_nhwc_to_nchw", true}}), (Changed{"[1,4,5,3]", "[1,4,5,2]", 2}));
  EXPECT_EQ(changed({}, "NCHW"), (Changed{"[1,4,5,3]", "[1,4,5,2]", 2}));
  // What --layout names is left to it.
  EXPECT_EQ(changed({{"layout", string("x(nhwc)")}}), (Changed{"[1,4,5,3]", "[1,2,4,5]", 1}));
  EXPECT_EQ(changed({{"layout", string("nhwc")}}), (Changed{"[1,4,5,3]", "[1,2,4,5]", 1}));
  EXPECT_EQ(changed({{"layout", string("x(nhwc->nchw),y(nhwc)")}}), (Changed{"[1,3,4,5]", "[1,4,5,2]", 1}));
  EXPECT_EQ(changed({{"layout", string("x:0([n,h,w,c] -> [n,c,h,w]), y:0(n...c->nc...)")}}, "NCHW"),
            (Changed{"[1,3,4,5]", "[1,2,4,5]", 0}));
  EXPECT_EQ(changed({{"source_layout", string("x(nhwc)")}, {"target_layout", string("x(nchw)")}}, "NCHW"),
            (Changed{"[1,3,4,5]", "[1,4,5,2]", 1}));
  EXPECT_EQ(changed({{"layout", string("x([n,?,?,c]->[n,c,?,?])")}}, "NCHW"),
            (Changed{"[1,3,4,5]", "[1,4,5,2]", 1}));
  EXPECT_EQ(changed({{"layout", string("x(nhwc->nwhc)")}}, "NCHW"), (Changed{"[1,5,4,3]", "[1,4,5,2]", 2}));
  EXPECT_EQ(changed({}, "NHWC", net("?,?,?,3")), (Changed{"[?,3,?,?]", "[?,2,1..,1..]", 0}));
}

TEST(ChangeLayout, TheLayoutIsWritten) {
  LayoutLab lab;
  lab.session.set_option("layout", std::string("x(nhwc->nchw),y(n..."
                                               "c)"));
  const auto g = lab.graph(net());
  lab.run(*g, layout_passes);
  const auto layout_of = [&](core::NodeId n) {
    const core::Attribute* a = g->rt_info(n).find(g->symbols().find("layout"));
    return a == nullptr ? "none" : std::get<std::string>(*a);
  };
  EXPECT_EQ(layout_of(g->parameters()[0]), "[N,C,H,W]");
  EXPECT_EQ(layout_of(g->results()[0]), "[N,?,?,C]");
}

TEST(ChangeLayout, OptionsOfInputsAreInTheOrderOfTheModel) {
  const auto pixel = [](const std::string& layout_option, const std::string& layout) {
    LayoutLab lab;
    lab.session.set_option("mean_values", std::string("(1,2,3)"));
    lab.session.set_option("reverse_input_channels", true);
    if (!layout_option.empty()) lab.session.set_option("layout", layout_option);
    const auto g = lab.graph(net("1,1,1,3"));
    g->set_attribute("layout", layout);
    std::vector<std::string> all = {"middle.scale_inputs", "middle.subtract_means",
                                    "middle.reverse_input_channels"};
    all.insert(all.end(), layout_passes.begin(), layout_passes.end());
    all.push_back("middle.move_channel_order_to_weights");
    lab.run(*g, all);
    EXPECT_EQ(LayoutLab::count(*g, "Gather"), 0U) << app::to_text(*g);
    const bool turned = layout == "NHWC" || layout_option.find("->") != std::string::npos;
    const auto y = lab.values(
        *g, {{turned ? std::vector<int64_t>{1, 3, 1, 1} : std::vector<int64_t>{1, 1, 1, 3}, {10, 20, 30}}});
    return y.at(0).values;
  };
  // 30 20 10 less the means are 29 18 7; weights 1 10 100 and 1 0 0.
  const std::vector<double> expected{29 + 180 + 700, 29};
  EXPECT_EQ(pixel("", "NHWC"), expected);
  EXPECT_EQ(pixel("nhwc->nchw", "NCHW"), expected);
}

TEST(ChangeLayout, AnOutputThatIsAnInputStaysOne) {
  LayoutLab lab;
  const auto g = nhwc_graph(lab, R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,4,5,3]} -> f32[1,4,5,3] names("x:0")
    Result@opset1 "r" (%x)
  )");
  lab.run(*g, layout_passes);
  EXPECT_EQ(g->source({g->results()[0], 0}).node, g->parameters()[0]);
  EXPECT_EQ(text(g->out({g->parameters()[0], 0}).tensor.shape), "[1,3,4,5]");
}

TEST(ChangeLayout, MistakesAreTold) {
  const auto told = [](const std::string& option, const std::string& value) {
    LayoutLab lab;
    lab.session.set_option(option, value);
    const auto g = lab.graph(net());
    try {
      lab.run(*g, {"middle.change_layout"});
    } catch (const core::Failure& f) {
      return f.message();
    }
    return std::string("no failure");
  };
  EXPECT_THAT(told("layout", "z(nhwc)"), HasSubstr("no input or output of the model is named 'z'"));
  EXPECT_THAT(told("layout", "nhwc,nchw"), HasSubstr("2 layouts for 1 inputs"));
  EXPECT_THAT(told("layout", "x(nhwc->nchd)"), HasSubstr("are not the same"));
  EXPECT_THAT(told("layout", "x(nhw)"), HasSubstr("does not fit 'x', which has 4 dimensions"));
  EXPECT_THAT(told("layout", "x(nhwc"), HasSubstr("no ')' at its end"));
  EXPECT_THAT(told("layout", "x([n,h,w,c)"), HasSubstr("no ']' at its end"));
  EXPECT_THAT(told("layout", "x(n h*w c)"), HasSubstr("dimensions are not joined"));
  EXPECT_THAT(told("layout", "x(nhhc)"), HasSubstr("'H' is there twice"));
  EXPECT_THAT(told("layout", "x(nhwc),nc"), HasSubstr("name all or none"));
  EXPECT_THAT(told("layout", "x(nhwc),x(nchw)"), HasSubstr("is named twice"));
  EXPECT_THAT(told("layout", "x(nhwc),"), HasSubstr("nothing between two commas"));
  EXPECT_THAT(told("layout", "x(->nchw)"), HasSubstr("a layout is empty"));
  EXPECT_THAT(told("layout", "x(n-wc)"), HasSubstr("is not a layout"));
  EXPECT_THAT(told("target_layout", "x(nchw)"), HasSubstr("--source_layout says it"));
  EXPECT_THAT(told("source_layout", "x(nhwc->nchw)"), HasSubstr("only --layout takes two layouts"));
}

}  // namespace
}  // namespace mo::test

// Each layer is converted by a front transformation of its own: it is found by its id, switched off, and
// overridden.
#include "all_tests.hpp"
#include "apps/survey/survey.hpp"
#include "caffe_fixture.hpp"
#include "core/host/host_tables.hpp"
#include "load.hpp"
#include "tests/support/test_plugin.hpp"

#include <mo/build.hpp>

namespace mo::test {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const std::string square =
    "layer { name: 'data' type: 'Input' top: 'data' input_param { shape { dim: [1, 2, 2] } } }\n";

Ports doubled(Build& b, const SourceNode& l) {
  return {b.op("Multiply", "opset1", {b.in(0), b.like(b.in(0), l.native("power_param.power", 1.0))})};
}
struct OtherPower : ReplaceOperator<doubled> {
  OtherPower() : ReplaceOperator({"caffe", "Power", "Power(x, power)", "Multiply(x, power)"}) {
    id = "acme.front.power";
    run_before = {"caffe.front.power"};
  }
};
void register_other_power(Registry& r) { r.transformation<OtherPower>(); }

void extract_power(SourceNode& l) { l.set_op("Abs", "opset1"); }
void register_power_extractor(Registry& r) { r.extractor<extract_power>({"caffe", "", "Power"}); }

class CaffeTransformations : public Caffe {
 protected:
  // What `power_param { power: 2 }` becomes, in the spelling of `type`.
  std::string power_becomes(std::string_view type) {
    return text_of(*prepare(text(square, "layer { name: 'power' type: '", type,
                                 "' bottom: 'data' top: 'power' power_param { power: 2 } }")));
  }
  std::vector<const core::Transformation*> of_layers() {
    std::vector<const core::Transformation*> list;
    const core::Registry& all = new_session().registry();
    all.open_contents();
    for (const core::Transformation* t : all.transformations())
      if (t->id.starts_with("caffe.front.")) list.push_back(t);
    return list;
  }
};

TEST_F(CaffeTransformations, OneForEachLayerInOneGroup) {
  const auto all = of_layers();
  EXPECT_GE(all.size(), 65U);
  std::set<std::string> types;
  for (const core::Transformation* t : all) {
    EXPECT_EQ(t->group, "caffe.front.layers") << t->id;
    EXPECT_FALSE(t->before.empty() || t->after.empty()) << t->id;
    ASSERT_EQ(t->nodes.size(), 1U) << t->id;
    for (const std::string& type : t->nodes.front().ops)
      EXPECT_TRUE(types.insert(type).second) << t->id << " is the second one for " << type;
  }
}

// A type that the table of the loader lacks would be found in one spelling only.
TEST_F(CaffeTransformations, TypesAreFoundInAnyCaseAndWithUnderscores) {
  for (const core::Transformation* t : of_layers())
    for (const std::string& op : t->nodes.front().ops) {
      std::string type = op.substr(2), capitals = type;
      for (char& c : capitals)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      std::string more = text("type: '", capitals, "'");
      if (type.starts_with("Python.")) {
        const size_t dot = capitals.rfind('.');
        more = text("type: 'Python' python_param { module: '", capitals.substr(7, dot - 7), "' layer: '",
                    capitals.substr(dot + 1), "' }");
      }
      const auto g = prepare(text(square, "layer { name: 'layer' bottom: 'data' top: 'layer' ", more, " }"),
                             {}, core::Stage::load);
      EXPECT_EQ(g->op(node(*g, "layer")), type) << t->id << ": loader/layer_types.cpp lacks its type";
    }
  const auto old = prepare(
      "input: 'data' input_dim: 1 input_dim: 2 input_dim: 1 input_dim: 1\n"
      "layers { name: 'fc' type: INNER_PRODUCT bottom: 'data' top: 'fc' }\n"
      "layers { name: 'lrn' type: LRN bottom: 'fc' top: 'lrn' }\n"
      "layers { name: 'act' type: RELU bottom: 'lrn' top: 'act' }",
      {}, core::Stage::load);
  EXPECT_EQ(old->op(node(*old, "fc")), "InnerProduct");
  EXPECT_EQ(old->op(node(*old, "lrn")), "LRN");
  EXPECT_EQ(old->op(node(*old, "act")), "ReLU");
}

TEST_F(CaffeTransformations, ALayerIsSwitchedOff) {
  convert_.disabled = {"caffe.front.flatten"};
  const std::string failure =
      failure_of(square +
                 "layer { name: 'dropped' type: 'Dropout' bottom: 'data' top: 'dropped' }\n"
                 "layer { name: 'flat' type: 'Flatten' bottom: 'dropped' top: 'flat' }");
  EXPECT_THAT(failure, HasSubstr("Flatten, version 1: 1 node, 'flat'"));
  EXPECT_THAT(failure, testing::Not(HasSubstr("Dropout")));
}

TEST_F(CaffeTransformations, ALayerIsConvertedInAnotherWay) {
  EXPECT_EQ(power_becomes("Power"), "Power");
  plugin_ = [](core::Session& s) { load_test_plugin<register_other_power>(s); };
  EXPECT_EQ(power_becomes("Power"), "Multiply");
  EXPECT_EQ(power_becomes("power"), "Multiply") << "its type in another case is the same layer";
  convert_.disabled = {"acme.front.power"};
  EXPECT_EQ(power_becomes("Power"), "Power");
}

// A vendor's extractor comes before all transformations; it is asked for the type as the network writes it.
TEST_F(CaffeTransformations, AnExtractorOfAVendorTakesALayer) {
  plugin_ = [](core::Session& s) { load_test_plugin<register_power_extractor>(s); };
  EXPECT_EQ(power_becomes("Power"), "Abs");
  EXPECT_EQ(power_becomes("POWER"), "Power");
}

// Identities give the blob its name, the last layer keeps its own.
TEST_F(CaffeTransformations, LayersThatVanishLeaveNames) {
  const auto g = prepare(square +
                         "layer { name: 'act' type: 'ReLU' bottom: 'data' top: 'act' }\n"
                         "layer { name: 'parts' type: 'Split' bottom: 'act' top: 'p' top: 'q' }\n"
                         "layer { name: 'dropped' type: 'Dropout' bottom: 'p' top: 'dropped' }\n"
                         "layer { name: 'sum' type: 'Eltwise' bottom: 'dropped' bottom: 'q' top: 'sum' }");
  EXPECT_EQ(text_of(*g), "ReLU Add");
  EXPECT_EQ(type(*g, "sum"), "Add@opset1");
  EXPECT_EQ(names_of(*g, {node(*g, "act"), 0}), "act,p,q,dropped");
}

TEST_F(CaffeTransformations, CheckNamesWhoTakesEachLayer) {
  core::ConvertOptions options = convert_;
  options.input_model = write("net.prototxt", square +
                                                  "layer { name: 'a' type: 'ReLU' bottom: 'data' top: 'a' }\n"
                                                  "layer { name: 'b' type: 'Tile' bottom: 'a' top: 'b' }\n"
                                                  "layer { name: 'c' type: 'Nobody' bottom: 'b' top: 'c' }");
  const app::ModelSurvey survey = app::survey_model(new_session(), options);
  EXPECT_FALSE(survey.all_convertible());
  std::map<std::string, app::SurveyedOperation> by_op;
  for (const app::SurveyedOperation& o : survey.operations) by_op[o.op] = o;
  EXPECT_THAT(by_op["ReLU"].by, ElementsAre("caffe.front.relu of org.mo-host.caffe"));
  EXPECT_THAT(by_op["Tile"].why, ElementsAre(HasSubstr("tiles is missing")));
  EXPECT_EQ(by_op["Nobody"].open, 1U);
}

// The last of the program: by then each transformation has been applied twice somewhere.
class EachOnce : public testing::Environment {
 public:
  void TearDown() override {
    if (!all_tests_run()) return;
    core::Session session{core::host_table()};
    load_and_open_built_in(session);
    for (const core::Transformation* t : session.registry().transformations())
      if (t->id.starts_with("caffe.")) {
        EXPECT_TRUE(TwiceEqualsOnce::checked()[t->id] > 0) << "no test applies " << t->id;
      }
  }
};
const auto* const each_once = testing::AddGlobalTestEnvironment(new EachOnce);

}  // namespace

}  // namespace mo::test

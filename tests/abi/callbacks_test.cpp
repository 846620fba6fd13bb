// What plugins do wrong after they were loaded: each callback that throws, returns nonsense or misuses the
// host ends in one error that names plugin, callback and node. Nothing crashes, and nothing of it stays in
// the graph.
#include <gmock/gmock.h>

#include "apps/frontends/choose_frontend.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "core/convert/convert.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "core/schedule/schedule.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::AllOf;
using testing::HasSubstr;

// in -> op -> Result, where in is a Parameter or a Const.
GraphPtr one_node(Session& session, const std::string& op, bool constant = false) {
  const GraphPtr g = session.create_graph("net");
  NodeId in = no_node;
  if (constant) {
    in = g->add_const("in", make_tensor(ElementType::f32, {1, 4}));
  } else {
    in = g->add_node("Parameter", "opset1", "in", 0, 1);
    g->set_attribute(in, "element_type", ElementType::f32);
    g->set_attribute(in, "shape", shape_attribute({1, 4}));
  }
  const NodeId node = g->add_node(op, "org.example.zoo", "the node", 1, 1);
  const NodeId result = g->add_node("Result", "opset1", "out", 1, 0);
  g->connect({in, 0}, {node, 0});
  g->connect({node, 0}, {result, 0});
  return g;
}

template <class F>
std::string failure_text(F f) {
  try {
    f();
    return "";
  } catch (const Failure& failure) {
    return failure.render();
  } catch (const std::exception& e) {
    return std::string("not contained: ") + e.what();
  }
}

// Exceptions.

class ThrowingCallback : public testing::TestWithParam<const char*> {};

TEST_P(ThrowingCallback, IsNamed) {
  const std::string callback = GetParam();
  const ZooFolder folder;
  const std::string model = folder.add_text("a model of the zoo", "net.zoo").string();
  Session session{host_table()};
  load_zoo(session, "throws");
  session.set_option("zoo_throw", callback);
  const std::string text = failure_text([&] {
    ConvertOptions options;
    options.frontend = app::choose_frontend;
    options.input_model = model;
    app::IrFiles files(session, {.folder = (folder.path() / "out").string()});
    (void)convert(session, options, files);
  });
  EXPECT_THAT(text, AllOf(HasSubstr("boom in " + callback), HasSubstr("let a C++ exception out"),
                          HasSubstr("org.example.zoo.throws")));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out" / "model.xml"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out" / "model.bin"));
}

INSTANTIATE_TEST_SUITE_P(Zoo, ThrowingCallback,
                         testing::Values("probe", "load_model", "native_key", "extract", "native_attr",
                                         "native_attr_names", "infer", "condition", "on_graph", "on_node",
                                         "on_match", "predicate", "ir_attrs"),
                         [](const auto& row) { return std::string(row.param); });

TEST(ThrowingCallback, EvaluateToo) {
  Session session{host_table()};
  load_zoo(session, "throws");
  session.set_option("zoo_throw", std::string("evaluate"));
  const GraphPtr g = one_node(session, "Thrower", true);
  EXPECT_THAT(failure_text([&] { infer_all(session, *g); }),
              AllOf(HasSubstr("boom in evaluate"), HasSubstr("'the node'")));
}

// unload, the release of everything and shutdown throw, too. In a process of its own, as the end of one is
// tested.
TEST(ThrowingCallbackDeathTest, NobodyToTellIsNoCrash) {
  EXPECT_EXIT(
      {
        const ZooFolder folder;
        std::string text;
        {
          Session session{host_table()};
          load_zoo(session, "throws");
          session.set_option("zoo_throw", std::string("unload"));
          ConvertOptions options;
          options.frontend = app::choose_frontend;
          options.input_model = folder.add_text("a model of the zoo", "net.zoo").string();
          app::IrFiles files(session, {.folder = (folder.path() / "out").string()});
          text = failure_text([&] { (void)convert(session, options, files); });
          session.close_model();
        }
        std::fputs(text.empty() ? "converted\n" : text.c_str(), stderr);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^converted\n$");
}

struct SdkThrow {
  const char* op;
  const char* says;
};
void PrintTo(const SdkThrow& t, std::ostream* out) { *out << t.op; }

class ThrowingSdk : public testing::TestWithParam<SdkThrow> {};

TEST_P(ThrowingSdk, KeepsTheText) {
  Session session{host_table()};
  load_zoo(session, "sdk_throws");
  const GraphPtr g = one_node(session, GetParam().op);
  EXPECT_THAT(failure_text([&] { infer_all(session, *g); }),
              AllOf(HasSubstr(GetParam().says), HasSubstr("'the node'"),
                    HasSubstr("org.example.zoo.sdk-throws"), HasSubstr("callback 'infer'")));
}

INSTANTIATE_TEST_SUITE_P(Zoo, ThrowingSdk,
                         testing::Values(SdkThrow{"ThrowsStandard", "index 9 of 3"},
                                         SdkThrow{"ThrowsForeign", "not derived from std::exception"},
                                         SdkThrow{"ThrowsBadAlloc", "out of memory"},
                                         SdkThrow{"ThrowsOurs", "rank is 7; expected 4"},
                                         SdkThrow{"ThrowsFromHost", "required attribute 'axis' is missing"}),
                         [](const auto& row) { return std::string(row.param.op); });

// Operations.

struct Misbehaving {
  const char* op;
  const char* says;
  bool constant = false;
};
void PrintTo(const Misbehaving& m, std::ostream* out) { *out << m.op; }

class MisbehavingOperation : public testing::TestWithParam<Misbehaving> {};

TEST_P(MisbehavingOperation, IsNamed) {
  const Misbehaving& m = GetParam();
  Session session{host_table()};
  load_zoo(session, "misbehaves");
  const GraphPtr g = one_node(session, m.op, m.constant);
  EXPECT_THAT(failure_text([&] { infer_all(session, *g); }),
              AllOf(HasSubstr(m.says), HasSubstr("'the node'"), HasSubstr(m.op),
                    HasSubstr("org.example.zoo.misbehaves")));
  EXPECT_EQ(g->size(), 3U);
  EXPECT_EQ(session.registry().operation("TooLate", "org.example.zoo"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Zoo, MisbehavingOperation,
                         testing::Values(Misbehaving{"TooManyOutputs", "output 7 does not exist"},
                                         Misbehaving{"GarbageStatus", "4711 (not a mo_status)"},
                                         Misbehaving{"NoText", "MO_ERROR and no text"},
                                         Misbehaving{"ImpossibleShape", "impossible dimension"},
                                         Misbehaving{"ImpossibleType", "no element type 99"},
                                         Misbehaving{"ShapeWithoutDims", "is NULL"},
                                         Misbehaving{"NullValue", "is NULL"},
                                         Misbehaving{"Edits", "only read"},
                                         Misbehaving{"RegistersLate", "inside load() only"},
                                         Misbehaving{"OtherShape", "evaluate gives output 0", true}),
                         [](const auto& row) { return std::string(row.param.op); });

// Transformations.

std::string run(Session& session, Graph& g, const char* id) {
  const Transformation* t = session.registry().transformation(id);
  return t == nullptr ? "no such transformation"
                      : failure_text([&] { (void)run_transformation(session, g, *t); });
}

TEST(MisbehavingTransformation, GarbageStatus) {
  Session session{host_table()};
  load_zoo(session, "misbehaves");
  const GraphPtr g = one_node(session, "Fine");
  EXPECT_THAT(run(session, *g, "zoo.garbage_status"),
              AllOf(HasSubstr("-3 (not a mo_status)"), HasSubstr("zoo.garbage_status"),
                    HasSubstr("org.example.zoo.misbehaves")));
}

TEST(MisbehavingTransformation, EditsOfAFailureAreTakenBack) {
  Session session{host_table()};
  load_zoo(session, "misbehaves");
  const GraphPtr g = one_node(session, "Fine");
  EXPECT_THAT(run(session, *g, "zoo.edit_and_fail"),
              AllOf(HasSubstr("changed its mind"), HasSubstr("zoo.edit_and_fail")));
  EXPECT_EQ(g->size(), 3U);
  EXPECT_EQ(g->name(), "net");
  EXPECT_TRUE(g->nodes_of("LeftBehind").empty());
}

TEST(MisbehavingTransformation, CyclesAreFoundAndTakenBack) {
  Session session{host_table()};
  load_zoo(session, "misbehaves");
  session.set_option(schedule_options::check_graph, true);
  const GraphPtr g = one_node(session, "Fine");
  EXPECT_THAT(run(session, *g, "zoo.make_cycle"), AllOf(HasSubstr("cycle"), HasSubstr("zoo.make_cycle")));
  EXPECT_EQ(g->size(), 3U);
}

TEST(MisbehavingTransformation, EveryAbuseOfTheHostIsRefused) {
  Session session{host_table()};
  load_zoo(session, "misbehaves");
  load_zoo(session, "abuses_host");
  const GraphPtr g = one_node(session, "Fine");
  EXPECT_EQ(run(session, *g, "zoo.abuse_host"), "");
  EXPECT_EQ(g->size(), 3U);
}

}  // namespace

}  // namespace mo::core

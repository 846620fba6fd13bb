// What mo/plugin.h promises beside single functions: what is lent, what a failure says, which status a breach
// has. In the words of C, as bindings of other languages meet it.
#include <gmock/gmock.h>
#include <array>

#include <fstream>
#include <numeric>
#include <thread>
#include <type_traits>

#include "apps/plugin_check/tap.hpp"
#include "built.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Runs `body` as a transformation does, with the context it is handed.
template <class Body>
void in_callback(Lab& lab, Body body) {
  lab.plugin("com.acme.looks", [&](Registry& r) {
    r.option("size", MO_OPTION_STRING, "of this plugin");
    r.transformation<OnGraph>("acme.looks", [&](Graph g) { body(g.context().get(), g); });
  });
  const auto g = lab.graph("%x = Parameter \"x\" -> f32[4] names(\"in\", \"also\")\nResult (%x)");
  lab.run(*g, "acme.looks");
}

// Enumerators are as signed as the members that hold them.

template <auto enumerator>
constexpr bool is_signed = std::is_signed_v<std::underlying_type_t<decltype(enumerator)>>;
static_assert(is_signed<MO_OK> && is_signed<MO_F32> && is_signed<MO_VALUE_INT> && is_signed<MO_PORT_IN> &&
              is_signed<MO_NAMES_MERGE> && is_signed<MO_ROLE_DATA> && is_signed<MO_SYMBOL_NUMBER> &&
              is_signed<MO_PHASE_FRONT> && is_signed<MO_TRANSFORM_OP> && is_signed<MO_PATTERN_OP> &&
              is_signed<MO_ON> && is_signed<MO_OPTION_INT> && is_signed<MO_LOG_INFO>);

// Tensors.

TEST(Contract, InfoLooksAtNothingButTheSize) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph) {
    const mo_tensor_api& api = *c->host->tensor;
    const int64_t dims[] = {4};
    mo_tensor* t = nullptr;
    ASSERT_EQ(api.create(c, MO_F32, dims, 1, &t, nullptr), MO_OK);
    for (const int filled : {0x00, 0x01, 0xab, 0xff}) {
      mo_tensor_info info;
      std::memset(static_cast<void*>(&info), filled, sizeof info);
      info.size = sizeof info;
      ASSERT_EQ(api.info(t, &info), MO_OK) << filled;
      EXPECT_EQ(info.bytes, 16U);
      EXPECT_EQ(info.resident, 1);
      EXPECT_EQ(info.size, sizeof info);
    }
    mo_tensor_info short_one{};
    short_one.size = offsetof(mo_tensor_info, bytes);
    short_one.bytes = 4711;
    EXPECT_EQ(api.info(t, &short_one), MO_OK);
    EXPECT_EQ(short_one.bytes, 4711U) << "it has no such member";
    EXPECT_EQ(short_one.rank, 1);
    EXPECT_EQ(api.info(nullptr, &short_one), MO_INVALID_ARGUMENT);
    const void* data = nullptr;
    EXPECT_EQ(api.data(c, nullptr, &data), MO_INVALID_ARGUMENT);
    EXPECT_THAT(std::string(view(c->host->last_error(c))), HasSubstr("'tensor' is NULL"));
    EXPECT_EQ(api.data(nullptr, t, &data), MO_OK);
    EXPECT_NE(data, nullptr);
    api.release(t);
  });
}

// As a stack that held ones: found/house/lazywant.
TEST(Contract, WhatALazyTensorHoldsDoesNotHangOnWhatTheCallerLeftInAStruct) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph) {
    const int64_t dims[] = {1 << 20};
    mo_lazy_def d{};
    d.size = sizeof d;
    d.dims = dims;
    d.rank = 1;
    d.element_type = MO_F32;
    d.read = [](void*, mo_context*, uint64_t, uint64_t bytes, void* to) {
      std::memset(to, 0x3f, bytes);
      return mo_status{MO_OK};
    };
    mo_tensor* t = nullptr;
    ASSERT_EQ(c->host->tensor->lazy(c, &d, &t), MO_OK);
    mo_tensor_info info;
    std::memset(static_cast<void*>(&info), 1, sizeof info);
    info.size = sizeof info;
    ASSERT_EQ(c->host->tensor->info(t, &info), MO_OK);
    EXPECT_EQ(info.resident, 0);
    const void* data = nullptr;
    ASSERT_EQ(c->host->tensor->data(c, t, &data), MO_OK);
    EXPECT_EQ(static_cast<const unsigned char*>(data)[(size_t{1} << 22) - 1], 0x3f);
    c->host->tensor->release(t);
  });
}

TEST(Contract, WhoCannotComputeElementsIsHeardInCpp) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph) {
    const Context at(c);
    const Tensor t = lazy_tensor(at, ElementType::f32, {5000}, {},
                                 [](Context, uint64_t, uint64_t, char*) { fail("the tape is torn"); });
    try {
      (void)t.data();
      ADD_FAILURE() << "it has elements";
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("the tape is torn"));
    }
  });
}

// What is lent.

size_t resident_megabytes() {
  size_t whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * 4096 / (1U << 20);
}

// Sanitizers keep what was freed, and are slow.
size_t times() { return sanitized ? 20'000 : 5'000'000; }

constexpr std::array<mo_str, 4> words{{{"abc", 3}, {"def", 3}, {"ghi", 3}, {"jkl", 3}}};

mo_value list_of_words() {
  mo_value v{};
  v.kind = MO_VALUE_STRINGS;
  v.count = words.size();
  v.u.strings = words.data();
  return v;
}

TEST(Contract, ReadingAListManyTimesTakesNoMemory) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph g) {
    const mo_graph_api& api = *c->host->graph;
    const mo_value list = list_of_words();
    ASSERT_EQ(api.set_graph_attr(c, g.id(), str("x.list"), &list), MO_OK);
    const size_t before = resident_megabytes();
    mo_value v{};
    for (size_t i = 0; i < times(); ++i) ASSERT_EQ(api.graph_attr(c, g.id(), str("x.list"), &v), MO_OK);
    EXPECT_EQ(view(v.u.strings[3]), "jkl");
    if (!sanitized) {
      EXPECT_LT(resident_megabytes(), before + 4);
    }
  });
}

TEST(Contract, WhatIsLentSinceAMarkCanBeLetGo) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph g) {
    const mo_graph_api& api = *c->host->graph;
    mo_value first{}, v{};
    mo_value list = list_of_words();
    ASSERT_EQ(api.set_graph_attr(c, g.id(), str("first"), &list), MO_OK);
    ASSERT_EQ(api.graph_attr(c, g.id(), str("first"), &first), MO_OK);
    const std::array<mo_str, 4> names{str("x.list"), str("x.two"), str("x.three"), str("x.four")};
    for (list.count = 1; list.count <= 4; ++list.count)  // an edit in the loop would be noted each time
      ASSERT_EQ(api.set_graph_attr(c, g.id(), names[list.count - 1], &list), MO_OK);
    const uint64_t mark = c->host->mark_lent(c);
    const size_t before = resident_megabytes();
    for (size_t i = 0; i < times() / 10; ++i) {  // each time another list
      ASSERT_EQ(api.graph_attr(c, g.id(), names[i % 4], &v), MO_OK);
      ASSERT_EQ(v.count, 1 + i % 4);
      ASSERT_EQ(c->host->release_lent(c, mark), MO_OK);
    }
    if (!sanitized) {
      EXPECT_LT(resident_megabytes(), before + 4);
    }
    EXPECT_EQ(view(first.u.strings[3]), "jkl") << "lent before the mark";

    const uint64_t inner = c->host->mark_lent(c);
    ASSERT_EQ(api.graph_attr(c, g.id(), str("x.list"), &v), MO_OK);
    const uint64_t innermost = c->host->mark_lent(c);
    EXPECT_EQ(c->host->release_lent(c, inner), MO_OK);
    EXPECT_NE(innermost, inner);
    EXPECT_EQ(c->host->release_lent(c, innermost), MO_INVALID_ARGUMENT) << "it went with the outer one";
    EXPECT_EQ(c->host->release_lent(c, 0), MO_INVALID_ARGUMENT);
    EXPECT_EQ(c->host->release_lent(c, mark + 1000), MO_INVALID_ARGUMENT);
  });
}

TEST(Contract, TheSdkLetsGoByItself) {
  Lab lab;
  in_callback(lab, [](mo_context*, Graph g) {
    const std::vector<std::string> list{"abc", "def", "ghi", "jkl"}, other{"m"};
    g.set("x.list", list);
    g.set("x.other", other);
    const size_t before = resident_megabytes();
    for (size_t i = 0; i < times() / 10; ++i) {
      const char* const name = i % 2 == 0 ? "x.list" : "x.other";
      ASSERT_EQ(g.attr<std::vector<std::string>>(name)->size(), i % 2 == 0 ? 4U : 1U);
    }
    if (!sanitized) {
      EXPECT_LT(resident_megabytes(), before + 4);
    }
  });
}

// A desc that was lent before stays when a list is let go of, and is not lent twice.
TEST(Contract, DescriptionsAreLentOnceAlsoBetweenLists) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph g) {
    g.set("x.list", std::vector<std::string>{"abc"});
    const mo_port x = g.parameters().at(0).out_port().abi();
    const mo_tensor_desc *first = nullptr, *again = nullptr;
    ASSERT_EQ(c->host->graph->desc(c, x, &first), MO_OK);
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(g.attr<std::vector<std::string>>("x.list"));
      ASSERT_EQ(c->host->graph->desc(c, x, &again), MO_OK);
      ASSERT_EQ(first, again);
    }
  });
}

// Failures.

// How a run of a transformation ends that fails with this message.
core::Failure ending(const std::function<mo_status(mo_context*)>& fails) {
  Lab lab;
  lab.plugin("com.other", [](Registry& r) { r.option("theirs", MO_OPTION_STRING, "of another plugin"); });
  try {
    in_callback(lab, [&](mo_context* c, Graph) {
      const mo_status status = fails(c);
      if (status != MO_OK) throw Error(std::string(view(c->host->last_error(c))), status);
    });
  } catch (const core::Failure& f) {
    return f;
  }
  return core::Failure(core::Exit::ok, "", "");
}

// The same through the plugin's own thunk, which is what a plugin in C is.
core::Failure said(const mo_message& message, mo_status status = MO_ERROR) {
  static const mo_message* told = nullptr;
  static mo_status with = MO_ERROR;
  told = &message;
  with = status;
  Lab lab;
  lab.plugin("com.other", [](Registry& r) { r.option("theirs", MO_OPTION_STRING, "of another plugin"); });
  lab.plugin("com.acme", [](Registry& r) {
    r.option("ours", MO_OPTION_STRING, "of this plugin");
    mo_transformation_def d{};
    d.size = sizeof d;
    d.id = str("acme.fails");
    d.phase = MO_PHASE_MIDDLE;
    d.kind = MO_TRANSFORM_GRAPH;
    d.on_graph = [](void*, mo_context* c, mo_graph) { return c->host->fail_with(c, with, told); };
    mo_context* c = r.context().get();
    ASSERT_EQ(c->host->registry->transformation(c, &d), MO_OK);
  });
  const auto g = lab.graph("%x = Parameter \"x\" -> f32[4]\nResult (%x)");
  try {
    lab.run(*g, "acme.fails");
  } catch (const core::Failure& f) {
    return f;
  }
  return core::Failure(core::Exit::ok, "", "");
}

mo_message message(std::string_view what) {
  mo_message m{};
  m.size = sizeof m;
  m.text = str(what);
  return m;
}

TEST(Contract, AFailureSaysWhatToTryAndWhere) {
  mo_message m = message("the factor is 0");
  m.hint = str("leave it away");
  m.code = str("ACME_7");
  m.file = str("net.txt");
  m.line = 12;
  m.column = 3;
  const core::Failure f = said(m);
  EXPECT_EQ(f.code(), "ACME_7");
  EXPECT_EQ(f.exit(), core::Exit::model);
  EXPECT_EQ(f.message(), "the factor is 0");
  EXPECT_EQ(f.context_of("hint"), "leave it away");
  EXPECT_EQ(f.context_of("place"), "net.txt:12:3");
  EXPECT_EQ(f.context_of("pass"), "acme.fails");
  m.line = m.column = 0;
  m.offset = 55;
  EXPECT_EQ(said(m).context_of("place"), "net.txt, byte 55");
}

TEST(Contract, AWrongOptionIsAMistakeOfTheCommandLineAndNoTextIs) {
  mo_message m = message("expected 3 numbers");
  m.option = str("ours");
  m.hint = str("--ours 1,2,3");
  core::Failure f = said(m);
  EXPECT_EQ(f.exit(), core::Exit::usage);
  EXPECT_EQ(f.code(), "MO0117");
  EXPECT_EQ(f.message(), "--ours: expected 3 numbers");
  EXPECT_EQ(f.context_of("hint"), "--ours 1,2,3");
  for (const char* not_its_own : {"theirs", "nobodys"}) {
    m.option = str(std::string_view(not_its_own));
    f = said(m);
    EXPECT_EQ(f.exit(), core::Exit::model) << not_its_own;
    EXPECT_EQ(f.code(), "MO0601") << not_its_own;
  }
  f = said(message("--ours: no"));
  EXPECT_EQ(f.exit(), core::Exit::model) << "a text has no protocol in it";
  EXPECT_EQ(f.code(), "MO0601");
}

TEST(Contract, CodesOfTheHostAreNotThePlugins) {
  for (const char* code : {"MO0101", "acme", "7", "A B", "_A", "\xff", "A23456789012345678901234567890123"}) {
    mo_message m = message("it is wrong");
    m.code = str(std::string_view(code));
    EXPECT_EQ(said(m).code(), "MO0601") << code;
  }
  for (const char* code : {"A", "MO01", "MO_0101", "ACME0101"}) {
    mo_message m = message("it is wrong");
    m.code = str(std::string_view(code));
    EXPECT_EQ(said(m).code(), code);
  }
}

TEST(Contract, AMessageThatIsNotAsItShouldBeIsStillTold) {
  mo_message m = message("caf\xe9");
  EXPECT_EQ(said(m).message(), "caf?");
  m.size = offsetof(mo_message, code);
  m.hint = str("short structs end here");
  m.code = str("NOT_READ");
  EXPECT_EQ(said(m).context_of("hint"), "short structs end here");
  EXPECT_EQ(said(m).code(), "MO0601");
  m.size = 8;
  EXPECT_THAT(said(m).message(), HasSubstr("size of mo_message is 8"));
}

TEST(Contract, MoOkIsNoFailure) {
  const core::Failure f = said(message("something is wrong"), MO_OK);
  EXPECT_EQ(f.exit(), core::Exit::model);
  EXPECT_EQ(f.message(), "something is wrong");
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph) {
    EXPECT_EQ(c->host->fail(c, MO_OK, 0, str("text")), MO_ERROR);
    EXPECT_EQ(c->host->fail(c, 9999, 0, str("text")), 9999);
  });
}

TEST(Contract, HintsOfCppTravel) {
  const core::Failure f = ending([](mo_context*) -> mo_status {
    fail("the factor is ", 0, hint("--factor ", 2), Place{"net.txt", 4});
  });
  EXPECT_EQ(f.message(), "the factor is 0");
  EXPECT_EQ(f.context_of("hint"), "--factor 2");
  EXPECT_EQ(f.context_of("place"), "net.txt:4");
}

TEST(Contract, LinesOfTheLogHaveTheSame) {
  Lab lab;
  std::vector<std::string> lines;
  lab.session.log_sink = [&](const core::LogLine& l) { lines.push_back(l.render()); };
  in_callback(lab, [](mo_context* c, Graph g) {
    mo_message m = message("it is large");
    m.hint = str("make it smaller");
    m.code = str("ACME_1");
    m.file = str("net.txt");
    m.line = 2;
    m.node = g.parameters().at(0).id();
    EXPECT_EQ(c->host->log_with(c, MO_LOG_WARNING, &m), MO_OK);
    EXPECT_EQ(c->host->log_with(c, 77, &m), MO_INVALID_ARGUMENT);
    EXPECT_EQ(c->host->log_with(c, MO_LOG_INFO, nullptr), MO_INVALID_ARGUMENT);
    c->host->log(c, 77, str("level 77"));
    c->host->log(c, -77, str("caf\xe9"));
    Context(c).warn("of ", 3, " things", hint("take two"));
  });
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0],
            "ACME_1: it is large\n  node    'x' (Parameter)\n  place   net.txt:2\n  hint    make it "
            "smaller");
  EXPECT_EQ(lines[1], "level 77");
  EXPECT_EQ(lines[2], "caf?");
  EXPECT_EQ(lines[3], "of 3 things\n  hint    take two");
}

// Releases of the runtime.

TEST(Contract, TheHostKnowsTheReleases) {
  Lab lab;
  lab.session.set_option("target", std::string("2022.3"));
  in_callback(lab, [&](mo_context* c, Graph) {
    mo_runtime r = target_runtime(Context(c));
    EXPECT_EQ(view(r.name), "2022.3");
    EXPECT_EQ(r.year, 2022);
    EXPECT_EQ(r.number, 3);
    EXPECT_EQ(r.opset, 10);
    EXPECT_EQ(r.ir_version, 11);
    EXPECT_TRUE(is_later(r, "2022.2"));
    EXPECT_FALSE(is_later(r, "2022.3"));
    EXPECT_FALSE(is_later(r, "2023.0"));
    EXPECT_EQ(view(first_runtime(Context(c), 8)->name), "2022.1");
    EXPECT_FALSE(first_runtime(Context(c), 1000));
    mo_runtime short_one{};
    short_one.size = offsetof(mo_runtime, opset);
    short_one.opset = 4711;
    EXPECT_EQ(c->host->target_runtime(c, &short_one), MO_OK);
    EXPECT_EQ(short_one.opset, 4711);
    EXPECT_EQ(short_one.number, 3);
    EXPECT_EQ(c->host->target_runtime(c, nullptr), MO_INVALID_ARGUMENT);
    lab.session.set_option("target", std::string("2031.4"));
    EXPECT_EQ(view(target_runtime(Context(c)).name), core::newest_release.name);
  });
}

// The graph.

TEST(Contract, TensorsAreFoundByTheirNames) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph g) {
    for (const char* name : {"in", "also"}) {
      const auto found = g.find_tensor(name);
      ASSERT_TRUE(found) << name;
      EXPECT_EQ(found->node().name(), "x");
    }
    EXPECT_FALSE(g.find_tensor("x")) << "that is the name of the node";
    EXPECT_EQ(c->host->graph->find_tensor(c, g.id(), str("in"), nullptr), MO_INVALID_ARGUMENT);
    mo_port port{};
    EXPECT_EQ(c->host->graph->find_tensor(c, 4711, str("in"), &port), MO_STALE_HANDLE);
  });
}

TEST(Contract, AListThatDoesNotFitIsMoOk) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph g) {
    mo_node nodes[2] = {0, 4711};
    uint64_t count = 0;
    EXPECT_EQ(c->host->graph->nodes(c, g.id(), str(""), nodes, 1, &count), MO_OK);
    EXPECT_EQ(count, 2U);
    EXPECT_NE(nodes[0], 0U);
    EXPECT_EQ(nodes[1], 4711U) << "it has room for one";
    EXPECT_EQ(c->host->graph->nodes(c, g.id(), str(""), nullptr, 1, &count), MO_INVALID_ARGUMENT);
    EXPECT_EQ(c->host->graph->nodes(c, g.id(), str(""), nodes, 1, nullptr), MO_INVALID_ARGUMENT);
  });
}

// threads

TEST(Contract, ACheckingHostTellsThreadsApart) {
  Lab lab;
  const app::checks::TapScope tapped(lab.session);
  in_callback(lab, [](mo_context* c, Graph g) {
    const auto count = [&] {
      uint64_t n = 0;
      return c->host->graph->nodes(c, g.id(), str(""), nullptr, 0, &n);
    };
    EXPECT_EQ(count(), MO_OK);
    EXPECT_NO_THROW(app::checks::require_own_thread());
    mo_status elsewhere = MO_OK;
    std::thread([&] { elsewhere = count(); }).join();
    EXPECT_EQ(elsewhere, MO_WRONG_THREAD);
    EXPECT_ANY_THROW(app::checks::require_own_thread());
    EXPECT_EQ(count(), MO_OK);
  });
}

// breaches of the contract have one status

TEST(Contract, ABreachIsAnInvalidArgument) {
  Lab lab;
  in_callback(lab, [](mo_context* c, Graph g) {
    const mo_tensor_api& tensors = *c->host->tensor;
    const mo_graph_api& api = *c->host->graph;
    const auto refused = [&](mo_status status, const char* what) {
      EXPECT_EQ(status, MO_INVALID_ARGUMENT) << what;
      EXPECT_NE(c->host->last_error(c).size, 0U) << what;
    };
    mo_tensor* t = nullptr;
    const int64_t two[] = {2}, negative[] = {-1}, huge[] = {INT64_MAX, INT64_MAX};
    refused(tensors.create(c, MO_F32, negative, 1, &t, nullptr), "a negative dimension");
    refused(tensors.create(c, MO_F32, huge, 2, &t, nullptr), "overflow");
    refused(tensors.create(c, 99, two, 1, &t, nullptr), "no such type");
    refused(tensors.create(c, MO_STRING, two, 1, &t, nullptr), "no fixed size");
    refused(tensors.wrap(c, MO_F32, two, 1, two, 4, nullptr, nullptr, &t), "other bytes");
    ASSERT_EQ(tensors.create(c, MO_F32, two, 1, &t, nullptr), MO_OK);
    mo_tensor* part = nullptr;
    refused(tensors.view(c, t, 4, MO_F32, two, 1, &part), "a view beyond the end");
    tensors.release(t);
    const Node x = g.parameters().at(0), y = g.results().at(0);
    const mo_port out = x.out_port().abi(), in = y.in_port(0).abi();
    refused(api.rename(c, x.id(), str(y.name())), "the name of another node");
    refused(api.rename(c, x.id(), str("")), "no name");
    refused(api.insert_node(c, out, y.id(), MO_NAMES_MERGE), "a node without output");
    refused(api.connect(c, in, out), "ports swapped");
    refused(api.set_source(c, out, out, 9), "no such mode");
    refused(api.set_source(c, out, out, MO_NAMES_SIGNED_), "what makes enumerators signed is no value");
    mo_port direction = out;
    for (const int32_t d : {0, 7, -1}) {
      direction.direction = d;
      const mo_tensor_desc* desc = nullptr;
      refused(api.desc(c, direction, &desc), "no such direction");
    }
    mo_dim dim{5, 3};
    mo_shape shape{};
    shape.dims = &dim;
    shape.rank = 1;
    refused(api.set_shape(c, out, MO_F32, &shape), "from 5 to 3");
    shape.rank = -2;
    refused(api.set_shape(c, out, MO_F32, &shape), "rank -2");
  });
}

}  // namespace
}  // namespace mo::test

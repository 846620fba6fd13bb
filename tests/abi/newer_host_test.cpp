// What a plugin of today is handed by a host of tomorrow that has one more element type, kind of value and
// status than mo/plugin.h says: through the C ABI, and through the SDK.
#include <gmock/gmock.h>

#include "apps/plugin_check/tap.hpp"
#include "tests/abi/zoo_session.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {

namespace {

using testing::HasSubstr;

constexpr mo_type newest_type = MO_STRING + 1;
constexpr int32_t newest_kind = MO_VALUE_GRAPHS + 1;
constexpr mo_status newest_status = MO_CANCELLED + 1;

// Elements of u8 stand for those of the newest type.
mo_type as_newest(mo_type t) { return t == MO_U8 ? newest_type : t; }

const mo_host& base() { return *app::checks::tapped_host(true); }

mo_status desc(mo_context* c, mo_port port, const mo_tensor_desc** desc) {
  static thread_local mo_tensor_desc newer;
  const mo_status status = base().graph->desc(c, port, desc);
  if (status != MO_OK) return status;
  newer = **desc;
  newer.element_type = as_newest(newer.element_type);
  *desc = &newer;
  return MO_OK;
}

mo_status info(const mo_tensor* t, mo_tensor_info* info) {
  const mo_status status = base().tensor->info(t, info);
  if (status == MO_OK) info->element_type = as_newest(info->element_type);
  return status;
}

mo_status node_attr(mo_context* c, mo_node node, mo_str name, mo_value* value) {
  if (view(name) != "newest") return base().graph->node_attr(c, node, name, value);
  *value = mo_value{};
  value->kind = newest_kind;
  return MO_OK;
}

mo_status mark(mo_context* c, mo_node node) {
  return base().fail(c, newest_status, node, str("the moon is full"));
}

const mo_host& newer_host() {
  static const mo_graph_api graph = [] {
    mo_graph_api api = *base().graph;
    api.size = sizeof api;
    api.desc = desc;
    api.node_attr = node_attr;
    api.mark = mark;
    return api;
  }();
  static const mo_tensor_api tensor = [] {
    mo_tensor_api api = *base().tensor;
    api.size = sizeof api;
    api.info = info;
    return api;
  }();
  static const mo_host host = [] {
    mo_host h = base();
    h.size = sizeof h;
    h.graph = &graph;
    h.tensor = &tensor;
    return h;
  }();
  return host;
}

class NewerHost : public testing::Test {
 protected:
  NewerHost() {
    lab_.session.offer(newer_host());
    const core::NodeId n = graph_->add_node("Newest", "org.example.zoo", "n", 0, 1);
    core::TensorState t;
    t.value = core::make_tensor(ElementType::u8, {3, 4});
    t.type = t.value->type;
    t.shape = core::shape_of(*t.value);
    graph_->set_tensor({n, 0}, std::move(t));
  }
  core::NodeId node() const { return graph_->find("n"); }
  int64_t attribute(std::string_view name) const {
    const core::Attribute* a = graph_->attribute(node(), name);
    return a == nullptr ? -1 : std::get<int64_t>(*a);
  }

  Lab lab_;
  core::GraphPtr graph_ = lab_.session.create_graph("net");
};

TEST_F(NewerHost, APluginInCKnowsTheNumberOfBytesAndLeavesTheRest) {
  core::load_zoo(lab_.session, "item_unknown");
  lab_.run(*graph_, "zoo.look_at_unknown");
  EXPECT_EQ(attribute("bytes"), 12);
  EXPECT_EQ(attribute("asked_for"), 0);
  EXPECT_EQ(graph_->out({node(), 0}).tensor.type, ElementType::u8);
}

TEST_F(NewerHost, AStatusThatAPluginInCDoesNotKnowIsAFailure) {
  core::load_zoo(lab_.session, "item_unknown");
  const std::string why = test::failure_of([&] { lab_.run(*graph_, "zoo.fail_as_host"); });
  EXPECT_THAT(why, HasSubstr("the moon is full"));
  EXPECT_THAT(why, HasSubstr("org.example.zoo.item-unknown"));
  EXPECT_EQ(attribute("before"), -1) << "what it did before is taken back";
}

TEST_F(NewerHost, ThroughTheSdkATypeHasBytesAndNoNumbers) {
  size_t looks = 0;
  lab_.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>("x.look", [&](Graph g) {
      const OutPort port = g.find("n")->out_port();
      EXPECT_EQ(static_cast<mo_type>(port.type()), newest_type);
      EXPECT_FALSE(is_valid(port.type()));
      EXPECT_EQ(bits(port.type()), 0);
      EXPECT_FALSE(is_float(port.type()) || is_integer(port.type()));
      const Tensor t = *port.value();
      EXPECT_EQ(t.bytes(), 12U);
      EXPECT_EQ(t.dims(), (std::vector<int64_t>{3, 4}));
      EXPECT_FALSE(port.bounds().has_value());
      for (const auto& reads : {std::function<void()>([&] { (void)t.number(0); }),
                                std::function<void()>([&] { (void)t.integer(0); }),
                                std::function<void()>([&] { (void)t.to_floats(); }),
                                std::function<void()>([&] { (void)lazy_scaled(g.context(), t, {}, {2}); })})
        EXPECT_THROW(reads(), Error);
      EXPECT_EQ(t.aligned<float>(), nullptr);
      ++looks;
    });
  });
  lab_.run(*graph_, "x.look");
  EXPECT_EQ(looks, 1U);
}

TEST_F(NewerHost, ThroughTheSdkAKindOfValueIsNotWhatWasAskedFor) {
  size_t refused = 0;
  const auto refuses = [&](auto read) {
    try {
      read();
      ADD_FAILURE() << "a value of kind " << newest_kind << " was read";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), MO_WRONG_KIND);
      EXPECT_THAT(e.what(), HasSubstr("attribute 'newest' is unknown kind, expected "));
      ++refused;
    }
  };
  lab_.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>("x.look", [&](Graph g) {
      const Node n = *g.find("n");
      EXPECT_TRUE(n.has("newest"));
      refuses([&] { (void)n.attr<int64_t>("newest"); });
      refuses([&] { (void)n.attr<std::string>("newest", ""); });
      refuses([&] { (void)n.find_attr<Tensor>("newest"); });
      // Without elements it is still no empty list.
      refuses([&] { (void)n.attr<std::vector<int64_t>>("newest"); });
      refuses([&] { (void)n.find_attr<std::vector<std::string>>("newest"); });
    });
  });
  lab_.run(*graph_, "x.look");
  EXPECT_EQ(refused, 5U);
}

TEST_F(NewerHost, ThroughTheSdkAStatusIsAnErrorWithTheTextOfTheHost) {
  lab_.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>("x.mark", [&](Graph g) {
      try {
        g.find("n")->mark_for_inference();
        ADD_FAILURE() << "marked";
      } catch (const Error& e) {
        EXPECT_EQ(e.status(), newest_status);
        throw;
      }
    });
  });
  EXPECT_THAT(test::failure_of([&] { lab_.run(*graph_, "x.mark"); }), HasSubstr("the moon is full"));
}

}  // namespace

}  // namespace mo::test

// A session with the operation sets and the plugin of plugin_api/examples/seeds, and graphs in the text form.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "built.hpp"
#include "core/infer/infer.hpp"
#include "load.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {

class Seeds : public ::testing::Test {
 protected:
  Seeds() { load_only(lab_.session, {builtin("opset"), seeds_plugin}); }
  core::Session& session() { return lab_.session; }
  void graph(std::string_view text) {
    graph_ = lab_.graph(text);
    for (const core::NodeId n : graph_->parameters()) {
      const core::TensorState t = graph_->out({n, 0}).tensor;
      graph_->set_attribute(n, "shape", core::shape_attribute(t.shape));
      graph_->set_attribute(n, "element_type", t.type);
    }
  }
  void infer() { core::infer_all(lab_.session, *graph_); }
  core::RunStatistics run(std::string_view id) { return lab_.run(*graph_, id); }
  // The message of a run that must fail, and leave no trace.
  std::string failure(std::string_view id) {
    const std::string before = app::to_text(*graph_);
    const std::string message = test::failure_of([&] { run(id); });
    EXPECT_FALSE(message.empty());
    EXPECT_EQ(app::to_text(*graph_), before);
    return message;
  }
  std::string now() const { return sketch(*graph_); }

  core::NodeId node(std::string_view name) const {
    const core::NodeId n = graph_->find(name);
    EXPECT_NE(n, core::no_node) << name;
    return n;
  }
  const core::Attribute* attribute(std::string_view node_name, std::string_view key) const {
    return graph_->node(node(node_name)).attributes.find(graph_->symbols().find(key));
  }
  template <class T>
  T attribute_as(std::string_view node_name, std::string_view key) const {
    const core::Attribute* a = attribute(node_name, key);
    if (a == nullptr || !std::holds_alternative<T>(*a)) {
      ADD_FAILURE() << node_name << " has no attribute " << key << " of this kind";
      return T{};
    }
    return std::get<T>(*a);
  }
  std::string rt_info(std::string_view node_name, std::string_view key) const {
    const core::Attribute* a = graph_->rt_info(node(node_name)).find(graph_->symbols().find(key));
    const auto* s = a == nullptr ? nullptr : std::get_if<std::string>(a);
    return s == nullptr ? "" : *s;
  }
  std::vector<std::string> tensor_names(std::string_view node_name, uint32_t port = 0) const {
    std::vector<std::string> names;
    for (core::Symbol s : graph_->out({node(node_name), port}).names)
      names.emplace_back(graph_->symbols().text(s));
    return names;
  }
  std::string shape(std::string_view node_name, uint32_t port = 0) const {
    const core::TensorState& t = graph_->out({node(node_name), port}).tensor;
    return text(name(t.type), t.shape);
  }
  // What Result "r" reads: f32, computed by inference.
  std::vector<float> values() {
    infer();
    const core::PortRef source = graph_->node(node("r")).inputs.at(0).source;
    std::vector<float> list;
    const core::TensorRef value = graph_->out(source).tensor.value;
    if (!value) {
      ADD_FAILURE() << "the value is not known";
      return list;
    }
    EXPECT_EQ(value->type, ElementType::f32);
    list.resize(value->bytes / sizeof(float));
    std::memcpy(list.data(), value->data(), value->bytes);
    return list;
  }

  Lab lab_;
  core::GraphPtr graph_;
};

// Every element within 1e-6 of what is expected.
inline auto near(std::initializer_list<float> expected) {
  std::vector<::testing::Matcher<float>> each;
  for (const float e : expected) each.push_back(::testing::FloatNear(e, 1e-6F));
  return ::testing::ElementsAreArray(each);
}

}  // namespace mo::test

// A transformation stopped after any of its edits leaves no trace.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>

#include "apps/views/text.hpp"
#include "core/graph/graph.hpp"

namespace mo::core {
namespace {

// One random edit; keeps to what the graph allows.
class Editor {
 public:
  Editor(GraphPtr g, uint32_t seed) : g_(std::move(g)), random_(seed) {}

  void edit() {
    switch (pick(16)) {
      case 0:
        add();
        break;
      case 1:
        if (g_->size() > 3) g_->remove_node(node());
        break;
      case 2:
        connect();
        break;
      case 3:
        if (const PortRef p = in()) g_->disconnect_input(p);
        break;
      case 4:
        if (const PortRef p = out()) g_->disconnect_output(p);
        break;
      case 5:
        g_->set_op(node(), word("Op", 4), word("opset", 3));
        break;
      case 6:
        g_->rename(node(), g_->unique_name(word("n", 20)));
        break;
      case 7:
        g_->set_attribute(node(), word("k", 4), attribute());
        break;
      case 8:
        g_->set_rt_info(node(), word("r", 3), attribute());
        break;
      case 9:
        tensor();
        break;
      case 10:
        if (const PortRef p = out()) g_->set_tensor_names(p, {g_->symbols().intern(word("t", 9))});
        break;
      case 11:
        port();
        break;
      case 12:
        g_->set_attribute(word("g", 3), attribute());
        break;
      case 14:
        g_->set_name(word("graph", 9));
        break;
      case 15:
        if (const PortRef p = out()) g_->set_port_attribute(p, word("p", 3), attribute());
        break;
      case 13: {
        const PortRef from = out(), to = out();
        if (from && to) g_->set_source(from, to, static_cast<NamesMode>(pick(3)));
        break;
      }
      default:
        break;
    }
  }

 private:
  uint32_t pick(size_t n) { return static_cast<uint32_t>(random_() % n); }
  std::string word(std::string_view prefix, size_t n) { return text(prefix, pick(n)); }
  NodeId node() {
    const auto all = g_->nodes();
    return all[pick(all.size())];
  }
  PortRef in() {
    const NodeId n = node();
    const size_t ports = g_->node(n).inputs.size();
    return ports == 0 ? PortRef{} : PortRef{n, pick(ports)};
  }
  PortRef out() {
    const NodeId n = node();
    const size_t ports = g_->node(n).outputs.size();
    return ports == 0 ? PortRef{} : PortRef{n, pick(ports)};
  }
  void add() {
    const NodeId n = g_->add_node(word("Op", 4), "opset1", word("n", 20), pick(3), pick(3));
    for (uint32_t i = 0; i < g_->node(n).inputs.size(); ++i)
      if (const PortRef p = out()) g_->connect(p, {n, i});
  }
  void connect() {
    const PortRef o = out(), i = in();
    if (o && i) g_->connect(o, i);
  }
  Attribute attribute() {
    switch (pick(5)) {
      case 0:
        return {};
      case 1:
        return int64_t{pick(100)};
      case 2:
        return std::vector<int64_t>{1, pick(9)};
      case 3:
        return Graph::create(g_->space_ptr(), "body");
      default:
        return word("text", 9);
    }
  }
  void tensor() {
    const PortRef p = out();
    if (!p) return;
    TensorState s;
    s.shape = Shape{int64_t{pick(5)}, Dim(1, 8)};
    s.type = ElementType::f32;
    g_->set_tensor(p, std::move(s));
  }
  void port() {
    const NodeId n = node();
    const NodeRecord& r = g_->node(n);
    switch (pick(4)) {
      case 0:
        g_->add_input(n);
        break;
      case 1:
        g_->add_output(n);
        break;
      case 2:
        if (!r.inputs.empty()) g_->delete_input(n, pick(r.inputs.size()));
        break;
      default:
        if (!r.outputs.empty()) g_->delete_output(n, pick(r.outputs.size()));
        break;
    }
  }
  GraphPtr g_;
  std::mt19937 random_;
};

// Consumers in order, too: the text form lists inputs only.
std::string full_dump(const Graph& g) {
  std::string s = app::to_text(g);
  for (NodeId n : g.nodes())
    for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i) {
      append_text(s, text("\n", g.name(n), ":", i));
      for (PortRef d : g.destinations({n, i})) append_text(s, text(" ", g.name(d.node), ":", d.port));
    }
  for (Symbol op : g.ops()) append_text(s, text("\n", g.symbols().text(op), " ", g.nodes_of(op).size()));
  return s;
}

TEST(JournalTest, RollBackAfterEveryEditRestoresTheGraph) {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    auto space = std::make_shared<GraphSpace>();
    GraphPtr g = Graph::create(space, "g");
    for (int i = 0; i < 5; ++i) g->add_node("Op0", "opset1", "n", 2, 2);
    Editor prepare(g, seed);
    for (int i = 0; i < 40; ++i) prepare.edit();
    const std::string before = full_dump(*g);
    const size_t size = g->size();
    for (int edits = 0; edits <= 30; ++edits) {
      Journal journal;
      g->set_journal(&journal);
      Editor editor(g, seed * 1000 + static_cast<uint32_t>(edits));
      for (int i = 0; i < edits; ++i) editor.edit();
      journal.roll_back();
      g->set_journal(nullptr);
      ASSERT_EQ(full_dump(*g), before) << "seed " << seed << ", " << edits << " edits";
      ASSERT_EQ(g->size(), size);
    }
  }
}

// Each kind of edit there is, and a state after each single one.
TEST(JournalTest, RollBackToAnyEditGivesTheStateThatWasThere) {
  std::set<std::string> kinds;
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    GraphPtr g = Graph::create(std::make_shared<GraphSpace>(), "g");
    for (int i = 0; i < 5; ++i) g->add_node("Op0", "opset1", "n", 2, 2);
    Journal journal;
    g->set_journal(&journal);
    Editor editor(g, seed);
    std::map<size_t, std::string> states;
    for (int i = 0; i < 60; ++i) {
      states[journal.size()] = full_dump(*g);
      editor.edit();
      if (i % 20 == 10) (void)g->take_marked();
    }
    for (const Journal::Edit& e : journal.edits()) kinds.emplace(e.what);
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
      journal.roll_back(state->first);
      ASSERT_EQ(full_dump(*g), state->second) << "seed " << seed << ", back to edit " << state->first;
    }
    g->set_journal(nullptr);
  }
  // As the sources name them.
  std::set<std::string> all;
  std::string code;
  for (const char* name : {"graph", "marks", "tensor_names"}) {
    std::ifstream source(text(MO_SOURCE_DIR "/core/graph/", name, ".cpp"));
    code.append(std::istreambuf_iterator<char>(source), {});
  }
  const std::regex literal(R"re((?:journal_edit|edit_attribute)\([^",]+,\s*"([a-z_ ]+)")re");
  for (std::sregex_iterator i(code.begin(), code.end(), literal), end; i != end; ++i) all.insert((*i)[1]);
  EXPECT_GT(all.size(), 15U);
  EXPECT_EQ(kinds, all) << "an edit that no test takes back";
}

TEST(JournalTest, PartialRollBackKeepsTheFirstEdits) {
  auto space = std::make_shared<GraphSpace>();
  GraphPtr g = Graph::create(space, "g");
  Journal journal;
  g->set_journal(&journal);
  g->add_node("A", "opset1", "a", 0, 1);
  const size_t mark = journal.size();
  const std::string between = full_dump(*g);
  g->add_node("B", "opset1", "b", 1, 1);
  g->connect({0, 0}, {1, 0});
  journal.roll_back(mark);
  EXPECT_EQ(full_dump(*g), between);
  EXPECT_EQ(journal.size(), mark);
}

std::vector<Symbol> names_of(const Graph& g, NodeId n) {
  const TensorNames& names = g.out({n, 0}).names;
  return {names.begin(), names.end()};
}

// As a chain is taken out: from its beginning, or from its end. No name is lost or there twice, and a journal
// of many edits takes not much more than one of each name.
TEST(JournalTest, ManyNamesTravelAndComeBack) {
  constexpr NodeId nodes = 200;
  for (const bool forwards : {true, false}) {
    auto space = std::make_shared<GraphSpace>();
    GraphPtr g = Graph::create(space, "g");
    for (NodeId n = 0; n < nodes; ++n) {
      g->add_node("A", "opset1", "", 0, 1);
      const Symbol own = g->symbols().intern(text("t", n)), shared = g->symbols().intern("shared");
      g->set_tensor_names({n, 0}, {own, shared});
    }
    Journal journal;
    g->set_journal(&journal);
    std::vector<std::pair<size_t, std::string>> states;
    for (NodeId i = 1; i < nodes; ++i) {
      states.emplace_back(journal.size(), full_dump(*g));
      const NodeId from = forwards ? i : nodes - i, to = forwards ? 0 : from - 1;
      g->set_source({from, 0}, {to, 0}, NamesMode::merge);
      EXPECT_TRUE(names_of(*g, from).empty());
    }
    std::vector<Symbol> all = names_of(*g, 0);
    EXPECT_EQ(all.size(), nodes + 1);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
    g->set_tensor_names({0, 0}, {all[0]});
    g->set_source({0, 0}, {1, 0}, NamesMode::merge);
    EXPECT_EQ(names_of(*g, 1), (std::vector<Symbol>{all[0]}));
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
      journal.roll_back(state->first);
      ASSERT_EQ(full_dump(*g), state->second) << "back to edit " << state->first;
    }
    g->set_journal(nullptr);
  }
}

}  // namespace
}  // namespace mo::core

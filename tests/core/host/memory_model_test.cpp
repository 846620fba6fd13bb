// A model in memory, places of its nodes, and many of its attributes at once: as a front-end of a vendor has
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/frontends/choose_frontend.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "core/convert/convert.hpp"
#include "failure_of.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// "op name …": a chain of operations behind an input, each in a line of its own. "from FILE" goes on there.
class ChainModel : public FrontEndModel {
 public:
  bool native_attr(Context c, uint64_t tag, std::string_view name) override {
    if (name != "line" && name != "op") return false;
    name == "op" ? give_native(c, ops[tag - 1]) : give_native(c, lines[tag - 1]);
    return true;
  }
  std::vector<std::string> native_attr_names(uint64_t) override { return {"line", "op"}; }
  Key native_key(uint64_t tag) override { return {"", 1, ops[tag - 1]}; }
  Place native_place(uint64_t tag) override {
    return {files[tag - 1], static_cast<uint64_t>(lines[tag - 1]), 0};
  }
  std::vector<std::string> ops, files;
  std::vector<int64_t> lines;
};

std::vector<std::string> seen_parts;

struct ChainFrontEnd : FrontEnd {
  std::string name() const override { return "chain"; }
  std::vector<std::string> extensions() const override { return {".chain"}; }
  int probe(const ProbeInfo& p) const override { return p.head.starts_with("chain") ? 90 : 0; }
  std::unique_ptr<FrontEndModel> load(Context c, const ModelSource& source, Graph graph) override {
    seen_parts = source.parts();
    auto model = std::make_unique<ChainModel>();
    const Node input = graph.create_node("Parameter", "opset1", "x");
    input.set("element_type", ElementType::f32).set("shape", Shape{2});
    OutPort last = input.out_port();
    std::string file = source.path();
    while (!file.empty()) {
      const size_t slash = file.rfind('/');
      const File text = slash == std::string::npos
                            ? File::open(c, file)
                            : File::open_below(c, file.substr(0, slash), file.substr(slash + 1));
      std::istringstream in{std::string(text.bytes())};
      const std::string here = std::exchange(file, {});
      std::string line;
      for (int64_t number = 1; std::getline(in, line); ++number) {
        std::istringstream words(line);
        std::string op, name;
        if (!(words >> op >> name) || op == "chain") continue;
        if (op == "from") {
          file = name;
          continue;
        }
        model->ops.push_back(op);
        model->files.push_back(here);
        model->lines.push_back(number);
        const mo_port from = last.abi();
        mo_node_init init{};
        init.op = str(op);
        init.name = str(name);
        init.inputs = &from;
        init.n_inputs = init.n_outputs = 1;
        init.native = model->ops.size();
        last = graph.create_node(init).out_port();
      }
    }
    graph.create_node("Result", "opset1", "r", {last}, 0);
    return model;
  }
};

struct Picky {
  static constexpr std::string_view type = "Picky", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).outputs(1); }
  static void infer(InferContext&) { fail("nothing pleases it"); }
};

std::vector<std::string> read_at_once;

void extract_easy(SourceNode& n) {
  const auto [op, none, line] = n.natives<3>({"op", "absent", "line"});
  read_at_once.push_back(text(view(op.u.s), " ", none.kind, " ", line.u.i));
  n.set_op("Easy", "test");
}

struct Easy {
  static constexpr std::string_view type = "Easy", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).outputs(1); }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};

class MemoryModel : public ::testing::Test {
 protected:
  MemoryModel() {
    lab_.plugin("com.acme", [](Registry& r) {
      r.frontend<ChainFrontEnd>();
      r.operation<Picky>();
      r.operation<Easy>();
      r.extractor<extract_easy>({"chain", "", "Easy"});
      r.extractor({"chain", "", "Picky"}, [](SourceNode& n) { n.set_op("Picky", "test"); });
    });
  }
  // Converts the first of the parts as far as the IR.
  std::string failure(const std::vector<std::pair<std::string, std::string>>& parts) {
    read_at_once.clear();
    std::vector<core::Session::Part> list;
    for (const auto& [name, bytes] : parts) list.push_back({name, std::as_bytes(std::span(bytes)), nullptr});
    core::ConvertOptions options;
    options.frontend = app::choose_frontend;
    options.input_model = parts.front().first;
    options.emit.model_name = "model";
    app::IrFiles files(lab_.session, {.folder = ::testing::TempDir()});
    return test::failure_of([&] {
      lab_.session.set_parts(std::move(list));
      result_ = core::convert(lab_.session, options, files);
    });
  }
  Lab lab_;
  core::ConvertResult result_;
};

TEST_F(MemoryModel, PartsAreFoundByTheirNames) {
  EXPECT_EQ(failure({{"net.chain", "chain 1\nEasy a\nfrom more/tail.chain"}, {"more/tail.chain", "Easy b"}}),
            "");
  EXPECT_THAT(seen_parts, ElementsAre("more/tail.chain", "net.chain"));
  EXPECT_EQ(result_.framework, "chain");
  EXPECT_EQ(result_.graph->nodes_of("Easy").size(), 2U);
}

TEST_F(MemoryModel, WhatIsNoPartIsNotReadFromTheFolder) {
  EXPECT_THAT(failure({{"net.chain", "chain 1\nfrom more/tail.chain"}}),
              HasSubstr("the model is in memory and has no part 'more/tail.chain'"));
  EXPECT_THAT(failure({{"net.chain", ""}}), HasSubstr("MO0205: the model 'net.chain' is empty"));
}

TEST_F(MemoryModel, NamesOfPartsAreThoseOfFilesBelow) {
  for (const char* name : {"", "/net.chain", "../net.chain", "a/../net.chain", "folder/"})
    EXPECT_THAT(failure({{name, "chain 1"}}), HasSubstr("is no name of a part of a model")) << name;
  EXPECT_THAT(failure({{"a", "chain 1"}, {"a", "chain 2"}}), HasSubstr("two parts of the name 'a'"));
}

TEST_F(MemoryModel, ErrorsSayWhereTheNodeStands) {
  const std::string message = failure({{"net.chain", "chain 1\nEasy a\n\nPicky b\n"}});
  EXPECT_THAT(message, HasSubstr("nothing pleases it"));
  EXPECT_THAT(message, HasSubstr("place   net.chain:4"));
  EXPECT_THAT(failure({{"net.chain", "chain 1\nUnknown u\nUnknown v"}}),
              HasSubstr("Unknown, version 1: 2 nodes, 'u', 'v'; the first in net.chain:2"));
}

TEST_F(MemoryModel, ManyAttributesAtOnce) {
  EXPECT_EQ(failure({{"net.chain", "chain 1\nEasy a"}}), "");
  EXPECT_THAT(read_at_once, ElementsAre("Easy 0 2"));
}

}  // namespace
}  // namespace mo::test

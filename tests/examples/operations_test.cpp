// Operations and extractors of the examples.
#include <pugixml.hpp>

#include "apps/ir_files/ir_files.hpp"
#include "core/convert/phases.hpp"
#include "core/ir/emitter.hpp"
#include "temporary_folder.hpp"
#include "tests/examples/seeds.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The attributes of a layer in the IR, as they are written.
std::string data_of(core::Session& session, const core::Graph& g, const char* layer) {
  const TemporaryFolder folder;
  core::EmitOptions options;
  options.model_name = "m";
  app::IrFiles files(session, {.folder = folder.path()});
  core::emit_ir(session, g, options, files);
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(folder.read("m.xml").c_str()));
  std::string data;
  for (const pugi::xml_attribute& a : document.child("net")
                                          .child("layers")
                                          .find_child_by_attribute("layer", "name", layer)
                                          .child("data")
                                          .attributes())
    append_text(data, text(data.empty() ? "" : " ", a.name(), "=", a.value()));
  return data;
}

using SeedOperations = Seeds;

TEST_F(SeedOperations, SoftmaxComputesShapesAndValues) {
  // Row by row 1/(1+e), e/(1+e) and 1/2, 1/2: softmax by its formula.
  graph(R"(
    %x = Const -> f32[2,2] {0,1,5,5}
    %s = SoftMax@"com.example.seeds" (%x)
    Result "r" (%s)
  )");
  EXPECT_THAT(values(), near({0.26894142F, 0.73105858F, 0.5F, 0.5F}));
  graph(R"(
    %x = Const -> f32[2,2] {0,1000,0,1000}
    %s = SoftMax@"com.example.seeds" (%x) {axis=-2}
    Result "r" (%s)
  )");
  EXPECT_THAT(values(), near({0.5F, 0.5F, 0.5F, 0.5F}));
  graph("%x = Parameter -> f16[?,3..5]\n%s = SoftMax@\"com.example.seeds\" (%x)\nResult (%s)");
  infer();
  EXPECT_EQ(shape("s"), "f16[?,3..5]");
  graph("%x = Parameter -> f32[4]\n%s = SoftMax@\"com.example.seeds\" (%x)\nResult (%s)");
  EXPECT_THAT(test::failure_of([&] { infer(); }), HasSubstr("axis"));
}

TEST_F(SeedOperations, SoftmaxWritesItsAxis) {
  graph("%x = Parameter -> f32[1,3]\n%s = SoftMax@\"com.example.seeds\" (%x)\nResult (%s)");
  infer();
  EXPECT_EQ(data_of(session(), *graph_, "s"), "axis=1");
}

// Records of all three forms; what is absent is not written.
TEST_F(SeedOperations, PoolingWritesEveryFormOfARecord) {
  graph(R"(
    %x = Parameter -> f32[1,3,8,9]
    %p = Pooling@"com.example.seeds" (%x) {stride=[1,1,2,3], window=[1,1,3,2], pad=[0,0,1,0], pad_end=[0,0,0,1],
         spatial_dims=[2,3], pool_method="avg", auto_pad="explicit"}
    Result (%p)
  )");
  infer();
  // floor((8 + 1 - 3) / 2) + 1 and floor((9 + 1 - 2) / 3) + 1.
  EXPECT_EQ(shape("p"), "f32[1,3,4,3]");
  const std::string data = data_of(session(), *graph_, "p");
  EXPECT_THAT(data, HasSubstr("auto_pad=explicit"));
  EXPECT_THAT(data, HasSubstr("pool-method=avg"));
  EXPECT_THAT(data, HasSubstr("exclude-pad=true"));
  EXPECT_THAT(data, HasSubstr("strides=2,3"));
  EXPECT_THAT(data, HasSubstr("kernel=3,2"));
  EXPECT_THAT(data, HasSubstr("pads_begin=1,0"));
  EXPECT_THAT(data, HasSubstr("pads_end=0,1"));
  for (const char* absent :
       {"rounding_type", "stride=", "window", "spatial_dims", "pool_method", "exclude_pad"})
    EXPECT_THAT(data, Not(HasSubstr(absent)));
}

TEST_F(SeedOperations, PoolingRoundsAsAsked) {
  graph(R"(
    %x = Parameter -> f32[1,3,8,?]
    %p = Pooling@"com.example.seeds" (%x) {stride=[1,1,3,1], window=[1,1,2,2], pad=[0,0,0,0], pad_end=[0,0,0,0],
         spatial_dims=[2,3], pool_method="max", rounding_type="ceil"}
    Result (%p)
  )");
  infer();
  EXPECT_EQ(shape("p"), "f32[1,3,3,?]");
  EXPECT_THAT(data_of(session(), *graph_, "p"), HasSubstr("rounding_type=ceil"));
}

// A front-end whose model is one constant.
struct OneConstant : FrontEndModel {
  explicit OneConstant(std::string op) : op_(std::move(op)) {}
  bool native_attr(Context c, uint64_t, std::string_view name) override {
    if (name != "value" || op_ == "Empty") return false;
    give_native(c, Tensor::of<float>(c, {1.5F, -2.0F}, {2}));
    return true;
  }
  std::vector<std::string> native_attr_names(uint64_t) override { return {"value"}; }
  Key native_key(uint64_t) override { return {"", 13, op_ == "Empty" ? "Const" : std::string_view(op_)}; }

 private:
  std::string op_;
};
struct TestFrontEnd : FrontEnd {
  explicit TestFrontEnd(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::vector<std::string> extensions() const override { return {".none"}; }
  int probe(const ProbeInfo&) const override { return 0; }
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override { return nullptr; }

 private:
  std::string name_;
};
struct TensorFlow : TestFrontEnd {
  TensorFlow() : TestFrontEnd("tf") {}
};
struct Onnx : TestFrontEnd {
  Onnx() : TestFrontEnd("onnx") {}
};

class SeedExtractors : public Seeds {
 protected:
  SeedExtractors() {
    lab_.plugin("org.mo-host.frontends", [](Registry& r) {
      r.frontend<TensorFlow>();
      r.frontend<Onnx>();
    });
  }
  void extract(std::string_view framework, std::string op, size_t takers = 1) {
    OneConstant model(op);
    graph("%c = \"" + op + "\" -> _ native 1\nResult \"r\" (%c)");
    session().frontend = session().registry().frontend(framework);
    session().model = &model;
    std::set<const core::Plugin*> used;
    try {
      core::extract(session(), *graph_, used, nullptr);
    } catch (...) {
      session().frontend = nullptr;
      session().model = nullptr;
      throw;
    }
    session().frontend = nullptr;
    session().model = nullptr;
    EXPECT_EQ(used.size(), takers);
  }
};

TEST_F(SeedExtractors, ConstOfTensorFlow) {
  extract("tf", "Const");
  EXPECT_EQ(now(), "c:Const() r:Result(c)");
  EXPECT_EQ(shape("c"), "f32[2]");
  EXPECT_THAT(values(), near({1.5F, -2.0F}));
}

TEST_F(SeedExtractors, ConstantOfOnnx) {
  extract("onnx", "Constant");
  EXPECT_EQ(now(), "c:Const() r:Result(c)");
  EXPECT_THAT(values(), near({1.5F, -2.0F}));
}

// One with "value_float", say: the built-in extractor is asked then.
TEST_F(SeedExtractors, AConstWithoutValueIsLeftToOthers) {
  extract("tf", "Empty", 0);
  ASSERT_EQ(session().declined.size(), 1U);
  EXPECT_EQ(session().declined.begin()->second.front().why, "its value is in another attribute");
}

}  // namespace
}  // namespace mo::test

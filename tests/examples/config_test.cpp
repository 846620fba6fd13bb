// What configuration files start: the files beside the examples, and the errors of the documents.
#include "apps/config_tools/config_file.hpp"
#include "core/schedule/single_operation.hpp"
#include "tests/core/config/inception.hpp"
#include "tests/examples/seeds.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SeedConfig : public Seeds {
 protected:
  void configure(const std::string& file) {
    session().configuration = std::make_shared<const core::Configuration>(
        app::read_configuration({MO_SOURCE_DIR "/plugin_api/examples/seeds/" + file}));
    core::check_configuration(session());
  }
};

// General.

using SeedYolo = SeedConfig;

TEST_F(SeedYolo, ARegionInFrontOfEveryResult) {
  configure("yolo_v1_tiny.json");
  graph(R"(
    %x = Parameter -> f32[1,50,7,7]
    %y = ReLU@opset1 "last" (%x) -> _ names("out")
    Result "r" (%y)
  )");
  EXPECT_EQ(run("TFYOLO").matches, 1U);
  EXPECT_EQ(now(), "x:Parameter() last:ReLU(x) r:Result(last/YoloRegion) last/YoloRegion:RegionYolo(last)");
  const char* region = "last/YoloRegion";
  EXPECT_EQ(attribute_as<int64_t>(region, "axis"), 1);
  EXPECT_EQ(attribute_as<int64_t>(region, "end_axis"), -1);
  EXPECT_EQ(attribute_as<int64_t>(region, "classes"), 20);
  EXPECT_EQ(attribute_as<int64_t>(region, "coords"), 4);
  EXPECT_EQ(attribute_as<int64_t>(region, "num"), 2);
  EXPECT_FALSE(attribute_as<bool>(region, "do_softmax"));
  EXPECT_THAT(tensor_names(region), ElementsAre("out"));
  infer();
  // Without softmax the regions are those of the mask; the file of the seeds names none, which stands for all.
  EXPECT_EQ(shape(region), "f32[1,50,7,7]");
}

TEST_F(SeedYolo, WithoutAFileItWaits) {
  graph("%x = Parameter -> f32[1,50,7,7]\nResult \"r\" (%x)");
  EXPECT_THAT(failure("TFYOLO"), HasSubstr("is run by a configuration file"));
}

// Scope.

class SeedInception : public SeedConfig {
 protected:
  SeedInception() {
    lab_.plugin("org.mo-host.inception", [](Registry& r) { register_inception(r); });
    graph(inception());
  }
  // Three layers in a row, with the shapes of the blocks: each has three branches of 4 channels, and its
  // input.
  void expect_blocks() {
    EXPECT_EQ(now(),
              "input:Parameter() InceptionV4/Mixed_5a/concat:Copy(input) "
              "output:Result(InceptionV4/Mixed_5d/concat) "
              "InceptionV4/Mixed_5b/concat:InceptionBlock(InceptionV4/Mixed_5a/concat) "
              "InceptionV4/Mixed_5c/concat:InceptionBlock(InceptionV4/Mixed_5b/concat) "
              "InceptionV4/Mixed_5d/concat:InceptionBlock(InceptionV4/Mixed_5c/concat)");
    infer();
    EXPECT_EQ(shape("InceptionV4/Mixed_5b/concat"), "f32[1,16,8,8]");
    EXPECT_EQ(shape("InceptionV4/Mixed_5c/concat"), "f32[1,28,8,8]");
    EXPECT_EQ(shape("InceptionV4/Mixed_5d/concat"), "f32[1,40,8,8]");
    for (const char* block : {"InceptionV4/Mixed_5b/concat", "InceptionV4/Mixed_5d/concat"}) {
      EXPECT_EQ(attribute_as<std::string>(block, "attr1_key"), "attr1_value");
      EXPECT_EQ(attribute_as<int64_t>(block, "attr2_key"), 123456);
    }
  }
};

TEST_F(SeedInception, ByCode) {
  configure("inception_block.json");
  EXPECT_EQ(run("InceptionBlockTransformation").matches, 3U);
  expect_blocks();
}

TEST_F(SeedInception, WithoutCode) {
  configure("inception_block_op.json");
  core::replace_by_operations(session(), *graph_, nullptr);
  expect_blocks();
}

// What the match object says, by the class of the documents.
struct LooksAtItsMatch : FrontReplacementFromConfigFileSubGraph {
  explicit LooksAtItsMatch(std::vector<std::string>* seen) : seen_(seen) { replacement_id = "Looks"; }
  void replace_sub_graph(Graph, SubgraphMatch& m) override {
    seen_->push_back(text(m.scope(), ": ", m.matched_nodes().size(), " nodes, ", m.inputs_count(), " input, ",
                          m.outputs_count(), " output"));
    seen_->push_back(m.matched_nodes_names().front());
    seen_->push_back(
        text(m.input_nodes(0).size(), " readers, first ", m.input_nodes(0).front().node().name()));
    seen_->push_back(m.output_node(0).node().name());
    seen_->push_back(m.node_by_pattern("Branch_1/Conv2d_0a_1x1/Conv2D$").name());
    seen_->push_back(m.node_by_pattern("Branch_9").operator bool() ? "found" : "none");
    seen_->push_back(m.custom_attributes_text());
    seen_->push_back(text(m.custom_attributes().get<int64_t>("n")));
    for (const auto& f : std::initializer_list<std::function<void()>>{[&] { m.single_input_node(0); },
                                                                      [&] { m.node_by_pattern("Branch_1"); },
                                                                      [&] { m.output_node(1); }})
      try {
        f();
        seen_->push_back("no error");
      } catch (const Error& e) {
        seen_->push_back(e.what());
      }
  }

 private:
  std::vector<std::string>* seen_;
};

TEST_F(SeedInception, TheMatchObject) {
  std::vector<std::string> seen;
  lab_.plugin("org.mo-host.looks", [&](Registry& r) { r.transformation<LooksAtItsMatch>(&seen); });
  session().configuration = std::make_shared<const core::Configuration>(app::parse_configuration(
      "c.json",
      R"([{"id": "Looks", "match_kind": "scope", "instances": [".*/Mixed_5c"], "custom_attributes": {"n": 7}}])"));
  run("Looks");
  EXPECT_THAT(
      seen,
      ElementsAre(".*/Mixed_5c: 8 nodes, 1 input, 1 output", "InceptionV4/Mixed_5c/Branch_2/weights",
                  "4 readers, first InceptionV4/Mixed_5c/Branch_2/Conv2d_0a_1x1/Conv2D",
                  "InceptionV4/Mixed_5c/concat", "InceptionV4/Mixed_5c/Branch_1/Conv2d_0a_1x1/Conv2D", "none",
                  R"({"n":7})", "7", HasSubstr("input 0 of the match is read by 4 nodes; use input_nodes"),
                  HasSubstr("Branch_1/weights"), "the match has no output 1; it has 1"));
}

// Points.

class SeedSsd : public SeedConfig {
 protected:
  void ssd_graph(std::string_view more_of_decode = "", std::string_view scores_from = "%nms:1") {
    configure("ssd_support.json");
    graph(text(R"(
      %image = Parameter "image_tensor" -> f32[1,300,300,3]
      %threshold = Parameter "threshold" -> f32[]
      %boxes = Head "boxes" (%image)
      %logits = Head "logits" (%image)
      %anchors = Head "anchors" (%image)
      %shape = Shape "Postprocessor/Shape" (%boxes)
      %scale = Scale "Postprocessor/scale_logits" (%logits)
      %tile = Tile "Postprocessor/Tile" (%anchors)
      %reshape = Reshape "Postprocessor/Reshape_1" (%boxes)
      %cast = Cast "Postprocessor/Cast_1" (%image)
      %k = Const "Postprocessor/k" -> i32[] {100}
      %decode = Decode "Postprocessor/Decode" (%reshape, %tile, %shape)",
               more_of_decode, R"()
      %nms = Nms "Postprocessor/Nms" (%decode, %scale, %cast, %k) -> (_, _, _)
      %db = Identity "detection_boxes" (%nms) -> _ names("boxes:0")
      %ds = Identity "detection_scores" ()",
               scores_from, R"()
      %nd = Identity "num_detections" (%nms:2)
      Result "r" (%db)
      Result "r1" (%ds)
      Result "r2" (%nd)
      Result "r3" (%threshold)
    )"));
  }
};

constexpr const char* ssd_id = "ObjectDetectionAPISSDPostprocessorReplacement";

TEST_F(SeedSsd, OneOperationBetweenThePoints) {
  ssd_graph();
  EXPECT_EQ(run(ssd_id).matches, 1U);
  EXPECT_EQ(
      now(),
      "image_tensor:Parameter() threshold:Parameter() boxes:Head(image_tensor) logits:Head(image_tensor) "
      "anchors:Head(image_tensor) r:Result(detection_boxes) r1:Result(detection_boxes:1) "
      "r2:Result(detection_boxes:2) r3:Result(threshold) "
      "detection_boxes:SsdPostprocessor(boxes,logits,anchors)");
  EXPECT_THAT(tensor_names("detection_boxes"), ElementsAre("boxes:0"));
  EXPECT_EQ(attribute_as<std::string>("detection_boxes", "code_type"), "caffe.PriorBoxParameter.CENTER_SIZE");
  EXPECT_FALSE(attribute_as<bool>("detection_boxes", "clip_before_nms"));
  EXPECT_TRUE(attribute_as<bool>("detection_boxes", "clip_after_nms"));
}

TEST_F(SeedSsd, AnEndThatIsNotReached) {
  ssd_graph("", "%boxes");
  const std::string message = failure(ssd_id);
  EXPECT_THAT(message, HasSubstr("MO0616"));
  EXPECT_THAT(message,
              HasSubstr("the end point 'detection_scores' (Identity) is not reached from the start points"));
  EXPECT_THAT(message, HasSubstr("ssd_support.json:"));
}

TEST_F(SeedSsd, AModelInputAmongTheAddedNodes) {
  ssd_graph(", %threshold");
  const std::string message = failure(ssd_id);
  EXPECT_THAT(message, HasSubstr("MO0616"));
  EXPECT_THAT(message, HasSubstr("'threshold'"));
}

}  // namespace
}  // namespace mo::test

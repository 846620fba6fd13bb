// What each layer computes is in rows/:
//
//     Scale ([1,2] {1,2}) with ([2] {2,3}; [2] {1,0.5}) {scale_param { bias_term: true }} -> [1,2] {3,6.5}
//
// Its inputs, its blobs, what else its text says, and its output; "_" for one that is not looked at.
#include "caffe_fixture.hpp"
#include "core/host/host_tables.hpp"
#include "text_rows.hpp"

namespace mo::test {

using testing::HasSubstr;

namespace {

struct Row {
  std::string type, more;
  std::vector<RowTensor> inputs, blobs;
  size_t output = 0;
  RowTensor expected;
  std::string place;
};

std::vector<RowTensor> tensors_of(const std::string& list) {
  std::vector<RowTensor> all;
  for (const std::string& one : split_row(list)) all.push_back(tensor_of(one));
  return all;
}

Row read_layer(RowReader& in) {
  Row r;
  r.type = in.word();
  r.inputs = tensors_of(in.bracketed('(', ')'));
  if (in.accept("with ")) r.blobs = tensors_of(in.bracketed('(', ')'));
  if (in.starts("{")) r.more = in.bracketed('{', '}');
  in.expect("->");
  while (in.accept("_;")) ++r.output;
  r.expected = read_tensor(in);
  return r;
}

const RowTable<Row>& layer_rows() {
  static const auto table = row_table<Row>("caffe/rows", read_layer);
  return table;
}

void PrintTo(const Row& r, std::ostream* out) { *out << r.place << ": " << r.type << ' ' << r.more; }

BlobBytes blob_of(const RowTensor& t) { return {t.dims, {t.numbers.begin(), t.numbers.end()}}; }

class CaffeLayers : public Caffe, public testing::WithParamInterface<Row> {
 protected:
  // Constants are blobs of Parameter layers, so that everything is computed when constants are folded.
  core::GraphPtr evaluate(const Row& r) {
    WeightsBuilder weights;
    std::string text, bottoms;
    for (size_t i = 0; i < r.inputs.size(); ++i) {
      const std::string name(1, static_cast<char>('x' + i));
      weights.layer(name, {blob_of(r.inputs[i])});
      text += "layer { name: '" + name + "' type: 'Parameter' top: '" + name + "' }\n";
      bottoms += " bottom: '" + name + "'";
    }
    std::vector<BlobBytes> blobs;
    for (const RowTensor& b : r.blobs) blobs.push_back(blob_of(b));
    if (!blobs.empty()) weights.layer("layer", blobs);
    const bool tops = r.more.find("top:") != std::string::npos;
    text += "layer { name: 'layer'" + bottoms + (tops ? "" : " top: 'z'") + " type: '" + r.type + "' " +
            r.more + " }";
    return prepare(text, weights.bytes());
  }
};

TEST_P(CaffeLayers, GiveWhatCaffeGives) {
  const Row& r = GetParam();
  const auto g = evaluate(r);
  EXPECT_EQ(shape(*g, r.output),
            Shape::dims_of(r.expected.dims.data(), static_cast<int64_t>(r.expected.dims.size())));
  const auto got = values(*g, r.output);
  ASSERT_EQ(got.size(), r.expected.numbers.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], r.expected.numbers[i], 1e-5 * (1 + std::abs(r.expected.numbers[i])))
        << "element " << i;
}

INSTANTIATE_TEST_SUITE_P(Rows, CaffeLayers, testing::ValuesIn(layer_rows().rows),
                         [](const auto& r) { return row_name(r.param.place); });

TEST(CaffeRows, AreAllRead) {
  EXPECT_THAT(layer_rows().wrong, testing::IsEmpty());
  EXPECT_GE(layer_rows().rows.size(), 110U);
  RecordProperty("rows", static_cast<int>(layer_rows().rows.size()));
}

class CaffeAttributes : public Caffe {
 protected:
  // The graph of one layer on inputs of these shapes.
  core::GraphPtr of(const std::string& layer, const std::vector<std::string>& shapes) {
    std::string text, bottoms;
    for (size_t i = 0; i < shapes.size(); ++i) {
      const std::string name = "in" + std::to_string(i);
      text += "layer { name: '" + name + "' type: 'Input' top: '" + name + "' input_param { shape { dim: [" +
              shapes[i] + "] } } }\n";
      bottoms += " bottom: '" + name + "'";
    }
    return prepare(text + "layer { name: 'layer'" + bottoms + " top: 'z' " + layer + " }");
  }
  static std::string attribute(const core::Graph& g, std::string_view op, std::string_view name) {
    const core::NodeId n = g.nodes_of(op).front();
    const core::Attribute* a = g.attribute(n, name);
    if (a == nullptr) return "none";
    if (const auto* i = std::get_if<int64_t>(a)) return text(*i);
    if (const auto* d = std::get_if<double>(a)) return text(*d);
    if (const auto* s = std::get_if<std::string>(a)) return *s;
    if (const auto* l = std::get_if<std::vector<int64_t>>(a)) return text(*l);
    if (const auto* l = std::get_if<std::vector<double>>(a)) return text(*l);
    if (const auto* b = std::get_if<bool>(a)) return text(*b);
    return "another kind";
  }
};

TEST_F(CaffeAttributes, NormalizationsOneBehindAnotherBecomeOne) {
  const auto g = prepare(R"(
    layer { name: "data" type: "Input" top: "data" input_param { shape { dim: 1 dim: 2 dim: 1 dim: 1 } } }
    layer { name: "bn" type: "BatchNorm" bottom: "data" top: "data" batch_norm_param { eps: 0 } }
    layer { name: "scale" type: "Scale" bottom: "data" top: "data" scale_param { bias_term: true } })",
                         WeightsBuilder()
                             .layer("bn", {{{2}, {2, 2}}, {{2}, {4, 4}}, {{1}, {1}}})
                             .layer("scale", {{{2}, {2, 4}}, {{2}, {1, 1}}})
                             .bytes());
  EXPECT_EQ(text_of(*g), "Multiply Add");
  std::vector<double> numbers;
  static const core::Session session{core::host_table()};
  for (const core::NodeId n : g->nodes_of("Const")) {
    const Tensor t = Tensor::borrow(session.host(), g->out({n, 0}).tensor.value.get());
    for (size_t i = 0; i < t.size(); ++i) numbers.push_back(t.number(i));
  }
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers, (std::vector<double>{-3, -1, 1, 2}));  // (x - 2) / 2 * {2, 4} + 1
}

TEST_F(CaffeAttributes, Detection) {
  const auto g = of(
      R"(type: 'DetectionOutput' detection_output_param { num_classes: 3 nms_param { nms_threshold: 0.5 top_k: 0 }
                       code_type: CENTER_SIZE keep_top_k: 7 confidence_threshold: 0.25 })",
      {"1, 40", "1, 30", "1, 2, 40"});
  EXPECT_EQ(shape(*g), (Shape{1, 1, 7, 7}));
  EXPECT_EQ(attribute(*g, "DetectionOutput", "top_k"), "-1");
  EXPECT_EQ(attribute(*g, "DetectionOutput", "code_type"), "caffe.PriorBoxParameter.CENTER_SIZE");
  EXPECT_EQ(attribute(*g, "DetectionOutput", "nms_threshold"), "0.5");
  EXPECT_THAT(
      failure_of("layer { name: 'a' type: 'Input' top: 'a' } layer { name: 'd' type: 'DetectionOutput' "
                 "bottom: 'a' bottom: 'a' "
                 "bottom: 'a' top: 'd' detection_output_param { num_classes: 2 code_type: CORNER_SIZE } }"),
      HasSubstr("code_type CORNER_SIZE is not supported"));
}

TEST_F(CaffeAttributes, Proposals) {
  const std::vector<std::string> shapes{"1, 24, 6, 7", "1, 48, 6, 7", "1, 3"};
  const auto own =
      of("type: 'Proposal' proposal_param { feat_stride: 8 ratio: 1 ratio: 2 ratio: 3 scale: [1, 2, 4, 8] "
         "post_nms_topn: 50 }",
         shapes);
  EXPECT_EQ(shape(*own), (Shape{50, 5}));
  EXPECT_EQ(attribute(*own, "Proposal", "feat_stride"), "8");
  EXPECT_EQ(attribute(*own, "Proposal", "pre_nms_topn"), "6000");
  for (const char* written :
       {"\"'feat_stride': 8, 'scales': [1, 2, 4, 8]\"", "\"{'feat_stride': 8, 'scales': (1, 2, 4, 8)}\"",
        "\"feat_stride: 8\\nscales: [1, 2, 4, 8]\""}) {
    const auto g = of(
        std::string(
            "type: 'Python' python_param { module: 'rpn.proposal_layer' layer: 'ProposalLayer' param_str: ") +
            written + " }",
        shapes);
    EXPECT_EQ(shape(*g), (Shape{300, 5})) << written;
    EXPECT_EQ(attribute(*g, "Proposal", "feat_stride"), "8");
    EXPECT_EQ(attribute(*g, "Proposal", "scale"), "[1,2,4,8]");
  }
}

TEST_F(CaffeAttributes, RegionsAndYolo) {
  EXPECT_EQ(
      shape(*of("type: 'ROIPooling' roi_pooling_param { pooled_h: 3 pooled_w: 2 spatial_scale: 0.0625 }",
                {"1, 8, 6, 6", "9, 5"})),
      (Shape{9, 8, 3, 2}));
  EXPECT_EQ(
      shape(*of(
          "type: 'PSROIPooling' psroi_pooling_param { output_dim: 2 group_size: 3 spatial_scale: 0.0625 }",
          {"1, 18, 6, 6", "9, 5"})),
      (Shape{9, 2, 3, 3}));
  EXPECT_EQ(shape(*of("type: 'ReorgYolo' reorg_yolo_param { stride: 2 }", {"1, 4, 6, 6"})),
            (Shape{1, 16, 3, 3}));
  EXPECT_EQ(shape(*of("type: 'RegionYolo' region_yolo_param { classes: 3 num: 2 }", {"1, 16, 2, 2"})),
            (Shape{1, 64}));
  const auto g =
      of("type: 'RegionYolo' region_yolo_param { classes: 3 do_softmax: false mask: 0 mask: 2 anchors: 1.5 }",
         {"1, 16, 2, 2"});
  EXPECT_EQ(shape(*g), (Shape{1, 16, 2, 2}));
  EXPECT_EQ(attribute(*g, "RegionYolo", "mask"), "[0,2]");
  EXPECT_EQ(type(*of("type: 'CTCGreedyDecoder'", {"5, 1, 4", "5, 1"}), "layer"), "CTCGreedyDecoder@opset1");
}

TEST_F(CaffeAttributes, LayersThatNoOperationSetHas) {
  const auto g =
      of("type: 'Correlation' correlation_param { pad: 4 kernel_size: 1 max_displacement: 4 stride_2: 2 "
         "correlation_type: SUBTRACT }",
         {"1, 3, 8, 8", "1, 3, 8, 8"});
  EXPECT_EQ(type(*g, "layer"), "Correlation@extension");
  EXPECT_EQ(shape(*g), (Shape{1, 25, 8, 8}));
  EXPECT_EQ(shape(*of("type: 'Accum' accum_param { size_divisible_by: 4 }", {"1, 3, 5, 8", "1, 2, 4, 4"})),
            (Shape{1, 5, 8, 8}));
  EXPECT_EQ(shape(*of("type: 'SimplerNMS'", {"1, 3, 5, 8", "1, 2, 4, 4"})), (Shape{150, 5}));
  EXPECT_EQ(
      shape(*of("type: 'SpatialTransformer' st_param { output_H: 2 output_W: 3 }", {"1, 3, 5, 8", "1, 6"})),
      (Shape{1, 3, 2, 3}));
  EXPECT_EQ(shape(*of("type: 'Axpy'", {"1, 3", "1, 3, 4, 4", "1, 3, 4, 4"})), (Shape{1, 3, 4, 4}));
  for (const char* layer : {"PowerFile", "PredictionHeatmap", "DataAugmentation"}) {
    const auto same = of(text("type: '", layer, "'"), {"1, 3, 5, 8"});
    EXPECT_EQ(type(*same, "layer"), text(layer, "@extension"));
    EXPECT_EQ(shape(*same), (Shape{1, 3, 5, 8})) << layer;
  }
  EXPECT_EQ(shape(*of("type: 'DataAugmentation' augmentation_param { crop_height: 2 crop_width: 4 }",
                      {"1, 3, 5, 8"})),
            (Shape{1, 3, 2, 4}));
}

TEST_F(CaffeAttributes, WhatIsNotSupportedSaysSo) {
  const std::pair<const char*, const char*> rows[] = {
      {"type: 'Pooling' pooling_param { pool: STOCHASTIC kernel_size: 2 }",
       "a pooling 'STOCHASTIC' is not supported"},
      {"type: 'Pooling' pooling_param { kernel_size: 2 pad: 2 }",
       "its pad is 2; expected less than the kernel, 2"},
      {"type: 'Convolution' convolution_param { kernel_size: 2 }", "num_output is missing"},
      {"type: 'Eltwise' eltwise_param { coeff: [1, 2, 3] }", "it has 3 coefficients for 1 blobs"},
      {"type: 'Permute' permute_param { order: 4 }", "its order is [4] for a blob of 4 dimensions"},
      {"type: 'BatchNorm' batch_norm_param { use_global_stats: false }", "use_global_stats is false"},
      {"type: 'Tile'", "tiles is missing"},
      {"type: 'LRN' lrn_param { local_size: 4 }", "local_size is 4; expected an odd number"},
  };
  for (const auto& [layer, expected] : rows)
    EXPECT_THAT(
        failure_of(
            std::string(
                "layer { name: 'a' type: 'Input' top: 'a' input_param { shape { dim: [1, 2, 4, 4] } } } "
                "layer { name: 'b' bottom: 'a' top: 'b' ") +
            layer + " }"),
        HasSubstr(expected));
}

}  // namespace

}  // namespace mo::test

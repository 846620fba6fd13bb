#include "operator_rows.hpp"

#include <flatbuffers/flexbuffers.h>

namespace mo::test::lite_rows {

namespace {

LiteOption activation(uint16_t field, int8_t which) { return {field, which}; }
constexpr int8_t relu = 1, hyperbolic = 4, valid = 1, same = 0;

using Ints = std::vector<int32_t>;

std::vector<Row> shape_rows() {
  return {
      {"pack", 83, {f({2}, {1, 2}), f({2}, {3, 4})}, {f({2, 2}, {})}, 59, {{0, 2}, {1, 1}}},
      {"fill", 94, {i({2}, {2, 3}), f({}, {7})}, {f({2, 3}, {})}},
      {"range", 96, {i({}, {1}), i({}, {9}), i({}, {3})}, {i({3}, {})}},
      {"range_down", 96, {f({}, {1}), f({}, {-1}), f({}, {-0.5})}, {f({4}, {})}},
      {"rank", 110, {f({2, 1, 3}, {1, 2, 3, 4, 5, 6})}, {i({}, {})}},
      {"zeros_like", 93, {i({2, 2}, {1, 2, 3, 4})}, {i({2, 2}, {})}},
      {"broadcast_to", 130, {f({2, 1}, {1, 2}), i({3}, {2, 2, 3})}, {f({2, 2, 3}, {})}, 0, {}, 2},
      {"broadcast_args", 145, {i({3}, {2, 1, 4}), i({2}, {3, 1})}, {i({3}, {})}},
      {"matrix_diag", 113, {f({2, 2}, {1, 2, 3, 4})}, {f({2, 2, 2}, {})}},
      {"matrix_set_diag", 115, {spread({2, 2, 3}), f({2, 2}, {1, 2, 3, 4})}, {f({2, 2, 3}, {})}},
      {"expand_dims_last", 70, {f({2}, {1, 2}), i({1}, {-1})}, {f({2, 1}, {})}},
      {"squeeze_all", 43, {f({1, 2, 1}, {1, 2})}, {f({2}, {})}},
      {"reverse", 105, {spread({2, 3, 2}), i({1}, {-2})}, {f({2, 3, 2}, {})}},
      {"one_hot_first",
       85,
       {i({3}, {0, 2, 5}), i({}, {3}), f({}, {2}), f({}, {-1})},
       {f({3, 3}, {})},
       61,
       {{0, 0}}},
      {"space_to_batch",
       38,
       {spread({1, 2, 4, 1}), i({2}, {2, 2}), i({2, 2}, {0, 0, 0, 2})},
       {f({4, 1, 3, 1}, {})}},
      {"space_to_batch_3d", 38, {spread({1, 4, 2}), i({1}, {2}), i({1, 2}, {0, 2})}, {f({2, 3, 2}, {})}},
      {"mirror_pad_reflect",
       100,
       {spread({2, 3}), i({2, 2}, {1, 0, 1, 2})},
       {f({3, 6}, {})},
       77,
       {{0, int8_t{0}}}},
      {"strided_slice_offsets",
       45,
       {spread({3, 4, 2}), i({3}, {0, 1, 1}), i({3}, {3, 4, 2}), i({3}, {2, 2, 1})},
       {f({2, 2}, {})},
       32,
       {{0, 1}, {1, 0}, {4, 4}}},
      {"slice_to_end", 65, {spread({3, 4}), i({2}, {1, 0}), i({2}, {-1, 2})}, {f({2, 2}, {})}},
      {"dynamic_update_slice",
       151,
       {spread({3, 4}), f({2, 2}, {7, 8, 9, 10}), i({2}, {2, 1})},
       {f({3, 4}, {})}},
      {"embedding_lookup", 7, {i({3}, {1, 0, 1}), spread({2, 3})}, {f({3, 3}, {})}},
      {"gather_axis", 36, {spread({2, 3}), i({2}, {2, 0})}, {f({2, 2}, {})}, 23, {{0, 1}}},
  };
}

std::vector<Row> number_rows() {
  return {
      {"elu", 111, {f({3}, {-1, 0, 2})}, {f({3}, {})}},
      {"prelu_last", 54, {spread({1, 2, 2, 3}), f({1, 1, 3}, {0.5, -0.25, 2})}, {f({1, 2, 2, 3}, {})}},
      {"prelu_positions",
       54,
       {spread({1, 2, 2, 3}), f({2, 2, 1}, {0.5, -0.25, 2, 3})},
       {f({1, 2, 2, 3}, {})}},
      {"log_softmax", 50, {spread({2, 3})}, {f({2, 3}, {})}},
      {"round_halves", 116, {f({6}, {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5})}, {f({6}, {})}},
      {"div_integers", 42, {i({4}, {7, -7, 7, -7}), i({4}, {2, 2, -2, -2})}, {i({4}, {})}, 29, {}},
      {"floor_div_integers", 90, {i({4}, {7, -7, 7, -7}), i({4}, {2, 2, -2, -2})}, {i({4}, {})}},
      {"floor_mod_integers", 95, {i({4}, {7, -7, 7, -7}), i({4}, {3, 3, -3, -3})}, {i({4}, {})}},
      {"sub_relu", 41, {f({3}, {1, 2, 3}), f({1}, {2})}, {f({3}, {})}, 28, {activation(0, relu)}},
      {"rsqrt", 76, {f({2}, {4, 0.25})}, {f({2}, {})}},
      {"pow", 78, {f({3}, {2, 3, 4}), f({}, {2})}, {f({3}, {})}},
      {"select_rows",
       64,
       {b({2}, {1, 0}), f({2, 2}, {1, 2, 3, 4}), f({2, 2}, {5, 6, 7, 8})},
       {f({2, 2}, {})}},
      {"select_v2", 123, {b({2, 1}, {1, 0}), f({2}, {1, 2}), f({2, 2}, {5, 6, 7, 8})}, {f({2, 2}, {})}},
      {"bucketize", 147, {f({5}, {-5, 1, 1.5, 2, 9})}, {i({5}, {})}, 115, {{0, std::vector<float>{1, 2, 3}}}},
      {"cast_to_integers",
       53,
       {f({3}, {-1.7, 0.5, 2.9})},
       {i({3}, {})},
       37,
       {{0, int8_t{0}}, {1, int8_t{2}}}},
      {"arg_min", 79, {spread({2, 4}), i({}, {1})}, {i({2}, {})}, 57, {{0, int8_t{2}}}},
      {"fake_quant",
       80,
       {f({5}, {-1.2, -0.3, 0.1, 0.45, 3})},
       {f({5}, {})},
       58,
       {{0, -1.0F}, {1, 1.5F}, {2, 4}, {3, false}}},
      {"cumsum", 128, {spread({2, 3}), i({}, {1})}, {f({2, 3}, {})}, 102, {{0, false}, {1, false}}},
      {"real", 134, {{LiteType::complex64, {2}, {1, 2, 3, 4}}}, {f({2}, {})}},
      {"imag", 133, {{LiteType::complex64, {2}, {1, 2, 3, 4}}}, {f({2}, {})}},
      {"squeeze_complex",
       43,
       {{LiteType::complex64, {1, 2, 1}, {1, 2, 3, 4}}},
       {{LiteType::complex64, {1, 2}, {}}},
       30,
       {{0, Ints{-1}}},
       1,
       {},
       {},
       false,
       {},
       0,
       133},
      {"expand_dims_complex",
       70,
       {{LiteType::complex64, {2}, {1, 2, 3, 4}}, i({1}, {-1})},
       {{LiteType::complex64, {2, 1}, {}}},
       0,
       {},
       1,
       {},
       {},
       false,
       {},
       0,
       134},
      {"sparse_to_dense",
       68,
       {i({2, 2}, {0, 1, 1, 2}), i({2}, {2, 3}), f({2}, {5, 6}), f({}, {-1})},
       {f({2, 3}, {})},
       50,
       {}},
      {"scatter_nd_twice", 122, {i({3, 1}, {1, 3, 1}), f({3}, {1, 2, 3}), i({1}, {5})}, {f({5}, {})}},
      {"scatter_nd_rows",
       122,
       {i({2, 2}, {0, 1, 1, 0}), spread({2, 3}), i({3}, {2, 2, 3})},
       {f({2, 2, 3}, {})}},
      {"segment_sum", 125, {spread({4, 2}), i({4}, {0, 0, 1, 2})}, {f({3, 2}, {})}},
      {"unsorted_segment_sum", 155, {spread({4, 2}), i({4}, {2, 0, 2, 0}), i({}, {3})}, {f({3, 2}, {})}},
      {"unsorted_segment_max", 154, {spread({4, 2}), i({4}, {2, 0, 2, 1}), i({}, {3})}, {f({3, 2}, {})}},
      {"unsorted_segment_min", 157, {spread({4, 2}), i({4}, {2, 0, 2, 1}), i({}, {3})}, {f({3, 2}, {})}},
      {"unsorted_segment_prod", 153, {spread({4, 2}), i({4}, {2, 0, 2, 1}), i({}, {3})}, {f({3, 2}, {})}},
      {"non_max_suppression_v4",
       120,
       {f({4, 4}, {0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, 2, 1, 3, 0, 0, 1, 0.9}), f({4}, {0.9, 0.95, 0.3, 0.1}),
        i({}, {3}), f({}, {0.5}), f({}, {0.2})},
       {i({3}, {}), i({}, {})}},
      {"non_max_suppression_v5",
       121,
       {f({3, 4}, {0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, 2, 1, 3}), f({3}, {0.9, 0.95, 0.3}), i({}, {3}),
        f({}, {0.5}), f({}, {0.2}), f({}, {0})},
       {i({3}, {}), f({3}, {}), i({}, {})}},
  };
}

std::vector<Row> window_rows() {
  return {
      {"l2_pool",
       12,
       {spread({1, 3, 4, 2})},
       {f({1, 2, 2, 2}, {})},
       5,
       {{0, same}, {1, 2}, {2, 2}, {3, 2}, {4, 2}}},
      {"transposed_conv_same",
       67,
       {i({4}, {1, 5, 4, 2}), spread({2, 3, 3, 1}), spread({1, 3, 2, 1})},
       {f({1, 5, 4, 2}, {})},
       49,
       {{0, same}, {1, 2}, {2, 2}}},
      {"transposed_conv_3d",
       141,
       {i({5}, {1, 2, 4, 4, 1}), spread({2, 2, 2, 1, 2}), spread({1, 1, 2, 2, 2})},
       {f({1, 2, 4, 4, 1}, {})},
       106,
       {{0, valid}, {1, 2}, {2, 2}, {3, 2}, {5, 1}, {6, 1}, {7, 1}}},
      {"depthwise_one_channel",
       4,
       {spread({1, 3, 3, 1}), spread({1, 2, 2, 3}), f({3}, {1, 2, 3})},
       {f({1, 2, 2, 3}, {})},
       2,
       {{0, valid}, {1, 1}, {2, 1}, {3, 3}, activation(4, relu)}},
      {"fully_connected_flattens",
       9,
       {spread({2, 2, 3}), spread({2, 6}), f({2}, {1, 2})},
       {f({2, 2}, {})},
       8,
       {activation(0, relu)}},
  };
}

// Eight boxes in two clusters and one apart, three classes and the background.
Row detection(const std::string& name, bool regular, int per_class = 2, double least = 0.3) {
  flexbuffers::Builder b;
  b.Map([&] {
    b.Int("max_detections", 4);
    b.Int("max_classes_per_detection", 1);
    b.Int("detections_per_class", per_class);
    b.Bool("use_regular_nms", regular);
    b.Float("nms_score_threshold", static_cast<float>(least));
    b.Float("nms_iou_threshold", 0.5F);
    b.Int("num_classes", 3);
    b.Float("y_scale", 10);
    b.Float("x_scale", 10);
    b.Float("h_scale", 5);
    b.Float("w_scale", 5);
  });
  b.Finish();
  const std::vector<double> anchors{0.2, 0.2, 0.2, 0.2, 0.22, 0.2, 0.2,  0.2, 0.2, 0.25, 0.2,
                                    0.2, 0.7, 0.7, 0.3, 0.2,  0.7, 0.71, 0.3, 0.2, 0.6,  0.7,
                                    0.3, 0.3, 0.9, 0.1, 0.1,  0.1, 0.5,  0.5, 0.9, 0.9};
  const std::vector<double> scores{0.05, 0.9, 0.1, 0.02, 0.1,  0.85, 0.6, 0.1,  0.2,  0.1, 0.8,
                                   0.05, 0.1, 0.2, 0.3,  0.75, 0.1,  0.1, 0.31, 0.7,  0.1, 0.65,
                                   0.2,  0.1, 0.9, 0.05, 0.01, 0.02, 0.2, 0.4,  0.35, 0.1};
  return {name,
          32,
          {spread({1, 8, 4}), f({1, 8, 4}, scores), f({8, 4}, anchors)},
          {f({1, 4, 4}, {}), f({1, 4}, {}), f({1, 4}, {}), f({1}, {})},
          0,
          {},
          1,
          "TFLite_Detection_PostProcess",
          {b.GetBuffer().begin(), b.GetBuffer().end()}};
}

// Inputs of an LSTM behind x: weights, states. Empty values are left out.
std::vector<Value> lstm_inputs(const Value& x, bool coupled, bool peepholes, bool projection, bool norms) {
  const int32_t in = x.dims.back(), cells = 3, out = projection ? 2 : 3;
  std::vector<Value> list{x};
  for (const int32_t width : {in, out})
    for (int gate = 0; gate < 4; ++gate)
      list.push_back(coupled && gate == 0 ? none() : spread({cells, width}, 0.5 + gate * 0.3));
  for (int gate = 0; gate < 3; ++gate)
    list.push_back(!peepholes || (coupled && gate == 0) ? none() : spread({cells}, 0.4 + gate));
  for (int gate = 0; gate < 4; ++gate)
    list.push_back(coupled && gate == 0 ? none() : spread({cells}, 0.2 * gate));
  list.push_back(projection ? spread({out, cells}) : none());
  list.push_back(none());
  list.push_back(state({x.dims[x.dims.size() == 3 ? 0 : 0], out}));
  list.push_back(state({x.dims[0], cells}));
  for (int gate = 0; norms && gate < 4; ++gate)
    list.push_back(coupled && gate == 0 ? none() : spread({cells}, 1.0 + gate));
  return list;
}
std::vector<LiteOption> lstm_options(float cell_clip, float projection_clip) {
  return {activation(0, hyperbolic), {1, cell_clip}, {2, projection_clip}, {3, false}};
}

std::vector<Row> recurrent_rows() {
  const Value x = spread({2, 3, 2});
  std::vector<Value> time_major = lstm_inputs(x, false, false, false, false);
  time_major[18] = state({3, 3});
  time_major[19] = state({3, 3});
  std::vector<Value> both{x};
  for (int way = 0; way < 2; ++way) {
    const std::vector<Value> one = lstm_inputs(spread({2, 3, 2}), false, way == 1, false, false);
    both.insert(both.end(), one.begin() + 1, one.begin() + 18);
  }
  for (int k = 0; k < 4; ++k) both.push_back(state({2, 3}));
  for (int k = 0; k < 9; ++k) both.push_back(none());
  return {
      {"sequence_lstm",
       44,
       lstm_inputs(x, false, false, false, false),
       {f({2, 3, 3}, {})},
       71,
       lstm_options(0, 0)},
      {"sequence_lstm_time_major",
       44,
       time_major,
       {f({2, 3, 3}, {})},
       71,
       {activation(0, hyperbolic), {1, 0.0F}, {2, 0.0F}, {3, true}}},
      {"sequence_lstm_coupled",
       44,
       lstm_inputs(x, true, false, false, false),
       {f({2, 3, 3}, {})},
       71,
       lstm_options(0, 0)},
      {"sequence_lstm_peepholes",
       44,
       lstm_inputs(x, false, true, false, false),
       {f({2, 3, 3}, {})},
       71,
       lstm_options(0, 0)},
      {"sequence_lstm_projection",
       44,
       lstm_inputs(x, false, false, true, false),
       {f({2, 3, 2}, {})},
       71,
       lstm_options(0.1F, 0.05F)},
      {"sequence_lstm_norms",
       44,
       lstm_inputs(x, false, false, false, true),
       {f({2, 3, 3}, {})},
       71,
       lstm_options(0, 0)},
      {"lstm",
       16,
       lstm_inputs(spread({2, 2}), false, true, true, false),
       {f({2, 2}, {})},
       14,
       {activation(0, hyperbolic), {1, 0.0F}, {2, 0.0F}, {3, int8_t{0}}}},
      {"lstm_basic",
       16,
       {spread({2, 2}), state({2, 3}), spread({12, 5}), spread({12}, 0.3), state({2, 3})},
       {f({2, 3}, {}), f({2, 3}, {}), f({2, 5}, {}), f({2, 12}, {})},
       14,
       {activation(0, hyperbolic), {1, 0.0F}, {2, 0.0F}, {3, int8_t{1}}}},
      {"both_ways_lstm",
       52,
       both,
       {f({2, 3, 3}, {}), f({2, 3, 3}, {})},
       69,
       {activation(0, hyperbolic), {1, 0.0F}, {2, 0.0F}, {3, false}, {4, false}}},
      {"both_ways_lstm_merged",
       52,
       both,
       {f({2, 3, 6}, {})},
       69,
       {activation(0, hyperbolic), {1, 0.0F}, {2, 0.0F}, {3, true}, {4, false}}},
      {"rnn",
       24,
       {spread({2, 2}), spread({3, 2}), spread({3, 3}), spread({3}), state({2, 3})},
       {f({2, 3}, {})},
       7,
       {activation(0, hyperbolic)}},
      {"sequence_rnn",
       35,
       {x, spread({3, 2}), spread({3, 3}), spread({3}), state({2, 3})},
       {f({2, 3, 3}, {})},
       31,
       {{0, false}, activation(1, relu)}},
      {"both_ways_rnn",
       46,
       {x, spread({3, 2}), spread({3, 3}), spread({3}), state({2, 3}), spread({3, 2}, 2), spread({3, 3}, 0.5),
        spread({3}, 0.1), state({2, 3}), none(), none(), none()},
       {f({2, 3, 3}, {}), f({2, 3, 3}, {})},
       70,
       {{0, false}, activation(1, hyperbolic), {2, false}}},
      {"svdf",
       27,
       {spread({2, 3}), spread({4, 3}), spread({4, 5}), spread({2}), state({2, 20})},
       {f({2, 2}, {})},
       6,
       {{0, 2}, activation(1, relu)}},
  };
}

}  // namespace

std::vector<Row> all_rows() {
  std::vector<Row> all;
  const std::vector<Row> boxes{detection("detection_fast", false), detection("detection_regular", true),
                               detection("detection_of_classes", true, 100),
                               detection("detection_of_few", true, 4, 0.77)};
  for (const auto& part : {shape_rows(), number_rows(), window_rows(), recurrent_rows(), boxes,
                           quantized_rows(), stablehlo_rows()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace mo::test::lite_rows

#include "loader/operators.hpp"

#include <algorithm>
#include <array>

namespace mo::tflite {

namespace {

// In the order of their codes, from 0 on.
constexpr std::string_view all_names =
    "ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE "
    "EMBEDDING_LOOKUP FLOOR FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D "
    "LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM MAX_POOL_2D MUL RELU RELU_N1_TO_1 RELU6 "
    "RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM "
    "EMBEDDING_LOOKUP_SPARSE PAD UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND "
    "TRANSPOSE MEAN SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE BIDIRECTIONAL_SEQUENCE_RNN "
    "EXP TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM ARG_MAX "
    "MINIMUM LESS NEG PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN TRANSPOSE_CONV "
    "SPARSE_TO_DENSE TILE EXPAND_DIMS EQUAL NOT_EQUAL LOG SUM SQRT RSQRT SHAPE POW ARG_MIN FAKE_QUANT "
    "REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR ONE_HOT LOGICAL_AND LOGICAL_NOT UNPACK REDUCE_MIN FLOOR_DIV "
    "REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD RANGE RESIZE_NEAREST_NEIGHBOR LEAKY_RELU "
    "SQUARED_DIFFERENCE MIRROR_PAD ABS SPLIT_V UNIQUE CEIL REVERSE_V2 ADD_N GATHER_ND COS WHERE RANK ELU "
    "REVERSE_SEQUENCE MATRIX_DIAG QUANTIZE MATRIX_SET_DIAG ROUND HARD_SWISH IF WHILE "
    "NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL "
    "PLACEHOLDER_FOR_GREATER_OP_CODES CUMSUM CALL_ONCE BROADCAST_TO RFFT2D CONV_3D IMAG REAL COMPLEX_ABS "
    "HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE REDUCE_ALL CONV_3D_TRANSPOSE VAR_HANDLE "
    "READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS RANDOM_STANDARD_NORMAL BUCKETIZE RANDOM_UNIFORM "
    "MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE RELU_0_TO_1 UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_MAX "
    "UNSORTED_SEGMENT_SUM ATAN2 UNSORTED_SEGMENT_MIN SIGN BITCAST BITWISE_XOR RIGHT_SHIFT "
    "STABLEHLO_LOGISTIC STABLEHLO_ADD STABLEHLO_DIVIDE STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM "
    "STABLEHLO_RESHAPE STABLEHLO_CLAMP STABLEHLO_CONCATENATE STABLEHLO_BROADCAST_IN_DIM "
    "STABLEHLO_CONVOLUTION STABLEHLO_SLICE STABLEHLO_CUSTOM_CALL STABLEHLO_REDUCE STABLEHLO_ABS "
    "STABLEHLO_AND STABLEHLO_COSINE STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG STABLEHLO_MINIMUM "
    "STABLEHLO_NEGATE STABLEHLO_OR STABLEHLO_POWER STABLEHLO_REMAINDER STABLEHLO_RSQRT STABLEHLO_SELECT "
    "STABLEHLO_SUBTRACT STABLEHLO_TANH STABLEHLO_SCATTER STABLEHLO_COMPARE STABLEHLO_CONVERT "
    "STABLEHLO_DYNAMIC_SLICE STABLEHLO_DYNAMIC_UPDATE_SLICE STABLEHLO_PAD STABLEHLO_IOTA "
    "STABLEHLO_DOT_GENERAL STABLEHLO_REDUCE_WINDOW STABLEHLO_SORT STABLEHLO_WHILE STABLEHLO_GATHER "
    "STABLEHLO_TRANSPOSE DILATE STABLEHLO_RNG_BIT_GENERATOR REDUCE_WINDOW STABLEHLO_COMPOSITE "
    "STABLEHLO_SHIFT_LEFT STABLEHLO_CBRT STABLEHLO_CASE ";

constexpr size_t name_count = 210;
constexpr std::array<std::string_view, name_count> names = [] {
  std::array<std::string_view, name_count> list{};
  size_t at = 0;
  for (std::string_view& name : list) {
    const size_t end = all_names.find(' ', at);
    name = all_names.substr(at, end - at);
    at = end + 1;
  }
  return list;
}();
static_assert(names[0] == "ADD" && names[custom_code] == "CUSTOM" && names.back() == "STABLEHLO_CASE");

constexpr std::array conv_2d_fields = {
    Field{0, Kind::padding, "padding"},
    Field{1, Kind::integer, "stride_w"},
    Field{2, Kind::integer, "stride_h"},
    Field{3, Kind::activation, "fused_activation_function"},
    Field{4, Kind::integer, "dilation_w_factor", 1},
    Field{5, Kind::integer, "dilation_h_factor", 1},
    Field{6, Kind::type, "quantized_bias_type"},
};
constexpr std::array depthwise_conv_2d_fields = {
    Field{0, Kind::padding, "padding"},
    Field{1, Kind::integer, "stride_w"},
    Field{2, Kind::integer, "stride_h"},
    Field{3, Kind::integer, "depth_multiplier"},
    Field{4, Kind::activation, "fused_activation_function"},
    Field{5, Kind::integer, "dilation_w_factor", 1},
    Field{6, Kind::integer, "dilation_h_factor", 1},
};
constexpr std::array average_pool_2d_fields = {
    Field{0, Kind::padding, "padding"},       Field{1, Kind::integer, "stride_w"},
    Field{2, Kind::integer, "stride_h"},      Field{3, Kind::integer, "filter_width"},
    Field{4, Kind::integer, "filter_height"}, Field{5, Kind::activation, "fused_activation_function"},
};
constexpr std::array svdf_fields = {
    Field{0, Kind::integer, "rank"},
    Field{1, Kind::activation, "fused_activation_function"},
    Field{2, Kind::boolean, "asymmetric_quantize_inputs"},
};
constexpr std::array rnn_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
    Field{1, Kind::boolean, "asymmetric_quantize_inputs"},
};
constexpr std::array fully_connected_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
    Field{1, Kind::weights_format, "weights_format"},
    Field{2, Kind::boolean, "keep_num_dims"},
    Field{3, Kind::boolean, "asymmetric_quantize_inputs"},
    Field{4, Kind::type, "quantized_bias_type"},
};
constexpr std::array softmax_fields = {
    Field{0, Kind::number, "beta"},
};
constexpr std::array concatenation_fields = {
    Field{0, Kind::integer, "axis"},
    Field{1, Kind::activation, "fused_activation_function"},
};
constexpr std::array add_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
    Field{1, Kind::boolean, "pot_scale_int16", 1},
};
constexpr std::array l2_normalization_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
};
constexpr std::array local_response_normalization_fields = {
    Field{0, Kind::integer, "radius"},
    Field{1, Kind::number, "bias"},
    Field{2, Kind::number, "alpha"},
    Field{3, Kind::number, "beta"},
};
constexpr std::array lstm_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
    Field{1, Kind::number, "cell_clip"},
    Field{2, Kind::number, "proj_clip"},
    Field{3, Kind::lstm_kernel, "kernel_type"},
    Field{4, Kind::boolean, "asymmetric_quantize_inputs"},
};
constexpr std::array resize_bilinear_fields = {
    Field{2, Kind::boolean, "align_corners"},
    Field{3, Kind::boolean, "half_pixel_centers"},
};
constexpr std::array reshape_fields = {
    Field{0, Kind::integers, "new_shape"},
};
constexpr std::array space_to_depth_fields = {
    Field{0, Kind::integer, "block_size"},
};
constexpr std::array embedding_lookup_sparse_fields = {
    Field{0, Kind::combiner, "combiner"},
};
constexpr std::array mul_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
};
constexpr std::array gather_fields = {
    Field{0, Kind::integer, "axis"},
    Field{1, Kind::integer, "batch_dims"},
};
constexpr std::array mean_fields = {
    Field{0, Kind::boolean, "keep_dims"},
};
constexpr std::array sub_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
    Field{1, Kind::boolean, "pot_scale_int16", 1},
};
constexpr std::array div_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
};
constexpr std::array squeeze_fields = {
    Field{0, Kind::integers, "squeeze_dims"},
};
constexpr std::array unidirectional_sequence_rnn_fields = {
    Field{0, Kind::boolean, "time_major"},
    Field{1, Kind::activation, "fused_activation_function"},
    Field{2, Kind::boolean, "asymmetric_quantize_inputs"},
};
constexpr std::array strided_slice_fields = {
    Field{0, Kind::integer, "begin_mask"},       Field{1, Kind::integer, "end_mask"},
    Field{2, Kind::integer, "ellipsis_mask"},    Field{3, Kind::integer, "new_axis_mask"},
    Field{4, Kind::integer, "shrink_axis_mask"}, Field{5, Kind::boolean, "offset"},
};
constexpr std::array split_fields = {
    Field{0, Kind::integer, "num_splits"},
};
constexpr std::array cast_fields = {
    Field{0, Kind::type, "in_data_type"},
    Field{1, Kind::type, "out_data_type"},
};
constexpr std::array arg_max_fields = {
    Field{0, Kind::type, "output_type"},
};
constexpr std::array transpose_conv_fields = {
    Field{0, Kind::padding, "padding"},          Field{1, Kind::integer, "stride_w"},
    Field{2, Kind::integer, "stride_h"},         Field{3, Kind::activation, "fused_activation_function"},
    Field{4, Kind::type, "quantized_bias_type"},
};
constexpr std::array sparse_to_dense_fields = {
    Field{0, Kind::boolean, "validate_indices"},
};
constexpr std::array shape_fields = {
    Field{0, Kind::type, "out_type"},
};
constexpr std::array arg_min_fields = {
    Field{0, Kind::type, "output_type"},
};
constexpr std::array fake_quant_fields = {
    Field{0, Kind::number, "min"},
    Field{1, Kind::number, "max"},
    Field{2, Kind::integer, "num_bits"},
    Field{3, Kind::boolean, "narrow_range"},
};
constexpr std::array pack_fields = {
    Field{0, Kind::integer, "values_count"},
    Field{1, Kind::integer, "axis"},
};
constexpr std::array one_hot_fields = {
    Field{0, Kind::integer, "axis"},
};
constexpr std::array unpack_fields = {
    Field{0, Kind::integer, "num"},
    Field{1, Kind::integer, "axis"},
};
constexpr std::array bidirectional_sequence_lstm_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
    Field{1, Kind::number, "cell_clip"},
    Field{2, Kind::number, "proj_clip"},
    Field{3, Kind::boolean, "merge_outputs"},
    Field{4, Kind::boolean, "time_major", 1},
    Field{5, Kind::boolean, "asymmetric_quantize_inputs"},
};
constexpr std::array bidirectional_sequence_rnn_fields = {
    Field{0, Kind::boolean, "time_major"},
    Field{1, Kind::activation, "fused_activation_function"},
    Field{2, Kind::boolean, "merge_outputs"},
    Field{3, Kind::boolean, "asymmetric_quantize_inputs"},
};
constexpr std::array unidirectional_sequence_lstm_fields = {
    Field{0, Kind::activation, "fused_activation_function"},
    Field{1, Kind::number, "cell_clip"},
    Field{2, Kind::number, "proj_clip"},
    Field{3, Kind::boolean, "time_major"},
    Field{4, Kind::boolean, "asymmetric_quantize_inputs"},
    Field{5, Kind::boolean, "diagonal_recurrent_tensors"},
};
constexpr std::array resize_nearest_neighbor_fields = {
    Field{0, Kind::boolean, "align_corners"},
    Field{1, Kind::boolean, "half_pixel_centers"},
};
constexpr std::array leaky_relu_fields = {
    Field{0, Kind::number, "alpha"},
};
constexpr std::array mirror_pad_fields = {
    Field{0, Kind::mode, "mode"},
};
constexpr std::array split_v_fields = {
    Field{0, Kind::integer, "num_splits"},
};
constexpr std::array unique_fields = {
    Field{0, Kind::type, "idx_out_type", 2},
};
constexpr std::array reverse_sequence_fields = {
    Field{0, Kind::integer, "seq_dim"},
    Field{1, Kind::integer, "batch_dim"},
};
constexpr std::array if_fields = {
    Field{0, Kind::integer, "then_subgraph_index"},
    Field{1, Kind::integer, "else_subgraph_index"},
};
constexpr std::array while_fields = {
    Field{0, Kind::integer, "cond_subgraph_index"},
    Field{1, Kind::integer, "body_subgraph_index"},
};
constexpr std::array depth_to_space_fields = {
    Field{0, Kind::integer, "block_size"},
};
constexpr std::array batch_matmul_fields = {
    Field{0, Kind::boolean, "adj_x"},
    Field{1, Kind::boolean, "adj_y"},
    Field{2, Kind::boolean, "asymmetric_quantize_inputs"},
};
constexpr std::array cumsum_fields = {
    Field{0, Kind::boolean, "exclusive"},
    Field{1, Kind::boolean, "reverse"},
};
constexpr std::array call_once_fields = {
    Field{0, Kind::integer, "init_subgraph_index"},
};
constexpr std::array conv_3d_fields = {
    Field{0, Kind::padding, "padding"},
    Field{1, Kind::integer, "stride_d"},
    Field{2, Kind::integer, "stride_w"},
    Field{3, Kind::integer, "stride_h"},
    Field{4, Kind::activation, "fused_activation_function"},
    Field{5, Kind::integer, "dilation_d_factor", 1},
    Field{6, Kind::integer, "dilation_w_factor", 1},
    Field{7, Kind::integer, "dilation_h_factor", 1},
};
constexpr std::array var_handle_fields = {
    Field{0, Kind::text, "container"},
    Field{1, Kind::text, "shared_name"},
};
constexpr std::array random_standard_normal_fields = {
    Field{0, Kind::long_integer, "seed"},
    Field{1, Kind::long_integer, "seed2"},
};
constexpr std::array bucketize_fields = {
    Field{0, Kind::numbers, "boundaries"},
};
constexpr std::array gelu_fields = {
    Field{0, Kind::boolean, "approximate"},
};
constexpr std::array stablehlo_concatenate_fields = {
    Field{0, Kind::long_integer, "dimension"},
};
constexpr std::array stablehlo_broadcast_in_dim_fields = {
    Field{0, Kind::longs, "broadcast_dimensions"},
};
constexpr std::array stablehlo_slice_fields = {
    Field{0, Kind::longs, "start_indices"},
    Field{1, Kind::longs, "limit_indices"},
    Field{2, Kind::longs, "strides"},
};
constexpr std::array stablehlo_convolution_fields = {
    Field{0, Kind::longs, "window_strides"},
    Field{1, Kind::longs, "padding"},
    Field{2, Kind::longs, "lhs_dilation"},
    Field{3, Kind::longs, "rhs_dilation"},
    Field{4, Kind::bytes, "window_reversal"},
    Field{5, Kind::long_integer, "input_batch_dimension"},
    Field{6, Kind::long_integer, "input_feature_dimension"},
    Field{7, Kind::longs, "input_spatial_dimensions"},
    Field{8, Kind::long_integer, "kernel_input_feature_dimension"},
    Field{9, Kind::long_integer, "kernel_output_feature_dimension"},
    Field{10, Kind::longs, "kernel_spatial_dimensions"},
    Field{11, Kind::long_integer, "output_batch_dimension"},
    Field{12, Kind::long_integer, "output_feature_dimension"},
    Field{13, Kind::longs, "output_spatial_dimensions"},
    Field{14, Kind::long_integer, "feature_group_count"},
    Field{15, Kind::long_integer, "batch_group_count"},
};
constexpr std::array stablehlo_reduce_fields = {
    Field{0, Kind::longs, "dimensions"},
    Field{1, Kind::integer, "body_subgraph_index"},
};
constexpr std::array stablehlo_scatter_fields = {
    Field{0, Kind::boolean, "indices_are_sorted"},
    Field{1, Kind::longs, "update_window_dims"},
    Field{2, Kind::longs, "inserted_window_dims"},
    Field{3, Kind::longs, "scatter_dims_to_operand_dims"},
    Field{4, Kind::long_integer, "index_vector_dim"},
    Field{5, Kind::boolean, "unique_indices"},
    Field{6, Kind::integer, "update_computation_subgraph_index"},
};
constexpr std::array stablehlo_reduce_window_fields = {
    Field{0, Kind::longs, "window_dimensions"}, Field{1, Kind::longs, "window_strides"},
    Field{2, Kind::longs, "base_dilations"},    Field{3, Kind::longs, "window_dilations"},
    Field{4, Kind::longs, "padding"},           Field{5, Kind::integer, "body_subgraph_index"},
};
constexpr std::array stablehlo_sort_fields = {
    Field{0, Kind::long_integer, "dimension"},
    Field{1, Kind::boolean, "is_stable"},
    Field{2, Kind::integer, "comparator_subgraph_index"},
};
constexpr std::array reduce_window_fields = {
    Field{0, Kind::reduction, "reduce_function"},
};
constexpr std::array stablehlo_case_fields = {
    Field{0, Kind::integers, "branch_subgraph_indices"},
};
constexpr std::array stablehlo_compare_fields = {
    Field{0, Kind::comparison, "comparison_direction"},
    Field{1, Kind::integer, "compare_type"},
};
constexpr std::array stablehlo_dynamic_slice_fields = {
    Field{0, Kind::longs, "slice_sizes"},
};
constexpr std::array stablehlo_pad_fields = {
    Field{0, Kind::longs, "edge_padding_low"},
    Field{1, Kind::longs, "edge_padding_high"},
    Field{2, Kind::longs, "interior_padding"},
};
constexpr std::array stablehlo_iota_fields = {
    Field{0, Kind::long_integer, "iota_dimension"},
};
constexpr std::array stablehlo_dot_general_fields = {
    Field{0, Kind::longs, "lhs_batching_dimensions"},
    Field{1, Kind::longs, "rhs_batching_dimensions"},
    Field{2, Kind::longs, "lhs_contracting_dimensions"},
    Field{3, Kind::longs, "rhs_contracting_dimensions"},
};
constexpr std::array stablehlo_while_fields = {
    Field{0, Kind::integer, "cond_subgraph_index"},
    Field{1, Kind::integer, "body_subgraph_index"},
};
constexpr std::array stablehlo_gather_fields = {
    Field{0, Kind::longs, "offset_dims"},     Field{1, Kind::longs, "collapsed_slice_dims"},
    Field{2, Kind::longs, "start_index_map"}, Field{3, Kind::long_integer, "index_vector_dim"},
    Field{4, Kind::longs, "slice_sizes"},
};
constexpr std::array stablehlo_transpose_fields = {
    Field{0, Kind::longs, "permutation"},
};
constexpr std::array stablehlo_composite_fields = {
    Field{0, Kind::text, "name"},
    Field{1, Kind::integer, "decomposition_subgraph_index"},
    Field{2, Kind::bytes, "composite_attributes"},
};

constexpr std::array all_options = {
    Options{"CONV_2D", 1, conv_2d_fields},
    Options{"DEPTHWISE_CONV_2D", 2, depthwise_conv_2d_fields},
    Options{"AVERAGE_POOL_2D", 5, average_pool_2d_fields},
    Options{"MAX_POOL_2D", 5, average_pool_2d_fields},
    Options{"L2_POOL_2D", 5, average_pool_2d_fields},
    Options{"SVDF", 6, svdf_fields},
    Options{"RNN", 7, rnn_fields},
    Options{"FULLY_CONNECTED", 8, fully_connected_fields},
    Options{"SOFTMAX", 9, softmax_fields},
    Options{"CONCATENATION", 10, concatenation_fields},
    Options{"ADD", 11, add_fields},
    Options{"L2_NORMALIZATION", 12, l2_normalization_fields},
    Options{"LOCAL_RESPONSE_NORMALIZATION", 13, local_response_normalization_fields},
    Options{"LSTM", 14, lstm_fields},
    Options{"RESIZE_BILINEAR", 15, resize_bilinear_fields},
    Options{"RESHAPE", 17, reshape_fields},
    Options{"SPACE_TO_DEPTH", 19, space_to_depth_fields},
    Options{"EMBEDDING_LOOKUP_SPARSE", 20, embedding_lookup_sparse_fields},
    Options{"MUL", 21, mul_fields},
    Options{"GATHER", 23, gather_fields},
    Options{"MEAN", 27, mean_fields},
    Options{"SUM", 27, mean_fields},
    Options{"REDUCE_PROD", 27, mean_fields},
    Options{"REDUCE_MAX", 27, mean_fields},
    Options{"REDUCE_MIN", 27, mean_fields},
    Options{"REDUCE_ANY", 27, mean_fields},
    Options{"REDUCE_ALL", 27, mean_fields},
    Options{"SUB", 28, sub_fields},
    Options{"DIV", 29, div_fields},
    Options{"SQUEEZE", 30, squeeze_fields},
    Options{"UNIDIRECTIONAL_SEQUENCE_RNN", 31, unidirectional_sequence_rnn_fields},
    Options{"STRIDED_SLICE", 32, strided_slice_fields},
    Options{"SPLIT", 35, split_fields},
    Options{"CAST", 37, cast_fields},
    Options{"ARG_MAX", 40, arg_max_fields},
    Options{"TRANSPOSE_CONV", 49, transpose_conv_fields},
    Options{"SPARSE_TO_DENSE", 50, sparse_to_dense_fields},
    Options{"SHAPE", 55, shape_fields},
    Options{"ARG_MIN", 57, arg_min_fields},
    Options{"FAKE_QUANT", 58, fake_quant_fields},
    Options{"PACK", 59, pack_fields},
    Options{"ONE_HOT", 61, one_hot_fields},
    Options{"UNPACK", 64, unpack_fields},
    Options{"BIDIRECTIONAL_SEQUENCE_LSTM", 69, bidirectional_sequence_lstm_fields},
    Options{"BIDIRECTIONAL_SEQUENCE_RNN", 70, bidirectional_sequence_rnn_fields},
    Options{"UNIDIRECTIONAL_SEQUENCE_LSTM", 71, unidirectional_sequence_lstm_fields},
    Options{"RESIZE_NEAREST_NEIGHBOR", 74, resize_nearest_neighbor_fields},
    Options{"LEAKY_RELU", 75, leaky_relu_fields},
    Options{"MIRROR_PAD", 77, mirror_pad_fields},
    Options{"SPLIT_V", 79, split_v_fields},
    Options{"UNIQUE", 80, unique_fields},
    Options{"REVERSE_SEQUENCE", 87, reverse_sequence_fields},
    Options{"IF", 92, if_fields},
    Options{"WHILE", 93, while_fields},
    Options{"DEPTH_TO_SPACE", 94, depth_to_space_fields},
    Options{"BATCH_MATMUL", 101, batch_matmul_fields},
    Options{"CUMSUM", 102, cumsum_fields},
    Options{"CALL_ONCE", 103, call_once_fields},
    Options{"CONV_3D", 106, conv_3d_fields},
    Options{"CONV_3D_TRANSPOSE", 106, conv_3d_fields},
    Options{"VAR_HANDLE", 111, var_handle_fields},
    Options{"RANDOM_STANDARD_NORMAL", 114, random_standard_normal_fields},
    Options{"RANDOM_UNIFORM", 114, random_standard_normal_fields},
    Options{"MULTINOMIAL", 114, random_standard_normal_fields},
    Options{"BUCKETIZE", 115, bucketize_fields},
    Options{"GELU", 116, gelu_fields},
    Options{"STABLEHLO_CONCATENATE", 1, stablehlo_concatenate_fields, true},
    Options{"STABLEHLO_BROADCAST_IN_DIM", 2, stablehlo_broadcast_in_dim_fields, true},
    Options{"STABLEHLO_SLICE", 3, stablehlo_slice_fields, true},
    Options{"STABLEHLO_CONVOLUTION", 4, stablehlo_convolution_fields, true},
    Options{"STABLEHLO_REDUCE", 6, stablehlo_reduce_fields, true},
    Options{"STABLEHLO_SCATTER", 7, stablehlo_scatter_fields, true},
    Options{"STABLEHLO_COMPARE", 8, stablehlo_compare_fields, true},
    Options{"STABLEHLO_DYNAMIC_SLICE", 9, stablehlo_dynamic_slice_fields, true},
    Options{"STABLEHLO_PAD", 10, stablehlo_pad_fields, true},
    Options{"STABLEHLO_IOTA", 11, stablehlo_iota_fields, true},
    Options{"STABLEHLO_DOT_GENERAL", 12, stablehlo_dot_general_fields, true},
    Options{"STABLEHLO_REDUCE_WINDOW", 13, stablehlo_reduce_window_fields, true},
    Options{"STABLEHLO_SORT", 14, stablehlo_sort_fields, true},
    Options{"STABLEHLO_WHILE", 15, stablehlo_while_fields, true},
    Options{"STABLEHLO_GATHER", 16, stablehlo_gather_fields, true},
    Options{"STABLEHLO_TRANSPOSE", 17, stablehlo_transpose_fields, true},
    Options{"REDUCE_WINDOW", 20, reduce_window_fields, true},
    Options{"STABLEHLO_COMPOSITE", 21, stablehlo_composite_fields, true},
    Options{"STABLEHLO_CASE", 23, stablehlo_case_fields, true},
};

constexpr std::array<std::string_view, 2> paddings = {"SAME", "VALID"};
constexpr std::array<std::string_view, 6> activations = {"NONE",  "RELU", "RELU_N1_TO_1",
                                                         "RELU6", "TANH", "SIGN_BIT"};
constexpr std::array<std::string_view, 2> modes = {"REFLECT", "SYMMETRIC"};
constexpr std::array<std::string_view, 2> weights_formats = {"DEFAULT", "SHUFFLED4x16INT8"};
constexpr std::array<std::string_view, 2> lstm_kernels = {"FULL", "BASIC"};
constexpr std::array<std::string_view, 3> combiners = {"SUM", "MEAN", "SQRTN"};
constexpr std::array<std::string_view, 6> comparisons = {"EQ", "NE", "GE", "GT", "LE", "LT"};
constexpr std::array<std::string_view, 7> reduction_names = {"UNSUPPORTED", "ADD", "MUL", "MINIMUM",
                                                             "MAXIMUM",     "ALL", "ANY"};

std::span<const std::string_view> values_of(Kind kind) {
  switch (kind) {
    case Kind::padding:
      return paddings;
    case Kind::activation:
      return activations;
    case Kind::mode:
      return modes;
    case Kind::weights_format:
      return weights_formats;
    case Kind::lstm_kernel:
      return lstm_kernels;
    case Kind::combiner:
      return combiners;
    case Kind::comparison:
      return comparisons;
    case Kind::reduction:
      return reduction_names;
    default:
      return {};
  }
}

}  // namespace

std::string_view operator_name(int64_t code) {
  return code < 0 || code >= static_cast<int64_t>(name_count) ? std::string_view{}
                                                              : names[static_cast<size_t>(code)];
}

const Options* options_of(std::string_view op) {
  const auto found =
      std::find_if(all_options.begin(), all_options.end(), [&](const Options& o) { return o.op == op; });
  return found == all_options.end() ? nullptr : &*found;
}

std::string_view enumerated(Kind kind, int64_t number) {
  const auto values = values_of(kind);
  return number < 0 || number >= static_cast<int64_t>(values.size()) ? std::string_view{}
                                                                     : values[static_cast<size_t>(number)];
}

}  // namespace mo::tflite

// The layers of Caffe and of its widely used forks (SSD, Faster R-CNN, R-FCN, SegNet, PSPNet, DeepLab,
// FlowNet, YOLO). Numbers are those of Caffe's own files; forks disagree about theirs, and text forms do not
// need them. A field that forks spell in two ways has both.
#include "loader/schema.hpp"

namespace mo::caffe {

static constexpr std::string_view net_text = R"(
package caffe;
message BlobShape { repeated int64 dim = 1; }
message BlobProto {
  optional int32 num = 1; optional int32 channels = 2; optional int32 height = 3; optional int32 width = 4;
  repeated float data = 5; repeated float diff = 6; optional BlobShape shape = 7;
  repeated double double_data = 8; repeated double double_diff = 9;
}
enum Phase { TRAIN = 0; TEST = 1; }
message NetState { optional Phase phase = 1; optional int32 level = 2; repeated string stage = 3; }
message NetStateRule {
  optional Phase phase = 1; optional int32 min_level = 2; optional int32 max_level = 3;
  repeated string stage = 4; repeated string not_stage = 5;
}
message ParamSpec {
  enum DimCheckMode { STRICT = 0; PERMISSIVE = 1; }
  optional string name = 1; optional DimCheckMode share_mode = 2;
  optional float lr_mult = 3 [default = 1.0]; optional float decay_mult = 4 [default = 1.0];
}
message NetParameter {
  optional string name = 1; repeated V1LayerParameter layers = 2; repeated string input = 3;
  repeated int32 input_dim = 4; optional bool force_backward = 5; optional NetState state = 6;
  optional bool debug_info = 7; repeated BlobShape input_shape = 8; repeated LayerParameter layer = 100;
}
message FillerParameter {
  enum VarianceNorm { FAN_IN = 0; FAN_OUT = 1; AVERAGE = 2; }
  optional string type = 1 [default = "constant"]; optional float value = 2; optional float min = 3;
  optional float max = 4 [default = 1]; optional float mean = 5; optional float std = 6 [default = 1];
  optional int32 sparse = 7 [default = -1]; optional VarianceNorm variance_norm = 8;
}
message LayerParameter {
  optional string name = 1; optional string type = 2; repeated string bottom = 3; repeated string top = 4;
  repeated float loss_weight = 5; repeated ParamSpec param = 6; repeated BlobProto blobs = 7;
  repeated NetStateRule include = 8; repeated NetStateRule exclude = 9; optional Phase phase = 10;
  repeated bool propagate_down = 11;
  optional TransformationParameter transform_param = 100; optional LossParameter loss_param = 101;
  optional AccuracyParameter accuracy_param = 102; optional ArgMaxParameter argmax_param = 103;
  optional ConcatParameter concat_param = 104; optional ContrastiveLossParameter contrastive_loss_param = 105;
  optional ConvolutionParameter convolution_param = 106; optional DataParameter data_param = 107;
  optional DropoutParameter dropout_param = 108; optional DummyDataParameter dummy_data_param = 109;
  optional EltwiseParameter eltwise_param = 110; optional ExpParameter exp_param = 111;
  optional HDF5DataParameter hdf5_data_param = 112; optional HDF5OutputParameter hdf5_output_param = 113;
  optional HingeLossParameter hinge_loss_param = 114; optional ImageDataParameter image_data_param = 115;
  optional InfogainLossParameter infogain_loss_param = 116;
  optional InnerProductParameter inner_product_param = 117; optional LRNParameter lrn_param = 118;
  optional MemoryDataParameter memory_data_param = 119; optional MVNParameter mvn_param = 120;
  optional PoolingParameter pooling_param = 121; optional PowerParameter power_param = 122;
  optional ReLUParameter relu_param = 123; optional SigmoidParameter sigmoid_param = 124;
  optional SoftmaxParameter softmax_param = 125; optional SliceParameter slice_param = 126;
  optional TanHParameter tanh_param = 127; optional ThresholdParameter threshold_param = 128;
  optional WindowDataParameter window_data_param = 129; optional PythonParameter python_param = 130;
  optional PReLUParameter prelu_param = 131; optional SPPParameter spp_param = 132;
  optional ReshapeParameter reshape_param = 133; optional LogParameter log_param = 134;
  optional FlattenParameter flatten_param = 135; optional ReductionParameter reduction_param = 136;
  optional EmbedParameter embed_param = 137; optional TileParameter tile_param = 138;
  optional BatchNormParameter batch_norm_param = 139; optional ELUParameter elu_param = 140;
  optional BiasParameter bias_param = 141; optional ScaleParameter scale_param = 142;
  optional InputParameter input_param = 143; optional CropParameter crop_param = 144;
  optional ParameterParameter parameter_param = 145; optional RecurrentParameter recurrent_param = 146;
  optional SwishParameter swish_param = 147; optional ClipParameter clip_param = 148;
  optional BNParameter bn_param = 1001; optional PermuteParameter permute_param = 202;
  optional PriorBoxParameter prior_box_param = 203; optional DetectionOutputParameter detection_output_param = 204;
  optional NormalizeParameter norm_param = 206; optional AnnotatedDataParameter annotated_data_param = 200;
  optional ProposalParameter proposal_param = 201; optional ROIPoolingParameter roi_pooling_param = 8266711;
  optional PSROIPoolingParameter psroi_pooling_param = 8266712; optional InterpParameter interp_param = 8266713;
  optional UpsampleParameter upsample_param = 8266714; optional RegionYoloParameter region_yolo_param = 8266715;
  optional RegionYoloParameter region_param = 8266716; optional ReorgYoloParameter reorg_yolo_param = 8266717;
  optional ReorgYoloParameter reorg_param = 8266718;
  optional ShuffleChannelParameter shuffle_channel_param = 8266719; optional ResampleParameter resample_param = 8266720;
  optional CTCDecoderParameter ctc_decoder_param = 8266721; optional GRNParameter grn_param = 8266722;
  optional ReLU6Parameter relu6_param = 8266723; optional CorrelationParameter correlation_param = 8266724;
  optional AccumParameter accum_param = 8266725; optional SimplerNMSParameter simpler_nms_param = 8266726;
  optional SpatialTransformerParameter st_param = 8266727; optional PowerFileParameter power_file_param = 8266728;
  optional PriorBoxClusteredParameter prior_box_clustered_param = 8266729;
  optional AugmentationParameter augmentation_param = 8266730;
}
)";

static constexpr std::string_view layers_text = R"(
message TransformationParameter {
  optional float scale = 1 [default = 1]; optional bool mirror = 2; optional uint32 crop_size = 3;
  optional string mean_file = 4; repeated float mean_value = 5; optional bool force_color = 6;
  optional bool force_gray = 7;
}
message LossParameter {
  enum NormalizationMode { FULL = 0; VALID = 1; BATCH_SIZE = 2; NONE = 3; }
  optional int32 ignore_label = 1; optional bool normalize = 2; optional NormalizationMode normalization = 3;
}
message AccuracyParameter { optional uint32 top_k = 1 [default = 1]; optional int32 axis = 2 [default = 1]; optional int32 ignore_label = 3; }
message ArgMaxParameter { optional bool out_max_val = 1; optional uint32 top_k = 2 [default = 1]; optional int32 axis = 3; }
message ClipParameter { optional float min = 1; optional float max = 2; }
message ConcatParameter { optional uint32 concat_dim = 1 [default = 1]; optional int32 axis = 2 [default = 1]; }
message BatchNormParameter { optional bool use_global_stats = 1; optional float moving_average_fraction = 2 [default = .999]; optional float eps = 3 [default = 1e-5]; optional string bn_mode = 100; optional FillerParameter scale_filler = 101; optional FillerParameter bias_filler = 102; }
message BNParameter {
  enum BNMode { LEARN = 0; INFERENCE = 1; }
  optional FillerParameter slope_filler = 1; optional FillerParameter bias_filler = 2;
  optional FillerParameter scale_filler = 102; optional FillerParameter shift_filler = 103;
  optional float momentum = 3; optional float eps = 4 [default = 1e-5]; optional bool frozen = 5;
  optional float var_eps = 104; optional BNMode bn_mode = 105; optional string engine = 6; optional float std_mem = 7;
}
message BiasParameter { optional int32 axis = 1 [default = 1]; optional int32 num_axes = 2 [default = 1]; optional FillerParameter filler = 3; }
message ContrastiveLossParameter { optional float margin = 1 [default = 1]; optional bool legacy_version = 2; }
message ConvolutionParameter {
  enum Engine { DEFAULT = 0; CAFFE = 1; CUDNN = 2; }
  optional uint32 num_output = 1; optional bool bias_term = 2 [default = true]; repeated uint32 pad = 3;
  repeated uint32 kernel_size = 4; optional uint32 group = 5 [default = 1]; repeated uint32 stride = 6;
  optional FillerParameter weight_filler = 7; optional FillerParameter bias_filler = 8;
  optional uint32 pad_h = 9; optional uint32 pad_w = 10; optional uint32 kernel_h = 11; optional uint32 kernel_w = 12;
  optional uint32 stride_h = 13; optional uint32 stride_w = 14; optional Engine engine = 15;
  optional int32 axis = 16 [default = 1]; optional bool force_nd_im2col = 17; repeated uint32 dilation = 18;
}
message CropParameter { optional int32 axis = 1 [default = 2]; repeated uint32 offset = 2; repeated uint32 dim = 3; }
message DataParameter {
  enum DB { LEVELDB = 0; LMDB = 1; }
  optional string source = 1; optional float scale = 2 [default = 1]; optional string mean_file = 3;
  optional uint32 batch_size = 4; optional uint32 crop_size = 5; optional bool mirror = 6;
  optional uint32 rand_skip = 7; optional DB backend = 8; optional bool force_encoded_color = 9; optional uint32 prefetch = 10;
}
message DropoutParameter { optional float dropout_ratio = 1 [default = 0.5]; optional bool scale_train = 2; }
message DummyDataParameter {
  repeated FillerParameter data_filler = 1; repeated uint32 num = 2; repeated uint32 channels = 3;
  repeated uint32 height = 4; repeated uint32 width = 5; repeated BlobShape shape = 6;
}
message EltwiseParameter {
  enum EltwiseOp { PROD = 0; SUM = 1; MAX = 2; }
  optional EltwiseOp operation = 1 [default = SUM]; repeated float coeff = 2; optional bool stable_prod_grad = 3;
}
message ELUParameter { optional float alpha = 1 [default = 1]; }
message EmbedParameter { optional uint32 num_output = 1; optional uint32 input_dim = 2; optional bool bias_term = 3 [default = true]; optional FillerParameter weight_filler = 4; optional FillerParameter bias_filler = 5; }
message ExpParameter { optional float base = 1 [default = -1.0]; optional float scale = 2 [default = 1.0]; optional float shift = 3; }
message FlattenParameter { optional int32 axis = 1 [default = 1]; optional int32 end_axis = 2 [default = -1]; }
message HDF5DataParameter { optional string source = 1; optional uint32 batch_size = 2; optional bool shuffle = 3; }
message HDF5OutputParameter { optional string file_name = 1; }
message HingeLossParameter { enum Norm { L1 = 1; L2 = 2; } optional Norm norm = 1; }
message ImageDataParameter {
  optional string source = 1; optional float scale = 2 [default = 1]; optional string mean_file = 3;
  optional uint32 batch_size = 4 [default = 1]; optional uint32 crop_size = 5; optional bool mirror = 6;
  optional uint32 rand_skip = 7; optional bool shuffle = 8; optional uint32 new_height = 9; optional uint32 new_width = 10;
  optional bool is_color = 11 [default = true]; optional string root_folder = 12;
}
message InfogainLossParameter { optional string source = 1; optional int32 axis = 2 [default = 1]; }
message InnerProductParameter {
  optional uint32 num_output = 1; optional bool bias_term = 2 [default = true]; optional FillerParameter weight_filler = 3;
  optional FillerParameter bias_filler = 4; optional int32 axis = 5 [default = 1]; optional bool transpose = 6;
}
message InputParameter { repeated BlobShape shape = 1; }
message LogParameter { optional float base = 1 [default = -1.0]; optional float scale = 2 [default = 1.0]; optional float shift = 3; }
message LRNParameter {
  enum NormRegion { ACROSS_CHANNELS = 0; WITHIN_CHANNEL = 1; }
  enum Engine { DEFAULT = 0; CAFFE = 1; CUDNN = 2; }
  optional uint32 local_size = 1 [default = 5]; optional float alpha = 2 [default = 1]; optional float beta = 3 [default = 0.75];
  optional NormRegion norm_region = 4; optional float k = 5 [default = 1]; optional Engine engine = 6;
}
message MemoryDataParameter { optional uint32 batch_size = 1; optional uint32 channels = 2; optional uint32 height = 3; optional uint32 width = 4; }
message MVNParameter { optional bool normalize_variance = 1 [default = true]; optional bool across_channels = 2; optional float eps = 3 [default = 1e-9]; }
message ParameterParameter { optional BlobShape shape = 1; }
message PoolingParameter {
  enum PoolMethod { MAX = 0; AVE = 1; STOCHASTIC = 2; }
  enum Engine { DEFAULT = 0; CAFFE = 1; CUDNN = 2; }
  enum RoundMode { CEIL = 0; FLOOR = 1; }
  optional PoolMethod pool = 1; optional uint32 kernel_size = 2; optional uint32 stride = 3 [default = 1];
  optional uint32 pad = 4; optional uint32 kernel_h = 5; optional uint32 kernel_w = 6; optional uint32 stride_h = 7;
  optional uint32 stride_w = 8; optional uint32 pad_h = 9; optional uint32 pad_w = 10; optional Engine engine = 11;
  optional bool global_pooling = 12; optional RoundMode round_mode = 13; optional bool ceil_mode = 1000 [default = true];
  optional bool torch_pooling = 1001;
}
message PowerParameter { optional float power = 1 [default = 1.0]; optional float scale = 2 [default = 1.0]; optional float shift = 3; }
message PythonParameter { optional string module = 1; optional string layer = 2; optional string param_str = 3; optional bool share_in_parallel = 4; }
message RecurrentParameter { optional uint32 num_output = 1; optional FillerParameter weight_filler = 2; optional FillerParameter bias_filler = 3; optional bool debug_info = 4; optional bool expose_hidden = 5; }
message ReductionParameter { enum ReductionOp { SUM = 1; ASUM = 2; SUMSQ = 3; MEAN = 4; } optional ReductionOp operation = 1 [default = SUM]; optional int32 axis = 2; optional float coeff = 3 [default = 1.0]; }
message ReLUParameter { enum Engine { DEFAULT = 0; CAFFE = 1; CUDNN = 2; } optional float negative_slope = 1; optional Engine engine = 2; }
message ReshapeParameter { optional BlobShape shape = 1; optional int32 axis = 2; optional int32 num_axes = 3 [default = -1]; }
message ScaleParameter { optional int32 axis = 1 [default = 1]; optional int32 num_axes = 2 [default = 1]; optional FillerParameter filler = 3; optional bool bias_term = 4; optional FillerParameter bias_filler = 5; }
message SigmoidParameter { enum Engine { DEFAULT = 0; CAFFE = 1; CUDNN = 2; } optional Engine engine = 1; }
message SliceParameter { optional uint32 slice_dim = 1 [default = 1]; repeated uint32 slice_point = 2; optional int32 axis = 3 [default = 1]; }
message SoftmaxParameter { enum Engine { DEFAULT = 0; CAFFE = 1; CUDNN = 2; } optional Engine engine = 1; optional int32 axis = 2 [default = 1]; }
message SwishParameter { optional float beta = 1 [default = 1]; }
message TanHParameter { enum Engine { DEFAULT = 0; CAFFE = 1; CUDNN = 2; } optional Engine engine = 1; }
message TileParameter { optional int32 axis = 1 [default = 1]; optional int32 tiles = 2; }
message ThresholdParameter { optional float threshold = 1; }
message WindowDataParameter {
  optional string source = 1; optional float scale = 2 [default = 1]; optional string mean_file = 3; optional uint32 batch_size = 4;
  optional uint32 crop_size = 5; optional bool mirror = 6; optional float fg_threshold = 7; optional float bg_threshold = 8;
  optional float fg_fraction = 9; optional uint32 context_pad = 10; optional string crop_mode = 11; optional bool cache_images = 12;
  optional string root_folder = 13;
}
message SPPParameter { enum PoolMethod { MAX = 0; AVE = 1; STOCHASTIC = 2; } enum Engine { DEFAULT = 0; CAFFE = 1; CUDNN = 2; } optional uint32 pyramid_height = 1; optional PoolMethod pool = 2; optional Engine engine = 6; }
message PReLUParameter { optional FillerParameter filler = 1; optional bool channel_shared = 2; }
)";

static constexpr std::string_view forks_text = R"(
message PermuteParameter { repeated uint32 order = 1; }
message NormalizeParameter { optional bool across_spatial = 1 [default = true]; optional FillerParameter scale_filler = 2; optional bool channel_shared = 3 [default = true]; optional float eps = 4 [default = 1e-10]; }
message PriorBoxParameter {
  enum CodeType { CORNER = 1; CENTER_SIZE = 2; CORNER_SIZE = 3; }
  repeated float min_size = 1; repeated float max_size = 2; repeated float aspect_ratio = 3; optional bool flip = 4 [default = true];
  optional bool clip = 5; repeated float variance = 6; optional uint32 img_size = 7; optional uint32 img_h = 8; optional uint32 img_w = 9;
  optional float step = 10; optional float step_h = 11; optional float step_w = 12; optional float offset = 13 [default = 0.5];
  repeated float width = 14; repeated float height = 15; repeated float fixed_size = 16; repeated float fixed_ratio = 17; repeated float density = 18;
}
message PriorBoxClusteredParameter {
  repeated float width = 1; repeated float height = 2; optional bool clip = 3; repeated float variance = 4; optional uint32 img_size = 5;
  optional uint32 img_h = 6; optional uint32 img_w = 7; optional float step = 8; optional float step_h = 9; optional float step_w = 10;
  optional float offset = 11 [default = 0.5];
}
message NonMaximumSuppressionParameter { optional float nms_threshold = 1 [default = 0.3]; optional int32 top_k = 2; optional float eta = 3 [default = 1.0]; }
message SaveOutputParameter {
  optional string output_directory = 1; optional string output_name_prefix = 2; optional string output_format = 3;
  optional string label_map_file = 4; optional string name_size_file = 5; optional uint32 num_test_image = 6; optional ResizeParameter resize_param = 7;
}
message ResizeParameter {
  enum Resize_mode { WARP = 1; FIT_SMALL_SIZE = 2; FIT_LARGE_SIZE_AND_PAD = 3; }
  enum Pad_mode { CONSTANT = 1; MIRRORED = 2; REPEAT_NEAREST = 3; }
  enum Interp_mode { LINEAR = 1; AREA = 2; NEAREST = 3; CUBIC = 4; LANCZOS4 = 5; }
  optional float prob = 1 [default = 1]; optional Resize_mode resize_mode = 2; optional uint32 height = 3; optional uint32 width = 4;
  optional uint32 height_scale = 8; optional uint32 width_scale = 9; optional Pad_mode pad_mode = 5; repeated float pad_value = 6; repeated Interp_mode interp_mode = 7;
}
message DetectionOutputParameter {
  optional uint32 num_classes = 1; optional bool share_location = 2 [default = true]; optional int32 background_label_id = 3;
  optional NonMaximumSuppressionParameter nms_param = 4; optional SaveOutputParameter save_output_param = 5;
  optional PriorBoxParameter.CodeType code_type = 6 [default = CORNER]; optional bool variance_encoded_in_target = 8;
  optional int32 keep_top_k = 7 [default = -1]; optional float confidence_threshold = 9; optional bool visualize = 10;
  optional float visualize_threshold = 11; optional string save_file = 12; optional int32 input_width = 13; optional int32 input_height = 14;
  optional bool normalized = 15 [default = true]; optional float objectness_score = 16; optional bool clip_before_nms = 17; optional bool clip_after_nms = 18;
}
message AnnotatedDataParameter { optional string label_map_file = 3; optional int32 anno_type = 2; }
message ProposalParameter {
  optional uint32 feat_stride = 1 [default = 16]; optional uint32 base_size = 2 [default = 16]; optional uint32 min_size = 3 [default = 16];
  repeated float ratio = 4; repeated float scale = 5; optional uint32 pre_nms_topn = 6 [default = 6000]; optional uint32 post_nms_topn = 7 [default = 300];
  optional float nms_thresh = 8 [default = 0.7];
}
message ROIPoolingParameter { optional uint32 pooled_h = 1; optional uint32 pooled_w = 2; optional float spatial_scale = 3 [default = 1]; }
message PSROIPoolingParameter { optional float spatial_scale = 1; optional int32 output_dim = 2; optional int32 group_size = 3; }
message InterpParameter { optional int32 height = 1; optional int32 width = 2; optional int32 zoom_factor = 3 [default = 1]; optional int32 shrink_factor = 4 [default = 1]; optional int32 pad_beg = 5; optional int32 pad_end = 6; }
message UpsampleParameter { optional uint32 scale = 1 [default = 2]; optional uint32 scale_h = 2; optional uint32 scale_w = 3; optional bool pad_out_h = 4; optional bool pad_out_w = 5; optional uint32 upsample_h = 6; optional uint32 upsample_w = 7; }
message RegionYoloParameter { optional int32 coords = 1 [default = 4]; optional int32 classes = 2 [default = 20]; optional int32 num = 3 [default = 1]; optional bool do_softmax = 4 [default = true]; repeated float anchors = 5; repeated int32 mask = 6; }
message ReorgYoloParameter { optional uint32 stride = 1 [default = 1]; optional bool reverse = 2; }
message ShuffleChannelParameter { optional uint32 group = 1 [default = 1]; }
message ResampleParameter {
  enum ResampleType { NEAREST = 1; LINEAR = 2; CUBIC = 3; AREA = 4; }
  optional bool antialias = 4 [default = true]; optional uint32 width = 1; optional uint32 height = 2; optional ResampleType type = 3 [default = LINEAR]; optional float factor = 5 [default = 1];
}
message CTCDecoderParameter { optional bool ctc_merge_repeated = 1 [default = true]; optional int32 blank_index = 2; }
message GRNParameter { optional float bias = 1 [default = 1]; }
message ReLU6Parameter { optional float n = 1 [default = 6]; }
message CorrelationParameter {
  enum CorrelationType { MULTIPLY = 0; SUBTRACT = 1; }
  optional uint32 pad = 2; optional uint32 kernel_size = 3; optional uint32 max_displacement = 4; optional uint32 stride_1 = 5 [default = 1];
  optional uint32 stride_2 = 6 [default = 1]; optional uint32 single_direction = 8; optional bool do_abs = 7; optional CorrelationType correlation_type = 15;
}
message AccumParameter { optional uint32 top_height = 1; optional uint32 top_width = 2; optional uint32 size_divisible_by = 3; optional bool have_reference = 4; }
message SimplerNMSParameter { optional float cls_threshold = 1 [default = 0.5]; optional int32 max_num_proposals = 2 [default = 300]; optional float iou_threshold = 3 [default = 0.7]; optional int32 min_bbox_size = 4 [default = 16]; optional int32 feat_stride = 5 [default = 16]; optional int32 pre_nms_topn = 6 [default = 6000]; optional int32 post_nms_topn = 7 [default = 150]; repeated float scale = 8; }
message SpatialTransformerParameter { optional string transform_type = 1 [default = "affine"]; optional string sampler_type = 2 [default = "bilinear"]; optional int32 output_H = 3; optional int32 output_W = 4; optional bool to_compute_dU = 5; optional double theta_1_1 = 6; optional double theta_1_2 = 7; optional double theta_1_3 = 8; optional double theta_2_1 = 9; optional double theta_2_2 = 10; optional double theta_2_3 = 11; }
message PowerFileParameter { optional string shift_file = 1; optional float normalize_variance = 2; }
message AugmentationParameter { optional uint32 crop_width = 33; optional uint32 crop_height = 34; optional string write_augmented = 2; optional float max_multiplier = 3 [default = 255]; optional bool augment_during_test = 4; optional uint32 recompute_mean = 5; optional string write_mean = 6; optional bool mean_per_pixel = 18; repeated float mean = 7; optional string mode = 8; optional float bottomwidth = 80; optional float bottomheight = 81; optional uint32 num = 82; repeated float chromatic_eigvec = 83; }
)";

static constexpr std::string_view old_text = R"(
message V1LayerParameter {
  enum DimCheckMode { STRICT = 0; PERMISSIVE = 1; }
  enum LayerType {
    NONE = 0; ACCURACY = 1; BNLL = 2; CONCAT = 3; CONVOLUTION = 4; DATA = 5; DROPOUT = 6; EUCLIDEAN_LOSS = 7; FLATTEN = 8;
    HDF5_DATA = 9; HDF5_OUTPUT = 10; IM2COL = 11; IMAGE_DATA = 12; INFOGAIN_LOSS = 13; INNER_PRODUCT = 14; LRN = 15;
    MULTINOMIAL_LOGISTIC_LOSS = 16; POOLING = 17; RELU = 18; SIGMOID = 19; SOFTMAX = 20; SOFTMAX_LOSS = 21; SPLIT = 22; TANH = 23;
    WINDOW_DATA = 24; ELTWISE = 25; POWER = 26; SIGMOID_CROSS_ENTROPY_LOSS = 27; HINGE_LOSS = 28; MEMORY_DATA = 29; ARGMAX = 30;
    THRESHOLD = 31; DUMMY_DATA = 32; SLICE = 33; MVN = 34; ABSVAL = 35; SILENCE = 36; CONTRASTIVE_LOSS = 37; EXP = 38; DECONVOLUTION = 39;
  }
  optional V0LayerParameter layer = 1; repeated string bottom = 2; repeated string top = 3; optional string name = 4; optional LayerType type = 5;
  repeated BlobProto blobs = 6; repeated float blobs_lr = 7; repeated float weight_decay = 8; optional ConcatParameter concat_param = 9;
  optional ConvolutionParameter convolution_param = 10; optional DataParameter data_param = 11; optional DropoutParameter dropout_param = 12;
  optional HDF5DataParameter hdf5_data_param = 13; optional HDF5OutputParameter hdf5_output_param = 14; optional ImageDataParameter image_data_param = 15;
  optional InfogainLossParameter infogain_loss_param = 16; optional InnerProductParameter inner_product_param = 17; optional LRNParameter lrn_param = 18;
  optional PoolingParameter pooling_param = 19; optional WindowDataParameter window_data_param = 20; optional PowerParameter power_param = 21;
  optional MemoryDataParameter memory_data_param = 22; optional ArgMaxParameter argmax_param = 23; optional EltwiseParameter eltwise_param = 24;
  optional ThresholdParameter threshold_param = 25; optional DummyDataParameter dummy_data_param = 26; optional AccuracyParameter accuracy_param = 27;
  optional HingeLossParameter hinge_loss_param = 29; optional ReLUParameter relu_param = 30; optional SliceParameter slice_param = 31;
  repeated NetStateRule include = 32; repeated NetStateRule exclude = 33; optional MVNParameter mvn_param = 34; repeated float loss_weight = 35;
  optional TransformationParameter transform_param = 36; optional TanHParameter tanh_param = 37; optional SigmoidParameter sigmoid_param = 38;
  optional SoftmaxParameter softmax_param = 39; optional ContrastiveLossParameter contrastive_loss_param = 40; optional ExpParameter exp_param = 41;
  optional LossParameter loss_param = 42; repeated string param = 1001; repeated DimCheckMode blob_share_mode = 1002;
}
message V0LayerParameter {
  enum PoolMethod { MAX = 0; AVE = 1; STOCHASTIC = 2; }
  optional string name = 1; optional string type = 2; optional uint32 num_output = 3; optional bool biasterm = 4;
  optional FillerParameter weight_filler = 5; optional FillerParameter bias_filler = 6; optional uint32 pad = 7; optional uint32 kernelsize = 8;
  optional uint32 group = 9; optional uint32 stride = 10; optional PoolMethod pool = 11; optional float dropout_ratio = 12;
  optional uint32 local_size = 13; optional float alpha = 14; optional float beta = 15; optional string source = 16; optional float scale = 17;
  optional string meanfile = 18; optional uint32 batchsize = 19; optional uint32 cropsize = 20; optional bool mirror = 21; optional float k = 22;
  repeated BlobProto blobs = 50; repeated float blobs_lr = 51; repeated float weight_decay = 52; optional uint32 rand_skip = 53;
  optional float det_fg_threshold = 54; optional float det_bg_threshold = 55; optional float det_fg_fraction = 56; optional uint32 det_context_pad = 58;
  optional string det_crop_mode = 59; optional int32 new_num = 60; optional int32 new_channels = 61; optional int32 new_height = 62;
  optional int32 new_width = 63; optional bool shuffle_images = 64; optional uint32 concat_dim = 65; optional HDF5OutputParameter hdf5_output_param = 1001;
}
)";

const Schema& builtin_schema() {
  static const Schema schema(text(net_text, layers_text, forks_text, old_text), "built-in schema",
                             [](std::string_view) { return std::nullopt; });
  return schema;
}

}  // namespace mo::caffe

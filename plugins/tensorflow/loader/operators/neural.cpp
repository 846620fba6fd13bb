// Operators of neural networks. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view neural_operators = R"(
ApproxTopK values:T,indices:INT32 reduction_dimension=-1 recall_target=0.95 is_max_k=true reduction_input_size_override=-1 aggregate_to_topk=true
AvgPool T data_format='NHWC'
AvgPool3D T data_format='NDHWC'
AvgPoolV2 T T=FLOAT data_format='NHWC'
BatchNormWithGlobalNormalization T
BiasAdd T data_format='NHWC'
BiasAddV1 T
BlockLSTM i:T,cs:T,f:T,o:T,ci:T,co:T,h:T forget_bias=1.0 cell_clip=3.0 use_peephole=false
BlockLSTMV2 i:T,cs:T,f:T,o:T,ci:T,co:T,h:T cell_clip=0.0 use_peephole=false
CTCBeamSearchDecoder decoded_indices:top_paths*INT64,decoded_values:top_paths*INT64,decoded_shape:top_paths*INT64,log_probability:T merge_repeated=true T=FLOAT
CTCGreedyDecoder decoded_indices:INT64,decoded_values:INT64,decoded_shape:INT64,log_probability:T merge_repeated=false blank_index=-1 T=FLOAT
CTCLoss loss:T,gradient:T preprocess_collapse_repeated=false ctc_merge_repeated=true ignore_longer_outputs_than_inputs=false T=FLOAT
CTCLossV2 loss:FLOAT,gradient:FLOAT preprocess_collapse_repeated=false ctc_merge_repeated=true ignore_longer_outputs_than_inputs=false
Conv T explicit_paddings=[] data_format='CHANNELS_LAST' dilations=[] batch_dims=1 groups=1
Conv2D T use_cudnn_on_gpu=true explicit_paddings=[] data_format='NHWC' dilations=[1,1,1,1]
Conv2DBackpropFilter T use_cudnn_on_gpu=true explicit_paddings=[] data_format='NHWC' dilations=[1,1,1,1]
Conv2DBackpropFilterV2 T use_cudnn_on_gpu=true explicit_paddings=[] data_format='NHWC' dilations=[1,1,1,1]
Conv2DBackpropInput T use_cudnn_on_gpu=true explicit_paddings=[] data_format='NHWC' dilations=[1,1,1,1]
Conv2DBackpropInputV2 T use_cudnn_on_gpu=true explicit_paddings=[] data_format='NHWC' dilations=[1,1,1,1]
Conv3D T data_format='NDHWC' dilations=[1,1,1,1,1]
Conv3DBackpropFilter T dilations=[1,1,1,1,1]
Conv3DBackpropFilterV2 T data_format='NDHWC' dilations=[1,1,1,1,1]
Conv3DBackpropInput T dilations=[1,1,1,1,1]
Conv3DBackpropInputV2 T data_format='NDHWC' dilations=[1,1,1,1,1] Tshape=INT32
CudnnRNN output:T,output_h:T,output_c:T,reserve_space:T rnn_mode='lstm' input_mode='linear_input' direction='unidirectional' dropout=0.0 seed=0 seed2=0 is_training=true
CudnnRNNCanonicalToParams T rnn_mode='lstm' input_mode='linear_input' direction='unidirectional' dropout=0.0 seed=0 seed2=0
CudnnRNNCanonicalToParamsV2 T rnn_mode='lstm' input_mode='linear_input' direction='unidirectional' dropout=0.0 seed=0 seed2=0 num_proj=0
CudnnRNNParamsSize S rnn_mode='lstm' input_mode='linear_input' direction='unidirectional' dropout=0.0 seed=0 seed2=0 num_proj=0
CudnnRNNParamsToCanonical weights:num_params*T,biases:num_params*T rnn_mode='lstm' input_mode='linear_input' direction='unidirectional' dropout=0.0 seed=0 seed2=0
CudnnRNNParamsToCanonicalV2 weights:num_params_weights*T,biases:num_params_biases*T rnn_mode='lstm' input_mode='linear_input' direction='unidirectional' dropout=0.0 seed=0 seed2=0 num_proj=0
CudnnRNNV2 output:T,output_h:T,output_c:T,reserve_space:T,host_reserved:INT8 rnn_mode='lstm' input_mode='linear_input' direction='unidirectional' dropout=0.0 seed=0 seed2=0 is_training=true
CudnnRNNV3 output:T,output_h:T,output_c:T,reserve_space:T,host_reserved:INT8 rnn_mode='lstm' input_mode='linear_input' direction='unidirectional' dropout=0.0 seed=0 seed2=0 num_proj=0 is_training=true time_major=true
DataFormatDimMap T T=INT32 src_format='NHWC' dst_format='NCHW'
DataFormatVecPermute T T=INT32 src_format='NHWC' dst_format='NCHW'
DepthwiseConv2dNative T explicit_paddings=[] data_format='NHWC' dilations=[1,1,1,1]
DepthwiseConv2dNativeBackpropFilter T explicit_paddings=[] data_format='NHWC' dilations=[1,1,1,1]
DepthwiseConv2dNativeBackpropInput T explicit_paddings=[] data_format='NHWC' dilations=[1,1,1,1]
Dilation2D T
Dilation2DBackpropFilter T
Dilation2DBackpropInput T
Elu T
FractionalAvgPool output:T,row_pooling_sequence:INT64,col_pooling_sequence:INT64 pseudo_random=false overlapping=false deterministic=false seed=0 seed2=0
FractionalMaxPool output:T,row_pooling_sequence:INT64,col_pooling_sequence:INT64 pseudo_random=false overlapping=false deterministic=false seed=0 seed2=0
FusedBatchNorm y:T,batch_mean:T,batch_variance:T,reserve_space_1:T,reserve_space_2:T epsilon=0.0001 exponential_avg_factor=1.0 data_format='NHWC' is_training=true
FusedBatchNormV2 y:T,batch_mean:U,batch_variance:U,reserve_space_1:U,reserve_space_2:U epsilon=0.0001 exponential_avg_factor=1.0 data_format='NHWC' is_training=true
FusedBatchNormV3 y:T,batch_mean:U,batch_variance:U,reserve_space_1:U,reserve_space_2:U,reserve_space_3:U epsilon=0.0001 exponential_avg_factor=1.0 data_format='NHWC' is_training=true
FusedPadConv2D T
FusedResizeAndPadConv2D T resize_align_corners=false
GRUBlockCell r:T,u:T,c:T,h:T
InTopK BOOL T=INT32
InTopKV2 BOOL T=INT32
IsotonicRegression output:output_dtype,segments:INT32 output_dtype=FLOAT
L2Loss T
LRN T depth_radius=5 bias=1.0 alpha=1.0 beta=0.5 T=FLOAT
LSTMBlockCell i:T,cs:T,f:T,o:T,ci:T,co:T,h:T forget_bias=1.0 cell_clip=3.0 use_peephole=false
LeakyRelu T alpha=0.2 T=FLOAT
LogSoftmax T
MaxPool T T=FLOAT explicit_paddings=[] data_format='NHWC'
MaxPool3D T data_format='NDHWC'
MaxPoolV2 T T=FLOAT data_format='NHWC'
MaxPoolWithArgmax output:T,argmax:Targmax Targmax=INT64 include_batch_in_index=false
Mish T
NthElement T reverse=false
QuantizedAvgPool output:T,min_output:FLOAT,max_output:FLOAT
QuantizedBatchNormWithGlobalNormalization result:out_type,result_min:FLOAT,result_max:FLOAT
QuantizedBiasAdd output:out_type,min_out:FLOAT,max_out:FLOAT
QuantizedConv2D output:out_type,min_output:FLOAT,max_output:FLOAT out_type=QINT32 dilations=[1,1,1,1]
QuantizedConv2DPerChannel output:out_type,min_output:FLOAT,max_output:FLOAT out_type=QINT32 dilations=[1,1,1,1]
QuantizedMaxPool output:T,min_output:FLOAT,max_output:FLOAT
QuantizedRelu activations:out_type,min_activations:FLOAT,max_activations:FLOAT out_type=QUINT8
QuantizedRelu6 activations:out_type,min_activations:FLOAT,max_activations:FLOAT out_type=QUINT8
QuantizedReluX activations:out_type,min_activations:FLOAT,max_activations:FLOAT out_type=QUINT8
Relu T
Relu6 T
Selu T
Softmax T
SoftmaxCrossEntropyWithLogits loss:T,backprop:T
Softplus T
Softsign T
SparseSoftmaxCrossEntropyWithLogits loss:T,backprop:T Tlabels=INT64
TopK values:T,indices:INT32 sorted=true
TopKV2 values:T,indices:index_type sorted=true Tk=INT32 index_type=INT32
swish_f32 FLOAT
)";

}  // namespace mo::tensorflow

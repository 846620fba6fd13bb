// Operators on shapes and positions of elements. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view array_operators = R"(
BatchMatrixBandPart T
BatchMatrixDiag T
BatchMatrixDiagPart T
BatchMatrixSetDiag T
BatchToSpace T Tidx=INT32
BatchToSpaceND T Tblock_shape=INT32 Tcrops=INT32
Bitcast type
BroadcastArgs T T=INT32
BroadcastGradientArgs r0:T,r1:T T=INT32
BroadcastTo T Tidx=INT32
CheckNumerics T
CheckNumericsV2 T
Concat T
ConcatOffset N*shape_type shape_type=INT32
ConcatV2 T Tidx=INT32
ConjugateTranspose T Tperm=INT32
Const dtype
DeepCopy T
DenseToDenseSetOperation result_indices:INT64,result_values:T,result_shape:INT64 validate_indices=true
DenseToSparseSetOperation result_indices:INT64,result_values:T,result_shape:INT64 validate_indices=true
DepthToSpace T data_format='NHWC'
Dequantize dtype mode='MIN_COMBINED' narrow_range=false axis=-1 dtype=FLOAT
Diag T
DiagPart T
EditDistance FLOAT normalize=true
Empty dtype init=false
EnsureShape T
ExpandDims T Tdim=INT32
ExtractImagePatches T
ExtractVolumePatches T
FakeQuantWithMinMaxArgs FLOAT min=-6.0 max=6.0 num_bits=8 narrow_range=false
FakeQuantWithMinMaxVars FLOAT num_bits=8 narrow_range=false
FakeQuantWithMinMaxVarsPerChannel FLOAT num_bits=8 narrow_range=false
Fill T index_type=INT32
Fingerprint UINT8
Gather Tparams validate_indices=true
GatherNd Tparams bad_indices_policy=''
GatherTree T
GatherV2 Tparams batch_dims=0
GuaranteeConst T
Identity T
IdentityN *T
ImmutableConst dtype
InplaceAdd T
InplaceSub T
InplaceUpdate T
InvertPermutation T T=INT32
ListDiff out:T,idx:out_idx out_idx=INT32
LowerBound out_type out_type=INT32
MatrixBandPart T Tindex=INT64
MatrixDiag T
MatrixDiagPart T
MatrixDiagPartV2 T
MatrixDiagPartV3 T align='RIGHT_LEFT'
MatrixDiagV2 T
MatrixDiagV3 T align='RIGHT_LEFT'
MatrixSetDiag T
MatrixSetDiagV2 T
MatrixSetDiagV3 T align='RIGHT_LEFT'
MirrorPad T Tpaddings=INT32
OneHot T axis=-1 TI=INT64
OnesLike T
Pack T axis=0
Pad T Tpaddings=INT32
PadV2 T Tpaddings=INT32
ParallelConcat T
Placeholder dtype shape=<?>
PlaceholderV2 dtype
PlaceholderWithDefault dtype
QuantizeAndDequantize T signed_input=true num_bits=8 range_given=false input_min=0.0 input_max=0.0
QuantizeAndDequantizeV2 T signed_input=true num_bits=8 range_given=false round_mode='HALF_TO_EVEN' narrow_range=false axis=-1
QuantizeAndDequantizeV3 T signed_input=true range_given=true narrow_range=false axis=-1
QuantizeAndDequantizeV4 T signed_input=true num_bits=8 range_given=false round_mode='HALF_TO_EVEN' narrow_range=false axis=-1
QuantizeV2 output:T,output_min:FLOAT,output_max:FLOAT mode='MIN_COMBINED' round_mode='HALF_AWAY_FROM_ZERO' narrow_range=false axis=-1 ensure_minimum_range=0.01
QuantizedConcat output:T,output_min:FLOAT,output_max:FLOAT
QuantizedInstanceNorm y:T,y_min:FLOAT,y_max:FLOAT output_range_given=false given_y_min=0.0 given_y_max=0.0 variance_epsilon=1e-05 min_separation=0.001
QuantizedReshape output:T,output_min:FLOAT,output_max:FLOAT Tshape=INT32
Rank INT32
Reshape T Tshape=INT32
ResourceStridedSliceAssign - begin_mask=0 end_mask=0 ellipsis_mask=0 new_axis_mask=0 shrink_axis_mask=0
Reverse T
ReverseSequence T batch_dim=0 Tlen=INT64
ReverseV2 T Tidx=INT32
Roll T
ScatterNd T bad_indices_policy=''
ScatterNdNonAliasingAdd T bad_indices_policy=''
SetSize INT32 validate_indices=true
Shape out_type out_type=INT32
ShapeN N*out_type out_type=INT32
Size out_type out_type=INT32
Slice T
Snapshot T
SpaceToBatch T Tpaddings=INT32
SpaceToBatchND T Tblock_shape=INT32 Tpaddings=INT32
SpaceToDepth T data_format='NHWC'
SparseToSparseSetOperation result_indices:INT64,result_values:T,result_shape:INT64 validate_indices=true
Split num_split*T
SplitV num_split*T Tlen=INT64
Squeeze T squeeze_dims=[]
StopGradient T
StridedSlice T begin_mask=0 end_mask=0 ellipsis_mask=0 new_axis_mask=0 shrink_axis_mask=0
StridedSliceAssign T begin_mask=0 end_mask=0 ellipsis_mask=0 new_axis_mask=0 shrink_axis_mask=0
TensorScatterAdd T bad_indices_policy=''
TensorScatterMax T bad_indices_policy=''
TensorScatterMin T bad_indices_policy=''
TensorScatterSub T bad_indices_policy=''
TensorScatterUpdate T bad_indices_policy=''
TensorStridedSliceUpdate T begin_mask=0 end_mask=0 ellipsis_mask=0 new_axis_mask=0 shrink_axis_mask=0
Tile T Tmultiples=INT32
Transpose T Tperm=INT32
Unique y:T,idx:out_idx out_idx=INT32
UniqueV2 y:T,idx:out_idx Taxis=INT64 out_idx=INT32
UniqueWithCounts y:T,idx:out_idx,count:out_idx out_idx=INT32
UniqueWithCountsV2 y:T,idx:out_idx,count:out_idx Taxis=INT64 out_idx=INT32
Unpack num*T axis=0
UnravelIndex Tidx Tidx=INT32
UpperBound out_type out_type=INT32
Where INT64 T=BOOL
XlaDynamicUpdateSlice T
ZerosLike T
)";

}  // namespace mo::tensorflow

// Operators on sparse and ragged tensors. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view sparse_operators = R"(
AddManySparseToTensorsMap INT64 shared_name=''
AddSparseToTensorsMap INT64 shared_name=''
DenseCountSparseOutput output_indices:INT64,output_values:output_type,output_dense_shape:INT64 minlength=-1 maxlength=-1
DeserializeManySparse sparse_indices:INT64,sparse_values:dtype,sparse_shape:INT64
DeserializeSparse sparse_indices:INT64,sparse_values:dtype,sparse_shape:INT64 Tserialized=STRING
RaggedCountSparseOutput output_indices:INT64,output_values:output_type,output_dense_shape:INT64 minlength=-1 maxlength=-1
RaggedCross output_values:out_values_type,output_row_splits:out_row_splits_type
RaggedFillEmptyRows output_value_rowids:INT64,output_values:T,empty_row_indicator:BOOL,reverse_index_map:INT64
RaggedGather output_nested_splits:OUTPUT_RAGGED_RANK*Tsplits,output_dense_values:Tvalues Tsplits=INT64
RaggedRange rt_nested_splits:Tsplits,rt_dense_values:T T=INT32 Tsplits=INT64
RaggedTensorFromVariant output_nested_splits:output_ragged_rank*Tsplits,output_dense_values:Tvalues Tsplits=INT64
RaggedTensorToSparse sparse_indices:INT64,sparse_values:T,sparse_dense_shape:INT64 Tsplits=INT64
RaggedTensorToTensor T
RaggedTensorToVariant VARIANT Tsplits=INT64
SerializeManySparse out_type out_type=STRING
SerializeSparse out_type out_type=STRING
SparseAdd sum_indices:INT64,sum_values:T,sum_shape:INT64
SparseConcat output_indices:INT64,output_values:T,output_shape:INT64
SparseCountSparseOutput output_indices:INT64,output_values:output_type,output_dense_shape:INT64 minlength=-1 maxlength=-1
SparseCross output_indices:INT64,output_values:out_type,output_shape:INT64
SparseCrossHashed output_indices:INT64,output_values:INT64,output_shape:INT64
SparseCrossV2 output_indices:INT64,output_values:STRING,output_shape:INT64
SparseDenseCwiseAdd T
SparseDenseCwiseDiv T
SparseDenseCwiseMul T
SparseFillEmptyRows output_indices:INT64,output_values:T,empty_row_indicator:BOOL,reverse_index_map:INT64
SparseReduceMax T keep_dims=false
SparseReduceMaxSparse output_indices:INT64,output_values:T,output_shape:INT64 keep_dims=false
SparseReduceSum T keep_dims=false
SparseReduceSumSparse output_indices:INT64,output_values:T,output_shape:INT64 keep_dims=false
SparseReorder output_indices:INT64,output_values:T
SparseReshape output_indices:INT64,output_shape:INT64
SparseSlice output_indices:INT64,output_values:T,output_shape:INT64
SparseSoftmax T
SparseSparseMaximum output_indices:INT64,output_values:T
SparseSparseMinimum output_indices:INT64,output_values:T
SparseSplit output_indices:num_split*INT64,output_values:num_split*T,output_shape:num_split*INT64
SparseTensorDenseAdd T
SparseTensorDenseMatMul T Tindices=INT64 adjoint_a=false adjoint_b=false
SparseToDense T validate_indices=true
TakeManySparseFromTensorsMap sparse_indices:INT64,sparse_values:dtype,sparse_shape:INT64 shared_name=''
)";

}  // namespace mo::tensorflow

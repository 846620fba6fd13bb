// Operators of tensor arrays, queues, tables, iterators and examples. The form of the lines:
// loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view data_flow_operators = R"(
AnonymousHashTable RESOURCE
AnonymousIterator RESOURCE
AnonymousIteratorV2 handle:RESOURCE,deleter:VARIANT
AnonymousMutableDenseHashTable RESOURCE value_shape=<> initial_num_buckets=131072 max_load_factor=0.8
AnonymousMutableHashTable RESOURCE
AnonymousMutableHashTableOfTensors RESOURCE value_shape=<>
DatasetToSingleElement *output_types metadata=''
DecodeCSV *OUT_TYPE field_delim=',' use_quote_delim=true na_value='' select_cols=[]
DecodeJSONExample STRING
DecodePaddedRaw out_type little_endian=true
DecodeRaw out_type little_endian=true
DynamicPartition num_partitions*T
DynamicStitch T
FIFOQueue STRING shapes=[] capacity=-1 shared_name=''
FIFOQueueV2 RESOURCE shapes=[] capacity=-1 shared_name=''
HashTable STRING shared_name='' use_node_name_sharing=false
HashTableV2 RESOURCE shared_name='' use_node_name_sharing=false
InitializeTable -
InitializeTableFromTextFile - vocab_size=-1 offset=0
InitializeTableFromTextFileV2 - vocab_size=-1 offset=0
InitializeTableV2 -
Iterator RESOURCE
IteratorFromStringHandle RESOURCE output_types=[] output_shapes=[]
IteratorFromStringHandleV2 RESOURCE output_types=[] output_shapes=[]
IteratorGetNext *output_types
IteratorGetNextSync *output_types
IteratorToStringHandle STRING
IteratorV2 RESOURCE
LookupTableExport keys:Tkeys,values:Tvalues
LookupTableExportV2 keys:Tkeys,values:Tvalues
LookupTableFind Tout
LookupTableFindV2 Tout
LookupTableImport -
LookupTableImportV2 -
LookupTableInsert -
LookupTableInsertV2 -
LookupTableRemoveV2 -
LookupTableSize INT64
LookupTableSizeV2 INT64
MakeIterator -
MutableDenseHashTable STRING shared_name='' use_node_name_sharing=false value_shape=<> initial_num_buckets=131072 max_load_factor=0.8
MutableDenseHashTableV2 RESOURCE shared_name='' use_node_name_sharing=false value_shape=<> initial_num_buckets=131072 max_load_factor=0.8
MutableHashTable STRING shared_name='' use_node_name_sharing=false
MutableHashTableOfTensors STRING shared_name='' use_node_name_sharing=false value_shape=<>
MutableHashTableOfTensorsV2 RESOURCE shared_name='' use_node_name_sharing=false value_shape=<>
MutableHashTableV2 RESOURCE shared_name='' use_node_name_sharing=false
OneShotIterator RESOURCE shared_name=''
OptionalFromValue VARIANT
OptionalGetValue *output_types
OptionalHasValue BOOL
OptionalNone VARIANT
PaddingFIFOQueue STRING shapes=[] capacity=-1 shared_name=''
PaddingFIFOQueueV2 RESOURCE shapes=[] capacity=-1 shared_name=''
ParallelDynamicStitch T
ParseExample sparse_indices:Nsparse*INT64,sparse_values:*sparse_types,sparse_shapes:Nsparse*INT64,dense_values:*Tdense
ParseExampleV2 sparse_indices:num_sparse*INT64,sparse_values:*sparse_types,sparse_shapes:num_sparse*INT64,dense_values:*Tdense,ragged_values:*ragged_value_types,ragged_row_splits:*ragged_split_types
ParseSingleExample sparse_indices:num_sparse*INT64,sparse_values:*sparse_types,sparse_shapes:num_sparse*INT64,dense_values:*Tdense
ParseTensor out_type
PriorityQueue STRING component_types=[] capacity=-1 shared_name=''
PriorityQueueV2 RESOURCE component_types=[] capacity=-1 shared_name=''
QueueClose - cancel_pending_enqueues=false
QueueCloseV2 - cancel_pending_enqueues=false
QueueDequeue *component_types timeout_ms=-1
QueueDequeueMany *component_types timeout_ms=-1
QueueDequeueManyV2 *component_types timeout_ms=-1
QueueDequeueUpTo *component_types timeout_ms=-1
QueueDequeueUpToV2 *component_types timeout_ms=-1
QueueDequeueV2 *component_types timeout_ms=-1
QueueEnqueue - timeout_ms=-1
QueueEnqueueMany - timeout_ms=-1
QueueEnqueueManyV2 - timeout_ms=-1
QueueEnqueueV2 - timeout_ms=-1
QueueIsClosed BOOL
QueueIsClosedV2 BOOL
QueueSize INT32
QueueSizeV2 INT32
RandomShuffleQueue STRING shapes=[] capacity=-1 min_after_dequeue=0 seed=0 seed2=0 shared_name=''
RandomShuffleQueueV2 RESOURCE shapes=[] capacity=-1 min_after_dequeue=0 seed=0 seed2=0 shared_name=''
SerializeTensor STRING
StringToNumber out_type out_type=FLOAT
TensorArray STRING dynamic_size=false clear_after_read=true tensor_array_name='' element_shape=<?>
TensorArrayClose -
TensorArrayCloseV2 -
TensorArrayCloseV3 -
TensorArrayConcat value:dtype,lengths:INT64 element_shape_except0=<?>
TensorArrayConcatV2 value:dtype,lengths:INT64 element_shape_except0=<?>
TensorArrayConcatV3 value:dtype,lengths:INT64 element_shape_except0=<?>
TensorArrayGather dtype element_shape=<?>
TensorArrayGatherV2 dtype element_shape=<?>
TensorArrayGatherV3 dtype element_shape=<?>
TensorArrayPack dtype element_shape=<?>
TensorArrayRead dtype
TensorArrayReadV2 dtype
TensorArrayReadV3 dtype
TensorArrayScatter VARIANT
TensorArrayScatterV2 VARIANT
TensorArrayScatterV3 VARIANT
TensorArraySize INT32
TensorArraySizeV2 INT32
TensorArraySizeV3 INT32
TensorArraySplit VARIANT
TensorArraySplitV2 VARIANT
TensorArraySplitV3 VARIANT
TensorArrayUnpack VARIANT
TensorArrayV2 STRING element_shape=<?> dynamic_size=false clear_after_read=true tensor_array_name=''
TensorArrayV3 handle:RESOURCE,flow:VARIANT element_shape=<?> dynamic_size=false clear_after_read=true identical_element_shapes=false tensor_array_name=''
TensorArrayWrite VARIANT
TensorArrayWriteV2 VARIANT
TensorArrayWriteV3 VARIANT
)";

}  // namespace mo::tensorflow

// Operators of control flow, functions and lists of tensors. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view control_flow_operators = R"(
Assert - summarize=3
Case *Tout output_shapes=[]
ControlTrigger -
DeviceIndex INT32
EagerPyFunc *Tout is_async=false
EmptyTensorList VARIANT
Enter T is_constant=false parallel_iterations=10
Exit T
FakeParam dtype
For *T
If *Tout output_shapes=[]
LoopCond BOOL
Merge output:T,value_index:INT32
MergeSummary STRING
NextIteration T
NoOp -
PartitionedCall *Tout config='' config_proto='' executor_type=''
Print T message='' first_n=-1 summarize=3
PrintV2 - output_stream='stderr'
PyFunc *Tout
PyFuncStateless *Tout
StatefulPartitionedCall *Tout config='' config_proto='' executor_type=''
StatelessCase *Tout output_shapes=[]
StatelessIf *Tout output_shapes=[]
StatelessWhile *T output_shapes=[] parallel_iterations=10
Switch output_false:T,output_true:T
TensorListConcat tensor:element_dtype,lengths:INT64 element_shape=<?>
TensorListConcatLists VARIANT
TensorListConcatV2 tensor:element_dtype,lengths:INT64
TensorListElementShape shape_type
TensorListFromTensor VARIANT
TensorListGather element_dtype
TensorListGetItem element_dtype
TensorListLength INT32
TensorListPopBack output_handle:VARIANT,tensor:element_dtype
TensorListPushBack VARIANT
TensorListPushBackBatch VARIANT
TensorListReserve VARIANT
TensorListResize VARIANT
TensorListScatter VARIANT
TensorListScatterIntoExistingList VARIANT
TensorListScatterV2 VARIANT
TensorListSetItem VARIANT resize_if_index_out_of_bounds=false
TensorListSplit VARIANT
TensorListStack element_dtype num_elements=-1
Timestamp DOUBLE
ToBool BOOL
While *T output_shapes=[] parallel_iterations=10
)";

}  // namespace mo::tensorflow

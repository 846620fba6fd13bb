// Operators of variables and files. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view state_operators = R"(
Assign T validate_shape=true use_locking=true
AssignAdd T use_locking=false
AssignAddVariableOp -
AssignSub T use_locking=false
AssignSubVariableOp -
AssignVariableOp - validate_shape=false
ConsumeMutexLock -
DestroyResourceOp - ignore_lookup_error=true
DisableCopyOnRead -
IsVariableInitialized BOOL
MatchingFiles STRING
MergeV2Checkpoints - delete_old_dirs=true allow_missing_files=false
MutexLock VARIANT
MutexV2 RESOURCE shared_name=''
ReadFile STRING
ReadVariableOp dtype
ResourceGather dtype batch_dims=0 validate_indices=true
ResourceGatherNd dtype
ResourceScatterAdd -
ResourceScatterDiv -
ResourceScatterMax -
ResourceScatterMin -
ResourceScatterMul -
ResourceScatterNdAdd - use_locking=true bad_indices_policy=''
ResourceScatterNdMax - use_locking=true bad_indices_policy=''
ResourceScatterNdMin - use_locking=true bad_indices_policy=''
ResourceScatterNdSub - use_locking=true bad_indices_policy=''
ResourceScatterNdUpdate - use_locking=true bad_indices_policy=''
ResourceScatterSub -
ResourceScatterUpdate -
Restore dt preferred_shard=-1
RestoreSlice dt preferred_shard=-1
RestoreV2 *dtypes
Save -
SaveSlices -
SaveV2 -
ScatterAdd T use_locking=false
ScatterDiv T use_locking=false
ScatterMax T use_locking=false
ScatterMin T use_locking=false
ScatterMul T use_locking=false
ScatterNdAdd T use_locking=false bad_indices_policy=''
ScatterNdMax T use_locking=false bad_indices_policy=''
ScatterNdMin T use_locking=false bad_indices_policy=''
ScatterNdSub T use_locking=false bad_indices_policy=''
ScatterNdUpdate T use_locking=true bad_indices_policy=''
ScatterSub T use_locking=false
ScatterUpdate T use_locking=true
ShardedFilename STRING
ShardedFilespec STRING
VarHandleOp RESOURCE shared_name='' debug_name='' allowed_devices=[]
VarIsInitializedOp BOOL
Variable dtype shared_name=''
VariableShape out_type out_type=INT32
VariableV2 dtype shared_name=''
WriteFile -
)";

}  // namespace mo::tensorflow

// Operators on tables, queues, sparse and ragged tensors that have no counterpart in the IR, and why.
#include "support/extract.hpp"

#include <array>

namespace mo::tensorflow {

namespace unsupported_data {

struct Group {
  std::string_view ops;  // separated by blanks
  std::string_view why;
};

constexpr std::array groups = {
    Group{
        "HashTable HashTableV2 MutableHashTable MutableHashTableV2 MutableHashTableOfTensors "
        "MutableHashTableOfTensorsV2 MutableDenseHashTable MutableDenseHashTableV2 AnonymousHashTable "
        "InitializeTable InitializeTableV2 InitializeTableFromTextFile InitializeTableFromTextFileV2 "
        "LookupTableExport LookupTableExportV2 LookupTableImport LookupTableImportV2 LookupTableInsert "
        "LookupTableInsertV2 "
        "LookupTableRemoveV2",
        "the IR has no tables to look keys up in; feed what is looked up (--input), which cuts the model off "
        "here"},
    Group{
        "QueueEnqueueV2 QueueEnqueueManyV2 QueueSizeV2 QueueCloseV2 RandomShuffleQueueV2 PaddingFIFOQueueV2 "
        "PriorityQueueV2 Barrier Stage Unstage",
        "the IR has no queues; feed what is taken from them (--input), which cuts the model off here"},
    Group{"StackV2 StackPushV2 StackPopV2 StackCloseV2",
          "stacks keep values of a loop for its gradient, which is for training"},
    Group{"CudnnRNN CudnnRNNV2 CudnnRNNV3 CudnnRNNParamsToCanonical CudnnRNNParamsToCanonicalV2 "
          "CudnnRNNCanonicalToParams CudnnRNNCanonicalToParamsV2 CudnnRNNParamsSize",
          "its weights are packed as one vendor's library wants them; export the network with the portable "
          "cells"},
    Group{"CTCBeamSearchDecoder", "the IR has a greedy decoder only"},
    Group{"SparseBincount", "the IR has no sparse tensors"},
    Group{"SparseAdd SparseConcat SparseCross SparseCrossV2 SparseCrossHashed SparseSplit SparseSlice "
          "SparseReorder SparseSoftmax SparseReduceSum SparseReduceMax SparseReduceSumSparse "
          "SparseReduceMaxSparse SparseSparseMaximum SparseSparseMinimum SerializeSparse SerializeManySparse "
          "DeserializeSparse DeserializeManySparse AddSparseToTensorsMap AddManySparseToTensorsMap "
          "TakeManySparseFromTensorsMap SetSize DenseToDenseSetOperation DenseToSparseSetOperation "
          "SparseToSparseSetOperation",
          "the IR has no sparse tensors; what becomes dense at once is converted, this is not"},
    Group{"RaggedGather RaggedRange RaggedTensorToSparse RaggedTensorFromVariant "
          "RaggedTensorToVariant RaggedCross",
          "the IR has no ragged tensors"},
};

template <class F>
void each(const Group& g, F f) {
  for (size_t at = 0; at < g.ops.size();) {
    const size_t end = std::min(g.ops.find(' ', at), g.ops.size());
    f(g.ops.substr(at, end - at));
    at = end + 1;
  }
}

static void explain(SourceNode& n) {
  const std::string name = n.op();
  for (const Group& g : groups)
    each(g, [&](std::string_view op) {
      if (name == op) decline(g.why);
    });
}

}  // namespace unsupported_data

void register_unsupported_data(Registry& r) {
  for (const unsupported_data::Group& g : unsupported_data::groups)
    unsupported_data::each(g, [&](std::string_view op) { extract<unsupported_data::explain>(r, op); });
}

}  // namespace mo::tensorflow

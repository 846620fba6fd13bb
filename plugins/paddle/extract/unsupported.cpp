// Operators that have no counterpart in the IR, and why.
#include "support/operator.hpp"

#include <array>

namespace mo::paddle {

constexpr std::array unsupported_operators{
    NoCounterpart{
        "sequence_conv sequence_pool sequence_expand sequence_expand_as sequence_softmax sequence_concat "
        "sequence_reshape sequence_slice sequence_pad sequence_unpad sequence_reverse "
        "lod_reset lod_rank_table lod_tensor_to_array array_to_lod_tensor dynamic_lstm dynamic_gru "
        "shrink_rnn_memory reorder_lod_tensor_by_rank",
        "it works on the sequence lengths of LoDTensors, which the IR does not have; models of Paddle 1.x "
        "for texts have it"},
    NoCounterpart{"uniform gaussian randint randperm bernoulli multinomial uniform_random gaussian_random "
                  "truncated_gaussian_random exponential_",
                  "it makes random numbers: two runs of the model would differ"},
    NoCounterpart{
        "svd qr eig eigh eigvals eigvalsh lstsq lu lu_unpack matrix_rank pinv cholesky cholesky_solve "
        "triangular_solve solve determinant slogdet digamma polygamma i0 i0e i1 i1e gammaln gammaincc "
        "gammainc "
        "nextafter",
        "the IR has no such function of linear algebra, or special function"},
    NoCounterpart{"save load save_combine load_combine print py_func send_v2 recv_v2 c_allreduce_sum "
                  "c_broadcast c_allgather all_reduce all_gather broadcast",
                  "it belongs to training, or to several processes, and computes nothing here"},
};

void register_unsupported(Registry& r) { decline_operators<unsupported_operators>(r, "paddle"); }

}  // namespace mo::paddle

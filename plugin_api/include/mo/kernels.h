/* mo/kernels.h: the optional interface "mo.kernels": fast library kernels that the values of operations may
 * use.
 *
 * A plugin that has such kernels registers a static mo_kernels table from load() with
 *     registry->add_interface(c, {"mo.kernels", 10}, MO_KERNELS_REVISION, &table);
 * An operation's evaluate asks for it with host->get_interface(c, name, MO_KERNELS_REVISION, &table), in
 * every call: MO_NOT_FOUND means that nobody offers it, and the operation computes by itself.
 *
 * What to expect of the numbers: the exact result up to rounding, with a relative error of no more than that
 * of adding the products in some order in the type of the elements. They may differ between processors,
 * numbers of threads and versions of a plugin. So a converter, whose output is the same everywhere, loads no
 * such plugin; programs that run or verify a model do.
 *
 * Everything in mo/plugin.h under "RULES THAT HOLD EVERYWHERE" holds here, too. The table lives until exit.
 * Its functions take no context: they are [any], may be called by several threads at once, may use threads of
 * their own inside, keep no pointer beyond the call, and set no text on failure.
 */
#ifndef MO_KERNELS_H
#define MO_KERNELS_H

#include <mo/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MO_KERNELS_INTERFACE "mo.kernels"
#define MO_KERNELS_REVISION 1

enum {
  MO_GEMM_TRANSPOSE_A = 1, /* a holds the transpose of A: k rows of m elements */
  MO_GEMM_TRANSPOSE_B = 2, /* b holds the transpose of B: n rows of k elements */
  MO_GEMM_ACCUMULATE = 4   /* C = C + A * B; without it C = A * B, and what c holds is not read */
};

/* The matrix product of A, m rows of k elements, and B, k rows of n elements. All counts and distances are in
 * elements, not bytes. */
typedef struct mo_gemm {
  size_t size;
  uint64_t m; /* rows of A and C */
  uint64_t n; /* columns of B and C */
  uint64_t k; /* columns of A, rows of B; 0: A * B is all zeros */
  /* From the start of a stored row to that of the next one; at least the length of a row as it is stored. */
  uint64_t row_a;
  uint64_t row_b;
  uint64_t row_c;
  uint32_t flags;    /* MO_GEMM_; other bits must be 0 */
  uint32_t reserved; /* 0 */
} mo_gemm;

/* a and b are not written, c overlaps neither; a and b may be the same memory. Elements of a, b and c are
 * aligned as their type is, no more. A pointer may be NULL only where no element is reached through it.
 * Elements between the end of a row of c and the start of the next one are left alone. MO_INVALID_ARGUMENT:
 * the arguments are not as said here, as far as that is looked at; c is untouched. MO_NO_MEMORY: c is
 * undefined. There are no other failures. */
typedef struct mo_kernels {
  size_t size;
  mo_status(MO_CALL* gemm_f32)(const mo_gemm*, const float* a, const float* b, float* c);
  mo_status(MO_CALL* gemm_f64)(const mo_gemm*, const double* a, const double* b, double* c);
} mo_kernels;

#ifdef __cplusplus
}
#endif

#endif

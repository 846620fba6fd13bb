/* mo/draft/folding.h: the draft interface "draft.folding": what constants may cost.
 *
 * A file of some hundred bytes can ask for any amount of computation. While constants are folded, the host bounds what that
 * takes altogether, by the size of the model. What is read and written by an evaluate counts without a word of it; one that
 * takes many more steps than it reads and writes bytes says so:
 *     host->get_interface(c, {"draft.folding", 13}, MO_FOLDING_REVISION, &table)
 * from evaluate, where MO_NOT_FOUND means that nobody counts, as when a model is run.
 *
 * Everything in mo/plugin.h under "RULES THAT HOLD EVERYWHERE" holds here, too.
 */
#ifndef MO_DRAFT_FOLDING_H
#define MO_DRAFT_FOLDING_H

#include <mo/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MO_FOLDING_INTERFACE "draft.folding"
#define MO_FOLDING_REVISION 1

typedef struct mo_folding {
  size_t size;
  /* [session], from evaluate. Counts steps of about a nanosecond. MO_UNSUPPORTED: there were too many; the caller gives up
   * and returns that, so that the operation stays. */
  mo_status (*work)(mo_context*, uint64_t steps);
} mo_folding;

#ifdef __cplusplus
}
#endif

#endif /* MO_DRAFT_FOLDING_H */

/* mo/first_releases.h: the optional interface "mo.first_releases": which operations of OpenVINO's sets came
 * with a later release than the first operation of their set did.
 *
 * Who defines those sets registers a static mo_first_releases table from load() with
 *     registry->add_interface(c, {"mo.first_releases", 17}, MO_FIRST_RELEASES_REVISION, &table);
 * The host asks it when it writes an operation for a release (--target), transformations that write newer
 * operations by older ones ask it, too. Without it an operation is as old as its set (mo_host.first_runtime).
 *
 * Everything in mo/plugin.h under "RULES THAT HOLD EVERYWHERE" holds here, too. The table lives until exit.
 */
#ifndef MO_FIRST_RELEASES_H
#define MO_FIRST_RELEASES_H

#include <mo/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MO_FIRST_RELEASES_INTERFACE "mo.first_releases"
#define MO_FIRST_RELEASES_REVISION 1

typedef struct mo_first_releases {
  size_t size;
  /* "2025.4", which lives until exit; "" for an operation that came with its set, and for any other. [any] */
  mo_str (*first_release)(mo_str op, mo_str opset);
} mo_first_releases;

#ifdef __cplusplus
}
#endif

#endif

/* mo/host.h: mo-host as a library, libmo-host, for whoever converts models from within a program.
 *
 * A session knows how models are converted: options, as on the command line of mo-host, and whom to tell. It
 * takes any number of models, one after the other, in files or in memory, and gives results that are views of
 * memory, or files. Plugins are those of `mo-host`: they lie beside the library, and where options and
 * environment say. This header is for those who call the host; mo/plugin.h is for those whom it calls.
 *
 * RULES, those of mo/plugin.h unless said otherwise
 *   Status    Every function that can fail returns a mo_status; mo_session_error() says more. On failure
 *             outputs are untouched.
 *   Strings   UTF-8, pointer and length, not terminated.
 *   Borrowed  What a call is handed may go when it returns, parts of a model in memory, too: nothing of them
 *             is copied, and no result looks into them. What is handed out lives as each function says.
 *   Thread    [session]: one call of a session at a time, from whatever thread. Several sessions work at the
 *             same time. [any]: at any time, from any thread. Callbacks come from the thread of the call.
 *   Growth    Structs start with their size; zero and NULL mean "absent" or "default". Whoever reads a struct
 *             of the library looks at its size for what is newer than 1.0 of it.
 *   Process   No file is written where no option asks for one, but what the host knows of plugins that are not
 *             its own (see `mo-host help plugins`). Such a plugin is met in a copy of the process first, and
 *             a program of many threads had better do that before it starts them. Plugins stay loaded until
 *             the process ends. Neither signals nor the standard streams are touched.
 */
#ifndef MO_HOST_H
#define MO_HOST_H

#include <mo/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mo_session mo_session;

/* Bytes of a model in memory; their name is the one that its file would have beside the others: without a
 * folder above, and for the model itself with the extension that tells its framework. */
typedef struct mo_part {
  mo_str name;
  const void* data;
  uint64_t bytes;
} mo_part;

/* A model: the path of a file or folder, or parts, of which the first is the model itself. */
typedef struct mo_model {
  size_t size;
  mo_str path; /* "" where there are parts; options may name a model, too */
  const mo_part* parts;
  uint64_t n_parts;
} mo_model;

/* Values of one input or output: dense, row-major, little-endian. */
typedef struct mo_array {
  size_t size;
  mo_str name; /* "": the only input */
  const int64_t* dims;
  int64_t rank;
  const void* data;
  uint64_t bytes;
  mo_type type;
  int32_t reserved; /* 0 */
} mo_array;

/* What went wrong. Absent texts are "". */
typedef struct mo_error {
  size_t size;
  mo_status status;
  int32_t exit_code;     /* with which mo-host would end: see `mo-host help errors` */
  mo_str code;           /* "MO0401"; or the plugin's own */
  mo_str text;           /* what is wrong, in one sentence */
  mo_str hint;           /* what to try */
  mo_str node;           /* of the model */
  mo_str plugin;         /* whose callback failed: id and version */
  mo_str transformation; /* that ran */
  mo_str place;          /* in the model's file, or in a configuration */
  mo_str model;          /* path, or name of its first part */
  const mo_str* missing; /* operations that nobody converts, or files that are not there; one line each */
  uint64_t n_missing;
  mo_str shown; /* all of it and what else is known, in lines, as mo-host shows it */
} mo_error;

/* What came of a call. Absent members are 0. Everything lives until mo_result_free(). */
typedef struct mo_result {
  size_t size;
  mo_str xml; /* in memory */
  const void* bin;
  uint64_t bin_bytes;
  mo_str xml_path; /* with the option output_dir: the files, and nothing in memory */
  mo_str bin_path;
  /* JSON. convert: framework, nodes, layers, ir_version, target, plugins, needs, phases, ms. check and verify:
   * what the command of that name says. run: the names of outputs. */
  mo_str report;
  const mo_array* outputs; /* of run */
  uint64_t n_outputs;
} mo_result;

/* Whom to tell. All of it may be absent. Callbacks are called while a call of the session is at work, must not
 * use the session but for mo_session_cancel(), and let no exception out. */
typedef struct mo_session_def {
  size_t size;
  void* user;
  /* Warnings and the like: MO_LOG_ levels. `plugin` is the id of who says it, "" the host. */
  void(MO_CALL* log)(void* user, int32_t level, mo_str plugin, mo_str text);
  /* The phase at work ("load", "extract", "front", …), its number of how many, and how much of it is done;
   * total 0: not known. Another answer than 0 cancels. */
  int32_t(MO_CALL* progress)(void* user, mo_str phase, int32_t number, int32_t phases, uint64_t done,
                             uint64_t total);
  /* Where so many bytes of a result's weights are to go, so that they are at once where the caller needs them:
   * they stay the caller's, and mo_result.bin is this pointer. NULL: there is no room, and the call fails.
   * Absent: the library has them. Readers of the IR like an alignment of 64. */
  void*(MO_CALL* weights)(void* user, uint64_t bytes);
} mo_session_def;

/* "0.1.0"; lives as long as the process. [any] */
MO_EXPORT mo_str MO_CALL mo_session_version(void);

/* `def` is copied, but what `user` points to; it may be NULL. Nothing is loaded yet. [any] */
MO_EXPORT mo_status MO_CALL mo_session_open(const mo_session_def* def, mo_session** session);
/* NULL is allowed. Results live on. [session] */
MO_EXPORT void MO_CALL mo_session_close(mo_session*);

/* An option by its long name, as the command line of mo-host has it, options of plugins among them:
 * "input_shape", "[1,3,224,224]". A flag takes "true". Given again, the last value counts; a NULL pointer as
 * value.data takes it back. What is wrong with it is told by the call that needs it. [session] */
MO_EXPORT mo_status MO_CALL mo_session_set(mo_session*, mo_str name, mo_str value);

/* The call at work, or else the next one, ends with MO_CANCELLED as soon as it can. The session can be used
 * again. [any], also from a handler of a signal. */
MO_EXPORT void MO_CALL mo_session_cancel(mo_session*);

/* The failure of the last call; borrowed until the next call of the session. NULL: it did not fail. [session] */
MO_EXPORT const mo_error* MO_CALL mo_session_error(const mo_session*);

/* To OpenVINO IR. [session] */
MO_EXPORT mo_status MO_CALL mo_session_convert(mo_session*, const mo_model*, const mo_result**);
/* Whether it could be converted, and what is missing: in the report. MO_OK, whatever it says. [session] */
MO_EXPORT mo_status MO_CALL mo_session_check(mo_session*, const mo_model*, const mo_result**);
/* Computes outputs from inputs; those that are not given are random. [session] */
MO_EXPORT mo_status MO_CALL mo_session_run(mo_session*, const mo_model*, const mo_array* inputs,
                                           uint64_t n_inputs, const mo_result**);
/* Whether the conversion computes what the model computes, with these inputs and random ones for the others.
 * `ir`: the path of a finished IR; "": the model is converted for it. MO_OK, whatever the report says.
 * [session] */
MO_EXPORT mo_status MO_CALL mo_session_verify(mo_session*, const mo_model*, mo_str ir, const mo_array* inputs,
                                              uint64_t n_inputs, const mo_result**);

/* NULL is allowed. [any] */
MO_EXPORT void MO_CALL mo_result_free(const mo_result*);

#ifdef __cplusplus
}
#endif

#endif

/* Has one operation. MO_TEST_LOAD says what loading does; MO_TEST_LOADED names a file that gets a line for
 * each time it is loaded. */
#include <mo/plugin.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT(literal) \
  { (literal), sizeof(literal) - 1 }

MO_PLUGIN_NOTE("org.example.met", "1.0.0")

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, &args->inputs[0]->shape);
}

static void say_that_it_runs(void) {
  const char* path = getenv("MO_TEST_LOADED");
  FILE* log = path == NULL ? NULL : fopen(path, "a");
  if (log == NULL) return;
  fputs("loaded\n", log);
  fclose(log);
}

static mo_status load(mo_context* c) {
  const char* what = getenv("MO_TEST_LOAD");
  const mo_str no_licence = TEXT("no licence today");
  mo_operation_def d;
  if (what == NULL) what = "";
  say_that_it_runs();
  fprintf(stderr, "met_first is here\n");
  if (strcmp(what, "crash") == 0) raise(SIGSEGV);
  if (strcmp(what, "abort") == 0) abort();
  if (strcmp(what, "exit") == 0) exit(7);
  if (strcmp(what, "hang") == 0)
    for (;;) pause();
  if (strcmp(what, "spoil") == 0)
    for (int fd = 3; fd < 64; ++fd)
      if (write(fd, "spoilt", 6) < 0) continue;
  if (strcmp(what, "decline") == 0) return c->host->fail(c, MO_ERROR, 0, no_licence);
  memset(&d, 0, sizeof d);
  d.size = strcmp(what, "wrong") == 0 ? 3 : sizeof d;
  d.op.data = strcmp(what, "other") == 0 ? "Other" : "MetFirst";
  d.op.size = strlen(d.op.data);
  d.opset.data = "org.example.met";
  d.opset.size = strlen(d.opset.data);
  d.min_inputs = d.max_inputs = 1;
  d.min_outputs = d.max_outputs = 1;
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

MO_EXPORT const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = {sizeof(mo_plugin),
                                   MO_ABI_MAJOR,
                                   MO_TARGET_MINOR,
                                   MO_LOWEST_MINOR,
                                   MO_ABI_CANDIDATE,
                                   TEXT("org.example.met"),
                                   TEXT("1.0.0"),
                                   TEXT("tests"),
                                   TEXT("Apache-2.0"),
                                   TEXT("is met"),
                                   TEXT(""),
                                   load,
                                   NULL};
  return &plugin;
}

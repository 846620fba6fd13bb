/* What the broken plugins share. Each is a file of its own and breaks one thing; the rest of it is right.
 *
 * A plugin that the host refuses has a sound twin, built from the same source with MO_ZOO_SOUND: ZOO_FAULT is
 * then what is right. That the twin loads shows that nothing else is the reason for the refusal. */
#ifndef MO_ZOO_H
#define MO_ZOO_H

#include <mo/plugin.h>
#include <stdio.h>
#include <string.h>

#define TEXT(literal) \
  { (literal), sizeof(literal) - 1 }

#ifdef MO_ZOO_SOUND
#define ZOO_FAULT(broken, sound) sound
#else
#define ZOO_FAULT(broken, sound) broken
#endif

#define ZOO_DESCRIPTOR(name, load_function)                                                \
  {                                                                                        \
    sizeof(mo_plugin), MO_ABI_MAJOR, MO_TARGET_MINOR, MO_LOWEST_MINOR, MO_ABI_CANDIDATE,   \
        TEXT("org.example.zoo." name), TEXT("1.0.0"), TEXT("the zoo"), TEXT("Apache-2.0"), \
        TEXT("broken on purpose"), TEXT("https://zoo.example/help"), load_function, NULL   \
  }

#define ZOO_PLUGIN(name, load_function)                                  \
  const mo_plugin* mo_plugin_entry(void) {                               \
    static const mo_plugin plugin = ZOO_DESCRIPTOR(name, load_function); \
    return &plugin;                                                      \
  }

static inline mo_str zoo_text(const char* s) {
  mo_str str;
  str.data = s;
  str.size = strlen(s);
  return str;
}

/* The output is what the input is. */
static inline mo_status zoo_infer(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, &args->inputs[0]->shape);
}

/* One input, one output, nothing wrong with it. */
static inline mo_operation_def zoo_operation(const char* op, const char* opset) {
  mo_operation_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.op = zoo_text(op);
  d.opset = zoo_text(opset);
  d.min_inputs = d.max_inputs = 1;
  d.min_outputs = d.max_outputs = 1;
  d.infer = zoo_infer;
  return d;
}

static inline mo_status zoo_register_operation(mo_context* c, const char* op, const char* opset) {
  const mo_operation_def d = zoo_operation(op, opset);
  return c->host->registry->operation(c, &d);
}

#endif

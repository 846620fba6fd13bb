/* convert MODEL: converts a model that is in memory, and says what came of it. */
#include <mo/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mo_str text(const char* s) {
  mo_str t = {s, strlen(s)};
  return t;
}

int main(int argc, char** argv) {
  mo_part part = {text("model"), NULL, 0}; /* what it is from is found by looking into it */
  mo_model model = {sizeof model, {NULL, 0}, &part, 1};
  mo_session* session = NULL;
  const mo_result* result = NULL;
  FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return 2;
  part.bytes = (uint64_t)ftell(file);
  rewind(file);
  void* bytes = malloc(part.bytes + 1);
  if (bytes == NULL || fread(bytes, 1, part.bytes, file) != part.bytes || fclose(file) != 0) return 2;
  part.data = bytes;

  if (mo_session_open(NULL, &session) != MO_OK) return 1;
  mo_session_set(session, text("model_name"), text("from_memory"));
  const mo_status status = mo_session_convert(session, &model, &result);
  if (status == MO_OK) {
    printf("%.*s\n%lu + %lu bytes\n", (int)result->report.size, result->report.data,
           (unsigned long)result->xml.size, (unsigned long)result->bin_bytes);
  } else {
    const mo_error* e = mo_session_error(session);
    fprintf(stderr, "%.*s\n", (int)e->shown.size, e->shown.data);
  }
  mo_result_free(result);
  mo_session_close(session);
  free(bytes);
  return status == MO_OK ? 0 : 1;
}

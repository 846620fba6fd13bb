// Stands in for libopenvino_c.so: takes any IR for one that doubles its input. FAKE_RUNTIME says what else it does.
// Element types have numbers that no release gives them, so that nobody else can know them.

#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr unsigned f32 = 4711;

std::string said;
std::vector<float> values[2];
int64_t dims[2] = {1, 3};

bool does(const char* what) {
  const char* told = std::getenv("FAKE_RUNTIME");
  return told != nullptr && std::strcmp(told, what) == 0;
}
int failed(const char* why) {
  said = why;
  return -1;
}
int same(bool expected) { return expected ? 0 : failed("it is called otherwise than it should be"); }

}  // namespace

struct Shape {
  int64_t rank;
  int64_t* dims;
};
struct Version {
  const char *build, *description;
};

extern "C" {

int ov_get_openvino_version(Version* v) {
  *v = {does("of a branch") ? "custom branch" : "2099.1.0-1", ""};
  return 0;
}
const char* ov_get_last_err_msg() { return said.c_str(); }
const char* ov_get_error_info(int) { return "an error"; }
void ov_free(const char* p) { std::free(const_cast<char*>(p)); }
int ov_core_create(void** core) {
  *core = &said;
  return 0;
}
int ov_core_get_property(const void*, const char*, const char*, char** value) {
  *value = strdup("INFERENCE_PRECISION_HINT KV_CACHE_PRECISION");
  return 0;
}
int ov_core_read_model(const void*, const char* xml, const char* bin, void** model) {
  if (does("refuse")) return failed("no such\n  operation");
  if (does("crash")) {
    std::fputs("I fall\n", stderr);
    (void)std::signal(SIGSEGV, SIG_DFL);  // of a sanitizer
    raise(SIGSEGV);
  }
  std::FILE* f = std::fopen(xml, "r");
  if (f == nullptr || bin != nullptr) return failed("no file");
  std::fclose(f);
  *model = &said;
  return 0;
}
int ov_core_compile_model(const void*, const void*, const char* device, size_t words, void** compiled, ...) {
  std::string all;
  va_list list;
  va_start(list, compiled);
  for (size_t i = 0; i < words; ++i) all += va_arg(list, const char*), all += " ";
  va_end(list);
  *compiled = &said;
  return same(device == std::string("CPU") && all == "INFERENCE_PRECISION_HINT f32 KV_CACHE_PRECISION f32 ");
}
int ov_compiled_model_inputs_size(const void*, size_t* n) {
  *n = does("two inputs") ? 2 : 1;
  return 0;
}
int ov_compiled_model_outputs_size(const void*, size_t* n) {
  *n = 1;
  return 0;
}
int ov_compiled_model_input_by_index(const void*, size_t i, void** port) {
  *port = &said;
  return same(i == 0);
}
int ov_port_get_element_type(const void*, unsigned* type) {
  *type = f32;
  return 0;
}
void ov_output_const_port_free(void*) {}
int ov_compiled_model_create_infer_request(const void*, void** request) {
  *request = &said;
  return 0;
}
int ov_infer_request_set_input_tensor_by_index(void*, size_t i, const void* tensor) {
  return same(i == 0 && tensor == &values[0]);
}
int ov_infer_request_infer(void*) {
  if (does("fail")) return failed("no room");
  if (does("exit")) std::_Exit(3);
  if (does("short")) dims[1] = 2;
  values[1] = values[0];
  for (float& value : values[1]) value = 2 * value + (does("wrong") ? 1.0F : 0.0F);
  return 0;
}
int ov_infer_request_get_output_tensor_by_index(const void*, size_t i, void** tensor) {
  *tensor = &values[1];
  return same(i == 0);
}
int ov_tensor_create(unsigned type, Shape shape, void** tensor) {
  values[0].assign(3, 0);
  *tensor = &values[0];
  return same(type == f32 && shape.rank == 2 && shape.dims[0] == 1 && shape.dims[1] == 3);
}
int ov_tensor_get_shape(const void*, Shape* shape) {
  if (does("scalar")) return failed("as of each scalar");
  *shape = {2, dims};
  return 0;
}
int ov_tensor_get_size(const void*, size_t* n) {
  *n = does("scalar") ? 1 : 3;
  return 0;
}
int ov_shape_free(Shape*) { return 0; }
int ov_tensor_get_byte_size(const void*, size_t* n) {
  *n = does("small inputs") ? 8 : 12;
  return 0;
}
int ov_tensor_data(const void* tensor, void** data) {
  *data = const_cast<float*>(static_cast<const std::vector<float>*>(tensor)->data());
  return 0;
}
void ov_tensor_free(void*) {}

}  // extern "C"

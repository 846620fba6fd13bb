// What is used of the C interface of OpenVINO. Declared here, so that building needs no OpenVINO: what stands in it has
// been the same since 2022.3. Not so the numbers of element types, which is why none is written here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mo::app::openvino_c {

struct Core;
struct Model;
struct Compiled;
struct Request;
struct Port;
struct Tensor;
using Status = int;
using Type = unsigned;
struct Shape {
  int64_t rank;
  int64_t* dims;
};
struct Version {
  const char* build;
  const char* description;
};

// A function of the library, which fits any type of it.
struct Symbol {
  void* at;
  template <class Function>
  operator Function*() const {
    return reinterpret_cast<Function*>(at);
  }
};

// The library, which stays loaded. Its functions throw nothing; expect() makes an exception of what they return.
class Library {
 public:
  // std::runtime_error when it cannot be loaded or a function is missing.
  explicit Library(const std::string& path) : handle_(load(path)) {}
  // std::runtime_error with what the library says, unless all went well.
  void expect(Status, const char* doing) const;

 private:
  static void* load(const std::string& path);
  Symbol optional(const char* name) const;
  Symbol required(const char* name) const;
  void* handle_;

 public:
  Status (*get_version)(Version*) = required("ov_get_openvino_version");
  const char* (*last_error)() = optional("ov_get_last_err_msg");
  const char* (*error_info)(Status) = required("ov_get_error_info");
  void (*free)(const char*) = required("ov_free");

  Status (*core_create)(Core**) = required("ov_core_create");
  Status (*core_get_property)(const Core*, const char* device, const char* key,
                              char** value) = required("ov_core_get_property");
  Status (*core_read_model)(const Core*, const char* xml, const char* bin,
                            Model**) = required("ov_core_read_model");
  // Behind it `words` strings: a name and a value for each property.
  Status (*core_compile_model)(const Core*, const Model*, const char* device, size_t words, Compiled**,
                               ...) = required("ov_core_compile_model");

  Status (*inputs_size)(const Compiled*, size_t*) = required("ov_compiled_model_inputs_size");
  Status (*outputs_size)(const Compiled*, size_t*) = required("ov_compiled_model_outputs_size");
  Status (*input)(const Compiled*, size_t, Port**) = required("ov_compiled_model_input_by_index");
  Status (*port_type)(const Port*, Type*) = required("ov_port_get_element_type");
  void (*port_free)(Port*) = required("ov_output_const_port_free");
  Status (*create_request)(const Compiled*, Request**) = required("ov_compiled_model_create_infer_request");

  Status (*set_input)(Request*, size_t,
                      const Tensor*) = required("ov_infer_request_set_input_tensor_by_index");
  Status (*infer)(Request*) = required("ov_infer_request_infer");
  Status (*get_output)(const Request*, size_t,
                       Tensor**) = required("ov_infer_request_get_output_tensor_by_index");

  Status (*tensor_create)(Type, Shape, Tensor**) = required("ov_tensor_create");
  Status (*tensor_shape)(const Tensor*, Shape*) = required("ov_tensor_get_shape");
  Status (*shape_free)(Shape*) = required("ov_shape_free");
  Status (*tensor_size)(const Tensor*, size_t*) = required("ov_tensor_get_size");
  Status (*tensor_bytes)(const Tensor*, size_t*) = required("ov_tensor_get_byte_size");
  Status (*tensor_data)(const Tensor*, void**) = required("ov_tensor_data");
  void (*tensor_free)(Tensor*) = required("ov_tensor_free");
};

}  // namespace mo::app::openvino_c

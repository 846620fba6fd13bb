// The entry point of an extension library that mo_add_runtime_extension() builds.
#include <mo/openvino.hpp>

OPENVINO_CREATE_EXTENSIONS(mo::openvino::extensions())

# The operations of the plugin as OpenVINO computes them, from the same sources: lib@plugin@_runtime.so, for
# ov::Core::add_extension and `benchmark_app -extensions`. `evaluate` is what computes; a faster kernel is a source beside this
# file, see mo/openvino.hpp. Where there is no OpenVINO to build for, nothing is built.
if(NOT CMAKE_CXX_COMPILER_LOADED)
  enable_language(CXX)
endif()
file(GLOB kernels CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cpp")
mo_add_runtime_extension(@plugin@_runtime PLUGIN @plugin@ KERNELS ${kernels} RUNNER @plugin@_run_ir OPTIONAL)

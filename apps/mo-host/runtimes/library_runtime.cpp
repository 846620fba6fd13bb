#include "apps/mo-host/runtimes/library_runtime.hpp"

#include <fstream>

#include "apps/mo-host/runtimes/serve_library.hpp"
#include "apps/mo-host/runtimes/shapes.hpp"
#include "apps/processes/program_path.hpp"

namespace mo::app {

using core::Exit;
using core::Failure;

LibraryRuntime::LibraryRuntime(const std::string& library, const std::string& xml)
    : AskedRuntime(library, xml) {
  const std::string why = start({program_path(), serving_word, library, xml, folder()});
  if (!why.empty())
    throw Failure(Exit::usage, "MO0104",
                  "--runtime: the process that loads '" + library + "' cannot be started: " + why);
  if (const auto none = wait_until_ready())
    throw Failure(Exit::usage, "MO0104",
                  "--runtime: '" + library + "' is no OpenVINO that can be used: " + *none)
        .with("hint",
              "give libopenvino_c.so of OpenVINO 2022.3 or newer, or a folder that has it; libraries that it "
              "needs are found behind `source setupvars.sh`");
}

std::vector<core::TensorRef> LibraryRuntime::infer(const core::Graph& ir,
                                                   std::span<const core::TensorRef> inputs) {
  std::vector<std::vector<int64_t>> shapes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const mo_tensor& t = *inputs[i];
    if (t.type == ElementType::string)
      fail("input '" + std::string(ir.name(ir.parameters()[i])) +
           "' is of strings, which the C interface of OpenVINO does not take: give a Python to --runtime");
    std::ofstream file(input_file(folder(), i), std::ios::binary);
    file.write(reinterpret_cast<const char*>(t.data()), static_cast<std::streamsize>(t.bytes));
    if (!file.flush()) fail("the inputs cannot be written to '" + folder() + "'");
    shapes.push_back(t.dims);
  }
  const auto given = read_shapes(ask(write_shapes(shapes)));
  std::vector<core::TensorRef> outputs;
  for (size_t i = 0; i < given.size() && i < ir.results().size(); ++i) {
    const core::NodeId result = ir.results()[i];
    const ElementType type = ir.out(ir.source({result, 0})).tensor.type;
    const std::string name = "output '" + std::string(ir.name(result)) + "'";
    if (bits(type) == 0)
      fail(name + " is of type " + std::string(mo::name(type)) +
           ", which the C interface of OpenVINO does not give: give a Python to --runtime");
    core::TensorRef value = core::make_tensor(type, given[i]);
    std::ifstream file(output_file(folder(), i), std::ios::binary | std::ios::ate);
    const auto bytes = static_cast<uint64_t>(file.tellg());
    if (bytes != value->bytes)
      fail(name + " has " + std::to_string(bytes) + " bytes; " + std::string(mo::name(type)) + " " +
           write_shapes({&given[i], 1}) + " are " + std::to_string(value->bytes));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(value->buffer.get()), static_cast<std::streamsize>(bytes));
    outputs.push_back(std::move(value));
  }
  return outputs;
}

}  // namespace mo::app

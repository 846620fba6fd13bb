// Bytes as the parameters of a small program of PaddlePaddle, of several types and shapes.
#include "custom_mutator.hpp"
#include "one_model.hpp"

namespace {

std::string parameter(int id, const char* name, const char* type, const char* dims) {
  return R"j({"#": "p", "A": [0, 1, 1, ")j" + std::string(name) + R"j("], "DA": [], "O": {"%": )j" +
         std::to_string(id) + R"j(, "TT": {"#": "0.t_dtensor", "D": [{"#": ")j" + type + R"j("}, [)j" + dims +
         R"j(], "NCHW", [], 0]}}, "OA": [1, 0, 1], "QA": []}, )j";
}
std::string fetch(int id, int column) {
  return std::string(column == 0 ? "" : ", ") +
         R"j({"#": "1.fetch", "A": [{"N": "col", "AT": {"#": "0.a_i32", "D": )j" + std::to_string(column) +
         R"j(}}], "I": [{"%": )j" + std::to_string(id) + R"j(}], "O": [], "OA": []})j";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  static const std::string program =
      R"j({"base_code": {"magic": "pir", "version": 4}, "program": {"regions": [{"#": "r", "blocks": [{"#": "b", "args": [], "ops": [)j" +
      parameter(1, "a", "0.t_f32", "2, 3") + parameter(2, "b", "0.t_i64", "") +
      parameter(3, "c", "0.t_bool", "-1, 2") + fetch(1, 0) + fetch(2, 1) + fetch(3, 2) + "]}]}]}}";
  const auto folder = fuzz_folder() / "paddle";
  write_file(folder / "model.json", program);
  write_file(folder / "model.pdiparams", {reinterpret_cast<const char*>(data), size});
  static const Reader paddle("paddle", "paddle");
  paddle.read((folder / "model.json").string());
  return 0;
}

#include "apps/mo-host/reports/outputs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/mo-host/output/table.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/run/npy.hpp"
#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"

#include <mo/tensor.hpp>

namespace mo::app {

namespace {

// Smallest, largest, mean; "-" for what is no number.
std::array<std::string, 3> statistics(const core::TensorRef& t) {
  const Tensor tensor = Tensor::borrow(&core::host_table(), t.get());
  const bool numbers = bits(t->type) >= 8 && (!is_float(t->type) || bits(t->type) >= 16);
  const size_t n = numbers ? tensor.size() : 0;
  if (n == 0) return {"-", "-", "-"};
  double low = tensor.number(0), high = low, sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const double v = tensor.number(i);
    if (v < low || std::isnan(v)) low = v;
    if (v > high || std::isnan(v)) high = v;
    sum += v;
  }
  const auto shown = [](double v) { return fmt::format("{:.6g}", v); };
  return {shown(low), shown(high), shown(sum / static_cast<double>(n))};
}

// A name as that of a file, and no two the same.
std::string file_name(const std::string& name, std::set<std::string>& taken) {
  std::string stem;
  for (const char c : name) stem += c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? '_' : c;
  if (stem.empty() || stem.front() == '.') stem = "_" + stem;
  if (stem.size() > 200) stem.resize(200);
  std::string file = stem + ".npy";
  for (int i = 1; !taken.insert(file).second; ++i) file = fmt::format("{}_{}.npy", stem, i);
  return file;
}

}  // namespace

std::string outputs_text(std::span<const Output> outputs) {
  Table t{
      "Outputs", {"output", "type", "shape", "smallest", "largest", "mean"}, {}, "the model has no outputs"};
  for (const Output& o : outputs) {
    const auto [low, high, mean] = statistics(o.value);
    t.rows.push_back(
        {o.name, std::string(name(o.value->type)), text(core::shape_of(*o.value)), low, high, mean});
  }
  return as_text(t);
}

void write_outputs(const std::string& folder, std::span<const Output> outputs) {
  make_folder(folder);
  nlohmann::ordered_json index = nlohmann::ordered_json::array();
  std::set<std::string> taken;
  for (const Output& o : outputs) {
    const std::string file = file_name(o.name, taken);
    try {
      write_file((std::filesystem::path(folder) / file).string(), to_npy(o.value));
    } catch (const Error& e) {
      throw core::Failure(core::Exit::output, "MO0713", fmt::format("output '{}': {}", o.name, e.what()));
    }
    index.push_back({{"name", o.name},
                     {"result", o.result},
                     {"file", file},
                     {"type", name(o.value->type)},
                     {"shape", o.value->dims}});
  }
  constexpr auto replace = nlohmann::json::error_handler_t::replace;
  write_file((std::filesystem::path(folder) / "outputs.json").string(),
             index.dump(1, ' ', false, replace) + "\n");
}

}  // namespace mo::app

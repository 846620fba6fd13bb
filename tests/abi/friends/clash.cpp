// A plugin that carries a copy of libraries which the host has, too, and functions named like some of the
// host's. Its operation counts the calls that reached its own.
#include <mo/sdk.hpp>

#include "same_names.hpp"

namespace {

struct Clash {
  static constexpr std::string_view type = "Clash", opset = "org.example.friends";
  static void schema(mo::OpSchema& s) { s.inputs(1).outputs(1); }
  static void infer(mo::InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
  // The number of calls, then 1 for each answer that is its own.
  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0);
    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), x.dims());
    same_names_called = 0;
    google::protobuf::internal::VerifyVersion(1, 1, "clash.cpp");
    google::protobuf::ShutdownProtobufLibrary();
    spdlog::drop_all();
    const pugi::xml_node node;
    const bool path = mo::core::resolve_path("a") == "mine/a", privileged = mo::core::is_privileged_run();
    const bool library = std::string_view(zlibVersion()) == "mine",
               name = std::string_view(node.name()) == "mine";
    const double answers[] = {static_cast<double>(same_names_called), path ? 1.0 : 0.0,
                              privileged ? 1.0 : 0.0, library ? 1.0 : 0.0, name ? 1.0 : 0.0};
    for (size_t i = 0, n = x.size(); i < n; ++i) mo::store_number(data, x.type(), i, answers[i % 5]);
    c.output(0, y);
  }
};

void extract(mo::SourceNode& node) { node.set_op(Clash::type, Clash::opset); }

void register_all(mo::Registry& registry) {
  registry.operation<Clash>();
  registry.extractor<extract>({"toy", Clash::opset, Clash::type});
}

}  // namespace

MO_PLUGIN("org.example.friends.clash", "1.0.0", "tests", "Apache-2.0", "has names that others have", "",
          register_all)

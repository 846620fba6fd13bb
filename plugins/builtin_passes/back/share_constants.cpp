// Small constants that are equal are one:
//   f(x, {0, 1}), g(y, {0, 1})  ->  f(x, c), g(y, c)
#include <mo/sdk.hpp>

namespace mo::builtin_passes {

class ShareConstants : public ModelPass {
 public:
  ShareConstants() : ModelPass(MO_PHASE_EMIT) {
    id = "back.share_constants";
    doc = "small constants that are equal are one";
    before = "f(x, {0, 1}), g(y, {0, 1})";
    after = "f(x, c), g(y, c)";
    frameworks = {"tf"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    std::map<Key, OutPort> first;
    for (const Node& n : g.get_op_nodes("Const")) {
      const OutPort port = n.out_port();
      const auto value = port.value();
      if (!value || value->bytes() > most_bytes || has_result_consumers(port)) continue;
      const std::string bytes(static_cast<const char*>(value->data()), value->bytes());
      const auto [same, is_new] = first.try_emplace(Key{value->type(), value->dims(), bytes}, port);
      if (is_new) continue;
      for (const InPort& reader : port.get_destinations()) reader.set_source(same->second);
    }
  }

 private:
  static constexpr uint64_t most_bytes = 256;
  using Key = std::tuple<ElementType, std::vector<int64_t>, std::string>;
};

void register_share_constants(Registry& r) { r.transformation<ShareConstants>(); }

}  // namespace mo::builtin_passes

// Constants that are equal are one:
//   f(x, {0, 1}), g(y, {0, 1})  ->  f(x, c), g(y, c)
#include <mo/sdk.hpp>

#include <cstring>
#include <unordered_map>

namespace mo::builtin_passes {

namespace {

// Type, dimensions, and bytes from several places: all of a short one, enough to tell most long ones apart.
std::string sketch_of(const Tensor& t) {
  constexpr uint64_t piece = 32, pieces = 8;
  std::string key = text(name(t.type()), t.shape(), ':');
  const auto* data = static_cast<const char*>(t.data());
  if (t.bytes() <= piece * pieces) return key.append(data, t.bytes());
  const uint64_t step = (t.bytes() - piece) / (pieces - 1);
  for (uint64_t i = 0; i < pieces; ++i) key.append(data + i * step, piece);
  return key;
}

bool equal_bytes(const Tensor& a, const Tensor& b) {
  return a.data() == b.data() || std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

}  // namespace

class ShareConstants : public ModelPass {
 public:
  ShareConstants() : ModelPass(MO_PHASE_EMIT) {
    id = "back.share_constants";
    doc = "constants that are equal are one";
    before = R"(
      %x = Parameter -> f32[2,2]
      %a = Const -> f32[2] {1,2}
      %b = Const -> f32[2] {1,2}
      %p = Add@opset1 (%x, %a)
      %y = Multiply@opset1 (%p, %b)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,2]
      %a = Const -> f32[2] {1,2}
      %p = Add@opset1 (%x, %a)
      %y = Multiply@opset1 (%p, %a)
      Result (%y))";
    run_after = {"back.convert_float_types"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    std::unordered_map<std::string, std::vector<OutPort>> first;
    for (const Node& n : g.get_op_nodes("Const")) {
      const OutPort port = n.out_port();
      const auto value = port.value();
      if (!value || value->type() == ElementType::string || has_result_consumers(port)) continue;
      auto& same = first[sketch_of(*value)];
      const auto equal = std::find_if(same.begin(), same.end(),
                                      [&](const OutPort& p) { return equal_bytes(*p.value(), *value); });
      if (equal == same.end()) {
        if (same.size() < most_alike) same.push_back(port);
        continue;
      }
      for (const InPort& reader : port.get_destinations()) reader.set_source(*equal);
    }
  }

 private:
  // Long constants that look alike are compared with so many others.
  static constexpr size_t most_alike = 8;
};

void register_share_constants(Registry& r) { r.transformation<ShareConstants>(); }

}  // namespace mo::builtin_passes

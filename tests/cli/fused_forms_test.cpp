// What the runtime fuses has the form that it looks for: packaging/docs/manual/language_models.md has the
// transformations of OpenVINO, and their files.
#include <cstring>
#include <map>
#include <pugixml.hpp>

#include "program.hpp"

namespace mo::test {
namespace {

// Layers of an IR, and what each reads.
class Ir {
 public:
  struct Port {
    int layer = -1, output = 0;
    friend bool operator==(const Port&, const Port&) = default;
  };

  explicit Ir(const std::string& stem) : bytes_(read_text(stem + ".bin")) {
    const pugi::xml_parse_result read = document_.load_file((stem + ".xml").c_str());
    EXPECT_TRUE(read) << stem;
    std::map<std::pair<int, int>, int> places;  // of outputs among those of their layer
    for (const pugi::xml_node l : document_.child("net").child("layers").children("layer")) {
      const int id = l.attribute("id").as_int();
      layers_[id] = l;
      int place = 0;
      for (const pugi::xml_node p : l.child("input").children("port"))
        ports_[{id, p.attribute("id").as_int()}] = place++;
      place = 0;
      for (const pugi::xml_node p : l.child("output").children("port"))
        places[{id, p.attribute("id").as_int()}] = place++;
    }
    for (const pugi::xml_node e : document_.child("net").child("edges").children("edge")) {
      const int to = e.attribute("to-layer").as_int(), from = e.attribute("from-layer").as_int();
      const auto at = static_cast<size_t>(ports_[{to, e.attribute("to-port").as_int()}]);
      auto& list = inputs_[to];
      if (list.size() <= at) list.resize(at + 1);
      list[at] = {from, places[{from, e.attribute("from-port").as_int()}]};
    }
  }

  std::vector<Port> all(const std::string& type) const {
    std::vector<Port> found;
    for (const auto& [id, l] : layers_)
      if (type == l.attribute("type").value()) found.push_back({id, 0});
    return found;
  }
  bool is(const Port& p, const std::string& type, const std::string& version = {}) const {
    const auto at = layers_.find(p.layer);
    return at != layers_.end() && type == at->second.attribute("type").value() &&
           (version.empty() || version == at->second.attribute("version").value());
  }
  Port in(const Port& p, size_t i) const {
    const auto at = inputs_.find(p.layer);
    return at == inputs_.end() || i >= at->second.size() ? Port{} : at->second[i];
  }
  size_t input_count(const Port& p) const {
    const auto at = inputs_.find(p.layer);
    return at == inputs_.end() ? 0 : at->second.size();
  }
  std::string data(const Port& p, const char* attribute) const {
    const auto at = layers_.find(p.layer);
    return at == layers_.end() ? "" : at->second.child("data").attribute(attribute).value();
  }
  std::string name(const Port& p) const { return layers_.at(p.layer).attribute("name").value(); }
  // Of a constant of a single f32.
  bool is_number(const Port& p, float value) const {
    if (!is(p, "Const") || data(p, "size") != "4") return false;
    float found = 0;
    std::memcpy(&found, bytes_.data() + std::stoull(data(p, "offset")), sizeof found);
    return found == value;
  }

  // f(a, b) for the inputs in either order.
  template <class F>
  bool either(const Port& p, F f) const {
    return f(in(p, 0), in(p, 1)) || f(in(p, 1), in(p, 0));
  }
  template <class F>
  size_t count(const std::string& type, F f) const {
    size_t n = 0;
    for (const Port& p : all(type)) n += f(p) ? 1 : 0;
    return n;
  }

 private:
  pugi::xml_document document_;
  std::string bytes_;
  std::map<int, pugi::xml_node> layers_;
  std::map<std::pair<int, int>, int> ports_;
  std::map<int, std::vector<Port>> inputs_;
};
using Port = Ir::Port;

// Multiply(w, Multiply(x, Power(Sqrt(Add(ReduceMean(Power(x, 2), -1), eps)), -1)))
bool is_rms(const Ir& ir, const Port& p) {
  return ir.either(p, [&](const Port& weights, const Port& normed) {
    return ir.is(weights, "Const") && ir.is(normed, "Multiply") &&
           ir.either(normed, [&](const Port& x, const Port& inverse) {
             const Port root = ir.in(inverse, 0), sum = ir.in(root, 0);
             return ir.is(inverse, "Power") && ir.is_number(ir.in(inverse, 1), -1) && ir.is(root, "Sqrt") &&
                    ir.is(sum, "Add") && ir.either(sum, [&](const Port& mean, const Port& eps) {
                      const Port square = ir.in(mean, 0);
                      return ir.is(mean, "ReduceMean") && ir.is(eps, "Const") && ir.is(square, "Power") &&
                             ir.in(square, 0) == x && ir.is_number(ir.in(square, 1), 2);
                    });
           });
  });
}

bool is_half(const Ir& ir, const Port& p, int which) {
  return ir.is(p, "VariadicSplit") && p.output == which && ir.input_count(p) == 3 &&
         ir.is(ir.in(p, 2), "Const");
}

// Add(x * cos, Concat(-b, a) * sin) with a, b = VariadicSplit(x)
bool is_rotation_by_halves(const Ir& ir, const Port& p) {
  return ir.either(p, [&](const Port& by_cos, const Port& by_sin) {
    return ir.is(by_cos, "Multiply") && ir.is(by_sin, "Multiply") &&
           ir.either(by_sin, [&](const Port& turned, const Port&) {
             const Port negative = ir.in(turned, 0), a = ir.in(turned, 1), b = ir.in(negative, 0);
             return ir.is(turned, "Concat") && ir.is(negative, "Negative") && is_half(ir, a, 0) &&
                    is_half(ir, b, 1) && a.layer == b.layer &&
                    ir.either(by_cos, [&](const Port& x, const Port&) { return x == ir.in(a, 0); });
           });
  });
}

// Concat(a * cos - b * sin, b * cos + a * sin)
bool is_rotation_by_parts(const Ir& ir, const Port& p) {
  const Port first = ir.in(p, 0), second = ir.in(p, 1);
  const auto reads = [&](const Port& product, int half) {
    return ir.is(product, "Multiply") && is_half(ir, ir.in(product, 0), half);
  };
  return ir.input_count(p) == 2 && ir.is(first, "Subtract") && ir.is(second, "Add") &&
         reads(ir.in(first, 0), 0) && reads(ir.in(first, 1), 1) &&
         ir.either(second, [&](const Port& b, const Port& a) { return reads(b, 1) && reads(a, 0); });
}

bool is_cache(const Ir& ir, const Port& concat) {
  const Port gather = ir.in(concat, 0), read = ir.in(gather, 0), rows = ir.in(gather, 1);
  return ir.is(concat, "Concat") && ir.is(gather, "Gather", "opset8") && ir.is(read, "ReadValue", "opset6") &&
         ir.is(rows, "Parameter") && ir.name(rows) == "beam_idx" && ir.is(ir.in(gather, 2), "Const");
}

// Heads that are repeated: Reshape(Broadcast(Unsqueeze(cache)))
bool is_repeated_cache(const Ir& ir, const Port& p) {
  const Port wide = ir.in(p, 0), longer = ir.in(wide, 0);
  return ir.is(p, "Reshape") && ir.is(wide, "Broadcast", "opset3") &&
         ir.data(wide, "mode") == "bidirectional" && ir.is(longer, "Unsqueeze") &&
         is_cache(ir, ir.in(longer, 0));
}

bool is_attention_with_cache(const Ir& ir, const Port& p) {
  return ir.is(p, "ScaledDotProductAttention", "opset13") && ir.input_count(p) == 4 &&
         is_repeated_cache(ir, ir.in(p, 1)) && is_repeated_cache(ir, ir.in(p, 2));
}

// MatMul(activation(MatMul(x, g)) * MatMul(x, u), d)
bool is_gated(const Ir& ir, const Port& p, const std::string& activation) {
  const Port product = ir.in(p, 0);
  return ir.is(product, "Multiply") && ir.either(product, [&](const Port& gate, const Port& up) {
    const Port first = ir.in(gate, 0);
    return ir.is(gate, activation) && ir.is(first, "MatMul") && ir.is(up, "MatMul") &&
           ir.in(first, 0) == ir.in(up, 0);
  });
}

struct Forms {
  std::string model;
  size_t rms, halves, parts, attention, gates;
  std::string activation = "Swish";
};

TEST(FusedForms, OfTinyLanguageModels) {
  const Forms rows[] = {
      {"llama_exported", 5, 4, 0, 2, 2},   {"phi_exported", 0, 4, 0, 2, 0},
      {"qwen_exported", 9, 4, 0, 2, 2},    {"gemma_exported", 9, 4, 0, 0, 2, "Gelu"},
      {"gpt_oss_exported", 5, 4, 0, 0, 0}, {"llama_built", 5, 0, 4, 2, 2},
      {"phi_built", 5, 0, 4, 2, 2},        {"gpt_oss_built", 5, 0, 4, 0, 0},
  };
  for (const Forms& f : rows) {
    SCOPED_TRACE(f.model);
    const Folder folder;
    const Outcome o = run({"--input_model", MO_SOURCE_DIR "/tests/data/language/" + f.model + ".onnx", "-o",
                           folder / "ir", "--silent"});
    ASSERT_EQ(o.code, 0) << o.err;
    const Ir ir(folder / ("ir/" + f.model));
    EXPECT_EQ(ir.count("Multiply", [&](const Port& p) { return is_rms(ir, p); }), f.rms);
    EXPECT_EQ(ir.count("Add", [&](const Port& p) { return is_rotation_by_halves(ir, p); }), f.halves);
    EXPECT_EQ(ir.count("Concat", [&](const Port& p) { return is_rotation_by_parts(ir, p); }), f.parts);
    EXPECT_EQ(
        ir.count("ScaledDotProductAttention", [&](const Port& p) { return is_attention_with_cache(ir, p); }),
        f.attention);
    EXPECT_EQ(ir.count("MatMul", [&](const Port& p) { return is_gated(ir, p, f.activation); }), f.gates);
  }
}

// For releases without them attention is written out, and there is nothing to keep for the mean square; a state that grows
// is one from 2023.3 on, and stays inputs and outputs before.
TEST(FusedForms, OfAnOlderRelease) {
  const Folder folder;
  const Outcome o = run({"--input_model", MO_SOURCE_DIR "/tests/data/language/llama_exported.onnx", "-o",
                         folder / "ir", "--silent", "--target", "2023.1"});
  ASSERT_EQ(o.code, 0) << o.err;
  const Ir ir(folder / "ir/llama_exported");
  EXPECT_TRUE(ir.all("ScaledDotProductAttention").empty());
  EXPECT_EQ(ir.all("SoftMax").size(), 2U);
  EXPECT_TRUE(ir.all("ReadValue").empty());
  EXPECT_EQ(ir.all("Parameter").size(), 7U);
}

}  // namespace
}  // namespace mo::test

// A plugin that is built by another compiler, with another standard library, than the host. It throws and
// catches inside, and what escapes from it is an error of the conversion.
#include <mo/sdk.hpp>

#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace {

constexpr std::string_view friend_opset = "org.example.friends";

struct Animal {
  virtual ~Animal() = default;
  virtual double legs() const = 0;
};
struct Bird : Animal {
  double legs() const override { return 2; }
};
struct Dog : Animal {
  double legs() const override { return 4; }
};

double parsed(const std::string& text) {
  std::istringstream in(text);
  double v = 0;
  if (!(in >> v)) throw std::invalid_argument(text);
  if (v < 0) throw std::out_of_range("below");
  return v;
}

// x -> x + 10, or what an exception that was thrown and caught in here says; and which library this is: the
// number of a Dog's legs with libc++, of a Bird's with libstdc++.
struct Guest {
  static constexpr std::string_view type = "Guest_" FRIEND_NAME, opset = friend_opset;
  static void schema(mo::OpSchema& s) { s.inputs(1).outputs(1); }
  static void infer(mo::InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0);
    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), x.dims());
    std::map<size_t, std::unique_ptr<Animal>> animals;
#ifdef _LIBCPP_VERSION
    animals[0] = std::make_unique<Dog>();
#else
    animals[0] = std::make_unique<Bird>();
#endif
    for (size_t i = 0, n = x.size(); i < n; ++i) {
      double v = 0;
      try {
        v = parsed(mo::text(x.number(i))) + 10;
      } catch (const std::out_of_range& e) {
        v = -static_cast<double>(std::string(e.what()).size());
      }
      if (i + 1 == n && dynamic_cast<Animal*>(animals.at(0).get()) != nullptr) v = animals.at(0)->legs();
      mo::store_number(data, x.type(), i, v);
    }
    c.output(0, y);
  }
};

// Throws what the host has never heard of.
struct Rude {
  static constexpr std::string_view type = "Rude_" FRIEND_NAME, opset = friend_opset;
  static void schema(mo::OpSchema& s) { s.inputs(1).outputs(1); }
  static void infer(mo::InferContext&) { throw std::logic_error("thrown by " FRIEND_NAME); }
};

template <class Op>
void extract(mo::SourceNode& node) {
  node.set_op(Op::type, Op::opset);
}

void register_all(mo::Registry& registry) {
  registry.operation<Guest>();
  registry.operation<Rude>();
  registry.extractor<extract<Guest>>({"toy", friend_opset, Guest::type});
  registry.extractor<extract<Rude>>({"toy", friend_opset, Rude::type});
}

}  // namespace

MO_PLUGIN("org.example.friends." FRIEND_NAME, "1.0.0", "tests", "Apache-2.0", "built by another compiler", "",
          register_all)

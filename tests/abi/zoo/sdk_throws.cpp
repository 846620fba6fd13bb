// The same through the SDK, which turns what is thrown into a status with its text.
#include <mo/sdk.hpp>
#include <new>

namespace {

constexpr std::string_view zoo = "org.example.zoo";

template <class Throw>
struct Thrower {
  static constexpr std::string_view opset = zoo;
  static void schema(mo::OpSchema& s) { s.inputs(1).outputs(1); }
  static void infer(mo::InferContext& c) { Throw::now(c); }
};
struct Standard : Thrower<Standard> {
  static constexpr std::string_view type = "ThrowsStandard";
  static void now(mo::InferContext&) { throw std::out_of_range("index 9 of 3"); }
};
struct Foreign : Thrower<Foreign> {
  static constexpr std::string_view type = "ThrowsForeign";
  static void now(mo::InferContext&) { throw "a literal"; }
};
struct Memory : Thrower<Memory> {
  static constexpr std::string_view type = "ThrowsBadAlloc";
  static void now(mo::InferContext&) { throw std::bad_alloc(); }
};
struct Ours : Thrower<Ours> {
  static constexpr std::string_view type = "ThrowsOurs";
  static void now(mo::InferContext& c) { c.require(false, "rank is ", 7, "; expected 4"); }
};
struct FromHost : Thrower<FromHost> {
  static constexpr std::string_view type = "ThrowsFromHost";
  static void now(mo::InferContext& c) { (void)c.attr<int64_t>("axis"); }
};

void register_all(mo::Registry& r) {
  r.operation<Standard>();
  r.operation<Foreign>();
  r.operation<Memory>();
  r.operation<Ours>();
  r.operation<FromHost>();
}

}  // namespace

MO_PLUGIN("org.example.zoo.sdk-throws", "1.0.0", "the zoo", "Apache-2.0", "throws through the SDK", "",
          register_all)

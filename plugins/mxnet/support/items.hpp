// Registration of operators. Those that need nothing but another name and attributes are extracted; the
// others are converted by front/convert_operators.cpp one after the other: each one finds what it reads
// converted already, so shapes are known.
//
//   static Ports softsign(Build& b, const SourceNode&) {
//     const OutPort x = b.in(0);
//     return {divide(b, x, add(b, b.op("Abs", "opset1", {x}), b.like(x, 1)))};
//   }
//   void register_softsign(Items& items) { items.convert<softsign>("softsign"); }
#pragma once

#include <mo/build.hpp>
#include <mo/extract.hpp>

#include <map>
#include <memory>

namespace mo::mxnet {

using Converters = std::map<std::string, MakeOperator, std::less<>>;  // by operator

class Items {
 public:
  explicit Items(Registry& r) : host(r) {}
  // `ops`: names separated by blanks, among them those of old releases.
  template <auto Extract>
  void extract(std::string_view ops) const {
    each(ops, [&](std::string_view op) { host.extractor<Extract>({"mxnet", "", op}); });
  }
  template <MakeOperator Make>
  void convert(std::string_view ops) const {
    each(ops, [&](std::string_view op) { (*converters_)[std::string(op)] = Make; });
  }
  // Those of all items, once these are registered.
  std::shared_ptr<const Converters> converters() const { return converters_; }

  Registry& host;

 private:
  template <class F>
  static void each(std::string_view list, F f) {
    for (size_t at = 0; at < list.size();) {
      const size_t end = std::min(list.find(' ', at), list.size());
      if (end != at) f(list.substr(at, end - at));
      at = end + 1;
    }
  }
  std::shared_ptr<Converters> converters_ = std::make_shared<Converters>();
};

}  // namespace mo::mxnet

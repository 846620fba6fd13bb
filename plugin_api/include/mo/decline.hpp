// mo/decline.hpp: operators of a framework that have no counterpart in the IR, and why.
//
//   constexpr std::array unsupported{
//       mo::NoCounterpart{"Erfinv Digamma", "the IR has no such special function"},
//   };
//   void register_unsupported(mo::Registry& r) { mo::decline_operators<unsupported>(r, "acme"); }
#ifndef MO_DECLINE_HPP
#define MO_DECLINE_HPP

#include <mo/extract.hpp>

#include <algorithm>

namespace mo {

struct NoCounterpart {
  std::string_view ops;  // separated by blanks
  std::string_view why;  // what `check` and a failed conversion say
};

// f(name) for each name of a list with blanks between.
template <class F>
void each_name(std::string_view names, F f) {
  for (size_t at = 0; at < names.size();) {
    const size_t end = std::min(names.find(' ', at), names.size());
    if (end != at) f(names.substr(at, end - at));
    at = end + 1;
  }
}

namespace detail {
template <const auto& List>
void say_why(SourceNode& n) {
  const std::string own = n.op();
  for (const NoCounterpart& d : List)
    each_name(d.ops, [&](std::string_view op) {
      if (op == own) decline(d.why);
    });
}
}  // namespace detail

// An extractor for each operator of the list, of the framework's domain without a name, that declines all
// nodes.
template <const auto& List>
void decline_operators(Registry& r, std::string_view framework) {
  for (const NoCounterpart& d : List)
    each_name(d.ops, [&](std::string_view op) { r.extractor<detail::say_why<List>>({framework, "", op}); });
}

}  // namespace mo

#endif

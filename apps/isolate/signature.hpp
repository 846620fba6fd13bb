// Which roles the arguments of a function have: seen from their C types, and those of their neighbours.
#pragma once

#include "apps/isolate/roles.hpp"

namespace mo::app::isolate {

// The arguments of one call.
template <class... Roles>
struct Parts {
  std::tuple<typename Roles::Held...> held;

  template <class Tuple>
  static void send(Side& s, Writer& w, const Tuple& args) {
    send_from<0, Roles...>(s, w, args);
  }
  template <class Tuple>
  static void take(Side& s, Reader& r, const Tuple& args) {
    take_from<0, Roles...>(s, r, args);
  }
  void receive(Side& s, Reader& r) {
    std::apply([&](auto&... part) { (part.receive(s, r), ...); }, held);
  }
  auto args() {
    return std::apply([](auto&... part) { return std::tuple_cat(part.args()...); }, held);
  }
  void answer(Side& s, Writer& w) {
    std::apply([&](auto&... part) { (part.answer(s, w), ...); }, held);
  }

 private:
  template <size_t at>
  static void send_from(Side&, Writer&, const auto&) {}
  template <size_t at, class Role, class... Rest>
  static void send_from(Side& s, Writer& w, const auto& args) {
    [&]<size_t... i>(std::index_sequence<i...>) { Role::send(s, w, std::get<at + i>(args)...); }
    (std::make_index_sequence<Role::arity>{});
    send_from<at + Role::arity, Rest...>(s, w, args);
  }
  template <size_t at>
  static void take_from(Side&, Reader&, const auto&) {}
  template <size_t at, class Role, class... Rest>
  static void take_from(Side& s, Reader& r, const auto& args) {
    [&]<size_t... i>(std::index_sequence<i...>) { Role::take(s, r, std::get<at + i>(args)...); }
    (std::make_index_sequence<Role::arity>{});
    take_from<at + Role::arity, Rest...>(s, r, args);
  }
};

// C arguments and their roles.

// Of which function arguments there is none below, it is not compiled: it needs a role.
template <class... C>
struct RolesOf;
template <>
struct RolesOf<> {
  using type = Parts<>;
};

template <class Role, class Others>
struct Before;
template <class Role, class... Others>
struct Before<Role, Parts<Others...>> {
  using type = Parts<Role, Others...>;
};
template <class Role, class... Rest>
using First = Before<Role, typename RolesOf<Rest...>::type>;

// Numbers and ports go as they are, and so does what only its own process can follow: matches, a front-end's
// model.
template <class C>
concept PlainArgument = std::is_arithmetic_v<C> || std::is_same_v<C, mo_port> || std::is_same_v<C, void*> ||
    std::is_same_v<C, mo_match*> || std::is_same_v<C, const mo_match*>;
template <PlainArgument C, class... Rest>
struct RolesOf<C, Rest...> : First<Plain<C>, Rest...> {};

#define MO_ROLE(role, ...) \
  template <class... Rest> \
  struct RolesOf<__VA_ARGS__, Rest...> : First<role, Rest...> {}
MO_ROLE(Text, mo_str);
MO_ROLE(InTensor, mo_tensor*);
MO_ROLE(InFile, mo_file*);
MO_ROLE(InValue, const mo_value*);
MO_ROLE(InShape, const mo_shape*);
MO_ROLE(InNodeInit, const mo_node_init*);
MO_ROLE(InInferArgs, const mo_infer_args*);
MO_ROLE(InEvaluateArgs, const mo_evaluate_args*);
MO_ROLE(InSymbols, const mo_symbols*);
MO_ROLE(InProbeArgs, const mo_probe_args*);
MO_ROLE(InMessage, const mo_message*);
MO_ROLE(InBytes, const void*, uint64_t);
MO_ROLE(InTexts, const mo_str*, uint64_t);
MO_ROLE(InTensors, mo_tensor* const*, uint64_t);
using Dims = InList<int64_t, int64_t>;
MO_ROLE(Dims, const int64_t*, int64_t);

MO_ROLE(OutText, mo_str*);
MO_ROLE(OutValue, mo_value*);
MO_ROLE(OutDesc, const mo_tensor_desc**);
MO_ROLE(OutOperation, const mo_operation_def**);
MO_ROLE(OutSymbols, const mo_symbols**);
MO_ROLE(OutRuntime, mo_runtime*);
MO_ROLE(OutTensor, mo_tensor**);
MO_ROLE(OutFile, mo_file**);
MO_ROLE(OutTensors, mo_tensor**, uint64_t);
MO_ROLE(OutList<mo_str>, mo_str*, uint64_t, uint64_t*);
MO_ROLE(ValuesByName, const mo_str*, uint64_t, mo_value*);
#undef MO_ROLE

template <class T, class... Rest>
struct RolesOf<const T*, uint64_t, Rest...> : First<InList<T>, Rest...> {};
template <class T, class... Rest>
requires(!std::is_const_v<T>) struct RolesOf<T*, uint64_t, uint64_t*, Rest...> : First<OutList<T>, Rest...> {
};
template <class T, class... Rest>
requires((std::is_arithmetic_v<T> && !std::is_const_v<T>) || std::is_same_v<T, mo_port> ||
         std::is_same_v<T, void*>) struct RolesOf<T*, Rest...> : First<Out<T>, Rest...> {
};

// Texts that live longer than the call.
template <class Roles>
struct Lasting;
template <class... Roles>
struct Lasting<Parts<Roles...>> {
  using type = Parts<std::conditional_t<std::is_same_v<Roles, OutText>, OutLastingText, Roles>...>;
};
template <auto member>
inline constexpr bool gives_lasting_texts = false;
template <>
inline constexpr bool gives_lasting_texts<&mo_graph_api::native_key> = true;
template <>
inline constexpr bool gives_lasting_texts<&mo_graph_api::defining_opset> = true;
template <>
inline constexpr bool gives_lasting_texts<&mo_frontend_def::native_key> = true;

template <auto member, class... C>
using Signature =
    std::conditional_t<gives_lasting_texts<member>, typename Lasting<typename RolesOf<C...>::type>::type,
                       typename RolesOf<C...>::type>;

}  // namespace mo::app::isolate

// The host functions that a plugin calls through a message. What both sides call a function is its place in
// the host's list of all.
#pragma once

#include "apps/isolate/callbacks.hpp"
#include "core/host/host_functions.hpp"

namespace mo::app::isolate {

// Answered in the process of the plugin, or by messages of another form: see child.cpp.
template <auto slot>
inline constexpr bool is_special = false;
template <>
inline constexpr bool is_special<&mo_tensor_api::create> = true;
template <>
inline constexpr bool is_special<&mo_tensor_api::wrap> = true;
template <>
inline constexpr bool is_special<&mo_tensor_api::lazy> = true;
template <>
inline constexpr bool is_special<&mo_tensor_api::read> = true;
template <>
inline constexpr bool is_special<&mo_tensor_api::data> = true;
template <>
inline constexpr bool is_special<&mo_host::release_lent> = true;
template <>
inline constexpr bool is_special<&mo_host::get_interface> = true;
template <auto slot>
requires std::is_same_v<core::HostTable<slot>, mo_registry_api>
inline constexpr bool is_special<slot> = true;

// A function that fails with a status, and is called from a callback.
template <auto slot,
          class Function = std::remove_cvref_t<decltype(std::declval<core::HostTable<slot>>().*slot)>>
struct HostCall {
  static constexpr bool is_message = false;
};
template <auto member, class... Args>
struct HostCall<member, mo_status (*)(mo_context*, Args...)> {
  static constexpr bool is_message = !is_special<member>;
  using Table = core::HostTable<member>;
  using Arguments = std::tuple<Args...>;
  static constexpr auto slot = member;
};
template <size_t i>
using HostCallAt = HostCall<core::HostFunctionAt<i>::slot>;

template <class Call>
struct RolesOfCall;
template <auto member, class... Args>
struct RolesOfCall<HostCall<member, mo_status (*)(mo_context*, Args...)>> {
  using type = Signature<member, Args...>;
};
template <size_t i>
using HostRoles = typename RolesOfCall<HostCallAt<i>>::type;

// Functions that are no calls of this form, and messages of the protocol itself.
enum class Extra : uint32_t {
  first = 1000,
  log,
  last_error,
  tensor_bytes,
  file_bytes,
  add_operation,
  add_extractor,
  add_transformation,
  add_frontend,
  add_option,
  add_converter,
  add_interface,
  in_source,
  // What the host asks for beside callbacks.
  load,
  unload,
  release,
};

// What a message is, in its first byte.
enum class Kind : uint8_t { call = 1, host_call = 2, answer = 3, done = 4, end = 5 };

}  // namespace mo::app::isolate

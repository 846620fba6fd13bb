// The functions of mo/host.h.
#include <mo/host.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "apps/library/host_session.hpp"

struct mo_session {
  explicit mo_session(const mo_session_def& def) : host(def) {}
  mo::app::HostSession host;
};

namespace {

bool is_text(mo_str s) { return s.data != nullptr || s.size == 0; }

}  // namespace

extern "C" {

mo_str mo_session_version(void) {
  static constexpr char version[] = MO_HOST_VERSION;
  return {version, sizeof version - 1};
}

mo_status mo_session_open(const mo_session_def* def, mo_session** session) {
  if (session == nullptr) return MO_INVALID_ARGUMENT;
  mo_session_def known{};
  if (def != nullptr) {
    if (def->size < sizeof def->size) return MO_INVALID_ARGUMENT;
    std::memcpy(&known, def, std::min(def->size, sizeof known));
  }
  auto* made = new (std::nothrow) mo_session(known);
  if (made == nullptr) return MO_NO_MEMORY;
  *session = made;
  return MO_OK;
}

void mo_session_close(mo_session* session) { delete session; }

mo_status mo_session_set(mo_session* session, mo_str name, mo_str value) {
  if (session == nullptr || name.size == 0 || !is_text(name) || !is_text(value)) return MO_INVALID_ARGUMENT;
  try {
    std::optional<std::string> given;
    if (value.data != nullptr) given.emplace(value.data, value.size);
    session->host.set({name.data, name.size}, std::move(given));
    return MO_OK;
  } catch (const std::bad_alloc&) {
    return MO_NO_MEMORY;
  }
}

void mo_session_cancel(mo_session* session) {
  if (session != nullptr) session->host.cancel();
}

const mo_error* mo_session_error(const mo_session* session) {
  return session == nullptr ? nullptr : session->host.error();
}

mo_status mo_session_convert(mo_session* session, const mo_model* model, const mo_result** result) {
  return session == nullptr ? MO_INVALID_ARGUMENT : session->host.convert(model, result);
}

mo_status mo_session_check(mo_session* session, const mo_model* model, const mo_result** result) {
  return session == nullptr ? MO_INVALID_ARGUMENT : session->host.check(model, result);
}

mo_status mo_session_run(mo_session* session, const mo_model* model, const mo_array* inputs,
                         uint64_t n_inputs, const mo_result** result) {
  return session == nullptr ? MO_INVALID_ARGUMENT : session->host.run(model, inputs, n_inputs, result);
}

mo_status mo_session_verify(mo_session* session, const mo_model* model, mo_str ir, const mo_array* inputs,
                            uint64_t n_inputs, const mo_result** result) {
  if (session == nullptr || !is_text(ir)) return MO_INVALID_ARGUMENT;
  return session->host.verify(model, {ir.data, ir.size}, inputs, n_inputs, result);
}

void mo_result_free(const mo_result* result) { delete static_cast<const mo::app::Result*>(result); }

}  // extern "C"

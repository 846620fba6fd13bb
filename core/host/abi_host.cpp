// mo_registry_api and the functions of mo_host.
#include <mo/draft/folding.h>

#include <algorithm>
#include <cstring>

#include "core/host/abi_functions.hpp"
#include "core/registry/abi.hpp"
#include "core/support/numbers.hpp"

namespace mo::core::abi {

namespace {

Plugin& registering(mo_context* c) {
  Plugin* plugin = static_cast<CallContext*>(c)->registering;
  if (plugin == nullptr) throw Error("things can be registered inside load() only", MO_WRONG_PHASE);
  return *plugin;
}

template <class Def>
mo_status register_one(mo_context* c, const Def* def) {
  return guarded(c, [&] {
    need(def, "definition");
    session_of(c).registry().add(*def, registering(c));
  });
}

mo_message whole(const mo_message* m) {
  need(m, "message");
  if (m->size < offsetof(mo_message, hint))
    throw Error(text("size of mo_message is ", m->size), MO_INVALID_ARGUMENT);
  mo_message all{};
  std::memcpy(static_cast<void*>(&all), m, std::min(m->size, sizeof all));
  return all;
}

// A text that is not UTF-8 is still worth more than none.
std::string worth_saying(mo_str s) {
  std::string said;
  if (s.data != nullptr && s.size < (size_t{1} << 20)) said = view(s);
  if (!is_utf8(said))
    for (char& b : said)
      if (static_cast<unsigned char>(b) >= 0x80) b = '?';
  return said;
}

// Codes of "MO" and four digits are the host's.
bool is_code_of_plugins(std::string_view s) {
  const auto is_digit = [](char b) { return b >= '0' && b <= '9'; };
  const auto may_be = [&](char b) { return (b >= 'A' && b <= 'Z') || is_digit(b) || b == '_'; };
  if (s.empty() || s.size() > 32 || is_digit(s[0]) || s[0] == '_') return false;
  const bool is_hosts = s.size() == 6 && s.starts_with("MO") && std::all_of(s.begin() + 2, s.end(), is_digit);
  return !is_hosts && std::all_of(s.begin(), s.end(), may_be);
}

Remarks remarks_of(const mo_message& m) {
  Remarks r{worth_saying(m.hint), worth_saying(m.code), worth_saying(m.option), worth_saying(m.file)};
  if (!is_code_of_plugins(r.code)) r.code.clear();
  if (r.place.empty()) return r;
  if (m.line != 0)
    r.place += text(":", m.line, m.column == 0 ? "" : text(":", m.column));
  else if (m.offset != 0)
    r.place += text(", byte ", m.offset);
  return r;
}

mo_runtime runtime_of(const Release& r) {
  const size_t point = r.name.find('.');
  mo_runtime all{};
  all.name = str(r.name);
  all.year = parse_number<int32_t>(r.name.substr(0, point)).value_or(0);
  all.number = parse_number<int32_t>(r.name.substr(point + 1)).value_or(0);
  all.opset = r.opset;
  all.ir_version = r.ir_version;
  return all;
}

void give_runtime(const Release& r, mo_runtime* to) {
  mo_runtime all = runtime_of(r);
  all.size = std::min(to->size, sizeof all);
  std::memcpy(static_cast<void*>(to), &all, all.size);
}

void check_size(const mo_runtime* r) {
  need(r, "runtime");
  if (r->size < sizeof r->size) throw Error(text("size of mo_runtime is ", r->size), MO_INVALID_ARGUMENT);
}

}  // namespace

mo_status registry_operation(mo_context* c, const mo_operation_def* def) { return register_one(c, def); }
mo_status registry_extractor(mo_context* c, const mo_extractor_def* def) { return register_one(c, def); }
mo_status registry_transformation(mo_context* c, const mo_transformation_def* def) {
  return register_one(c, def);
}
mo_status registry_frontend(mo_context* c, const mo_frontend_def* def) { return register_one(c, def); }
mo_status registry_option(mo_context* c, const mo_option_def* def) { return register_one(c, def); }
mo_status registry_converter(mo_context* c, const mo_converter_def* def) { return register_one(c, def); }

mo_status registry_add_interface(mo_context* c, mo_str name, uint32_t revision, const void* table) {
  return guarded(c, [&] {
    Plugin& plugin = registering(c);
    session_of(c).registry().add_interface(name, revision, table, plugin);
  });
}

mo_status registry_in_source(mo_context* c, mo_str file) {
  return guarded(c, [&] {
    Plugin& plugin = registering(c);
    plugin.sources.emplace_back(plugin, checked(file, "file"));
  });
}

mo_status host_fail(mo_context* c, mo_status status, mo_node where, mo_str message) {
  mo_message m{};
  m.size = sizeof m;
  m.text = message;
  m.node = where;
  return host_fail_with(c, status, &m);
}

mo_status host_fail_with(mo_context* c, mo_status status, const mo_message* message) {
  const mo_status set = guarded(c, [&] {
    auto* call = static_cast<CallContext*>(c);
    const mo_message m = whole(message);
    std::string said = worth_saying(m.text);
    if (!call->failure || call->failure->message() != said) call->failure.reset();
    call->error = std::move(said);
    call->remarks = remarks_of(m);
    if (m.node != 0) call->error_where = m.node;
  });
  return set != MO_OK ? set : status == MO_OK ? MO_ERROR : status;
}

mo_str host_last_error(mo_context* c) {
  return c == nullptr ? mo_str{nullptr, 0} : str(static_cast<CallContext*>(c)->error);
}

void host_log(mo_context* c, int32_t level, mo_str message) {
  (void)guarded(c, [&] {
    session_of(c).log(std::clamp<int32_t>(level, MO_LOG_DEBUG, MO_LOG_ERROR), worth_saying(message),
                      static_cast<CallContext*>(c)->plugin);
  });
}

mo_status host_log_with(mo_context* c, int32_t level, const mo_message* message) {
  return guarded(c, [&] {
    if (level < MO_LOG_DEBUG || level > MO_LOG_ERROR)
      throw Error(text("level is ", level, "; expected MO_LOG_DEBUG to MO_LOG_ERROR"), MO_INVALID_ARGUMENT);
    const mo_message m = whole(message);
    const Session& session = session_of(c);
    LogLine line{level, static_cast<CallContext*>(c)->plugin, worth_saying(m.text)};
    const Remarks remarks = remarks_of(m);
    if (!remarks.code.empty()) line.text = text(remarks.code, ": ", line.text);
    if (m.node != 0) {
      const NodeAt n = node_at(c, m.node);
      line.context.emplace_back("node", describe(*n.graph, n.id));
    }
    if (!remarks.place.empty()) line.context.emplace_back("place", remarks.place);
    if (!remarks.hint.empty()) line.context.emplace_back("hint", remarks.hint);
    session.log(std::move(line));
  });
}

mo_status host_progress(mo_context* c, uint64_t done, uint64_t total) {
  return guarded(c, [&]() -> mo_status {
    const auto& sink = session_of(c).progress_sink;
    if (!sink || sink(done, total)) return MO_OK;
    return note_failure(c, MO_CANCELLED, "cancelled");
  });
}

mo_status host_option(mo_context* c, mo_str name, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    const Attribute* a = session_of(c).option(checked(name, "name"));
    if (a == nullptr) return note_failure(c, MO_NOT_FOUND, text("option '", name, "' is not set"));
    *value = to_abi(*a, static_cast<CallContext*>(c)->scratch);
    return MO_OK;
  });
}

static mo_status folding_work(mo_context* c, uint64_t steps) {
  return guarded(c, [&]() -> mo_status {
    if (session_of(c).memory()->try_work(steps)) return MO_OK;
    return note_failure(c, MO_UNSUPPORTED, "constants of this model take too long to be computed");
  });
}

mo_status host_get_interface(mo_context* c, mo_str name, uint32_t revision, const void** table) {
  return guarded(c, [&]() -> mo_status {
    need(table, "table");
    static constexpr mo_folding folding{sizeof folding, folding_work};
    if (checked(name, "name") == MO_FOLDING_INTERFACE && revision == MO_FOLDING_REVISION &&
        !session_of(c).executing) {
      *table = &folding;
      return MO_OK;
    }
    const Interface* i = session_of(c).registry().find_interface(checked(name, "name"), revision);
    if (i == nullptr)
      return note_failure(c, MO_NOT_FOUND,
                          text("nobody offers the interface '", name, "' revision ", revision));
    *table = i->table;
    return MO_OK;
  });
}

mo_status host_return_value(mo_context* c, const mo_value* value) {
  return guarded(c, [&] {
    need(value, "value");
    auto* call = static_cast<CallContext*>(c);
    if (call->all_returned != nullptr)
      call->all_returned->push_back(from_abi(session_of(c), *value));
    else if (call->returned != nullptr)
      *call->returned = from_abi(session_of(c), *value);
    else
      throw Error("this callback returns no value", MO_WRONG_PHASE);
  });
}

mo_status host_convert(mo_context* c, mo_str type_name, const void* bytes, uint64_t count, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    Session& s = session_of(c);
    const Converter* converter = s.registry().converter(checked(type_name, "type_name"));
    if (converter == nullptr)
      return note_failure(c, MO_NOT_FOUND, text("nobody converts the type '", type_name, "'"));
    Attribute result;
    Call call(s);
    call->plugin = converter->plugin;
    call->returned = &result;
    const mo_status status = converter->convert(converter->self, call.get(), bytes, count);
    if (status != MO_OK) return note_failure(c, status, call->error);
    auto& scratch = static_cast<CallContext*>(c)->scratch;
    *value = to_abi(scratch.keep(std::move(result)), scratch);
    return MO_OK;
  });
}

uint64_t host_mark_lent(mo_context* c) {
  uint64_t mark = 0;
  (void)guarded(c, [&] { mark = static_cast<CallContext*>(c)->scratch.mark(); });
  return mark;
}

mo_status host_release_lent(mo_context* c, uint64_t mark) {
  return guarded(c, [&] {
    auto* call = static_cast<CallContext*>(c);
    call->described = {};
    if (!call->scratch.release_to(mark)) throw Error(text("there is no mark ", mark), MO_INVALID_ARGUMENT);
  });
}

mo_status host_target_runtime(mo_context* c, mo_runtime* runtime) {
  return guarded(c, [&] {
    check_size(runtime);
    give_runtime(session_of(c).target(), runtime);
  });
}

mo_status host_first_runtime(mo_context* c, int32_t opset, mo_runtime* runtime) {
  return guarded(c, [&]() -> mo_status {
    check_size(runtime);
    const Release* first = first_release_with(opset);
    if (first == nullptr) return note_failure(c, MO_NOT_FOUND, text("no release has opset", opset));
    give_runtime(*first, runtime);
    return MO_OK;
  });
}

}  // namespace mo::core::abi

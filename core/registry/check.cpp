#include "core/registry/check.hpp"

#include <algorithm>

#include "core/registry/abi.hpp"

namespace mo::core {

namespace {

// Beyond these a number is garbage; reading on would crash.
constexpr size_t largest_text = 1U << 20U;
constexpr uint64_t largest_list = 1U << 16U;
constexpr size_t largest_struct = 1U << 16U;

bool one_line(std::string_view s) {
  return std::none_of(s.begin(), s.end(),
                      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}
bool printable(std::string_view s) {
  for (; !s.empty(); s.remove_prefix(std::min(s.size(), sizeof(uint64_t)))) {
    const std::string_view piece = s.substr(0, sizeof(uint64_t));
    if (is_printable_ascii(piece)) continue;
    if (std::any_of(piece.begin(), piece.end(), [](char c) {
          return (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') || c == '\x7f';
        }))
      return false;
  }
  return true;
}

}  // namespace

std::string in_quotes(std::string_view s) {
  constexpr size_t longest = 80;
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out;
  out.reserve(std::min(s.size(), longest) + 4);
  out += '"';
  // Nearly all of them, of each item that is registered.
  if (s.size() <= longest && is_printable_ascii(s)) {
    out += s;
    out += '"';
    return out;
  }
  const bool utf8 = is_utf8(s);
  for (const char c : s.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f || (byte >= 0x80 && (!utf8 || s.size() > longest))) {
      out += "\\x";
      out += hex[byte >> 4U];
      out += hex[byte & 15U];
    } else {
      out += c;
    }
  }
  return out + (s.size() > longest ? "…\"" : "\"");
}

std::string Check::place_of(std::string_view field) const {
  std::string place;
  for (const Element* e : elements_) {
    if (!place.empty()) place += '.';
    place += text(e->list_, "[", e->index_, "]");
  }
  if (!place.empty() && !field.empty()) place += '.';
  return place += field;
}

void Check::note(Rule rule, std::string_view place, std::string_view value, std::string_view expected) {
  problems_.push_back({rule, text(place, " is ", value, "; expected ", expected)});
}

bool Check::that(bool holds, Rule rule, std::string_view field, std::string_view value,
                 std::string_view expected) {
  if (!holds) note(rule, place_of(field), value, expected);
  return holds;
}

void Check::wrong_number(Rule rule, std::string_view list, uint64_t count, std::string_view expected) {
  note(rule, text("the number of ", place_of(list)), text(count), expected);
}

void Check::done() const {
  if (problems_.empty()) return;
  std::string all;
  for (const Problem& p : problems_)
    all += text(all.empty() ? "" : "\n", rule_name(p.rule), " ", subject_, ": ", p.text);
  throw Error(all, MO_INVALID_ARGUMENT);
}

// Messages are written only where something is wrong: else they would take a third of the time to load a
// plugin.

bool Check::size_fits(std::string_view field, size_t size, size_t known, size_t oldest) {
  if (size < oldest)
    return that(false, Rule::size_too_small, field, text(size),
                text("at least ", oldest, ", the sizeof of this struct in ABI ", MO_ABI_MAJOR, ".0"));
  if (size <= known) return true;
  if (abi_minor_ <= MO_ABI_MINOR)
    return that(
        false, Rule::size_impossible, field, text(size),
        text("at most ", known, ", because the plugin was built for ABI ", MO_ABI_MAJOR, ".", abi_minor_));
  return size <= largest_struct ||
         that(false, Rule::size_impossible, field, text(size), text("a sizeof, at most ", largest_struct));
}

void Check::copy_structure(const void* from, void* to, size_t known, size_t oldest) {
  size_t size = 0;
  std::memcpy(&size, from, sizeof size);
  if (!size_fits("size", size, known, oldest)) done();
  std::memcpy(to, from, std::min(size, known));
}

bool Check::copy_element(const void* from, void* to, size_t known, size_t oldest, size_t stride) {
  size_t size = 0;
  std::memcpy(&size, from, sizeof size);
  if (size != stride)
    return that(false, Rule::list_stride, "size", text(size), text(stride, ", as in the first element"));
  if (!size_fits("size", size, known, oldest)) return false;
  std::memcpy(to, from, std::min(size, known));
  return true;
}

bool Check::list_fits(std::string_view field, const void* items, uint64_t count) {
  if (count == 0) return false;
  if (count > largest_list) {
    wrong_number(Rule::list_size, field, count, text("at most ", largest_list));
    return false;
  }
  return items != nullptr ||
         that(false, Rule::list_pointer, field, "NULL", text("a pointer to ", count, " elements"));
}

// What has nothing to be said of it, as nearly all; `string` says what is wrong with the others.
static bool is_fine(mo_str s, const TextForm& form) {
  if (s.data == nullptr || s.size == 0 || s.size > largest_text) return false;
  const std::string_view v = view(s);
  const bool clean =
      is_printable_ascii(v) || (is_utf8(v) && (form.may_have_lines ? printable(v) : one_line(v)));
  return clean && (form.accepts == nullptr || form.accepts(v));
}

std::string Check::string(std::string_view field, mo_str s, const TextForm& form) {
  if (is_fine(s, form)) return std::string(view(s));
  if (s.size > largest_text) {
    note(Rule::text_pointer, text("the length of ", place_of(field)), text(s.size),
         text("at most ", largest_text));
    return {};
  }
  if (s.data == nullptr && s.size != 0) {
    that(false, Rule::text_pointer, field, text("NULL with length ", s.size), "a pointer to the text");
    return {};
  }
  const std::string_view v = view(s);
  if (v.empty()) {
    that(form.may_be_empty, Rule::text_form, field, "empty", form.expected);
    return {};
  }
  if (!is_utf8(v)) {
    that(false, Rule::not_utf8, field, in_quotes(v), "UTF-8");
    return {};
  }
  const bool clean = form.may_have_lines ? printable(v) : one_line(v);
  if (!clean || (form.accepts != nullptr && !form.accepts(v)))
    that(false, Rule::text_form, field, in_quotes(v), form.expected);
  return clean ? std::string(v) : std::string();
}

std::vector<std::string> Check::strings(std::string_view field, const mo_str* items, uint64_t count,
                                        const TextForm& form) {
  std::vector<std::string> list;
  for (const mo_str& item : array(field, items, count)) {
    const auto name = [&] { return text(field, "[", list.size(), "]"); };
    std::string s = is_fine(item, form) ? std::string(view(item)) : string(name(), item, form);
    if (!s.empty() && std::find(list.begin(), list.end(), s) != list.end())
      that(false, Rule::repeated_in_list, name(), in_quotes(s), "each item once");
    list.push_back(std::move(s));
  }
  return list;
}

void Check::enumeration(std::string_view field, int32_t value, int32_t first, int32_t last) {
  if (value >= first && value <= last) return;
  that(false, Rule::unknown_value, field, text(value, value == 0 ? ", as if it had been forgotten" : ""),
       first == last ? text(first) : text(first, " to ", last));
}

void Check::flags(std::string_view field, uint32_t value, uint32_t known) {
  if ((value & ~known) != 0)
    that(false, Rule::unknown_flag, field, text(value), text("only bits of ", known));
}

void Check::zero(std::string_view field, int64_t reserved) {
  if (reserved != 0) that(false, Rule::reserved_not_zero, field, text(reserved), "0");
}

void Check::callback(std::string_view field, bool is_set) {
  that(is_set, Rule::callback_missing, field, "NULL", "a function");
}

Attribute Check::value(std::string_view field, const mo_value& v, Session& session) {
  const bool scalar = v.kind >= MO_VALUE_INT && v.kind <= MO_VALUE_BYTES;
  const bool list = v.kind >= MO_VALUE_INTS && v.kind <= MO_VALUE_GRAPHS;
  const std::string where(field);
  if (!that(scalar || list, Rule::unknown_value, where + ".kind", text(v.kind),
            "a MO_VALUE_ other than MO_VALUE_NONE") ||
      !that(v.kind != MO_VALUE_GRAPH && v.kind != MO_VALUE_GRAPHS, Rule::bad_value, where, "a graph",
            "a value that needs no session: a graph belongs to the node it is set to"))
    return {};
  zero(where + ".reserved", v.reserved);
  that(list || v.count == 0, Rule::bad_value, where + ".count", text(v.count), "0, as it is not a list");
  if (v.kind == MO_VALUE_BOOL) that(v.u.i == 0 || v.u.i == 1, Rule::bad_value, where, text(v.u.i), "0 or 1");
  if (list && !list_fits(field, v.u.ints, v.count) && v.count != 0) return {};
  if (v.kind == MO_VALUE_BOOLS)
    for (uint64_t i = 0; i < v.count; ++i)
      that(v.u.bools[i] <= 1, Rule::bad_value, text(where, "[", i, "]"), text(static_cast<int>(v.u.bools[i])),
           "0 or 1");
  try {
    return from_abi(session, v);
  } catch (const Error& e) {
    that(false, Rule::bad_value, where, text("not usable (", e.what(), ")"),
         "a value as mo/plugin.h describes it");
    return {};
  }
}

}  // namespace mo::core

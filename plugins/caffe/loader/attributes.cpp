#include "loader/attributes.hpp"

#include <mo/wire.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace mo::caffe {

namespace {

template <class T, class Get>
void give_list(Context c, const std::vector<Value>& values, Get get) {
  std::vector<T> list;
  for (const Value& v : values) list.push_back(get(v));
  give_native(c, list);
}

double number_of(const Value& v) { return v.kind == Value::integer ? static_cast<double>(v.i) : v.f; }

void give_scalar(Context c, const Value& v) {
  switch (v.kind) {
    case Value::integer:
      return give_native(c, v.i);
    case Value::real:
      return give_native(c, v.f);
    case Value::boolean:
      return give_native(c, v.i != 0);
    case Value::message:
      return give_native(c, int64_t{1});
    default:
      return give_native(c, v.s);
  }
}

void give_values(Context c, const std::vector<Value>& values, bool list) {
  if (values.front().kind == Value::message) return give_native(c, static_cast<int64_t>(values.size()));
  if (!list) return give_scalar(c, values.back());
  const auto all = [&](Value::Kind k) {
    return std::all_of(values.begin(), values.end(), [k](const Value& v) { return v.kind == k; });
  };
  if (all(Value::integer)) return give_list<int64_t>(c, values, [](const Value& v) { return v.i; });
  if (all(Value::boolean)) return give_list<bool>(c, values, [](const Value& v) { return v.i != 0; });
  const bool numbers = std::all_of(values.begin(), values.end(), [](const Value& v) {
    return v.kind == Value::integer || v.kind == Value::real;
  });
  if (numbers) return give_list<double>(c, values, number_of);
  give_list<std::string>(c, values,
                         [](const Value& v) { return v.kind == Value::integer ? text(v.i) : v.s; });
}

struct Segment {
  std::string_view name;
  std::optional<size_t> index;
};

// Takes the first part of a path off.
Segment take_segment(std::string_view& path) {
  const size_t dot = path.find('.');
  std::string_view part = path.substr(0, dot);
  path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  Segment s{part, std::nullopt};
  const size_t open = part.find('[');
  if (open == std::string_view::npos || part.back() != ']') return s;
  const std::string_view digits = part.substr(open + 1, part.size() - open - 2);
  size_t n = 0;
  const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc{} || at != digits.data() + digits.size()) return s;
  return {part.substr(0, open), n};
}

bool give_fallback(Context c, const FieldType* f) {
  if (f == nullptr || f->repeated || !f->fallback || f->kind == FieldType::message) return false;
  give_scalar(c, read_scalar(*f, *f->fallback));
  return true;
}

// Walks down the messages; `m` is nullptr where the file has none, and only the schema knows what would be
// there.
bool give_field(Context c, const Message* m, const MessageType* type, std::string_view path) {
  for (;;) {
    const Segment s = take_segment(path);
    const Message::Field* f = m == nullptr ? nullptr : m->find(s.name);
    const FieldType* known = f != nullptr ? f->type : type != nullptr ? type->find(s.name) : nullptr;
    if (f != nullptr && s.index && *s.index >= f->values.size()) return false;
    if (path.empty()) {
      if (f == nullptr) return give_fallback(c, known);
      if (s.index)
        give_scalar(c, f->values[*s.index]);
      else
        give_values(c, f->values, known != nullptr ? known->repeated : f->values.size() > 1);
      return true;
    }
    if (f != nullptr) {
      const Value& v = s.index ? f->values[*s.index] : f->values.back();
      if (v.kind != Value::message) return false;
      m = v.m.get();
      type = m->type();
    } else {
      m = nullptr;
      type = known == nullptr ? nullptr : known->message_type;
    }
    if (m == nullptr && type == nullptr) return false;
  }
}

bool is_set(const Message* m, std::string_view path) {
  while (m != nullptr) {
    const Segment s = take_segment(path);
    const Message::Field* f = m->find(s.name);
    if (f == nullptr || (s.index && *s.index >= f->values.size())) return false;
    if (path.empty()) return true;
    const Value& v = s.index ? f->values[*s.index] : f->values.back();
    m = v.kind == Value::message ? v.m.get() : nullptr;
  }
  return false;
}

void append_names(const Message& m, const std::string& prefix, std::vector<std::string>& names) {
  for (const auto& [name, field] : m.fields()) {
    if (field.values.empty() || name == "blobs") continue;
    if (field.values.front().kind != Value::message) {
      names.push_back(prefix + name);
      continue;
    }
    const bool many = field.type != nullptr ? field.type->repeated : field.values.size() > 1;
    for (size_t i = 0; i < field.values.size(); ++i)
      if (field.values[i].m)
        append_names(*field.values[i].m, text(prefix, name, many ? text('[', i, ']') : "", '.'), names);
  }
}

}  // namespace

bool give_attribute(Context c, const Message& layer, std::string_view path) {
  if (!path.empty() && path.back() == '?') {
    give_native(c, is_set(&layer, path.substr(0, path.size() - 1)));
    return true;
  }
  constexpr std::string_view python = "param_str.";
  if (path.substr(0, python.size()) == python) {
    const Message* p = layer.child("python_param");
    if (p == nullptr) return false;
    const Message entries = python_parameters(p->text("param_str"));
    return give_field(c, &entries, nullptr, path.substr(python.size()));
  }
  return give_field(c, &layer, layer.type(), path);
}

bool give_by_number(Context c, std::string_view bytes, std::string_view path) {
  for (;;) {
    const Segment s = take_segment(path);
    uint32_t number = 0;
    const auto [at, error] = std::from_chars(s.name.data(), s.name.data() + s.name.size(), number);
    if (error != std::errc{} || at != s.name.data() + s.name.size()) return false;
    std::vector<wire::Field> found;
    for (const wire::Field& f : wire::Message(bytes))
      if (f.number == number) found.push_back(f);
    if (found.empty()) return false;
    const wire::Field& last = s.index && *s.index < found.size() ? found[*s.index] : found.back();
    if (!path.empty()) {
      if (last.type != wire::length) return false;
      bytes = last.payload;
      continue;
    }
    const bool one = found.size() == 1 || s.index;
    const auto real = [](const wire::Field& f) {
      double d = 0;
      if (f.type == wire::fixed32) return static_cast<double>(f.f32());
      std::memcpy(&d, &f.raw, sizeof d);
      return d;
    };
    if (last.type == wire::length) {
      // Text, bytes and messages look the same.
      std::vector<std::string> list;
      for (const wire::Field& f : found) list.emplace_back(f.payload);
      mo_value v{};
      v.kind = MO_VALUE_BYTES;
      v.u.s = str(last.payload);
      if (one)
        give_native(c, v);
      else
        give_native(c, list);
    } else if (last.type == wire::varint) {
      std::vector<int64_t> list;
      for (const wire::Field& f : found) list.push_back(static_cast<int64_t>(f.raw));
      if (one)
        give_native(c, static_cast<int64_t>(last.raw));
      else
        give_native(c, list);
    } else {
      std::vector<double> list;
      for (const wire::Field& f : found) list.push_back(real(f));
      if (one)
        give_native(c, real(last));
      else
        give_native(c, list);
    }
    return true;
  }
}

std::vector<std::string> attribute_names(const Message& layer) {
  std::vector<std::string> names;
  append_names(layer, "", names);
  return names;
}

}  // namespace mo::caffe

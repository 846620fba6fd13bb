#include "loader/message.hpp"

namespace mo::caffe {

Message::Field& Message::field(std::string_view name) {
  const auto known = fields_.find(name);
  if (known != fields_.end()) return known->second;
  Field& f = fields_[std::string(name)];
  if (type_ != nullptr) f.type = type_->find(name);
  return f;
}

int64_t Message::integer(std::string_view name, int64_t fallback) const {
  const Field* f = find(name);
  if (f == nullptr) return fallback;
  const Value& v = f->values.back();
  require(v.kind == Value::integer || v.kind == Value::boolean, "field '", name, "' (line ", v.place.line,
          ") is not a whole number");
  return v.i;
}

std::string Message::text(std::string_view name, std::string_view fallback) const {
  const Field* f = find(name);
  if (f == nullptr) return std::string(fallback);
  const Value& v = f->values.back();
  require(v.kind == Value::string || v.kind == Value::word, "field '", name, "' (line ", v.place.line,
          ") is not a text");
  return v.s;
}

std::vector<int64_t> Message::integers(std::string_view name) const {
  std::vector<int64_t> list;
  if (const Field* f = find(name))
    for (const Value& v : f->values) {
      require(v.kind == Value::integer, "field '", name, "' (line ", v.place.line, ") is not a whole number");
      list.push_back(v.i);
    }
  return list;
}

std::vector<std::string> Message::texts(std::string_view name) const {
  std::vector<std::string> list;
  if (const Field* f = find(name))
    for (const Value& v : f->values) {
      require(v.kind == Value::string || v.kind == Value::word, "field '", name, "' (line ", v.place.line,
              ") is not a text");
      list.push_back(v.s);
    }
  return list;
}

std::vector<const Message*> Message::messages(std::string_view name) const {
  std::vector<const Message*> list;
  if (const Field* f = find(name))
    for (const Value& v : f->values) {
      require(v.kind == Value::message, "field '", name, "' (line ", v.place.line, ") is not a message");
      list.push_back(v.m.get());
    }
  return list;
}

const Message* Message::child(std::string_view name) const {
  const auto list = messages(name);
  return list.empty() ? nullptr : list.back();
}

Message& Message::make_child(std::string_view name) {
  Field& f = field(name);
  if (f.values.empty()) {
    Value v;
    v.kind = Value::message;
    v.m = std::make_shared<Message>(f.type == nullptr ? nullptr : f.type->message_type);
    f.values.push_back(std::move(v));
  }
  return *f.values.back().m;
}

void Message::add_text(std::string_view name, std::string text) {
  Field& f = field(name);
  Value v;
  v.kind = f.type != nullptr && f.type->kind == FieldType::enumeration ? Value::word : Value::string;
  v.s = std::move(text);
  f.values.push_back(std::move(v));
}

}  // namespace mo::caffe

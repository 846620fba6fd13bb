#include "loader/attributes.hpp"

#include "loader/tensors.hpp"

#include <charconv>

namespace mo::tensorflow {

namespace {

// A file holds floats; 0.1 shall stay 0.1 and not become 0.10000000149011612.
double shortest(float f) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, f).ptr;
  double d = f;
  std::from_chars(buffer, end, d);
  return d;
}

void read_field(const wire::Field& f, AttrValue& a) {
  const auto message = [&](AttrValue::Kind kind) {
    a.kind = kind;
    a.messages.push_back(f.bytes());
  };
  const auto integers = [&](AttrValue::Kind kind) {
    a.kind = kind;
    wire::append_integers(f, a.integers);
  };
  switch (f.number) {
    case field::attr::s:
      return message(AttrValue::text);
    case field::attr::i:
      return integers(AttrValue::integer);
    case field::attr::f:
      a.kind = AttrValue::real;
      return wire::append_fixed(f, a.reals);
    case field::attr::b:
      return integers(AttrValue::boolean);
    case field::attr::type:
      return integers(AttrValue::type);
    case field::attr::shape:
      return message(AttrValue::shape);
    case field::attr::tensor:
      return message(AttrValue::tensor);
    default:
      return;
  }
}

void require_number(const wire::Field& f) {
  if (f.type != wire::varint && f.type != wire::length && f.type != wire::fixed32) (void)f.integer();
}

}  // namespace

AttrValue parse_attr_value(Bytes bytes) {
  AttrValue a;
  for (const wire::Field& f : wire::Message(bytes)) {
    require_number(f);
    if (f.number == field::attr::func) {
      a.kind = AttrValue::function;
      a.messages.push_back(f.bytes());
    } else if (f.number == field::attr::list) {
      a.list = true;
      for (const wire::Field& item : wire::Message(f.bytes())) {
        require_number(item);
        if (item.number == 9) {  // functions have another number in a list
          a.kind = AttrValue::function;
          a.messages.push_back(item.bytes());
        } else {
          read_field(item, a);
        }
      }
    } else if (f.number != field::attr::placeholder) {
      read_field(f, a);
    }
  }
  return a;
}

Shape parse_shape(Bytes bytes) {
  constexpr size_t most = 254;  // as TensorFlow has it
  std::vector<Dim> dims;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == field::shape::unknown_rank && f.integer() != 0) return Shape::unknown();
    if (f.number != field::shape::dim) continue;
    int64_t size = 0;
    for (const wire::Field& d : wire::Message(f.bytes()))
      if (d.number == field::shape::dim_size) size = d.signed_integer();
    require(size >= -1, "a shape has a dimension of size ", size);
    require(dims.size() < most, "a shape has more than ", most, " dimensions");
    dims.push_back(size == -1 ? any_dim : Dim(size));
  }
  return Shape(dims);
}

std::vector<int64_t> parse_dims(Bytes bytes) {
  const Shape s = parse_shape(bytes);
  require(s.has_rank() && s.is_static(), "the shape of a tensor is not known: ", s);
  std::vector<int64_t> dims;
  for (size_t i = 0; i < s.size(); ++i) dims.push_back(s[i].value());
  return dims;
}

FunctionValue parse_function_value(Bytes bytes) {
  FunctionValue v;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == field::named_attrs::name) v.name = f.bytes();
    if (f.number == field::named_attrs::attr) v.attributes.push_back(parse_entry(f.bytes()));
  }
  return v;
}

std::pair<std::string_view, Bytes> parse_entry(Bytes bytes) {
  std::pair<std::string_view, Bytes> e;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == field::entry::key) e.first = f.bytes();
    if (f.number == field::entry::value) e.second = f.bytes();
  }
  return e;
}

std::optional<Bytes> find_attribute(Bytes node_def, std::string_view name) {
  for (const wire::Field& f : wire::Message(node_def)) {
    if (f.number != field::node::attr) continue;
    const auto [key, value] = parse_entry(f.bytes());
    if (key == name) return value;
  }
  return std::nullopt;
}

namespace {

// `give` takes one value or a list of them.
template <class T, class From, class Convert>
void give_values(Context c, bool list, const std::vector<From>& values, Convert convert) {
  if (!list) return give_native(c, T(convert(values.back())));
  std::vector<T> all;
  all.reserve(values.size());
  for (const From& v : values) all.push_back(T(convert(v)));
  give_native(c, all);
}

void give_value(Context c, TensorReader& tensors, const AttrValue& a) {
  const auto same = [](auto v) { return v; };
  switch (a.kind) {
    case AttrValue::text:
      return give_values<std::string>(c, a.list, a.messages, same);
    case AttrValue::integer:
      return give_values<int64_t>(c, a.list, a.integers, same);
    case AttrValue::real:
      return give_values<double>(c, a.list, a.reals, shortest);
    case AttrValue::boolean:
      return give_values<bool>(c, a.list, a.integers, [](int64_t v) { return v != 0; });
    case AttrValue::type:
      return give_values<ElementType>(c, a.list, a.integers, [](int64_t v) {
        return element_type_of(data_type(static_cast<uint64_t>(v)));
      });
    case AttrValue::shape:
      return give_values<Shape>(c, a.list, a.messages, parse_shape);
    case AttrValue::tensor:
      return give_values<Tensor>(c, a.list, a.messages, [&](Bytes b) { return tensors.read(c, b); });
    case AttrValue::function:
      return give_values<std::string>(c, a.list, a.messages,
                                      [](Bytes b) { return parse_function_value(b).name; });
    default:
      return give_native(c, std::vector<int64_t>{});  // an empty list, or nothing that is known
  }
}

}  // namespace

void give_attribute(Context c, TensorReader& tensors, Bytes attr_value, std::string_view name) {
  try {
    const AttrValue a = parse_attr_value(attr_value);
    const bool empty = a.messages.empty() && a.integers.empty() && a.reals.empty();
    give_value(c, tensors, empty ? AttrValue{} : a);
  } catch (const Error& e) {
    throw Error(text("attribute '", name, "': ", e.what()), e.status());
  }
}

}  // namespace mo::tensorflow

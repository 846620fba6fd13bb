// Arguments of calls: tensors and computed numbers are in-ports, all others attributes.
#include "loader/graph_reader.hpp"
#include "loader/native_names.hpp"

namespace mo::pytorch {

Arguments GraphReader::arguments_of(const Value& node) {
  Arguments all;
  size_t number = 0;
  node.at("inputs").each([&](const Value& input) {
    std::string name(input.at("name").word());
    if (name.empty()) name = text("argument_", number);
    ++number;
    try {
      add_argument(all, name, input.at("arg"));
    } catch (const Error& e) {
      throw Error(text("argument '", name, "': ", e.what()), e.status(), e.where(), e.said());
    }
  });
  return all;
}

void GraphReader::add_tensor(Arguments& to, std::string port, std::string_view name) {
  const size_t slot = slot_of(name);
  const OutPort from = current(slot);
  to.connect(std::move(port), from, slots_[slot].is.is_complex);
}

void GraphReader::add_number(Arguments& to, const std::string& name, std::string_view value) {
  add_tensor(to, name, value);
  to.mark_number(name);
}

void GraphReader::add_tensors(Arguments& to, const std::string& name, const Value& list, bool optional) {
  size_t i = 0;
  list.each([&](const Value& v) {
    const std::string port = text(name, '[', i++, ']');
    if (!optional)
      add_tensor(to, port, v.at("name").word());
    else if (const Value tensor = v["as_tensor"])
      add_tensor(to, port, tensor.at("name").word());
    else
      to.connect(port, {}, false);
  });
  // A list without elements is given, too.
  if (i == 0) to.set(name, std::vector<int64_t>());
}

void GraphReader::add_sizes(Arguments& to, const std::string& name, const Value& list) {
  std::vector<int64_t> sizes;
  list.each([&](const Value& v) {
    if (const Value computed = v["as_name"]) {
      add_tensor(to, text(name, '[', sizes.size(), ']'), computed.word());
      sizes.push_back(native::computed_element);
    } else {
      sizes.push_back(v.is_integer() ? v.integer() : v.at("as_int").integer());
    }
  });
  to.set(name, std::move(sizes));
}

template <class T, class Read>
static std::vector<T> list_of(const Value& v, Read read) {
  std::vector<T> list;
  v.each([&](const Value& e) { list.push_back(read(e)); });
  return list;
}

void GraphReader::add_argument(Arguments& to, const std::string& name, const Value& argument) {
  const auto [kind, v] = argument.only();
  if (kind == "as_none" || kind == "as_device" || kind == "as_layout" || kind == "as_memory_format") return;
  if (kind == "as_tensor") return add_tensor(to, name, v.at("name").word());
  if (kind == "as_optional_tensor") {
    if (v["as_tensor"]) add_tensor(to, name, v["as_tensor"].at("name").word());
    return;
  }
  if (kind == "as_tensors") return add_tensors(to, name, v, false);
  if (kind == "as_optional_tensors") return add_tensors(to, name, v, true);
  if (kind == "as_int") return to.set(name, v.integer());
  if (kind == "as_float") return to.set(name, v.number());
  if (kind == "as_bool") return to.set(name, v.truth());
  if (kind == "as_string") return to.set(name, std::string(v.word()));
  if (kind == "as_ints" || kind == "as_sym_ints") return add_sizes(to, name, v);
  if (kind == "as_floats") return to.set(name, list_of<double>(v, [](const Value& e) { return e.number(); }));
  if (kind == "as_bools") return to.set(name, list_of<bool>(v, [](const Value& e) { return e.truth(); }));
  if (kind == "as_strings")
    return to.set(name, list_of<std::string>(v, [](const Value& e) { return std::string(e.word()); }));
  if (kind == "as_scalar_type") {
    const ScalarType t = scalar_type(v.integer());
    if (t.is_complex) to.complex().push_back(name);
    return to.set(name, t.type);
  }
  if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool") {
    if (const Value computed = v["as_name"]) return add_number(to, name, computed.word());
    const auto [own, number] = v.only();
    if (own == "as_int") return to.set(name, number.integer());
    if (own == "as_float") return to.set(name, number.number());
    return to.set(name, number.truth());
  }
  if (kind == "as_complex") {
    to.complex().push_back(name);
    return to.set(name, std::vector<double>{v.at("real").number(), v.at("imag").number()});
  }
  if (kind == "as_custom_obj" || kind == "as_operator" || kind == "as_graph")
    fail("it is ",
         kind == "as_graph"      ? "a function"
         : kind == "as_operator" ? "an operator"
                                 : "an object",
         ", which operators of the IR do not take");
  fail("it is of a kind that is not known, '", kind, "'");
}

}  // namespace mo::pytorch

#include "loader/pickle.hpp"

#include <mo/error.hpp>

#include <array>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace mo::pytorch {

namespace {

// The machine owns all of them: what a damaged file makes of them may hold itself.
struct Item;
using ItemPtr = Item*;
struct Item {
  enum class Kind { none, boolean, integer, text, name, tuple, list, dictionary, storage, tensor, other };
  Kind kind = Kind::none;
  int64_t integer = 0;
  std::string text;
  std::vector<ItemPtr> items;  // of a dictionary keys and values by turns
  StoredTensor tensor;
};
using Kind = Item::Kind;

struct NamedType {
  std::string_view name;
  ElementType type;
  bool is_complex = false;
};
constexpr std::array types{
    NamedType{"Float", ElementType::f32},
    NamedType{"Double", ElementType::f64},
    NamedType{"Half", ElementType::f16},
    NamedType{"BFloat16", ElementType::bf16},
    NamedType{"Long", ElementType::i64},
    NamedType{"Int", ElementType::i32},
    NamedType{"Short", ElementType::i16},
    NamedType{"Char", ElementType::i8},
    NamedType{"Byte", ElementType::u8},
    NamedType{"Bool", ElementType::boolean},
    NamedType{"float32", ElementType::f32},
    NamedType{"float64", ElementType::f64},
    NamedType{"float16", ElementType::f16},
    NamedType{"bfloat16", ElementType::bf16},
    NamedType{"int64", ElementType::i64},
    NamedType{"int32", ElementType::i32},
    NamedType{"int16", ElementType::i16},
    NamedType{"int8", ElementType::i8},
    NamedType{"uint8", ElementType::u8},
    NamedType{"uint16", ElementType::u16},
    NamedType{"uint32", ElementType::u32},
    NamedType{"uint64", ElementType::u64},
    NamedType{"bool", ElementType::boolean},
    NamedType{"float8_e4m3fn", ElementType::f8e4m3},
    NamedType{"float8_e5m2", ElementType::f8e5m2},
    NamedType{"float8_e8m0fnu", ElementType::f8e8m0},
    NamedType{"ComplexFloat", ElementType::f32, true},
    NamedType{"ComplexDouble", ElementType::f64, true},
    NamedType{"complex64", ElementType::f32, true},
    NamedType{"complex128", ElementType::f64, true},
    NamedType{"complex32", ElementType::f16, true},
};

const NamedType* type_of(std::string_view name) {
  if (name.ends_with("Storage")) name.remove_suffix(7);
  for (const NamedType& t : types)
    if (t.name == name) return &t;
  return nullptr;
}

class Machine {
 public:
  Machine(std::string_view code, std::string_view what) : code_(code), what_(what) {}

  std::vector<NamedTensor> run() {
    const ItemPtr all = result();
    std::vector<NamedTensor> list;
    if (all->kind != Kind::dictionary) wrong("it holds no dictionary");
    for (size_t i = 0; i + 1 < all->items.size(); i += 2) {
      const Item &key = *all->items[i], &value = *all->items[i + 1];
      if (key.kind != Kind::text) wrong("a key is no text");
      NamedTensor n{key.text, value.tensor};
      if (value.kind != Kind::tensor) n.tensor.problem = "it is no tensor";
      list.push_back(std::move(n));
    }
    return list;
  }

 private:
  template <class... Args>
  [[noreturn]] void wrong(const Args&... why) const {
    fail(what_, ": byte ", at_, ": ", why...);
  }
  std::string_view take(uint64_t n) {
    if (n > code_.size() - at_) wrong("it is cut off");
    const std::string_view s = code_.substr(at_, n);
    at_ += n;
    return s;
  }
  template <class T>
  T number() {
    T v;
    std::memcpy(&v, take(sizeof v).data(), sizeof v);
    return v;
  }
  std::string_view line() {
    const size_t end = code_.find('\n', at_);
    if (end == std::string_view::npos) wrong("it is cut off");
    const std::string_view s = take(end - at_);
    ++at_;
    return s;
  }

  ItemPtr push(Kind kind) {
    stack_.push_back(&all_.emplace_back());
    stack_.back()->kind = kind;
    return stack_.back();
  }
  void push_integer(int64_t v) { push(Kind::integer)->integer = v; }
  ItemPtr pop() {
    if (stack_.empty() || (!marks_.empty() && stack_.size() <= marks_.back())) wrong("its stack is empty");
    const ItemPtr top = stack_.back();
    stack_.pop_back();
    return top;
  }
  ItemPtr top() {
    if (stack_.empty()) wrong("its stack is empty");
    return stack_.back();
  }
  std::vector<ItemPtr> pop_to_mark() {
    if (marks_.empty()) wrong("there is no mark");
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    marks_.pop_back();
    std::vector<ItemPtr> items(from, stack_.end());
    stack_.erase(from, stack_.end());
    return items;
  }
  void tuple(size_t n) {
    std::vector<ItemPtr> items(n);
    for (size_t i = n; i-- != 0;) items[i] = pop();
    push(Kind::tuple)->items = std::move(items);
  }
  void append(std::vector<ItemPtr> items, Kind kind) {
    Item& to = *top();
    if (to.kind == Kind::other) return;  // attributes of an object that nobody asks for
    if (to.kind != kind) wrong("elements are added to what takes none");
    if (kind == Kind::dictionary && items.size() % 2 != 0) wrong("a key has no value");
    to.items.insert(to.items.end(), items.begin(), items.end());
  }

  ItemPtr result() {
    // Each step reads a byte at least, so what is made is bounded by the file.
    for (;;) {
      const auto op = static_cast<unsigned char>(take(1)[0]);
      switch (op) {
        case 0x80:  // PROTO
          if (take(1)[0] > 5) wrong("the protocol is newer than 5");
          break;
        case 0x95:  // FRAME
          (void)number<uint64_t>();
          break;
        case 'c': {  // GLOBAL
          const std::string_view module = line();
          named(module, line());
          break;
        }
        case 'q':
          memo_[number<uint8_t>()] = top();
          break;
        case 'r':
          memo_[number<uint32_t>()] = top();
          break;
        case 0x94: {  // MEMOIZE
          const auto next = static_cast<uint32_t>(memo_.size());
          memo_[next] = top();
          break;
        }
        case 'h':
          recall(number<uint8_t>());
          break;
        case 'j':
          recall(number<uint32_t>());
          break;
        case ')':
          push(Kind::tuple);
          break;
        case '}':
          push(Kind::dictionary);
          break;
        case ']':
          push(Kind::list);
          break;
        case '(':
          marks_.push_back(stack_.size());
          break;
        case 't': {
          auto items = pop_to_mark();
          push(Kind::tuple)->items = std::move(items);
          break;
        }
        case 0x85:
        case 0x86:
        case 0x87:
          tuple(op - 0x84U);
          break;
        case 'N':
          push(Kind::none);
          break;
        case 0x88:
        case 0x89:
          push(Kind::boolean)->integer = op == 0x88;
          break;
        case 'J':
          push_integer(number<int32_t>());
          break;
        case 'K':
          push_integer(number<uint8_t>());
          break;
        case 'M':
          push_integer(number<uint16_t>());
          break;
        case 0x8a:
          long_integer();
          break;
        case 'G':
          (void)number<uint64_t>();
          push(Kind::other);
          break;
        case 'X':
          push_text(take(number<uint32_t>()));
          break;
        case 0x8c:
          push_text(take(number<uint8_t>()));
          break;
        case 'Q':
          persistent();
          break;
        case 'R':
          reduce();
          break;
        case 'b': {  // BUILD: attributes, as _metadata of a state dictionary
          (void)pop();
          (void)top();
          break;
        }
        case 's': {
          const ItemPtr value = pop(), key = pop();
          append({key, value}, Kind::dictionary);
          break;
        }
        case 'u':
          append(pop_to_mark(), Kind::dictionary);
          break;
        case 'a': {
          const ItemPtr value = pop();
          append({value}, Kind::list);
          break;
        }
        case 'e':
          append(pop_to_mark(), Kind::list);
          break;
        case '.':
          return pop();
        default:
          wrong("its code ", static_cast<int>(op), " is not one that torch.export writes");
      }
    }
  }

  void push_text(std::string_view s) { push(Kind::text)->text = s; }
  void recall(uint32_t i) {
    const auto found = memo_.find(i);
    if (found == memo_.end()) wrong("it reads what it has not written");
    stack_.push_back(found->second);
  }
  void long_integer() {
    const std::string_view s = take(number<uint8_t>());
    if (s.size() > 8) wrong("an integer has ", s.size(), " bytes");
    uint64_t v = !s.empty() && (static_cast<unsigned char>(s.back()) & 0x80U) != 0 ? UINT64_MAX : 0;
    std::memcpy(&v, s.data(), s.size());
    push_integer(static_cast<int64_t>(v));
  }
  void named(std::string_view module, std::string_view name) {
    const bool known = (module == "torch._utils" &&
                        (name == "_rebuild_parameter" || name == "_rebuild_parameter_with_state" ||
                         name == "_rebuild_tensor_v2" || name == "_rebuild_tensor_v3")) ||
                       (module == "collections" && name == "OrderedDict") ||
                       (module == "torch" && (type_of(name) != nullptr || name == "UntypedStorage")) ||
                       (module == "torch.storage" && name == "UntypedStorage") ||
                       (module == "torch.serialization" && name == "_get_layout");
    if (!known)
      wrong("it calls ", module, '.', name, ", which is not needed for tensors; nothing in a model is run",
            hint("export the model again with torch 2.9 or later, whose archives hold weights as they are"));
    push(Kind::name)->text = name;
  }

  const Item& argument(const std::vector<ItemPtr>& a, size_t i, Kind kind) const {
    if (i >= a.size() || a[i]->kind != kind) wrong("an argument of a tensor is missing");
    return *a[i];
  }
  std::vector<int64_t> integers(const Item& tuple) const {
    std::vector<int64_t> list;
    for (const Item* i : tuple.items) {
      if (i->kind != Kind::integer) wrong("a size is no integer");
      list.push_back(i->integer);
    }
    return list;
  }
  // ('storage', class, key, place, elements)
  void persistent() {
    const ItemPtr id = pop();
    if (id->kind != Kind::tuple || argument(id->items, 0, Kind::text).text != "storage")
      wrong("it refers to something else than a storage");
    const ItemPtr s = push(Kind::storage);
    s->tensor.storage = argument(id->items, 2, Kind::text).text;
    if (const NamedType* t = type_of(argument(id->items, 1, Kind::name).text)) {
      s->tensor.type = t->type;
      s->tensor.is_complex = t->is_complex;
    }
  }
  void reduce() {
    const ItemPtr arguments = pop(), function = pop();
    if (function->kind != Kind::name || arguments->kind != Kind::tuple) wrong("it calls what is no function");
    const std::vector<ItemPtr>& a = arguments->items;
    if (function->text == "OrderedDict") {
      push(Kind::dictionary);
    } else if (function->text.starts_with("_rebuild_parameter")) {
      push(Kind::tensor)->tensor = argument(a, 0, Kind::tensor).tensor;
    } else if (function->text.starts_with("_rebuild_tensor")) {
      const ItemPtr t = push(Kind::tensor);
      t->tensor = argument(a, 0, Kind::storage).tensor;
      t->tensor.offset = argument(a, 1, Kind::integer).integer;
      t->tensor.sizes = integers(argument(a, 2, Kind::tuple));
      t->tensor.strides = integers(argument(a, 3, Kind::tuple));
      if (function->text == "_rebuild_tensor_v3")
        if (const NamedType* type = type_of(argument(a, 6, Kind::name).text)) {
          t->tensor.type = type->type;
          t->tensor.is_complex = type->is_complex;
        }
    } else {
      push(Kind::other);
    }
  }

  std::string_view code_, what_;
  size_t at_ = 0;
  std::deque<Item> all_;
  std::vector<ItemPtr> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint32_t, ItemPtr> memo_;
};

}  // namespace

std::vector<NamedTensor> read_pickled_tensors(std::string_view pickle, std::string_view what) {
  return Machine(pickle, what).run();
}

}  // namespace mo::pytorch

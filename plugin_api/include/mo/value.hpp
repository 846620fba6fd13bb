// Conversion between C++ values and mo_value, both ways.
#pragma once

#include <mo/tensor.hpp>

#include <deque>
#include <memory>

namespace mo {

inline std::string_view kind_name(int32_t kind) {
  switch (kind) {
    case MO_VALUE_NONE:
      return "nothing";
    case MO_VALUE_INT:
      return "int";
    case MO_VALUE_FLOAT:
      return "float";
    case MO_VALUE_BOOL:
      return "bool";
    case MO_VALUE_STRING:
      return "string";
    case MO_VALUE_TYPE:
      return "element type";
    case MO_VALUE_SHAPE:
      return "shape";
    case MO_VALUE_TENSOR:
      return "tensor";
    case MO_VALUE_GRAPH:
      return "graph";
    case MO_VALUE_BYTES:
      return "bytes";
    case MO_VALUE_INTS:
      return "list of int";
    case MO_VALUE_FLOATS:
      return "list of float";
    case MO_VALUE_BOOLS:
      return "list of bool";
    case MO_VALUE_STRINGS:
      return "list of string";
    case MO_VALUE_TYPES:
      return "list of element type";
    case MO_VALUE_SHAPES:
      return "list of shape";
    case MO_VALUE_TENSORS:
      return "list of tensor";
    case MO_VALUE_GRAPHS:
      return "list of graph";
    default:
      return "unknown kind";
  }
}

// A sub-graph as an attribute value.
struct GraphHandle {
  mo_graph id = 0;
};

// ValueOf<T>: kind(), read(host, value), and write(storage, t) which keeps what the mo_value points to in
// storage.
class ValueStorage {
 public:
  template <class T>
  T& keep(T t) {
    static_assert(!std::is_reference_v<T>);
    Kept kept(new T(std::move(t)), [](void* p) { delete static_cast<T*>(p); });
    T& ref = *static_cast<T*>(kept.get());
    kept_.push_back(std::move(kept));
    return ref;
  }

 private:
  // A shared pointer would do, and take a second longer to compile in each file.
  using Kept = std::unique_ptr<void, void (*)(void*)>;
  std::vector<Kept> kept_;
};

template <class T>
struct ValueOf;

#define MO_SCALAR_VALUE(T, KIND, MEMBER, CAST)                                              \
  template <>                                                                               \
  struct ValueOf<T> {                                                                       \
    static constexpr int32_t kind = KIND;                                                   \
    static T read(const mo_host*, const mo_value& v) { return static_cast<T>(v.u.MEMBER); } \
    static mo_value write(ValueStorage&, const T& t) {                                      \
      mo_value v{};                                                                         \
      v.kind = KIND;                                                                        \
      v.u.MEMBER = static_cast<CAST>(t);                                                    \
      return v;                                                                             \
    }                                                                                       \
  };
MO_SCALAR_VALUE(int64_t, MO_VALUE_INT, i, int64_t)
MO_SCALAR_VALUE(double, MO_VALUE_FLOAT, f, double)
MO_SCALAR_VALUE(bool, MO_VALUE_BOOL, i, int64_t)
MO_SCALAR_VALUE(ElementType, MO_VALUE_TYPE, i, int64_t)
#undef MO_SCALAR_VALUE

template <>
struct ValueOf<float> : ValueOf<double> {
  static float read(const mo_host*, const mo_value& v) { return static_cast<float>(v.u.f); }
};

template <>
struct ValueOf<std::string> {
  static constexpr int32_t kind = MO_VALUE_STRING;
  static std::string read(const mo_host*, const mo_value& v) { return std::string(view(v.u.s)); }
  static mo_value write(ValueStorage& s, std::string_view t) {
    mo_value v{};
    v.kind = kind;
    v.u.s = str(s.keep(std::string(t)));
    return v;
  }
};

template <>
struct ValueOf<Shape> {
  static constexpr int32_t kind = MO_VALUE_SHAPE;
  static Shape read(const mo_host*, const mo_value& v) { return Shape(v.u.shape); }
  static mo_value write(ValueStorage& s, const Shape& t) {
    mo_value v{};
    v.kind = kind;
    v.u.shape = s.keep(t).abi();
    return v;
  }
};

template <>
struct ValueOf<Tensor> {
  static constexpr int32_t kind = MO_VALUE_TENSOR;
  static Tensor read(const mo_host* host, const mo_value& v) { return Tensor::borrow(host, v.u.tensor); }
  static mo_value write(ValueStorage& s, const Tensor& t) {
    mo_value v{};
    v.kind = kind;
    v.u.tensor = s.keep(t).get();
    return v;
  }
};

template <>
struct ValueOf<GraphHandle> {
  static constexpr int32_t kind = MO_VALUE_GRAPH;
  static GraphHandle read(const mo_host*, const mo_value& v) { return {v.u.graph}; }
  static mo_value write(ValueStorage&, GraphHandle g) {
    mo_value v{};
    v.kind = kind;
    v.u.graph = g.id;
    return v;
  }
};

#define MO_LIST_VALUE(T, ABI, KIND, MEMBER, READ, WRITE)                          \
  template <>                                                                     \
  struct ValueOf<std::vector<T>> {                                                \
    static constexpr int32_t kind = KIND;                                         \
    static std::vector<T> read(const mo_host* host, const mo_value& v) {          \
      (void)host;                                                                 \
      std::vector<T> list;                                                        \
      list.reserve(v.count);                                                      \
      for (uint64_t i = 0; i < v.count; ++i) list.push_back(READ(v.u.MEMBER[i])); \
      return list;                                                                \
    }                                                                             \
    static mo_value write(ValueStorage& s, const std::vector<T>& list) {          \
      const std::vector<T>& kept = s.keep(list);                                  \
      std::vector<ABI> items;                                                     \
      for (const auto& item : kept) items.push_back(WRITE(item));                 \
      mo_value v{};                                                               \
      v.kind = KIND;                                                              \
      v.count = list.size();                                                      \
      v.u.MEMBER = s.keep(std::move(items)).data();                               \
      return v;                                                                   \
    }                                                                             \
  };
#define MO_TENSOR_READ(x) Tensor::borrow(host, x)
#define MO_TENSOR_WRITE(x) (x).get()
#define MO_SHAPE_WRITE(x) (x).abi()
#define MO_STRING_READ(x) std::string(view(x))
MO_LIST_VALUE(int64_t, int64_t, MO_VALUE_INTS, ints, int64_t, int64_t)
MO_LIST_VALUE(double, double, MO_VALUE_FLOATS, floats, double, double)
MO_LIST_VALUE(bool, uint8_t, MO_VALUE_BOOLS, bools, bool, uint8_t)
MO_LIST_VALUE(std::string, mo_str, MO_VALUE_STRINGS, strings, MO_STRING_READ, str)
MO_LIST_VALUE(ElementType, mo_type, MO_VALUE_TYPES, types, ElementType, mo_type)
MO_LIST_VALUE(Shape, mo_shape, MO_VALUE_SHAPES, shapes, Shape, MO_SHAPE_WRITE)
MO_LIST_VALUE(Tensor, mo_tensor*, MO_VALUE_TENSORS, tensors, MO_TENSOR_READ, MO_TENSOR_WRITE)
#undef MO_LIST_VALUE
#undef MO_TENSOR_READ
#undef MO_TENSOR_WRITE
#undef MO_SHAPE_WRITE
#undef MO_STRING_READ

// What callers may write for a value: literals count as int64_t, double and std::string.
template <class T>
struct Canonical {
  using type = std::conditional_t<
      std::is_same_v<T, bool>, bool,
      std::conditional_t<std::is_integral_v<T>, int64_t,
                         std::conditional_t<std::is_floating_point_v<T>, double,
                                            std::conditional_t<std::is_convertible_v<T, std::string_view>,
                                                               std::string, T>>>>;
};
template <class T>
using canonical_t = typename Canonical<std::decay_t<T>>::type;

template <class T>
mo_value make_value(ValueStorage& s, const T& t) {
  return ValueOf<canonical_t<T>>::write(s, static_cast<canonical_t<T>>(t));
}

namespace detail {

struct NotLent {
  explicit NotLent(Context) {}
};
// While a value of type T is read: what the host makes for it. Of numbers, strings and the like it makes
// nothing.
template <class T>
using LentFor = std::conditional_t<(ValueOf<T>::kind > MO_VALUE_BOOLS), Lent, NotLent>;

}  // namespace detail

// Reads a value as T. Ints serve as floats, an empty list as any list, an int as bool; anything else of
// another kind is an error.
template <class T>
T read_value(const mo_host* host, const mo_value& v, std::string_view what) {
  using V = ValueOf<T>;
  if (v.kind == V::kind) return V::read(host, v);
  if constexpr (V::kind == MO_VALUE_FLOAT)
    if (v.kind == MO_VALUE_INT) return static_cast<T>(v.u.i);
  if constexpr (V::kind == MO_VALUE_BOOL)
    if (v.kind == MO_VALUE_INT) return v.u.i != 0;
  if constexpr (V::kind == MO_VALUE_INT)
    if (v.kind == MO_VALUE_BOOL) return v.u.i;
  if constexpr (V::kind == MO_VALUE_STRING)
    if (v.kind == MO_VALUE_BYTES) return V::read(host, v);
  if constexpr (V::kind == MO_VALUE_FLOATS)
    if (v.kind == MO_VALUE_INTS) {
      const auto ints = ValueOf<std::vector<int64_t>>::read(host, v);
      return T(ints.begin(), ints.end());
    }
  if constexpr (V::kind >= MO_VALUE_INTS)
    if (v.kind >= MO_VALUE_INTS && v.kind <= MO_VALUE_GRAPHS && v.count == 0) return T{};
  throw Error(text("attribute '", what, "' is ", kind_name(v.kind), ", expected ", kind_name(V::kind)),
              MO_WRONG_KIND);
}

}  // namespace mo

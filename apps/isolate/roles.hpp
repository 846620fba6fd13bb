// How arguments of functions of mo/plugin.h travel to another process. A role takes one or more C arguments;
// the caller sends them, the receiver holds what they point to while it calls the function, answers, and the
// caller takes the answer to where the C arguments say. signature.hpp says which arguments have which role.
#pragma once

#include "apps/isolate/values.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

namespace mo::app::isolate {

// Nothing comes back.
struct InOnly {
  template <class... A>
  static void take(Side&, Reader&, A...) {}
};
struct HeldInOnly {
  void answer(Side&, Writer&) {}
};

template <class T>
struct Plain : InOnly {
  static constexpr size_t arity = 1;
  static void send(Side&, Writer& w, T value) { w.put(value); }
  struct Held : HeldInOnly {
    T value{};
    void receive(Side&, Reader& r) { value = r.get<T>(); }
    auto args() { return std::tuple<T>(value); }
  };
};

struct Text : InOnly {
  static constexpr size_t arity = 1;
  static void send(Side&, Writer& w, mo_str s) { w.string(s); }
  struct Held : HeldInOnly {
    mo_str value{};
    void receive(Side&, Reader& r) { value = r.string(); }
    auto args() { return std::tuple(value); }
  };
};

// (const T* items, count)
template <class T, class Count = uint64_t>
struct InList : InOnly {
  static constexpr size_t arity = 2;
  static void send(Side&, Writer& w, const T* items, Count count) {
    w.list(items, static_cast<uint64_t>(count));
  }
  struct Held : HeldInOnly {
    const T* items = nullptr;
    uint64_t count = 0;
    void receive(Side&, Reader& r) { items = r.list<T>(count); }
    auto args() { return std::tuple(items, static_cast<Count>(count)); }
  };
};

struct InBytes : InOnly {
  static constexpr size_t arity = 2;
  static void send(Side&, Writer& w, const void* data, uint64_t count) {
    w.string({static_cast<const char*>(data), count});
  }
  struct Held : HeldInOnly {
    mo_str value{};
    void receive(Side&, Reader& r) { value = r.string(); }
    auto args() { return std::tuple(static_cast<const void*>(value.data), uint64_t{value.size}); }
  };
};

struct InTexts : InOnly {
  static constexpr size_t arity = 2;
  static void send(Side&, Writer& w, const mo_str* items, uint64_t count) { put_strings(w, items, count); }
  struct Held : HeldInOnly {
    const mo_str* items = nullptr;
    uint64_t count = 0;
    void receive(Side&, Reader& r) { items = get_strings(r, count); }
    auto args() { return std::tuple(items, count); }
  };
};

// A struct of which the caller has one or none.
template <class T, void (*put)(Side&, Writer&, const T&), T (*get)(Side&, Reader&)>
struct InStruct : InOnly {
  static constexpr size_t arity = 1;
  static void send(Side& s, Writer& w, const T* value) {
    w.put<uint8_t>(value != nullptr);
    if (value != nullptr) put(s, w, *value);
  }
  struct Held : HeldInOnly {
    T value{};
    bool there = false;
    void receive(Side& s, Reader& r) {
      there = r.flag();
      if (there) value = get(s, r);
    }
    auto args() { return std::tuple<const T*>(there ? &value : nullptr); }
  };
};

using InValue = InStruct<mo_value, put_value, get_value>;
inline void put_shape_of(Side&, Writer& w, const mo_shape& s) { put_shape(w, s); }
inline mo_shape get_shape_of(Side&, Reader& r) { return get_shape(r); }
using InShape = InStruct<mo_shape, put_shape_of, get_shape_of>;

struct InNodeInit : InOnly {
  static constexpr size_t arity = 1;
  static void send(Side&, Writer&, const mo_node_init*);
  struct Held : HeldInOnly {
    mo_node_init value{};
    bool there = false;
    void receive(Side&, Reader&);
    auto args() { return std::tuple<const mo_node_init*>(there ? &value : nullptr); }
  };
};

// Structs that the host itself fills.
void put_infer_args(Side&, Writer&, const mo_infer_args&);
mo_infer_args get_infer_args(Side&, Reader&);
void put_evaluate_args(Side&, Writer&, const mo_evaluate_args&);
mo_evaluate_args get_evaluate_args(Side&, Reader&);
void put_probe_args(Side&, Writer&, const mo_probe_args&);
mo_probe_args get_probe_args(Side&, Reader&);
using InSymbols = InStruct<mo_symbols, put_symbols, get_symbols>;
using InInferArgs = InStruct<mo_infer_args, put_infer_args, get_infer_args>;
using InEvaluateArgs = InStruct<mo_evaluate_args, put_evaluate_args, get_evaluate_args>;
using InProbeArgs = InStruct<mo_probe_args, put_probe_args, get_probe_args>;
void put_message(Side&, Writer&, const mo_message&);
mo_message get_message(Side&, Reader&);
using InMessage = InStruct<mo_message, put_message, get_message>;

// What comes back.

// Pointers of the caller to where the answer goes may be NULL.
template <class T>
struct Asked {
  T value{};
  bool asked = false;
  void receive(Side&, Reader& r) { asked = r.flag(); }
  auto args() { return std::tuple<T*>(asked ? &value : nullptr); }
};
struct Asks {
  static constexpr size_t arity = 1;
  static void send(Side&, Writer& w, const void* where) { w.put<uint8_t>(where != nullptr); }
};

template <class T>
struct Out : Asks {
  static void take(Side&, Reader& r, T* where) {
    if (where != nullptr) *where = r.get<T>();
  }
  struct Held : Asked<T> {
    void answer(Side&, Writer& w) {
      if (this->asked) w.put(this->value);
    }
  };
};

struct OutText : Asks {
  static void take(Side&, Reader& r, mo_str* where) {
    if (where != nullptr) *where = r.arena().keep(r.view());
  }
  struct Held : Asked<mo_str> {
    void answer(Side&, Writer& w) {
      if (asked) w.string(value);
    }
  };
};

// Lives as long as the session, or as the model.
struct OutLastingText : OutText {
  static void take(Side& s, Reader& r, mo_str* where) {
    if (where != nullptr) *where = s.keep(r.view());
  }
};

struct OutValue : Asks {
  static void take(Side& s, Reader& r, mo_value* where) {
    if (where != nullptr) *where = keep_value(get_value(s, r), r.arena());
  }
  struct Held : Asked<mo_value> {
    void answer(Side& s, Writer& w) {
      if (asked) put_value(s, w, value);
    }
  };
};

// Filled as far as the caller's struct goes.
struct OutRuntime {
  static constexpr size_t arity = 1;
  static void send(Side&, Writer& w, const mo_runtime* where) {
    w.put<uint64_t>(where == nullptr ? 0 : where->size);
  }
  static void take(Side&, Reader&, mo_runtime* where);
  struct Held {
    mo_runtime value{};
    void receive(Side&, Reader& r) { value.size = std::min<uint64_t>(r.get<uint64_t>(), sizeof value); }
    auto args() { return std::tuple(value.size == 0 ? nullptr : &value); }
    void answer(Side&, Writer& w);
  };
};

// A pointer to what lives as long as the call or longer.
template <class T, void (*put)(Side&, Writer&, const T*), const T* (*get)(Side&, Reader&)>
struct OutLasting : Asks {
  static void take(Side& s, Reader& r, const T** where) {
    if (where != nullptr) *where = get(s, r);
  }
  struct Held : Asked<const T*> {
    void answer(Side& s, Writer& w) {
      if (this->asked) put(s, w, this->value);
    }
  };
};

// nullptr arrives as that.
template <class T, void (*put)(Side&, Writer&, const T&), T (*get)(Side&, Reader&)>
struct OutStruct {
  static void put_it(Side& s, Writer& w, const T* value) {
    w.put<uint8_t>(value != nullptr);
    if (value != nullptr) put(s, w, *value);
  }
  static const T* get_it(Side& s, Reader& r) {
    if (!r.flag()) return nullptr;
    T* value = r.arena().array<T>(1);
    *value = get(s, r);
    return value;
  }
  using Role = OutLasting<T, put_it, get_it>;
};
void put_operation(Side&, Writer&, const mo_operation_def&);
mo_operation_def get_operation(Side&, Reader&);
using OutOperation = OutStruct<mo_operation_def, put_operation, get_operation>::Role;
using OutSymbols = OutStruct<mo_symbols, put_symbols, get_symbols>::Role;
using OutDesc = OutLasting<mo_tensor_desc, put_desc, get_desc>;

// (T* items, capacity, count)
template <class T>
struct OutList {
  static constexpr size_t arity = 3;
  static void send(Side&, Writer& w, const T* items, uint64_t capacity, const uint64_t* count) {
    w.put<uint8_t>(items != nullptr);
    w.put(std::min<uint64_t>(capacity, most));
    w.put<uint8_t>(count != nullptr);
  }
  static void take(Side&, Reader& r, T* items, uint64_t, uint64_t* count) {
    if (count == nullptr) return;
    *count = r.get<uint64_t>();
    const auto written = r.get<uint64_t>();
    for (uint64_t i = 0; i < written; ++i) {
      if constexpr (std::is_same_v<T, mo_str>)
        items[i] = r.arena().keep(r.view());
      else
        items[i] = r.get<T>();
    }
  }
  struct Held {
    std::unique_ptr<T[]> items;
    uint64_t capacity = 0, count = 0;
    bool has_items = false, has_count = false;
    void receive(Side&, Reader& r) {
      has_items = r.flag();
      capacity = r.get<uint64_t>();
      has_count = r.flag();
      if (capacity > most) throw Violation("a list is asked for that no model has");
      if (has_items) items = std::make_unique_for_overwrite<T[]>(capacity);
    }
    auto args() { return std::tuple(items.get(), capacity, has_count ? &count : nullptr); }
    void answer(Side&, Writer& w) {
      if (!has_count) return;
      const uint64_t written = has_items ? std::min(capacity, count) : 0;
      w.put(count);
      w.put(written);
      for (uint64_t i = 0; i < written; ++i) {
        if constexpr (std::is_same_v<T, mo_str>)
          w.string(items[i]);
        else
          w.put(items[i]);
      }
    }
  };
  static constexpr uint64_t most = uint64_t{1} << 24;
};

// (const mo_str* names, count, mo_value* values)
struct ValuesByName {
  static constexpr size_t arity = 3;
  static void send(Side&, Writer& w, const mo_str* names, uint64_t count, const mo_value* values) {
    put_strings(w, names, count);
    w.put<uint8_t>(values != nullptr);
  }
  static void take(Side& s, Reader& r, const mo_str*, uint64_t count, mo_value* values) {
    for (uint64_t i = 0; values != nullptr && i < count; ++i)
      values[i] = keep_value(get_value(s, r), r.arena());
  }
  struct Held {
    const mo_str* names = nullptr;
    uint64_t count = 0;
    std::vector<mo_value> values;
    bool asked = false;
    void receive(Side&, Reader& r) {
      names = get_strings(r, count);
      asked = r.flag();
      if (asked && names != nullptr) values.resize(count);
    }
    auto args() { return std::tuple(names, count, asked ? values.data() : nullptr); }
    void answer(Side& s, Writer& w) {
      for (const mo_value& v : values) put_value(s, w, v);
    }
  };
};

// Tensors and files.

// One tensor or file, which both processes see.
template <class T, auto put, auto get>
struct InShared : InOnly {
  static constexpr size_t arity = 1;
  static void send(Side& s, Writer& w, T* shared) { (s.*put)(w, shared); }
  struct Held : HeldInOnly {
    T* value = nullptr;
    void receive(Side& s, Reader& r) { value = (s.*get)(r); }
    auto args() { return std::tuple(value); }
  };
};
using InTensor = InShared<mo_tensor, &Side::put_tensor, &Side::get_tensor>;
using InFile = InShared<mo_file, &Side::put_file, &Side::get_file>;

// The receiver gives up its own reference once the answer is on its way.
template <class T, auto put, auto own, auto drop>
struct OutShared : Asks {
  static void take(Side& s, Reader& r, T** where) {
    if (where != nullptr) *where = (s.*own)(r);
  }
  struct Held : Asked<T*> {
    void answer(Side& s, Writer& w) {
      if (!this->asked) return;
      (s.*put)(w, this->value);
      (s.*drop)(this->value);
    }
  };
};
using OutTensor = OutShared<mo_tensor, &Side::put_tensor, &Side::own_tensor, &Side::drop_tensor>;
using OutFile = OutShared<mo_file, &Side::put_file, &Side::own_file, &Side::drop_file>;

struct InTensors : InOnly {
  static constexpr size_t arity = 2;
  static void send(Side& s, Writer& w, mo_tensor* const* items, uint64_t count) {
    const bool there = items != nullptr && count <= Writer::longest_list;
    w.put(count);
    w.put<uint8_t>(there);
    for (uint64_t i = 0; there && i < count; ++i) s.put_tensor(w, items[i]);
  }
  struct Held : HeldInOnly {
    mo_tensor** items = nullptr;
    uint64_t count = 0;
    void receive(Side& s, Reader& r) {
      count = r.get<uint64_t>();
      if (!r.flag()) return;
      items = r.room<mo_tensor*>(count);
      for (uint64_t i = 0; i < count; ++i) items[i] = s.get_tensor(r);
    }
    auto args() { return std::tuple<mo_tensor* const*, uint64_t>(items, count); }
  };
};

struct OutTensors {
  static constexpr size_t arity = 2;
  static void send(Side&, Writer& w, mo_tensor* const* items, uint64_t count) {
    w.put<uint8_t>(items != nullptr);
    w.put(std::min<uint64_t>(count, most));
  }
  static void take(Side& s, Reader& r, mo_tensor** items, uint64_t count) {
    for (uint64_t i = 0; items != nullptr && i < count; ++i) items[i] = s.own_tensor(r);
  }
  struct Held {
    std::vector<mo_tensor*> items;
    uint64_t count = 0;
    bool asked = false;
    void receive(Side&, Reader& r) {
      asked = r.flag();
      count = r.get<uint64_t>();
      if (count > most) throw Violation("more outputs are asked for than a graph has");
      if (asked) items.resize(count);
    }
    auto args() { return std::tuple(asked ? items.data() : nullptr, count); }
    void answer(Side& s, Writer& w) {
      for (mo_tensor* t : items) {
        s.put_tensor(w, t);
        s.drop_tensor(t);
      }
    }
  };
  static constexpr uint64_t most = uint64_t{1} << 20;
};

}  // namespace mo::app::isolate

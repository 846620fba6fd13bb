// Front-ends: reading a framework's model into the graph.
#pragma once

#include <mo/graph.hpp>
#include <mo/thunk.hpp>

#include <memory>

namespace mo {

struct ProbeInfo {
  std::string_view path, extension, head;  // head: the first bytes, empty for a folder
  uint64_t file_bytes;
};

// The loaded model, kept until the conversion ends; native attributes are read from it.
class FrontEndModel {
 public:
  virtual ~FrontEndModel() = default;
  // Gives the attribute to give_native and returns true; false when there is none of this name.
  virtual bool native_attr(Context, uint64_t tag, std::string_view name) = 0;
  virtual std::vector<std::string> native_attr_names(uint64_t tag) = 0;
  struct Key {
    std::string_view domain;
    int32_t version;
    std::string_view op;
  };
  virtual Key native_key(uint64_t tag) = 0;
};

class Registry;

class FrontEnd {
 public:
  virtual std::string name() const = 0;
  virtual std::vector<std::string> aliases() const { return {}; }
  virtual std::vector<std::string> extensions() const = 0;
  // 0: not mine, 100: certainly.
  virtual int probe(const ProbeInfo&) const = 0;
  virtual std::unique_ptr<FrontEndModel> load(Context, std::string_view path, Graph) = 0;
  virtual ~FrontEnd() = default;

 private:
  friend class Registry;
  friend struct FrontEndThunks;
  void (*contents_)(Registry&) = nullptr;
};

// The host copies the value.
template <class T>
void give_native(Context c, const T& value) {
  ValueStorage storage;
  const mo_value v = make_value(storage, value);
  c.check(c.host()->return_value(c.get(), &v));
}
inline void give_native(Context c, const mo_value& v) { c.check(c.host()->return_value(c.get(), &v)); }

// What the converter that is registered for `type_name` makes of the bytes. Error when nobody registered one.
template <class T>
T convert(Context c, std::string_view type_name, std::string_view bytes) {
  const Lent lent(c);
  mo_value v{};
  c.check(c.host()->convert(c.get(), str(type_name), bytes.data(), bytes.size(), &v));
  return read_value<T>(c.host(), v, type_name);
}

// An option of the command line; nothing when unset and without default.
template <class T>
std::optional<T> option(Context c, std::string_view name) {
  const Lent lent(c);
  mo_value v{};
  const mo_status status = c.host()->option(c.get(), str(name), &v);
  if (status == MO_NOT_FOUND) return std::nullopt;
  c.check(status);
  return read_value<T>(c.host(), v, name);
}

// The value of an option that the plugin registered is wrong: a mistake of the command line, so the program
// ends with the exit code of one.
template <class... Args>
[[noreturn]] void fail_option(std::string_view name, const Args&... what) {
  Remarks said;
  said.option = name;
  fail_with(MO_ERROR, std::move(said), what...);
}

struct FrontEndThunks {
  static FrontEnd& of(void* self) { return *static_cast<FrontEnd*>(self); }
  static FrontEndModel& model_of(void* model) { return *static_cast<FrontEndModel*>(model); }
  static mo_status probe(void* self, mo_context* c, const mo_probe_args* a, int32_t* score) {
    return detail::guard(c, [&] {
      const std::string_view head(static_cast<const char*>(a->head),
                                  a->head == nullptr ? 0 : static_cast<size_t>(a->head_bytes));
      *score = of(self).probe({view(a->path), view(a->extension), head, a->file_bytes});
    });
  }
  static mo_status load(void* self, mo_context* c, mo_str path, mo_graph g, void** model) {
    return detail::guard(
        c, [&] { *model = of(self).load(Context(c), view(path), Graph(Context(c), g)).release(); });
  }
  static mo_status native_attr(void*, mo_context* c, void* model, uint64_t tag, mo_str name) {
    return detail::guard(c, [&]() -> mo_status {
      return model_of(model).native_attr(Context(c), tag, view(name)) ? MO_OK : MO_NOT_FOUND;
    });
  }
  static mo_status native_attr_names(void*, mo_context* c, void* model, uint64_t tag) {
    return detail::guard(c, [&] { give_native(Context(c), model_of(model).native_attr_names(tag)); });
  }
  static mo_status native_key(void*, mo_context* c, void* model, uint64_t tag, mo_str* domain,
                              int32_t* version, mo_str* op) {
    return detail::guard(c, [&] {
      const auto key = model_of(model).native_key(tag);
      *domain = str(key.domain);
      *version = key.version;
      *op = str(key.op);
    });
  }
  static mo_status contents(void* self, mo_context* c);
  static void unload(void*, void* model) { delete static_cast<FrontEndModel*>(model); }
  static void release(void* self) { delete static_cast<FrontEnd*>(self); }
};

}  // namespace mo

#include "loader/weights.hpp"

#include "loader/schema.hpp"

#include <mo/lazy.hpp>
#include <mo/lazy_views.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace mo::pytorch {

void Weights::add(const std::string& name, Weight w) { all_.insert_or_assign(name, std::move(w)); }

void Weights::add_raw(const Archive& archive, const Value& config, const std::string& folder) {
  std::unordered_map<std::string_view, Archive::Range> places;  // several names may share one
  config.at("config").members([&](std::string_view name, const Value& v) {
    Weight w;
    const Value meta = v["tensor_meta"], pickled = v["use_pickle"];
    const std::string_view entry = v.at("path_name").word();
    if (meta.is_null()) {
      w.look.problem = "it is no tensor";
    } else if (pickled && pickled.truth()) {
      w.look.problem = "it is a tensor of a class of its own, which only Python can read";
    } else {
      try {
        const ScalarType type = scalar_type(meta.at("dtype").integer());
        w.look.type = type.type;
        w.look.is_complex = type.is_complex;
      } catch (const Error& e) {
        w.look.problem = e.what();
      }
      meta.at("sizes").each([&](const Value& s) { w.look.sizes.push_back(s.at("as_int").integer()); });
      meta.at("strides").each([&](const Value& s) { w.look.strides.push_back(s.at("as_int").integer()); });
      w.look.offset = fixed_size(meta.at("storage_offset"));
      const auto [at, is_new] = places.try_emplace(entry);
      if (is_new) at->second = archive.range(text(folder, entry));
      w.storage = at->second;
    }
    add(std::string(name), std::move(w));
  });
}

void Weights::add_pickled(Context c, const Archive& archive, const std::string& entry) {
  const Archive inner(c, file_, archive.range(entry), text("'", entry, "'"));
  std::string folder;
  for (const auto& [name, e] : inner.entries())
    if (name.ends_with("data.pkl")) folder = name.substr(0, name.size() - 8);
  const std::string order = text(folder, "byteorder");
  require(!inner.has(order) || inner.bytes(order).starts_with("little"), "'", entry,
          "' was written on a big-endian machine", hint("save the program on a little-endian one"));
  for (NamedTensor& n : read_pickled_tensors(inner.bytes(text(folder, "data.pkl")), text("'", entry, "'"))) {
    Weight w{std::move(n.tensor), {}};
    if (w.look.problem.empty()) w.storage = inner.range(text(folder, "data/", w.look.storage));
    add(n.name, std::move(w));
  }
}

namespace {

using Ints = std::vector<int64_t>;

// The strides of elements that lie one after the other.
bool is_dense(const Ints& sizes, const Ints& strides) {
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- != 0;) {
    if (sizes[i] != 1 && strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

// How many elements from the first on are looked at.
int64_t reach(const StoredTensor& t) {
  int64_t last = 0;
  for (size_t i = 0; i < t.sizes.size(); ++i) {
    require(t.sizes[i] >= 0 && t.strides[i] >= 0, "its sizes are ", t.sizes, ", its strides ", t.strides);
    int64_t step = 0;
    const bool too_far = t.sizes[i] > 0 && (__builtin_mul_overflow(t.sizes[i] - 1, t.strides[i], &step) ||
                                            __builtin_add_overflow(last, step, &last));
    require(!too_far, "its sizes are ", t.sizes, ", its strides ", t.strides);
  }
  return std::any_of(t.sizes.begin(), t.sizes.end(), [](int64_t d) { return d == 0; }) ? 0 : last + 1;
}

// Elements that lie elsewhere than one after the other, or some of them not at all.
Tensor gathered(Context c, const Tensor& storage, const StoredTensor& t, size_t width, ElementType type,
                const Ints& dims) {
  const auto read = [storage, sizes = t.sizes, strides = t.strides, width](Context, uint64_t offset,
                                                                           uint64_t bytes, char* to) {
    const char* from = static_cast<const char*>(storage.data());
    // Pieces are whole elements of the IR; those of complex numbers are parts of ours.
    for (uint64_t done = 0; done < bytes;) {
      uint64_t rest = (offset + done) / width, place = 0;
      for (size_t i = sizes.size(); i-- != 0;) {
        place += rest % static_cast<uint64_t>(sizes[i]) * static_cast<uint64_t>(strides[i]);
        rest /= static_cast<uint64_t>(sizes[i]);
      }
      const uint64_t within = (offset + done) % width, n = std::min<uint64_t>(width - within, bytes - done);
      std::memcpy(to + done, from + place * width + within, n);
      done += n;
    }
  };
  return lazy_tensor(c, type, dims, {storage}, read);
}

}  // namespace

Tensor Weights::tensor(Context c, const std::string& name) const {
  const auto found = all_.find(name);
  require(found != all_.end(), "the archive has no weights for '", name, "'");
  const StoredTensor& t = found->second.look;
  const Archive::Range& storage = found->second.storage;
  try {
    require(t.problem.empty(), t.problem);
    require(t.type != ElementType::unknown, "its type is not known");
    require(t.sizes.size() == t.strides.size(), "it has ", t.sizes.size(), " sizes, but ", t.strides.size(),
            " strides");
    const auto part = static_cast<uint64_t>(bits(t.type)) / 8, width = part * (t.is_complex ? 2 : 1);
    const auto elements = static_cast<int64_t>(std::min<uint64_t>(storage.size / width, INT64_MAX));
    const int64_t needed = reach(t);
    require(t.offset >= 0 && (needed == 0 || (needed <= elements && t.offset <= elements - needed)),
            "it has ", storage.size, " bytes, but shape ", t.sizes, " with strides ", t.strides,
            " from element ", t.offset, " on needs more");
    Ints dims = t.sizes;
    if (t.is_complex) dims.push_back(2);
    const uint64_t begin = storage.offset + (needed == 0 ? 0 : static_cast<uint64_t>(t.offset) * width);
    if (needed == 0 || is_dense(t.sizes, t.strides))
      return file_.tensor(c, begin, detail::bytes_of(t.type, dims), t.type, dims);
    // A transposed tensor is one in whose storage dimensions lie in another order.
    Ints order(t.sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return t.strides[static_cast<size_t>(a)] > t.strides[static_cast<size_t>(b)];
    });
    Ints sizes, strides, back(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      sizes.push_back(t.sizes[static_cast<size_t>(order[i])]);
      strides.push_back(t.strides[static_cast<size_t>(order[i])]);
      back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
    }
    if (!t.is_complex && is_dense(sizes, strides))
      return lazy_transposed(c, file_.tensor(c, begin, detail::bytes_of(t.type, sizes), t.type, sizes), back);
    const auto span = static_cast<uint64_t>(needed) * width;
    const Tensor bytes = file_.tensor(c, begin, span, ElementType::u8, {static_cast<int64_t>(span)});
    // Elements that are looked at again and again are bounded by what the file has.
    const uint64_t made = detail::bytes_of(t.type, dims);
    require(made <= (uint64_t{1} << 30) || made / 64 <= storage.size, "shape ", t.sizes, " repeats its ",
            span, " bytes too often");
    return gathered(c, bytes, t, width, t.type, dims);
  } catch (const Error& e) {
    throw Error(text("weights of '", name, "': ", e.what()), e.status(), e.where(), e.said());
  }
}

}  // namespace mo::pytorch

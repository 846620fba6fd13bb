// Second copies of libraries, recognised by texts that only their own code has.
#include <algorithm>
#include <mo/text.hpp>

#include "apps/audit/audit.hpp"
#include "apps/known_plugins/digest.hpp"

namespace mo::app {

namespace {

struct KnownLibrary {
  std::string_view name;
  std::string_view file;     // "libz.so": when it is needed by name, it is not inside
  std::string_view symbols;  // how names of its functions begin; "" = no common beginning
  std::vector<std::string_view> texts;
};

// Texts that headers bring into every user are of no use here.
const std::vector<KnownLibrary>& known_libraries() {
  static const std::vector<KnownLibrary> all{
      {"protobuf",
       "libprotobuf",
       "_ZN6google8protobuf",
       {"google/protobuf/message_lite.cc", "google/protobuf/arena.cc"}},
      {"abseil", "libabsl_", "_ZN4absl", {"[%s : %d] RAW: ", "absl/"}},
      {"oneDNN", "libdnnl", "dnnl_", {"DNNL_VERBOSE", "onednn_verbose"}},
      {"OpenCV", "libopencv_", "_ZN2cv", {"OpenCV(%s) %s:%d: error: (", "OPENCV_LOG_LEVEL"}},
      {"libstdc++",
       "libstdc++.so",
       "_ZNSt",
       {"locale::facet::_S_create_c_locale name not valid",
        "terminate called after throwing an instance of '"}},
      {"libc++", "libc++.so", "_ZNSt3__1", {"libc++abi", "terminating due to uncaught exception"}},
      {"zlib", "libz.so", "", {" deflate 1.", " inflate 1."}},
      {"libpng", "libpng", "png_", {"libpng error: %s", "libpng warning: %s"}},
      {"libjpeg",
       "libjpeg.so",
       "jpeg_",
       {"Corrupt JPEG data: %u extraneous bytes before marker 0x%02x", "Bogus message code %d"}},
      {"RE2", "libre2.so", "_ZN3re2", {"re2/re2.cc", "re2/dfa.cc"}},
      {"OpenSSL", "libcrypto.so", "", {"part of OpenSSL", "OPENSSL_ia32cap"}},
      {"OpenBLAS", "libopenblas", "openblas_", {"OPENBLAS_NUM_THREADS", "OpenBLAS warning:"}},
      {"Intel MKL", "libmkl_", "mkl_", {"MKL_VERBOSE", "Intel MKL "}},
  };
  return all;
}

// Which of many texts are in what a library has when it is loaded.
class TextSearch {
 public:
  explicit TextSearch(const std::string& path) {
    visit_loaded(
        path, [&](const void* bytes, size_t n) { pieces_.emplace_back(static_cast<const char*>(bytes), n); });
  }
  bool has(std::string_view wanted) const {
    return std::any_of(pieces_.begin(), pieces_.end(),
                       [&](const std::string& p) { return p.find(wanted) != std::string::npos; });
  }

 private:
  std::vector<std::string> pieces_;
};

}  // namespace

std::vector<EmbeddedLibrary> embedded_libraries(const std::string& path, const ElfFile& file) {
  const TextSearch search(path);
  std::vector<EmbeddedLibrary> out;
  for (const KnownLibrary& known : known_libraries()) {
    if (std::any_of(file.needed.begin(), file.needed.end(),
                    [&](const std::string& n) { return n.starts_with(known.file); }))
      continue;
    EmbeddedLibrary e;
    size_t found = 0;
    for (const std::string_view wanted : known.texts) {
      if (!search.has(wanted)) continue;
      ++found;
      e.evidence += text(e.evidence.empty() ? "" : ", ", "the text \"", wanted, "\"");
    }
    if (!known.symbols.empty())
      for (const ElfSymbol& s : file.exports)
        if (s.name.starts_with(known.symbols)) {
          e.evidence += text(e.evidence.empty() ? "" : ", ", "the exported symbol ", s.name);
          e.is_exported = true;
          break;
        }
    if (found == 0) continue;  // templates of a library in a header are exported by careless builds, too
    e.name = known.name;
    e.is_certain = found == known.texts.size();
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace mo::app

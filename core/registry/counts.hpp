// Where a plugin's registrations of each kind are counted, and what is said of it.
#pragma once

#include "core/registry/registry.hpp"

namespace mo::core {

inline size_t& count_of(Plugin& p, const Operation&) { return p.operations; }
inline size_t& count_of(Plugin& p, const Extractor&) { return p.extractors; }
inline size_t& count_of(Plugin& p, const Transformation&) { return p.transformations; }
inline size_t& count_of(Plugin& p, const FrontEnd&) { return p.frontends; }
inline size_t& count_of(Plugin& p, const OptionDef&) { return p.options; }
inline size_t& count_of(Plugin& p, const Converter&) { return p.converters; }
inline size_t& count_of(Plugin& p, const Interface&) { return p.interfaces; }

// "3 operations, 1 extractor"; "nothing registered" when there is none of any kind.
std::string in_words(const Counts&, size_t withdrawn = 0);

}  // namespace mo::core

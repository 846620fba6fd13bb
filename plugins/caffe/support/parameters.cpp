#include "support/parameters.hpp"

namespace mo::caffe {

Ints integers(const SourceNode& l, std::string_view path) {
  const auto v = l.find_native<mo_value>(path);
  if (!v) return {};
  if (v->kind == MO_VALUE_INT || v->kind == MO_VALUE_BOOL) return {v->u.i};
  return read_value<Ints>(l.context().host(), *v, path);
}

Reals reals(const SourceNode& l, std::string_view path) {
  const auto v = l.find_native<mo_value>(path);
  if (!v) return {};
  if (v->kind == MO_VALUE_INT) return {static_cast<double>(v->u.i)};
  if (v->kind == MO_VALUE_FLOAT) return {v->u.f};
  return read_value<Reals>(l.context().host(), *v, path);
}

}  // namespace mo::caffe

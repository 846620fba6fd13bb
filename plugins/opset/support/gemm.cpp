#include "support/gemm_kernel.hpp"

namespace mo::opset {

template <class T>
void deterministic_gemm(const Gemm& g, const T* a, const T* b, T* c) {
  gemm::run(g, a, b, c);
}
template void deterministic_gemm(const Gemm&, const float*, const float*, float*);
template void deterministic_gemm(const Gemm&, const double*, const double*, double*);
template void deterministic_gemm(const Gemm&, const uint8_t*, const uint8_t*, uint8_t*);
template void deterministic_gemm(const Gemm&, const uint16_t*, const uint16_t*, uint16_t*);
template void deterministic_gemm(const Gemm&, const uint32_t*, const uint32_t*, uint32_t*);
template void deterministic_gemm(const Gemm&, const uint64_t*, const uint64_t*, uint64_t*);

namespace {

mo_gemm abi_gemm(const Gemm& g) {
  mo_gemm r{};
  r.size = sizeof r;
  r.m = g.m;
  r.n = g.n;
  r.k = g.k;
  r.row_a = g.row_a;
  r.row_b = g.row_b;
  r.row_c = g.row_c;
  if (g.transpose_a) r.flags |= MO_GEMM_TRANSPOSE_A;
  if (g.transpose_b) r.flags |= MO_GEMM_TRANSPOSE_B;
  if (g.accumulate) r.flags |= MO_GEMM_ACCUMULATE;
  return r;
}

void check_gemm(mo_status s) {
  if (s != MO_OK) throw Error(text("the kernels of another plugin fail with status ", s), s);
}

}  // namespace

Multiplier::Multiplier(const Context& c) : context_(c) {
  const void* table = nullptr;
  if (c.host()->get_interface(c.get(), str(MO_FOLDING_INTERFACE), MO_FOLDING_REVISION, &table) == MO_OK)
    folding_ = static_cast<const mo_folding*>(table);
  if (c.host()->get_interface(c.get(), str(MO_KERNELS_INTERFACE), MO_KERNELS_REVISION, &table) == MO_OK)
    fast_ = static_cast<const mo_kernels*>(table);
}

Multiplier::~Multiplier() {
  if (folding_ != nullptr)
    (void)folding_->work(context_.get(), static_cast<uint64_t>(std::min(steps_, 0x1p62)));
}

// Before the product is made, but not for each small one.
void Multiplier::count(const Gemm& g) const {
  if (folding_ == nullptr) return;
  constexpr double few = 0x1p20;
  steps_ += 1 + static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) / 4;
  if (steps_ > few) spend(context_, std::exchange(steps_, 0));
}

void Multiplier::operator()(const Gemm& g, const float* a, const float* b, float* c) const {
  count(g);
  if (fast_ != nullptr && MO_HAS(fast_, gemm_f32) && fast_->gemm_f32 != nullptr) {
    const mo_gemm args = abi_gemm(g);
    return check_gemm(fast_->gemm_f32(&args, a, b, c));
  }
  deterministic_gemm(g, a, b, c);
}

void Multiplier::operator()(const Gemm& g, const double* a, const double* b, double* c) const {
  count(g);
  if (fast_ != nullptr && MO_HAS(fast_, gemm_f64) && fast_->gemm_f64 != nullptr) {
    const mo_gemm args = abi_gemm(g);
    return check_gemm(fast_->gemm_f64(&args, a, b, c));
  }
  deterministic_gemm(g, a, b, c);
}

}  // namespace mo::opset

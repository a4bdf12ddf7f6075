// The kernel in plain C++, for any processor: short arrays that a compiler puts into whatever vectors there are.
#include <bit>
#include <cmath>

#include "runtime/attention/kernel.h"
#include "runtime/attention/kernel_target.h"
#include "runtime/base/instructions.h"

namespace ranklint::runtime {

namespace {

struct Vec {
  static constexpr int kWidth = 4;
  struct Reg {
    float x[kWidth];
  };
  struct Mask {
    bool x[kWidth];
  };

  template <typename F>
  RANKLINT_INLINE Reg each(F&& f) {
    Reg out;
    RANKLINT_UNROLL
    for (int i = 0; i < kWidth; ++i) out.x[i] = f(i);
    return out;
  }
  RANKLINT_INLINE Reg load(const float* from) {
    return each([&](int i) { return from[i]; });
  }
  RANKLINT_INLINE Reg load(const uint16_t* from) {
    return each([&](int i) { return std::bit_cast<float>(static_cast<uint32_t>(from[i]) << 16); });
  }
  RANKLINT_INLINE void store(float* to, const Reg& a) {
    RANKLINT_UNROLL
    for (int i = 0; i < kWidth; ++i) to[i] = a.x[i];
  }
  RANKLINT_INLINE Reg splat(float value) {
    return each([&](int) { return value; });
  }
  RANKLINT_INLINE Reg add(const Reg& a, const Reg& b) {
    return each([&](int i) { return a.x[i] + b.x[i]; });
  }
  RANKLINT_INLINE Reg sub(const Reg& a, const Reg& b) {
    return each([&](int i) { return a.x[i] - b.x[i]; });
  }
  RANKLINT_INLINE Reg mul(const Reg& a, const Reg& b) {
    return each([&](int i) { return a.x[i] * b.x[i]; });
  }
  RANKLINT_INLINE Reg div(const Reg& a, const Reg& b) {
    return each([&](int i) { return a.x[i] / b.x[i]; });
  }
  // One operation where this build's processors have it.
  RANKLINT_INLINE float fma(float a, float b, float c) {
#if defined(__FP_FAST_FMAF)
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
  }
  RANKLINT_INLINE Reg fma(const Reg& a, const Reg& b, const Reg& c) {
    return each([&](int i) { return fma(a.x[i], b.x[i], c.x[i]); });
  }
  RANKLINT_INLINE Reg fma_sub(const Reg& a, const Reg& b, const Reg& c) {
    return each([&](int i) { return fma(a.x[i], b.x[i], -c.x[i]); });
  }
  RANKLINT_INLINE void after(const Reg&, const float*&) {}
  RANKLINT_INLINE Reg max(const Reg& a, const Reg& b) {
    return each([&](int i) { return a.x[i] < b.x[i] ? b.x[i] : a.x[i]; });
  }
  RANKLINT_INLINE Mask less(const Reg& a, const Reg& b) {
    Mask out;
    for (int i = 0; i < kWidth; ++i) out.x[i] = a.x[i] < b.x[i];
    return out;
  }
  // Lanes whose number is above `bound`.
  RANKLINT_INLINE Mask lane_above(int bound) {
    Mask out;
    for (int i = 0; i < kWidth; ++i) out.x[i] = i > bound;
    return out;
  }
  RANKLINT_INLINE Reg choose(const Mask& mask, const Reg& yes, const Reg& no) {
    return each([&](int i) { return mask.x[i] ? yes.x[i] : no.x[i]; });
  }
  RANKLINT_INLINE Reg zero_unless(const Mask& mask, const Reg& a) { return choose(mask, a, splat(0.0f)); }
  RANKLINT_INLINE Reg load_quads(const float* from, int) { return load(from); }
  RANKLINT_INLINE Reg low_ones(const Reg& a, const Reg& b) { return {{a.x[0], b.x[0], a.x[1], b.x[1]}}; }
  RANKLINT_INLINE Reg high_ones(const Reg& a, const Reg& b) { return {{a.x[2], b.x[2], a.x[3], b.x[3]}}; }
  RANKLINT_INLINE Reg low_pairs(const Reg& a, const Reg& b) { return {{a.x[0], a.x[1], b.x[0], b.x[1]}}; }
  RANKLINT_INLINE Reg high_pairs(const Reg& a, const Reg& b) { return {{a.x[2], a.x[3], b.x[2], b.x[3]}}; }
  // p * 2^n, with n in the low bits of `shifted`.
  RANKLINT_INLINE Reg shift_exponent(const Reg& p, const Reg& shifted) {
    return each([&](int i) {
      return std::bit_cast<float>(std::bit_cast<uint32_t>(p.x[i]) + (std::bit_cast<uint32_t>(shifted.x[i]) << 23));
    });
  }
};

constexpr int kRows = 4, kVecs = 2;
constexpr int kTileRows = 4, kTileVecs = 2;
constexpr int kKeyBlock = 96;

#include "runtime/attention/kernel_blocks.inc"

constexpr Kernel kKernel = make_kernel("portable");

}  // namespace

const Kernel& portable_kernel() { return kKernel; }

const Kernel& best_kernel() {
  switch (instructions_in_use()) {
    case Instructions::Portable: break;
    case Instructions::Avx2: return *avx2_kernel();
    case Instructions::Avx512: return *avx512_kernel();
  }
  return portable_kernel();
}

}  // namespace ranklint::runtime

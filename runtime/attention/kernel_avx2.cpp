// The kernel for AVX2 and FMA: vectors of 8; 4 x 24 tiles of scores, 6 x 16 tiles of gradients, so that 12 sums, the
// vectors of lanes and one broadcast fill the 16 registers.
#include "runtime/attention/kernel.h"
#include "runtime/attention/kernel_target.h"
#include "runtime/base/instructions.h"

#if defined(__x86_64__)
#include <immintrin.h>

RANKLINT_TARGET("avx2,fma")

namespace ranklint::runtime {

namespace {

struct Vec {
  static constexpr int kWidth = 8;
  using Reg = __m256;
  using Mask = __m256;

  RANKLINT_INLINE Reg load(const float* from) { return _mm256_loadu_ps(from); }
  RANKLINT_INLINE Reg load(const uint16_t* from) {
    const __m256i halves = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(halves, 16));
  }
  RANKLINT_INLINE void store(float* to, Reg a) { _mm256_storeu_ps(to, a); }
  RANKLINT_INLINE Reg splat(float value) { return _mm256_set1_ps(value); }
  RANKLINT_INLINE Reg add(Reg a, Reg b) { return _mm256_add_ps(a, b); }
  RANKLINT_INLINE Reg sub(Reg a, Reg b) { return _mm256_sub_ps(a, b); }
  RANKLINT_INLINE Reg mul(Reg a, Reg b) { return _mm256_mul_ps(a, b); }
  RANKLINT_INLINE Reg div(Reg a, Reg b) { return _mm256_div_ps(a, b); }
  RANKLINT_INLINE Reg fma(Reg a, Reg b, Reg c) { return _mm256_fmadd_ps(a, b, c); }
  RANKLINT_INLINE Reg fma_sub(Reg a, Reg b, Reg c) { return _mm256_fmsub_ps(a, b, c); }
  // What is read through `pointer` is read after `sum` is known to the compiler. It is no instruction; it keeps Clang
  // from loading two broadcasts at a time, for which there is no register.
  RANKLINT_INLINE void after(const Reg& sum, const float*& pointer) { asm("" : "+r"(pointer) : "x"(sum)); }
  RANKLINT_INLINE Reg max(Reg a, Reg b) { return _mm256_max_ps(a, b); }
  RANKLINT_INLINE Mask less(Reg a, Reg b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
  RANKLINT_INLINE Mask lane_above(int bound) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(lanes, _mm256_set1_epi32(bound)));
  }
  RANKLINT_INLINE Reg choose(Mask mask, Reg yes, Reg no) { return _mm256_blendv_ps(no, yes, mask); }
  RANKLINT_INLINE Reg zero_unless(Mask mask, Reg a) { return _mm256_and_ps(mask, a); }
  RANKLINT_INLINE Reg load_quads(const float* from, int step) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)), _mm_loadu_ps(from + step), 1);
  }
  RANKLINT_INLINE Reg low_ones(Reg a, Reg b) { return _mm256_unpacklo_ps(a, b); }
  RANKLINT_INLINE Reg high_ones(Reg a, Reg b) { return _mm256_unpackhi_ps(a, b); }
  RANKLINT_INLINE Reg low_pairs(Reg a, Reg b) {
    return _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
  }
  RANKLINT_INLINE Reg high_pairs(Reg a, Reg b) {
    return _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
  }
  RANKLINT_INLINE Reg shift_exponent(Reg p, Reg shifted) {
    const __m256i n = _mm256_slli_epi32(_mm256_castps_si256(shifted), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), n));
  }
};

constexpr int kRows = 4, kVecs = 3;
constexpr int kTileRows = 6, kTileVecs = 2;
constexpr int kKeyBlock = 192;

#include "runtime/attention/kernel_blocks.inc"

constexpr Kernel kKernel = make_kernel("avx2");

}  // namespace

}  // namespace ranklint::runtime

RANKLINT_TARGET_END

namespace ranklint::runtime {
const Kernel* avx2_kernel() { return widest_instructions() >= Instructions::Avx2 ? &kKernel : nullptr; }
}  // namespace ranklint::runtime

#else

namespace ranklint::runtime {
const Kernel* avx2_kernel() { return nullptr; }
}  // namespace ranklint::runtime

#endif

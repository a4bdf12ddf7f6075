// The kernel for AVX-512: vectors of 16; 8 x 32 tiles of scores and of gradients: 16 sums, and head sizes of 64 and 128
// are whole tiles.
#include "runtime/attention/kernel.h"
#include "runtime/attention/kernel_target.h"
#include "runtime/base/instructions.h"

#if defined(__x86_64__)
#include <immintrin.h>

#if !defined(__clang__)
// GCC 12 takes the deliberately undefined operands of its own intrinsics for mistakes (its bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

RANKLINT_TARGET("avx512f")

namespace ranklint::runtime {

namespace {

struct Vec {
  static constexpr int kWidth = 16;
  using Reg = __m512;
  using Mask = __mmask16;

  RANKLINT_INLINE Reg load(const float* from) { return _mm512_loadu_ps(from); }
  RANKLINT_INLINE Reg load(const uint16_t* from) {
    const __m512i halves = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    return _mm512_castsi512_ps(_mm512_slli_epi32(halves, 16));
  }
  RANKLINT_INLINE void store(float* to, Reg a) { _mm512_storeu_ps(to, a); }
  RANKLINT_INLINE Reg splat(float value) { return _mm512_set1_ps(value); }
  RANKLINT_INLINE Reg add(Reg a, Reg b) { return _mm512_add_ps(a, b); }
  RANKLINT_INLINE Reg sub(Reg a, Reg b) { return _mm512_sub_ps(a, b); }
  RANKLINT_INLINE Reg mul(Reg a, Reg b) { return _mm512_mul_ps(a, b); }
  RANKLINT_INLINE Reg div(Reg a, Reg b) { return _mm512_div_ps(a, b); }
  RANKLINT_INLINE Reg fma(Reg a, Reg b, Reg c) { return _mm512_fmadd_ps(a, b, c); }
  RANKLINT_INLINE Reg fma_sub(Reg a, Reg b, Reg c) { return _mm512_fmsub_ps(a, b, c); }
  RANKLINT_INLINE void after(const Reg&, const float*&) {}  // there are registers enough
  RANKLINT_INLINE Reg max(Reg a, Reg b) { return _mm512_max_ps(a, b); }
  RANKLINT_INLINE Mask less(Reg a, Reg b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
  RANKLINT_INLINE Mask lane_above(int bound) {
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_cmpgt_epi32_mask(lanes, _mm512_set1_epi32(bound));
  }
  RANKLINT_INLINE Reg choose(Mask mask, Reg yes, Reg no) { return _mm512_mask_blend_ps(mask, no, yes); }
  RANKLINT_INLINE Reg zero_unless(Mask mask, Reg a) { return _mm512_maskz_mov_ps(mask, a); }
  RANKLINT_INLINE Reg load_quads(const float* from, int step) {
    Reg quads = _mm512_castps128_ps512(_mm_loadu_ps(from));
    quads = _mm512_insertf32x4(quads, _mm_loadu_ps(from + step), 1);
    quads = _mm512_insertf32x4(quads, _mm_loadu_ps(from + 2 * step), 2);
    return _mm512_insertf32x4(quads, _mm_loadu_ps(from + 3 * step), 3);
  }
  RANKLINT_INLINE Reg low_ones(Reg a, Reg b) { return _mm512_unpacklo_ps(a, b); }
  RANKLINT_INLINE Reg high_ones(Reg a, Reg b) { return _mm512_unpackhi_ps(a, b); }
  RANKLINT_INLINE Reg low_pairs(Reg a, Reg b) {
    return _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
  }
  RANKLINT_INLINE Reg high_pairs(Reg a, Reg b) {
    return _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
  }
  RANKLINT_INLINE Reg shift_exponent(Reg p, Reg shifted) {
    const __m512i n = _mm512_slli_epi32(_mm512_castps_si512(shifted), 23);
    return _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(p), n));
  }
};

constexpr int kRows = 8, kVecs = 2;
constexpr int kTileRows = 8, kTileVecs = 2;
constexpr int kKeyBlock = 128;

#include "runtime/attention/kernel_blocks.inc"

constexpr Kernel kKernel = make_kernel("avx512");

}  // namespace

}  // namespace ranklint::runtime

RANKLINT_TARGET_END

namespace ranklint::runtime {
const Kernel* avx512_kernel() { return widest_instructions() >= Instructions::Avx512 ? &kKernel : nullptr; }
}  // namespace ranklint::runtime

#else

namespace ranklint::runtime {
const Kernel* avx512_kernel() { return nullptr; }
}  // namespace ranklint::runtime

#endif

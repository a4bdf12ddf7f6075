// The part of attention that runs hot, once per instruction set. Everything else (packing, blocks, threads, masks of whole
// blocks) is ordinary C++ over this table of functions.
//
// Scores are kept TRANSPOSED: a tile is [keys, lanes], a lane being a query. So the running maximum, the sum, the mask and
// the rescaling of a row of softmax are element-wise over vectors, and nothing is ever reduced across a register. All five
// products of attention then have one of two forms, A broadcast and B a vector of lanes:
//
//     scores   S'[key][query]   = sum_c  K[key][c]     Q'[c][query]          and dP' = V dO'
//     output   O'[c][query]    += sum_key V[key][c]    P'[key][query]        and dQ' += K dS'
//     gradient dV[key][c]      += sum_query P'[key][query] dO[query][c]      and dK  += dS' Q
//
// A panel is `lanes` queries. Operands are packed so that each product reads A and B front to back:
//
//     query panel   [c][lanes]                     one panel of Q or of dO, transposed
//     key tiles     [key / rows][c][rows]          A of the scores
//     key slabs     [block][c / rows][key in block][rows]   A of the output; a block is `key_block` keys
//     query rows    [c / grad_lanes][query][grad_lanes]     B of the gradients
//
// Numbers: f32 throughout, one fused multiply-add per term. Scores stay as they come out of the product; `factor`, which is
// scale / ln 2, is applied in the exponent and without a rounding of its own: p = 2^fma(s, factor, -m), with 2^x by x = n + f with a polynomial of degree 6 on [-1/2, 1/2], relative error below 1.4 * 2^-24, zero
// below x = -126.
//
// The online softmax is that of M. Milakov and N. Gimelshein, "Online normalizer calculation for softmax" (2018); its
// blocked use and the backward pass from the saved log-sum-exp follow T. Dao et al., "FlashAttention" (2022) and T. Dao,
// "FlashAttention-2" (2023).
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace ranklint::runtime {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Which keys of a block the lanes of a panel see: lane i sees key j, both counted from the start of block and panel, iff
// first <= j < min(count, limit + i). `limit` is clamped by the caller so that limit + lanes does not overflow.
struct BlockMask {
  int first = 0;
  int count = 0;
  int limit = 0;
};

struct ForwardBlock {
  float factor = 1;              // >= 0
  const float* q = nullptr;      // query panel
  const float* k_tiles = nullptr;  // of this block
  const float* v_slab = nullptr;   // of this block
  int head_dim = 0;
  int out_tiles = 0;  // ceil(head_dim / rows)
  BlockMask mask;
  float* scores = nullptr;  // scratch [key_block][lanes]
  float* out = nullptr;     // [out_tiles * rows][lanes], not yet divided by `sum`
  float* maximum = nullptr;  // [lanes], of the scores, not times `factor`; -inf at first
  float* sum = nullptr;      // [lanes]
};

struct BackwardBlock {
  float factor = 1;             // >= 0
  const float* q = nullptr;     // query panel
  const float* dout = nullptr;  // panel of dO, transposed
  const float* k_tiles = nullptr;
  const float* v_tiles = nullptr;
  const float* k_slab = nullptr;
  int head_dim = 0;
  int out_tiles = 0;
  BlockMask mask;
  // [lanes] each, base 2: lse + lse_rest, to twice the precision of f32, since the difference to a score becomes a
  // relative error of p. +inf and 0 where a query sees nothing.
  const float* lse = nullptr;
  const float* lse_rest = nullptr;
  const float* delta = nullptr;  // [lanes], sum over c of dO * O
  float* p = nullptr;   // out [key_block][lanes]: 0 where masked; keys outside [first, last) rounded out to grad_rows unwritten
  float* ds = nullptr;  // out, likewise; not yet times scale
  float* dq = nullptr;  // [out_tiles * rows][lanes], added to; not yet times scale
};

// gradient[row][c] += sum over panels and their lanes of weights[panel][row][lane] * values[c][panel * lanes + lane].
struct GradientTile {
  const float* weights = nullptr;  // [panel][key_block][lanes], at the first of grad_rows keys
  const float* values = nullptr;   // query rows, at the first query of panel 0
  int64_t values_step = 0;         // elements between two c-tiles of `values`
  const int* first_lane = nullptr;  // [panels]; lanes before it hold only zeros; `lanes` leaves the panel out
  int panels = 0;
  int tiles = 0;            // c-tiles
  float* gradient = nullptr;  // [grad_rows] rows of `gradient_step` elements
  int64_t gradient_step = 0;
};

// c[row][lane] (+)= sum over k of a[k][row] * b[k][lane]: one tile of a matrix product, [grad_rows, grad_lanes].
struct ProductTile {
  const float* a = nullptr;  // [depth][grad_rows]
  const float* b = nullptr;  // [depth][grad_lanes]
  int64_t depth = 0;
  float* c = nullptr;
  int64_t c_step = 0;
  bool add = false;
};

struct Kernel {
  std::string_view name;  // "avx2", ...
  int rows = 0, lanes = 0;            // tile of scores and outputs
  int grad_rows = 0, grad_lanes = 0;  // tile of key gradients and of plain products
  int key_block = 0;                  // a multiple of rows and grad_rows
  void (*forward)(const ForwardBlock&) = nullptr;
  void (*backward)(const BackwardBlock&) = nullptr;
  void (*gradient)(const GradientTile&) = nullptr;
  void (*product)(const ProductTile&) = nullptr;
};

const Kernel& portable_kernel();
const Kernel* avx2_kernel();    // null when this processor, or this build, has no AVX2 and FMA
const Kernel* avx512_kernel();  // null likewise

// The fastest that this processor runs.
const Kernel& best_kernel();

}  // namespace ranklint::runtime

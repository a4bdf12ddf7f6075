// The part of attention that runs hot, once per instruction set. Everything else (packing, blocks, threads, masks of whole
// blocks) is ordinary C++ over this table of functions.
//
// Scores are kept TRANSPOSED: a tile is [keys, lanes], a lane being a query. So the running maximum, the sum and the mask of
// softmax are element-wise over vectors, and nothing is ever reduced across a register. A product has one element of A
// broadcast and a vector of B; of attention's five that gives three forms:
//
//     scores   S'[key][query]  = sum_c      K[key][c]      Q'[c][query]      and dP' = V dO'
//     output   O[query][c]    += sum_key    P'[key][query] V[key][c]         and dQ  += dS K
//     gradient dV[key][c]     += sum_query  P'[key][query] dO[query][c]      and dK  += dS' Q
//
// A panel is `lanes` queries. Operands are packed so that each product reads A and B front to back:
//
//     query panel   [c][lanes]                              one panel of Q or of dO, transposed: B of the scores
//     key tiles     [key / rows][c][rows]                   A of the scores
//     columns       [c / tile_columns][row][tile_columns]   of keys or queries: B of outputs and gradients
//
// What is summed up lies in rows, `width` elements apart: head_dim rounded up to whole tiles.
//
// Numbers: f32 throughout, one fused multiply-add per term. Scores stay as they come out of the product; `factor`, which is
// scale / ln 2, is applied in the exponent and without a rounding of its own: p = 2^fma(s, factor, -m), with 2^x by x = n + f
// with a polynomial of degree 6 on [-1/2, 1/2], relative error below 1.4 * 2^-24, zero below x = -126.
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
  float factor = 1;          // >= 0
  const float* q = nullptr;  // query panel
  const float *k_tiles = nullptr, *v_columns = nullptr;  // of this block, the columns key_block long
  int head_dim = 0;
  int width = 0;  // a multiple of tile_columns
  BlockMask mask;
  float* scores = nullptr;  // scratch [key_block][lanes]
  float* out = nullptr;     // [lanes][width], not yet divided by `sum`
  float* maximum = nullptr;  // [lanes], of the scores, not times `factor`; -inf at first
  float* sum = nullptr;      // [lanes]
};

struct BackwardBlock {
  float factor = 1;             // >= 0
  const float* q = nullptr;     // query panel
  const float* dout = nullptr;  // panel of dO, transposed
  const float *k_tiles = nullptr, *v_tiles = nullptr, *k_columns = nullptr;  // of this block, the columns key_block long
  int head_dim = 0;
  int width = 0;
  BlockMask mask;
  // [lanes] each, base 2: lse + lse_rest, to twice the precision of f32, since the difference to a score becomes a
  // relative error of p. +inf and 0 where a query sees nothing.
  const float* lse = nullptr;
  const float* lse_rest = nullptr;
  const float* delta = nullptr;  // [lanes], sum over c of dO * O
  float* p = nullptr;   // out [key_block][lanes]: 0 where masked; keys outside [first, last) rounded out to tile_rows unwritten
  float* ds = nullptr;  // out, likewise; not yet times scale
  float* dq = nullptr;  // [lanes][width], added to; not yet times scale
};

// gradient[row][c] += sum over panels and their lanes of weights[panel][row][lane] * values[panel * lanes + lane][c].
struct GradientTile {
  const float* weights = nullptr;  // [panel][key_block][lanes], at the first of tile_rows keys
  const float* values = nullptr;   // columns, of the panels' queries
  int queries = 0;                 // how long these are: panels * lanes, or more
  const int* first_lane = nullptr;  // [panels]; lanes before it hold only zeros; `lanes` leaves the panel out
  int panels = 0;
  int width = 0;
  float* gradient = nullptr;  // tile_rows rows
};

// c[row][lane] (+)= sum over k of a[k][row] * b[k][lane]: one tile of a matrix product, [tile_rows, tile_columns].
struct ProductTile {
  const float* a = nullptr;  // [depth][tile_rows]
  const float* b = nullptr;  // [depth][tile_columns]
  int64_t depth = 0;
  float* c = nullptr;
  int64_t c_step = 0;
  bool add = false;
};

struct Kernel {
  std::string_view name;  // "avx2", ...
  int rows = 0, lanes = 0;               // tile of scores
  int tile_rows = 0, tile_columns = 0;   // tile of outputs, gradients and plain products; lanes are a multiple of tile_rows
  int key_block = 0;                     // a multiple of rows and tile_rows
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

// The part of attention that runs hot, once per instruction set. Everything else (blocks, threads, masks of whole
// blocks) is ordinary C++ over this table of functions.
//
// Scores are kept TRANSPOSED: a tile is [keys, lanes], a lane being a query. So the running maximum, the sum and the
// mask of softmax are element-wise over vectors, and nothing is ever reduced across a register. A product has one
// element of A broadcast and a vector of B; of attention's five that gives three forms:
//
//     scores   S'[key][query]  = sum_c      K[key][c]      Q'[c][query]      and dP' = V dO'
//     output   O[query][c]    += sum_key    P'[key][query] V[key][c]         and dQ  += dS K
//     gradient dV[key][c]     += sum_query  P'[key][query] dO[query][c]      and dK  += dS' Q
//
// A panel is `lanes` queries. Rows are packed in two forms, and B is always read front to back:
//
//     columns   [c / tile_columns][row][tile_columns]   keys: A of the scores; keys or queries: B of outputs and
//     gradients panel     [c][lanes]                              one panel of Q or of dO, transposed: B of the scores
//
// What is summed up lies in rows, `width` elements apart: head_dim rounded up to whole tiles. Columns and panels are as
// long, with zeros at the end.
//
// Numbers: f32 throughout, one fused multiply-add per term. Scores stay as they come out of the product; `factor`,
// which is scale / ln 2, is applied in the exponent and without a rounding of its own: p = 2^fma(s, factor, -m), with
// 2^x by x = n + f with a polynomial of degree 6 on [-1/2, 1/2], relative error below 1.4 * 2^-24, zero below x = -126.
//
// The online softmax is that of M. Milakov and N. Gimelshein, "Online normalizer calculation for softmax" (2018); its
// blocked use and the backward pass from the saved log-sum-exp follow T. Dao et al., "FlashAttention" (2022) and T.
// Dao, "FlashAttention-2" (2023).
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace ranklint::runtime {

// Elements of a row that are converted at a time: whole tiles of every kernel.
inline constexpr int kConverted = 64;

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Which keys of a block the lanes of a panel see: lane i sees key j, both counted from the start of block and panel,
// iff first <= j < min(count, limit + i). `limit` is clamped by the caller so that limit + lanes does not overflow.
struct BlockMask {
  int first = 0;
  int count = 0;
  int limit = 0;
};

struct ForwardBlock {
  float factor = 1;                                        // >= 0
  const float* q = nullptr;                                // query panel
  const float *k_columns = nullptr, *v_columns = nullptr;  // of this block, key_block long
  int head_dim = 0;
  int width = 0;  // a multiple of tile_columns
  BlockMask mask;
  float* scores = nullptr;   // scratch [key_block][lanes]
  bool first = false;        // of the panel's blocks: `out` is set, else added to
  float* out = nullptr;      // [lanes][width], not yet divided by `sum`
  float* maximum = nullptr;  // [lanes], of the scores, not times `factor`; -inf at first
  float* sum = nullptr;      // [lanes]
};

struct BackwardBlock {
  float factor = 1;                                        // >= 0
  const float* q = nullptr;                                // query panel
  const float* dout = nullptr;                             // panel of dO, transposed
  const float *k_columns = nullptr, *v_columns = nullptr;  // of this block, key_block long
  int head_dim = 0;
  int width = 0;
  BlockMask mask;
  // [lanes] each, base 2: lse + lse_rest, to twice the precision of f32, since the difference to a score becomes a
  // relative error of p. +inf and 0 where a query sees nothing.
  const float* lse = nullptr;
  const float* lse_rest = nullptr;
  const float* delta = nullptr;  // [lanes], sum over c of dO * O
  float* p =
      nullptr;  // out [key_block][lanes]: 0 where masked; keys outside [first, last) rounded out to tile_rows unwritten
  float* ds = nullptr;  // out, likewise; not yet times scale
  bool first = false;   // of the panel's blocks: `dq` is set, else added to
  float* dq = nullptr;  // [lanes][width], not yet times scale
};

// gradient[row][c] (+)= sum over panels and their lanes of weights[panel][row][lane] * values[panel * lanes + lane][c].
struct GradientTile {
  const float* weights = nullptr;   // [panel][key_block][lanes], at the first of tile_rows keys
  const float* values = nullptr;    // columns, of the panels' queries
  int queries = 0;                  // how long these are: panels * lanes, or more
  const int* first_lane = nullptr;  // [panels]; lanes before it hold only zeros; `lanes` leaves the panel out
  int panels = 0;
  int width = 0;
  float* gradient = nullptr;  // tile_rows rows
  bool add = false;
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

// Columns made of rows.
struct ColumnPack {
  const float* rows = nullptr;          // of f32; null:
  const uint16_t* bf16_rows = nullptr;  // of bfloat16
  int64_t step = 0;                     // from row to row, in elements
  int64_t count = 0;
  int width = 0;  // a multiple of tile_columns
  float* columns = nullptr;
  int64_t length = 0;  // rows of the columns
};

// panel[c][lane] = columns[lane][c] * factor, of the `lanes` rows that begin there.
struct PanelTranspose {
  const float* columns = nullptr;
  int64_t length = 0;  // rows of the columns
  int width = 0;
  float factor = 1;
  float* panel = nullptr;
};

// What becomes of an element x on its way out.
enum class Unpack : uint8_t {
  Divide,      // to = x / by: not times 1 / by, whose rounding would be common to a whole row
  Multiply,    // to = x * by
  AddProduct,  // to += x * by, rounded twice
  Join         // to = to * keep + x / by, likewise
};

struct RowUnpack {
  Unpack how = Unpack::Multiply;
  float by = 1, keep = 0;  // `keep` is for Join alone
  const float* row = nullptr;
  int64_t head_dim = 0;
  float* to = nullptr;
};

struct Kernel {
  std::string_view name;                // "avx2", ...
  int lanes = 0;                        // queries of a panel, a multiple of tile_rows
  int tile_rows = 0, tile_columns = 0;  // tile of outputs, gradients and plain products
  int key_block = 0;                    // a multiple of tile_rows
  void (*forward)(const ForwardBlock&) = nullptr;
  void (*backward)(const BackwardBlock&) = nullptr;
  void (*gradient)(const GradientTile&) = nullptr;
  void (*product)(const ProductTile&) = nullptr;
  void (*pack)(const ColumnPack&) = nullptr;
  void (*transpose)(const PanelTranspose&) = nullptr;
  void (*unpack)(const RowUnpack&) = nullptr;
  double (*dot)(const float* a, const float* b, int64_t count) = nullptr;
};

const Kernel& portable_kernel();
const Kernel* avx2_kernel();    // null when this processor, or this build, has no AVX2 and FMA
const Kernel* avx512_kernel();  // null likewise

// That of the instructions in use (runtime/base/instructions.h): the fastest that this processor runs, unless another
// one is forced.
const Kernel& best_kernel();

}  // namespace ranklint::runtime

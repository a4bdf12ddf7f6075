#include "runtime/group/signature.h"

#include <algorithm>

namespace ranklint::runtime {

namespace {

// FNV-1a (Fowler, Noll, Vo).
constexpr uint64_t kHashSeed = 14695981039346656037ULL;

uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 1099511628211ULL; }

uint64_t hash_of(std::string_view text) {
  if (text.empty()) return 0;
  uint64_t hash = kHashSeed;
  for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
  return hash | 1;
}

// The list whose counts every rank must know alike; empty where one count says all.
std::span<const Tensor> counted(const Call& call) {
  if (call.op == OpType::AllGather) return call.out;
  if (call.op == OpType::ReduceScatter) return call.in;
  return {};
}

uint64_t hash_of_counts(std::span<const Tensor> pieces) {
  uint64_t hash = kHashSeed;
  for (const Tensor& piece : pieces) hash = mix(hash, static_cast<uint64_t>(piece.numel()));
  return hash | 1;
}

bool are_alike(std::span<const Tensor> pieces, auto what) {
  return std::all_of(pieces.begin(), pieces.end(),
                     [&](const Tensor& each) { return what(each) == what(pieces.front()); });
}

// What is compared, and told of: what a rank gives or, where that is one piece of many, what it gets.
const Tensor& piece_of(const Call& call) {
  const bool gets = call.in.empty() || call.op == OpType::ReduceScatter || call.op == OpType::Scatter;
  return (gets ? call.out : call.in).front();
}

void set_piece(const Call& call, const Tensor& piece, Terms& terms) {
  if (call.op == OpType::AllToAll) return;  // compared pair by pair
  terms.count = piece.numel();
  if (call.op == OpType::NewGroup) return;  // two numbers of everybody
  terms.shape_hash = piece.shape_hash();
}

void set_pieces(std::span<const Tensor> pieces, Terms& terms) {
  if (are_alike(pieces, [](const Tensor& piece) { return piece.shape_hash(); })) return;
  const bool even = are_alike(pieces, [](const Tensor& piece) { return piece.numel(); });
  if (!even) terms.count = kUneven;
  terms.shape_hash = even ? 0 : hash_of_counts(pieces);
}

void tell_shape(const Tensor& tensor, Signature& signature) {
  const Shape& shape = tensor.shape();
  signature.dims = static_cast<int32_t>(tensor.dim());
  signature.numel = tensor.numel();
  for (size_t i = 0; i < std::min(shape.size(), signature.shape.size()); ++i)
    signature.shape[i] = shape[i] <= INT32_MAX ? static_cast<int32_t>(shape[i]) : kLong;
}

// How many sizes are known, from the first.
size_t told_sizes(const Signature& signature) {
  const auto last = signature.shape.begin() + std::min<std::ptrdiff_t>(signature.dims, std::ssize(signature.shape));
  return static_cast<size_t>(std::find(signature.shape.begin(), last, kLong) - signature.shape.begin());
}

// "float32[4, 2]", "float32[2, 2, 2, 2, 2, 2, ...] of 192".
std::string tensor_text(const Signature& signature) {
  const std::string type(name_of(signature.dtype));
  if (signature.dims == 1) return type + "[" + std::to_string(signature.numel) + "]";
  const size_t told = told_sizes(signature);
  std::string sizes;
  for (size_t i = 0; i < told; ++i) sizes += (i ? ", " : "") + std::to_string(signature.shape[i]);
  if (told == static_cast<size_t>(signature.dims)) return type + "[" + sizes + "]";
  return type + "[" + sizes + (told ? ", ...] of " : "...] of ") + std::to_string(signature.numel);
}

std::string list_of_ranks(std::span<const int> ranks) {
  std::string text = "ranks";
  for (const int rank : ranks) text += " " + std::to_string(rank);
  return text;
}

bool reduces(OpType op) { return op == OpType::AllReduce || op == OpType::Reduce || op == OpType::ReduceScatter; }

uint64_t hash_of(std::span<const int> ranks) {
  uint64_t hash = kHashSeed;
  for (const int rank : ranks) hash = mix(hash, static_cast<uint64_t>(rank));
  return hash;
}

// Field by field, from registers: a copy of the whole would read back at once what was written in parts, which stalls.
[[gnu::always_inline]] inline void set(Terms& terms, const Terms& from) {
  terms.op = from.op;
  terms.dtype = from.dtype;
  terms.reduce = from.reduce;
  terms.root = from.root;
  terms.count = from.count;
  terms.shape_hash = from.shape_hash;
  terms.name_hash = from.name_hash;
}

// A group is made of listed ranks, or by what each says of itself.
bool is_split(const Terms& terms) { return terms.op == OpType::NewGroup && terms.shape_hash == 0; }

bool differ_where_told(uint64_t a, uint64_t b) { return a != b && a != 0 && b != 0; }

std::string_view difference_in_shape(const Terms& a) {
  if (a.op == OpType::NewGroup) return "ranks of the new group";
  return a.count == kUneven ? "count" : "shape";
}

}  // namespace

void set_terms(const Call& call, Terms& terms, Terms* copy) {
  Terms mine{.op = call.op, .reduce = call.reduce, .root = call.root, .name_hash = hash_of(call.options.name)};
  if (!call.in.empty() || !call.out.empty()) {
    const Tensor& piece = piece_of(call);
    mine.dtype = piece.dtype();
    set_piece(call, piece, mine);
    if (const std::span<const Tensor> pieces = counted(call); pieces.size() > 1) set_pieces(pieces, mine);
  }
  if (!call.new_ranks.empty()) mine.shape_hash = hash_of(call.new_ranks);
  set(terms, mine);
  if (copy) set(*copy, mine);
}

void describe(const Call& call, const Terms& terms, Signature& signature) {
  set(signature, terms);
  signature.tag = call.tag;
  signature.dims = -1;
  signature.name = call.options.name;
  signature.implicit_in = call.options.implicit_in;
  signature.site = call.site;
  signature.new_ranks = call.new_ranks;
  if (!call.in.empty() || !call.out.empty()) tell_shape(piece_of(call), signature);
}

Signature signature_of(const Call& call) {
  Signature signature;
  Terms terms;
  set_terms(call, terms);
  describe(call, terms, signature);
  return signature;
}

std::string_view difference(const Terms& a, const Terms& b) {
  if (a.op != b.op) return "operation";
  if (is_split(a) != is_split(b)) return "way the group is made";
  if (a.dtype != b.dtype) return "element type";
  if (a.count != b.count) return "count";
  if (differ_where_told(a.shape_hash, b.shape_hash)) return difference_in_shape(a);
  if (reduces(a.op) && a.reduce != b.reduce) return "reduction";
  if (a.root != b.root) return "root";
  if (differ_where_told(a.name_hash, b.name_hash)) return "name";
  return {};
}

std::string_view transfer_difference(const Terms& send, const Terms& recv) {
  if (send.dtype != recv.dtype) return "element type";
  if (send.count != recv.count) return "count";
  if (differ_where_told(send.name_hash, recv.name_hash)) return "name";
  return {};
}

std::string describe(const Signature& signature, int global_root) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (is_split(signature))
    add("split by colour");
  else if (signature.dims >= 0)
    add(tensor_text(signature));
  if (reduces(signature.op)) add(std::string(name_of(signature.reduce)));
  const bool rooted = signature.op == OpType::Broadcast || signature.op == OpType::Reduce ||
                      signature.op == OpType::Gather || signature.op == OpType::Scatter;
  if (rooted) add("root " + std::to_string(global_root));
  if (signature.op == OpType::Send) add("to " + std::to_string(global_root));
  if (signature.op == OpType::Recv) add(global_root < 0 ? "from any" : "from " + std::to_string(global_root));
  if ((signature.op == OpType::Send || signature.op == OpType::Recv) && signature.tag != 0)
    add("tag " + std::to_string(signature.tag));
  if (!signature.new_ranks.empty()) add(list_of_ranks(signature.new_ranks));
  if (!signature.name.empty()) add("name \"" + std::string(signature.name) + "\"");
  return text;
}

std::string_view file_name(const char* path) {
  const std::string_view whole = path;
  const size_t slash = whole.rfind('/');
  return slash == std::string_view::npos ? whole : whole.substr(slash + 1);
}

std::string to_string(Site site) { return std::string(file_name(site.file)) + ":" + std::to_string(site.line); }

}  // namespace ranklint::runtime

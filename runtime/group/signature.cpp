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

void count_pieces(std::span<const Tensor> pieces, Terms& terms) {
  const bool even = std::all_of(pieces.begin(), pieces.end(),
                                [&](const Tensor& piece) { return piece.numel() == pieces.front().numel(); });
  if (even) {
    terms.count = pieces.front().numel();
    return;
  }
  terms.count = kUneven;
  terms.counts = kHashSeed;
  for (const Tensor& piece : pieces) terms.counts = mix(terms.counts, static_cast<uint64_t>(piece.numel()));
}

// Elements per piece, for calls that hand in one tensor where others may hand in a list.
int64_t single_count(const Call& call, const Tensor& tensor) {
  switch (call.op) {
    case OpType::AllGather:
    case OpType::Gather: return call.in.front().numel();
    case OpType::ReduceScatter:
    case OpType::Scatter: return call.out.front().numel();
    case OpType::AllToAll: return 0;  // compared pair by pair
    default: return tensor.numel();
  }
}

// Of more dimensions than there is room for, the first ones and, in the last place, the number of elements.
void tell_shape(const Tensor& tensor, Signature& signature) {
  signature.dims = static_cast<int32_t>(tensor.dim());
  const Shape& shape = tensor.shape();
  std::copy_n(shape.begin(), std::min(shape.size(), signature.shape.size()), signature.shape.begin());
  if (shape.size() > signature.shape.size()) signature.shape.back() = tensor.numel();
}

// "float32[4, 2]", "float32[2, 2, 2, ...] of 48".
std::string tensor_text(const Signature& signature) {
  const int room = static_cast<int>(signature.shape.size());
  const bool many = signature.dims > room;
  std::string sizes;
  for (int i = 0; i < (many ? room - 1 : signature.dims); ++i)
    sizes += (i ? ", " : "") + std::to_string(signature.shape[static_cast<size_t>(i)]);
  const std::string text = std::string(name_of(signature.dtype)) + "[" + sizes;
  return many ? text + ", ...] of " + std::to_string(signature.shape.back()) : text + "]";
}

std::string list_of_ranks(std::span<const int> ranks) {
  std::string text = "ranks";
  for (const int rank : ranks) text += " " + std::to_string(rank);
  return text;
}

bool reduces(OpType op) {
  return op == OpType::AllReduce || op == OpType::Reduce || op == OpType::ReduceScatter;
}

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
  terms.counts = from.counts;
  terms.name_hash = from.name_hash;
}

// A group is made of listed ranks, or by what each says of itself.
bool is_split(const Terms& terms) { return terms.op == OpType::NewGroup && terms.counts == 0; }

bool names_differ(const Terms& a, const Terms& b) {
  return a.name_hash != b.name_hash && a.name_hash != 0 && b.name_hash != 0;
}

}  // namespace

void set_terms(const Call& call, Terms& terms, Terms* copy) {
  Terms mine{.op = call.op, .reduce = call.reduce, .root = call.root, .name_hash = hash_of(call.options.name)};
  if (!call.in.empty() || !call.out.empty()) {
    const Tensor& first = call.in.empty() ? call.out.front() : call.in.front();
    mine.dtype = first.dtype();
    if (const std::span<const Tensor> pieces = counted(call); pieces.size() > 1)
      count_pieces(pieces, mine);
    else
      mine.count = single_count(call, first);
  }
  if (!call.new_ranks.empty()) mine.counts = hash_of(call.new_ranks);
  set(terms, mine);
  if (copy) set(*copy, mine);
}

void describe(const Call& call, const Terms& terms, Signature& signature) {
  set(signature, terms);
  signature.tag = call.tag;
  signature.dims = 0;
  signature.name = call.options.name;
  signature.implicit_in = call.options.implicit_in;
  signature.site = call.site;
  signature.new_ranks = call.new_ranks;
  if (!call.in.empty() || !call.out.empty()) tell_shape(call.in.empty() ? call.out.front() : call.in.front(), signature);
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
  if (a.counts != b.counts) return a.op == OpType::NewGroup ? "ranks of the new group" : "count";
  if (reduces(a.op) && a.reduce != b.reduce) return "reduction";
  if (a.root != b.root) return "root";
  if (names_differ(a, b)) return "name";
  return {};
}

std::string_view transfer_difference(const Terms& send, const Terms& recv) {
  if (send.dtype != recv.dtype) return "element type";
  if (send.count != recv.count) return "count";
  if (names_differ(send, recv)) return "name";
  return {};
}

std::string describe(const Signature& signature, int global_root) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (is_split(signature))
    add("split by colour");
  else if (signature.dims > 0)
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

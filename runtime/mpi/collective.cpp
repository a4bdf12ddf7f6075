#include "runtime/mpi/collective.h"

#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

namespace {

// Up to this size a piece goes with the letter.
constexpr size_t kLetterBytes = 4096;

void encode_sizes(ByteWriter& out, const Side& side, const std::vector<Piece>& list) {
  std::vector<size_t> sizes;
  for (const Piece& piece : list) sizes.push_back(piece.size_bytes);
  out.put(side.whole.size_bytes);
  out.put_list(sizes);
}

// A side of which only the sizes are known.
void decode_sizes(ByteReader& in, Side& side, std::vector<Piece>& list) {
  side.whole = {nullptr, in.get<size_t>()};
  for (const size_t size : in.get_list<size_t>()) list.push_back({nullptr, size});
}

}  // namespace

Collective::Collective(const GroupInfo& group, int member, uint64_t sequence)
    : group_(group),
      me_(static_cast<size_t>(member)),
      sequence_(sequence),
      postings_(std::make_unique<Posting[]>(group.size())) {
  entry_.postings = {postings_.get(), group.size()};
  for (std::vector<Bytes>& round : pieces_) round.resize(group.size());
}

Call Collective::call() const { return guard_.guarded(owned_->get()); }

bool Collective::in_two_rounds() const {
  return postings_[me_].signature.op == OpType::AllReduce && total_bytes() > kLetterBytes;
}

// The part of this member's input that `to` needs.
Piece Collective::piece_for(size_t to) const {
  const Posting& mine = postings_[me_];
  const auto root = static_cast<size_t>(mine.signature.root);
  const size_t members = group_.size();
  switch (mine.signature.op) {
    case OpType::AllReduce: {
      if (!in_two_rounds()) return mine.own.in.whole;
      const ByteRange part = part_of(total_bytes(), to, members);
      return {mine.own.in.whole.data + part.begin, part.size};
    }
    case OpType::Broadcast: return me_ == root ? mine.own.in.whole : Piece{};
    case OpType::Reduce:
    case OpType::Gather: return to == root ? mine.own.in.whole : Piece{};
    case OpType::AllGather:
    case OpType::NewGroup: return mine.own.in.whole;
    case OpType::Scatter: return me_ == root ? mine.own.in.piece(to, members) : Piece{};
    case OpType::ReduceScatter:
    case OpType::AllToAll: return mine.own.in.piece(to, members);
    case OpType::Barrier:
    case OpType::MonitoredBarrier:
    case OpType::Send:
    case OpType::Recv: return {};
  }
  return {};
}

// The size of what `from` has for this member, once both agree.
size_t Collective::size_from(size_t from) const {
  const Posting& mine = postings_[me_];
  const auto root = static_cast<size_t>(mine.signature.root);
  switch (mine.signature.op) {
    case OpType::AllReduce: return in_two_rounds() ? part_of(total_bytes(), me_, group_.size()).size : total_bytes();
    case OpType::Broadcast:
    case OpType::Scatter: return from == root ? mine.out.whole.size_bytes : 0;
    case OpType::Reduce:
    case OpType::Gather: return me_ == root ? mine.own.in.whole.size_bytes : 0;
    case OpType::NewGroup: return mine.own.in.whole.size_bytes;
    case OpType::ReduceScatter: return mine.out.whole.size_bytes;
    case OpType::AllGather:
    case OpType::AllToAll: return mine.out.piece(from, group_.size()).size_bytes;
    case OpType::Barrier:
    case OpType::MonitoredBarrier:
    case OpType::Send:
    case OpType::Recv: return 0;
  }
  return 0;
}

bool Collective::post(const Call& call, bool guarded, const Outbox& outbox) {
  owned_ = std::make_unique<OwnedCall>(call);
  if (guarded) guard_ = BufferGuard(owned_->get(), static_cast<int>(me_), BufferGuard::InPlace::Watch);
  lay_open(this->call(), me_, mine());
  describe(this->call(), sequence_, mine());
  mine().posted.store(sequence_);
  bool agreed = true;
  for (size_t other = 0; other < group_.size(); ++other) {
    if (other == me_) continue;
    const Piece piece = piece_for(other);
    ByteWriter letter;
    encode(letter, mine().signature);
    encode_sizes(letter, mine().own.in, mine().in_list);
    encode_sizes(letter, mine().out, mine().out_list);
    if (piece.size_bytes <= kLetterBytes) letter.put_bytes(piece.data, piece.size_bytes);
    outbox.letter(static_cast<int>(other), letter.take());
    agreed = agreed &&
             (!entry_.has_posted(other, sequence_) || difference_between(Members(entry_.postings), me_, other).empty());
  }
  if (!agreed) entry_.disputed.store(true);
  return agreed;
}

bool Collective::arrived(int member, ByteReader& posting, Names& names) {
  const auto other = static_cast<size_t>(member);
  Posting& theirs = postings_[other];
  theirs.signature = decode_signature(posting, names);
  theirs.face.terms = theirs.signature;
  theirs.described.store(sequence_);
  decode_sizes(posting, theirs.face.in, theirs.in_list);
  decode_sizes(posting, theirs.out, theirs.out_list);
  use_lists(theirs);
  pieces_[0][other].assign(posting.rest().begin(), posting.rest().end());
  theirs.posted.store(sequence_);
  const bool agreed = !is_posted() || difference_between(Members(entry_.postings), me_, other).empty();
  if (!agreed) entry_.disputed.store(true);
  return agreed;
}

Collective::Place Collective::expect_bulk(int member, int round, size_t size_bytes) {
  Bytes& piece = pieces_[static_cast<size_t>(round)][static_cast<size_t>(member)];
  piece.resize(size_bytes);
  --unannounced_[static_cast<size_t>(round)];
  return {.data = piece.data(), .open = counted(open_in_)};
}

void Collective::start(const Outbox& outbox) {
  started_ = true;
  for (size_t other = 0; other < group_.size(); ++other) {
    if (other == me_) continue;
    if (const Piece piece = piece_for(other); piece.size_bytes > kLetterBytes)
      outbox.bulk(static_cast<int>(other), 0, {piece.data, piece.size_bytes}, counted(open_out_));
    if (size_from(other) > kLetterBytes) ++unannounced_[0];
    if (in_two_rounds() && part_of(total_bytes(), other, group_.size()).size > 0) ++unannounced_[1];
  }
}

void Collective::reduce_own_part() {
  const ByteRange part = part_of(total_bytes(), me_, group_.size());
  const Signature& signature = mine().signature;
  result_.resize(part.size);
  if (part.size == 0) return;
  Sources sources(group_.size());
  for (size_t i = 0; i < group_.size(); ++i)
    sources.add(i == me_ ? mine().own.in.whole.data + part.begin : pieces_[0][i].data());
  std::byte* const target = result_.data();
  reduce_elements({&target, 1}, sources.get(), count_in(part.size, signature.dtype), signature.dtype, signature.reduce);
}

void Collective::step(const Outbox& outbox) {
  if (!is_posted() || entry_.disputed.load() || !entry_.all_posted(sequence_)) return;
  // Bulk is announced only by who knows that all have come, so this member's part in that is known as well.
  if (!started_) start(outbox);
  if (!in_two_rounds() || reduced_ || unannounced_[0] != 0 || open_in_ != 0) return;
  reduced_ = true;
  reduce_own_part();
  for (size_t other = 0; other < group_.size(); ++other)
    if (other != me_ && !result_.empty()) outbox.bulk(static_cast<int>(other), 1, result_, counted(open_out_));
}

bool Collective::moved() const {
  return started_ && unannounced_[0] == 0 && unannounced_[1] == 0 && open_in_ == 0 && open_out_ == 0 &&
         (reduced_ || !in_two_rounds());
}

// Points the postings of the others at what has come of them.
void Collective::lay_out() {
  const OpType op = mine().signature.op;
  const bool cut = op == OpType::Scatter || op == OpType::ReduceScatter || op == OpType::AllToAll;
  for (size_t other = 0; other < group_.size(); ++other) {
    if (other == me_) continue;
    const Piece piece{pieces_[0][other].data(), pieces_[0][other].size()};
    Posting& theirs = postings_[other];
    theirs.face.in = {.whole = piece};
    if (!cut) continue;
    theirs.in_list.assign(group_.size(), Piece{});
    theirs.in_list[me_] = piece;
    theirs.face.in.pieces = theirs.in_list.data();
  }
}

void Collective::deliver() {
  if (!in_two_rounds()) {
    lay_out();
    return runtime::deliver(Members(entry_.postings, me_));
  }
  for (size_t i = 0; i < group_.size(); ++i) {
    const ByteRange part = part_of(total_bytes(), i, group_.size());
    const Bytes& from = i == me_ ? result_ : pieces_[1][i];
    copy_bytes(mine().out.whole.data + part.begin, from.data(), part.size, {});
  }
}

}  // namespace ranklint::runtime

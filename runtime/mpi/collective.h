// The k-th collective of a group as one of its members, a process, sees it.
//
// A member that comes sends every other one a letter: its signature and, where it is small, the piece of its input that
// the other needs. Once all letters are there and agree, larger pieces follow as bulk, beside the letters; a collective
// that is disputed moves nothing. What has come is laid where peers' memory would lie were they threads, and the code
// of collectives/ does the rest, so results have the same bits.
//
// Cost per member, n bytes: P-1 letters, and the pieces that the operation is about. A large all_reduce is a
// reduce-scatter and an all-gather (Rabenseifner 2004): 2(P-1)/P n sent. The rest is linear, in one step.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "runtime/group/watch/buffer_guard.h"
#include "runtime/group/watch/entry.h"
#include "runtime/group/watch/group_info.h"
#include "runtime/group/watch/owned_call.h"
#include "runtime/mpi/report.h"

namespace ranklint::runtime {

class Collective : public std::enable_shared_from_this<Collective> {
 public:
  // What is sent on behalf of a collective.
  struct Outbox {
    std::function<void(int member, Bytes posting)> letter;
    // Bytes in memory that stays as long as `open` lives.
    std::function<void(int member, int round, std::span<const std::byte> bytes, std::shared_ptr<size_t> open)> bulk;
  };

  Collective(const GroupInfo& group, int member, uint64_t sequence);

  // This member comes. False when it disagrees with one that has come before.
  bool post(const Call& call, bool guarded, const Outbox& outbox);
  // Another has come. False likewise.
  bool arrived(int member, ByteReader& posting, Names& names);
  // Where the bulk that another announces is to be put, and what counts it; nullopt when it is not wanted.
  struct Place {
    std::byte* data = nullptr;
    std::shared_ptr<size_t> open;
  };
  Place expect_bulk(int member, int round, size_t size_bytes);

  void step(const Outbox& outbox);  // goes on as far as can be without waiting
  bool moved() const;               // everything has come, and nothing of this member's is still being sent
  void deliver();                   // once moved: into this member's tensors

  const Entry& entry() const { return entry_; }
  uint64_t sequence() const { return sequence_; }
  bool is_posted() const { return owned_ != nullptr; }
  Call call() const;  // as it is made
  const BufferGuard& guard() const { return guard_; }

 private:
  Posting& mine() { return postings_[me_]; }
  bool in_two_rounds() const;
  Piece piece_for(size_t to) const;
  size_t size_from(size_t from) const;
  size_t total_bytes() const { return postings_[me_].own.in.whole.size_bytes; }
  void start(const Outbox& outbox);
  void reduce_own_part();
  void lay_out();
  std::shared_ptr<size_t> counted(size_t& counter) { return {shared_from_this(), &counter}; }

  const GroupInfo& group_;
  size_t me_;
  uint64_t sequence_;
  std::unique_ptr<Posting[]> postings_;
  Entry entry_;
  std::unique_ptr<OwnedCall> owned_;
  BufferGuard guard_;
  // What has come from each member: its piece, and in the second round its part of the result.
  std::array<std::vector<Bytes>, 2> pieces_;
  std::array<int, 2>
      unannounced_{};  // below 0: announced before it was known; bulk that is still to be announced, per round
  size_t open_in_ = 0, open_out_ = 0;
  Bytes result_;  // this member's part, of two rounds
  bool started_ = false, reduced_ = false;
};

}  // namespace ranklint::runtime

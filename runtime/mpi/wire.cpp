#include "runtime/mpi/wire.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace ranklint::runtime {

namespace {

constexpr int kLetterTag = 1;
constexpr int kBulkTag = 2;

// A letter on its way, and in how many parts it still is.
struct SentLetter {
  Bytes bytes;
  size_t open = 0;
};

}  // namespace

struct Wire::State {
  size_t largest_part = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  std::vector<MPI_Request> requests;
  std::vector<std::shared_ptr<size_t>> open;  // of each request
  std::vector<Bytes> begun;                   // of each rank, the letter of which parts have come
  MPI_Request barrier = MPI_REQUEST_NULL;

  void track(MPI_Request request, std::shared_ptr<size_t> counter) {
    ++*counter;
    requests.push_back(request);
    open.push_back(std::move(counter));
  }

  void drop(size_t index) {
    --*open[index];
    requests[index] = requests.back();
    requests.pop_back();
    if (index + 1 != open.size()) open[index] = std::move(open.back());
    open.pop_back();
  }

  int part_at(size_t at, size_t size_bytes) const { return static_cast<int>(std::min(largest_part, size_bytes - at)); }

  void send_part(int to, int tag, const std::byte* data, int size_bytes, std::shared_ptr<size_t> counter) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data, size_bytes, MPI_BYTE, to, tag, comm, &request);
    track(request, std::move(counter));
  }
};

Wire::Wire(size_t largest_part) : state_(std::make_unique<State>()) {
  state_->largest_part = largest_part;
  MPI_Comm_dup(MPI_COMM_WORLD, &state_->comm);
  MPI_Comm_rank(state_->comm, &state_->rank);
  MPI_Comm_size(state_->comm, &state_->size);
  state_->begun.resize(static_cast<size_t>(state_->size));
}

Wire::~Wire() { MPI_Comm_free(&state_->comm); }

int Wire::rank() const { return state_->rank; }
int Wire::size() const { return state_->size; }

// Parts as large as can be, and one that is smaller and ends the letter: most letters are that one.
void Wire::send(int to, Bytes letter) {
  const auto sent = std::make_shared<SentLetter>(SentLetter{.bytes = std::move(letter)});
  const size_t size_bytes = sent->bytes.size();
  for (size_t at = 0; at <= size_bytes; at += state_->largest_part)
    state_->send_part(to, kLetterTag, sent->bytes.data() + at, state_->part_at(at, size_bytes), {sent, &sent->open});
}

std::optional<Letter> Wire::receive() {
  for (;;) {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, kLetterTag, state_->comm, &found, &message, &status);
    if (found == 0) return std::nullopt;
    int part_bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &part_bytes);
    Bytes& letter = state_->begun[static_cast<size_t>(status.MPI_SOURCE)];
    const size_t at = letter.size();
    letter.resize(at + static_cast<size_t>(part_bytes));
    MPI_Mrecv(letter.data() + at, part_bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    if (static_cast<size_t>(part_bytes) < state_->largest_part)
      return Letter{.from = status.MPI_SOURCE, .bytes = std::exchange(letter, {})};
  }
}

void Wire::give(int to, const std::byte* data, size_t size_bytes, std::shared_ptr<size_t> open) {
  for (size_t at = 0; at < size_bytes; at += state_->largest_part)
    state_->send_part(to, kBulkTag, data + at, state_->part_at(at, size_bytes), open);
}

void Wire::take(int from, std::byte* data, size_t size_bytes, std::shared_ptr<size_t> open) {
  for (size_t at = 0; at < size_bytes; at += state_->largest_part) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data + at, state_->part_at(at, size_bytes), MPI_BYTE, from, kBulkTag, state_->comm, &request);
    state_->track(request, open);
  }
}

void Wire::progress() {
  for (size_t i = state_->requests.size(); i-- > 0;) {
    int done = 0;
    MPI_Test(&state_->requests[i], &done, MPI_STATUS_IGNORE);
    if (done != 0) state_->drop(i);
  }
}

bool Wire::quiet() const { return state_->requests.empty(); }

void Wire::begin_barrier() { MPI_Ibarrier(state_->comm, &state_->barrier); }

bool Wire::passed_barrier() {
  int done = 0;
  MPI_Test(&state_->barrier, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

void Wire::abort() {
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace ranklint::runtime

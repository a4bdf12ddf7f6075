#include "runtime/mpi/wire.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>

namespace ranklint::runtime {

namespace {

constexpr int kLetterTag = 1;
constexpr int kBulkTag = 2;
constexpr size_t kLargestPart = size_t{1} << 30;  // counts are ints

struct Parcel {
  Bytes letter;
  std::shared_ptr<size_t> open;
};

}  // namespace

struct Wire::State {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  std::vector<MPI_Request> requests;
  std::vector<Parcel> parcels;  // of each request
  MPI_Request barrier = MPI_REQUEST_NULL;

  void track(MPI_Request request, Parcel parcel) {
    if (parcel.open) ++*parcel.open;
    requests.push_back(request);
    parcels.push_back(std::move(parcel));
  }

  void drop(size_t index) {
    if (parcels[index].open) --*parcels[index].open;
    requests[index] = requests.back();
    requests.pop_back();
    if (index + 1 != parcels.size()) parcels[index] = std::move(parcels.back());
    parcels.pop_back();
  }
};

Wire::Wire() : state_(std::make_unique<State>()) {
  MPI_Comm_dup(MPI_COMM_WORLD, &state_->comm);
  MPI_Comm_rank(state_->comm, &state_->rank);
  MPI_Comm_size(state_->comm, &state_->size);
}

Wire::~Wire() { MPI_Comm_free(&state_->comm); }

int Wire::rank() const { return state_->rank; }
int Wire::size() const { return state_->size; }

void Wire::send(int to, Bytes letter) {
  Parcel parcel{.letter = std::move(letter), .open = nullptr};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(parcel.letter.data(), static_cast<int>(parcel.letter.size()), MPI_BYTE, to, kLetterTag, state_->comm, &request);
  state_->track(request, std::move(parcel));
}

std::optional<Letter> Wire::receive() {
  int found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, kLetterTag, state_->comm, &found, &message, &status);
  if (found == 0) return std::nullopt;
  int size_bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &size_bytes);
  Letter letter{.from = status.MPI_SOURCE, .bytes = Bytes(static_cast<size_t>(size_bytes))};
  MPI_Mrecv(letter.bytes.data(), size_bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  return letter;
}

template <typename Transfer>
static void in_parts(size_t size_bytes, const Transfer& transfer) {
  for (size_t at = 0; at < size_bytes; at += kLargestPart)
    transfer(at, static_cast<int>(std::min(kLargestPart, size_bytes - at)));
}

void Wire::give(int to, const std::byte* data, size_t size_bytes, std::shared_ptr<size_t> open) {
  in_parts(size_bytes, [&](size_t at, int part) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data + at, part, MPI_BYTE, to, kBulkTag, state_->comm, &request);
    state_->track(request, {.letter = {}, .open = open});
  });
}

void Wire::take(int from, std::byte* data, size_t size_bytes, std::shared_ptr<size_t> open) {
  in_parts(size_bytes, [&](size_t at, int part) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data + at, part, MPI_BYTE, from, kBulkTag, state_->comm, &request);
    state_->track(request, {.letter = {}, .open = open});
  });
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

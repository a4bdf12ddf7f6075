// What is asked of MPI: messages between two processes in order, and bulk bytes beside them. Nothing in the other files
// of this folder knows MPI, and no call here blocks. Only one thread at a time may be in any of them
// (MPI_THREAD_SERIALIZED).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "runtime/mpi/bytes.h"

namespace ranklint::runtime {

struct Letter {
  int from = 0;
  Bytes bytes;
};

class Wire {
 public:
  // MPI counts with ints: what is larger goes in parts.
  static constexpr size_t kLargestPart = size_t{1} << 30;

  // On a communicator of its own; all ranks name the same part.
  explicit Wire(size_t largest_part = kLargestPart);
  ~Wire();  // everything must have come through
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  int rank() const;
  int size() const;

  void send(int to, Bytes letter);
  std::optional<Letter> receive();  // a letter that has come

  // Bulk bytes. The k-th that one rank gives to another is the k-th that the other takes from it, of the same size.
  // `open` counts what is still under way and keeps alive whatever the bytes lie in.
  void give(int to, const std::byte* data, size_t size_bytes, std::shared_ptr<size_t> open);
  void take(int from, std::byte* data, size_t size_bytes, std::shared_ptr<size_t> open);

  void progress();
  bool quiet() const;  // nothing is under way from or to this rank that it knows of
  // All ranks: call begin_barrier once and then passed_barrier until it says so.
  void begin_barrier();
  bool passed_barrier();
  [[noreturn]] void abort();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ranklint::runtime

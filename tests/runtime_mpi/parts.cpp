// Letters and bulk of all sizes about a part's, from every rank to every rank, over wires whose parts are small. Exits
// with 1 where something is lost, torn or out of order.
#include <cstdio>
#include <thread>
#include <vector>

#include "runtime/mpi/session.h"
#include "runtime/mpi/wire.h"

using namespace ranklint::runtime;

namespace {

constexpr size_t kPart = 100;

std::vector<size_t> sizes() { return {1, 350, kPart - 1, kPart, kPart + 1, 2 * kPart, 7, 3 * kPart, 2 * kPart - 1}; }

Bytes bytes_of(int from, size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + size + static_cast<size_t>(from) * 31);
  return bytes;
}

bool letters_arrive(Wire& wire) {
  for (const size_t size : sizes())
    for (int to = 0; to < wire.size(); ++to) wire.send(to, bytes_of(wire.rank(), size));
  std::vector<size_t> received(static_cast<size_t>(wire.size()));  // of each rank
  for (size_t left = sizes().size() * received.size(); left > 0;) {
    wire.progress();
    const std::optional<Letter> letter = wire.receive();
    if (!letter) {
      std::this_thread::yield();
      continue;
    }
    const size_t number = received[static_cast<size_t>(letter->from)]++;
    if (letter->bytes != bytes_of(letter->from, sizes()[number])) return false;
    --left;
  }
  return true;
}

bool bulk_arrives(Wire& wire) {
  const auto open = std::make_shared<size_t>(0);
  std::vector<Bytes> given, taken;
  for (const size_t size : sizes())
    for (int other = 0; other < wire.size(); ++other) {
      given.push_back(bytes_of(wire.rank(), size));
      taken.emplace_back(size);
    }
  for (size_t i = 0; i < given.size(); ++i) {
    const int other = static_cast<int>(i) % wire.size();
    wire.take(other, taken[i].data(), taken[i].size(), open);
    wire.give(other, given[i].data(), given[i].size(), open);
  }
  while (*open != 0) wire.progress();
  for (size_t i = 0; i < taken.size(); ++i)
    if (taken[i] != bytes_of(static_cast<int>(i) % wire.size(), taken[i].size())) return false;
  return true;
}

bool all_come_through(Wire& wire) {
  while (!wire.quiet()) wire.progress();
  wire.begin_barrier();
  while (!wire.passed_barrier()) std::this_thread::yield();
  return wire.quiet();
}

}  // namespace

int main(int argc, char** argv) {
  const MpiSession session(&argc, &argv);
  Wire wire(kPart);
  const bool letters = letters_arrive(wire), bulk = bulk_arrives(wire), through = all_come_through(wire);
  if (letters && bulk && through) return 0;
  std::printf("rank %d: letters %d, bulk %d, through %d\n", wire.rank(), letters, bulk, through);
  return 1;
}

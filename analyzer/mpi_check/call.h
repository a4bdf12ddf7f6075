// One call of MPI being carried out: its arguments, checked by its signature before its handler sees them.
#pragma once

#include <string_view>

#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

using machine::CallResult;

struct Signature;

struct Call {
  World& world;
  Machine& m;
  Rank& rank;
  const Signature* signature = nullptr;
  std::string name = {};  // "MPI_Isend", of "MPI_Isend_c" too
  bool is_large = false;  // the form for large counts
  std::span<const Value> arguments = {};
  uint32_t place = 0;

  Value at(size_t i) const { return i < arguments.size() ? arguments[i] : machine::unknown(); }
  // The first parameter of this letter, by its place; -1: there is none.
  int index(char letter) const;
  uint32_t count_bytes() const {
    return is_large ? 8 : 4;
  }  // of each number in a list of counts, and of a count that is passed
  Value argument(char letter) const { return at(static_cast<size_t>(index(letter))); }
};

using Handler = CallResult (*)(Call&);

// A call's parameters, a letter each:
//   b memory that is read     n count         t datatype       d destination  g tag of a send     c communicator
//   B memory that is written  N count array   u datatype       s source       G tag of a receive  C its address (out)
//   o operator                r root          (not committed)  q request (out)  S status          w window
//   p group                   f file   i info     I info, or null  . anything else
struct Signature {
  std::string_view name;  // without MPI_
  std::string_view parameters;
  Handler handler = nullptr;
  Movement moves = {};
};

const Signature* find_signature(std::string_view name);  // the form for large counts has that of the plain one
bool is_collective(const Signature& signature);          // that moves data, or is a barrier
// Whether the call (with its MPI_) sends or receives, or is one that all of a communicator make.
bool meets_others(std::string_view name);

// check.cpp: reports what the call does not take; whether it can be carried out.
bool check_arguments(Call& call);
bool check_handle(Call& call, const Value& v, HandleClass wanted, bool may_be_null = false);
bool check_type(Call& call, const Value& v, bool must_be_committed);
// The memory against the type and the count; whether it fits. The story goes on.
bool check_memory(Call& call, const Buffer& b);
// Whether the memory holds as many numbers as the call says.
bool check_list_memory(Call& call, const Value& address, size_t count, uint32_t number_bytes);
// Reports a fact about the call, whose name is the first argument.
template <Fact fact, class... Given>
Problem& invalid(Call& call, Given&&... given) {
  return report<fact>(call.world, call.m.rank, call.place, call.name, std::forward<Given>(given)...);
}

// call.cpp: what handlers have in common.
CallResult success();
CallResult nothing(Call& call);  // of what nothing is followed: success
CallResult stop(Call& call);     // the story ends here
// Reports a fact about the call, and stops.
template <Fact fact, class... Given>
CallResult refuse(Call& call, Given&&... given) {
  invalid<fact>(call, std::forward<Given>(given)...);
  return stop(call);
}
// Reports a fact about the call: false, for checks that say whether it can be carried out.
template <Fact fact, class... Given>
bool reject(Call& call, Given&&... given) {
  invalid<fact>(call, std::forward<Given>(given)...);
  return false;
}
CallResult not_known(Call& call, std::string why);
std::optional<int64_t> number(const Value& v);
std::optional<uint32_t> comm_of(Call& call, const Value& v);
const Handle* handle_at(Call& call, const Value& v);
Buffer buffer_of(Call& call, int address, int count, int type);
Value load_at(Call& call, const Value& address, int64_t offset, uint32_t size_bytes);
void store_at(Call& call, const Value& address, int64_t offset, uint32_t size_bytes, Value v);
// Nothing: one is not known, or the memory is too small for them, which is reported.
std::optional<std::vector<int64_t>> numbers_at(Call& call, const Value& address, size_t count, uint32_t size_bytes = 4);
// The program looks at the memory of a message.
void touch_buffer(Call& call, const Buffer& buffer, bool is_write);
// Makes a handle and stores it.
void give_handle(Call& call, const Value& where, HandleClass handle_class, uint32_t id);
void note_step(Call& call, Statement statement);
// Notes a step of the rank, with the call as the first argument.
template <Fact fact, class... Given>
void note_step(Call& call, Given&&... given) {
  note_step(call, state<fact>(call.name, std::forward<Given>(given)...));
}
CallResult wait_for(Call& call, std::vector<uint32_t> operations, std::function<void()> finish = {});
// The same, with what the witness says of it.
CallResult wait_for(Call& call, std::vector<uint32_t> operations, std::function<void()> finish, Statement statement);
// What the call that waited for a message does then: it fills in a status.
std::function<void()> tell_status(Call& call, uint32_t operation, const Value& status);
// Turns a call that waits into one that asks: where nothing has happened yet the flag says so, and what probed looks no
// longer.
CallResult answer_no(Call& call, const Value& flag, std::optional<uint32_t> probe = {});
// The same for a flag that says so where it has.
CallResult ask(Call& call, const Value& flag, std::optional<uint32_t> probe = {});
void write_status(World& world, uint32_t rank, const Value& status, size_t nth, int64_t source, int64_t tag,
                  int64_t bytes);
void write_status_of(World& world, const Operation& o, const Value& status, size_t nth);
// Makes a request for the operations and stores its handle.
uint32_t make_request(Call& call, const Value& where, std::vector<uint32_t> operations);
void finish_operation(World& world, uint32_t operation);

// collectives/calls.cpp: used by whatever all ranks of a communicator call
std::optional<uint32_t> arrive(Call& call, uint32_t comm, const std::string& name, Part part, Movement moves = {});
CallResult creation(Call& call, uint32_t comm, std::vector<Value> values);
CallResult creation_with(Call& call, uint32_t comm, Part part);
// collectives/agreement.cpp: reports that two ranks give different arguments to one call: what it is, and what on each.
void report_difference(World& world, const Part& a, const Part& b, const Statement& what, const Argument& on_a,
                       const Argument& on_b, Fact fact);
template <Fact fact = Fact::ArgumentsDiffer>
void differ(World& world, const Part& a, const Part& b, const Statement& what, const Argument& on_a,
            const Argument& on_b) {
  static_assert(std::is_same_v<decltype(Takes<fact>::state), decltype(Takes<Fact::ArgumentsDiffer>::state)>);
  report_difference(world, a, b, what, on_a, on_b, fact);
}
void differ_in_one(World& world, const Part& a, const Part& b, const Statement& what);  // of which no value is shown
void complete_creation(World& world, Collective& collective);                           // communicators.cpp
void give_member(World& world, const Part& part, size_t where, uint32_t comm);          // stores the handle
void give_null(World& world, const Part& part, size_t where);
void complete_spawn(World& world, Collective& collective);     // sessions.cpp
void complete_topology(World& world, Collective& collective);  // topology_creation.cpp
// Whether all ranks describe the same by the lists of their parts; what they describe differently is reported.
bool same_description(World& world, const Collective& collective, const Statement& what);
void complete_window_call(World& world, Collective& collective);  // windows.cpp
// shared_windows.cpp: gives the ranks of a window memory that all of them have; the part of one rank; and the rank of
// the window to which accessed memory belongs. Nothing: it is none of the window's.
void share_memory(World& world, Win& win, const Collective& collective);
CallResult tell_shared(Call& call, const Win& win, int64_t rank);
std::optional<uint32_t> owner_of_shared(const Win& win, const Machine& m, const machine::Access& access);
void complete_file_call(World& world, Collective& collective);  // files.cpp

// attributes.cpp: to a communicator that was duplicated
void copy_attributes(World& world, uint32_t rank, const Value& from, const Value& to);

// communicators.cpp
CallResult give_group(Call& call, const Value& where, std::vector<uint32_t> members);

// point_to_point.cpp
bool same_signature(const Type& a, int64_t a_count, const Type& b, int64_t b_count, bool prefix);
Statement items_phrase(const Buffer& buffer);  // "4 of `MPI_INT`"

// messages.cpp: whether a value of `width` bytes of packed memory is of another type than `basic`. Unknown values and
// single bytes never are.
bool is_packed_otherwise(const Value& v, uint32_t width, const BasicType& basic);

// threads.cpp: whether the thread that calls may.
std::optional<CallResult> check_threads(Call& call);
CallResult start_thread(Call& call);

// leaks.cpp
void check_end(World& world);

// the tables of the files of handlers
std::span<const Signature> point_to_point_calls();
std::span<const Signature> request_calls();
std::span<const Signature> collective_calls();
std::span<const Signature> communicator_calls();
std::span<const Signature> group_calls();
std::span<const Signature> topology_calls();
std::span<const Signature> topology_creation_calls();
std::span<const Signature> attribute_calls();
std::span<const Signature> datatype_calls();
std::span<const Signature> window_calls();
std::span<const Signature> window_epoch_calls();
std::span<const Signature> window_access_calls();
std::span<const Signature> file_calls();
std::span<const Signature> message_calls();
std::span<const Signature> partition_calls();
std::span<const Signature> session_calls();
std::span<const Signature> other_calls();

}  // namespace ranklint::mpi_check

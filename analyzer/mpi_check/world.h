// A world of a few ranks, all of whose state is here: machines, communicators, messages, requests, windows.
//
// Ranks share nothing but what MPI carries between them, so each runs alone until it has to wait; then the engine looks
// which of the operations posted so far belong together. A send waits for its receive (a library may buffer it, and
// need not); a collective waits for all of its communicator. Receives from any source are answered last, when every
// rank waits: then all senders that could be meant are there, and each choice is a world of its own (explore.cpp). That
// order is the one of ISP (Vakkalanka, Gopalakrishnan, Kirby: Dynamic verification of MPI programs with reductions, CAV
// 2008).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/machine/machine.h"
#include "analyzer/mpi_check/movement.h"
#include "analyzer/mpi_check/problem.h"
#include "analyzer/mpi_check/shared_values.h"
#include "analyzer/mpi_check/types.h"

namespace ranklint::mpi_check {

using machine::Machine;
using machine::ObjectId;
using machine::Value;

inline const Value kSuccess = machine::integer(0);  // MPI_SUCCESS

// The numbers that frontends/cpp/stubs/mpi.h gives to MPI's names.
inline constexpr int64_t kAnySource = -32001, kProcNull = -32002, kRoot = -32003, kAnyTag = -32004, kUndefined = -32766;
inline constexpr int64_t kInPlace = -1, kStatusIgnore = 1;
inline constexpr int64_t kTagBound = 0x64400001, kLargestTag = 0x7fffffff, kOrderC = 56,
                         kOrderFortran = 57;                       // MPI_TAG_UB, and what it says here
inline constexpr int64_t kFirstSplitType = 1, kLastSplitType = 4;  // MPI_COMM_TYPE_SHARED and those after it

enum class HandleClass : uint8_t {
  None,
  Comm,
  Group,
  Type,
  Operator,
  Request,
  Win,
  Info,
  Errhandler,
  File,
  Message,
  Session
};

// A handle of one rank: what its object stands for.
struct Handle {
  HandleClass handle_class = HandleClass::None;
  uint32_t id = 0;  // into the world's table of the class
  bool is_null = false;
  bool is_predefined = false;
  bool is_freed = false;
  uint32_t place = 0;     // where it was made
  std::string name = {};  // predefined: "MPI_SUM"; else the call that made it
};

struct Topology {
  enum class Kind { None, Cart, Graph, DistGraph };
  Kind kind = Kind::None;
  std::vector<int64_t> dims = {}, periods = {};
  std::vector<std::vector<int64_t>> sources = {}, destinations = {};  // by rank of the communicator
};

struct Comm {
  std::vector<uint32_t> members = {};  // world ranks, by rank of the communicator
  std::vector<uint32_t> remote = {};   // of an inter-communicator
  uint32_t twin = 0;                   // the remote side's view of the same inter-communicator
  Topology topology = {};
  std::vector<uint32_t> issued = {};  // collectives, by rank of the communicator; of both sides: local first
  uint32_t channel = 0;               // messages and collectives of the two views meet here
  std::string name = {};
  bool is_with_started = false;           // its other side are programs that these ranks have started
  HandleClass owner = HandleClass::None;  // a file or a window whose own it is, without a name
};

struct Buffer {
  Value address = {};
  int64_t count = -1;  // -1: unknown
  Type type = {};
  std::string type_name = {};
  bool is_in_place = false;
};

struct Operator {
  std::string name = {};  // of a predefined one
  bool is_user = false;
  Mark made_at = {};
};

struct Operation {
  enum class Kind : uint8_t { Send, Receive, Probe, Collective, Local };
  enum class Mode : uint8_t { Standard, Synchronous, Buffered, Ready };
  Kind kind = Kind::Send;
  Mode mode = Mode::Standard;
  uint32_t rank = 0, comm = 0;
  int64_t peer = 0, tag = 0;  // peer: rank of the communicator (of its remote side)
  uint32_t channel = 0;
  int64_t peer_rank = -1;  // in the world; -1: any
  Buffer buffer = {};
  std::vector<Value> payload = {};
  bool payload_known = true;
  uint32_t place = 0;
  std::string call = {};  // "MPI_Isend"
  bool is_matched = false, is_done = false;
  bool is_cancelled = false;
  bool is_claim = false;  // a probe that takes the message away: MPI_Mprobe
  bool is_freed = false;  // no call waits for it any more
  bool is_partitioned = false;
  bool is_under_way = false;  // a send that can be received
  bool is_seen = false;       // the rank knows that it is done
  uint32_t partner = 0;       // operation
  int64_t source = 0, received_tag = 0, received_bytes = 0;
  uint32_t collective = 0;              // into World::collectives
  std::optional<uint32_t> window = {};  // of a one-sided call with a request
  uint32_t window_target = 0;
  uint64_t posted_at = 0;            // a receive: the rank's own clock then
  std::vector<uint64_t> clock = {};  // a send's when it was posted; what the rank that completes it then knows
};

// One rank's part of a collective.
struct Part {
  uint32_t rank = 0, operation = 0;
  int64_t root = kUndefined;
  std::optional<Operator> op = {};
  Buffer send = {}, receive = {};
  std::vector<int64_t> send_counts = {}, send_offsets = {}, receive_counts = {}, receive_offsets = {};
  std::vector<Type> send_types = {}, receive_types = {};
  bool counts_known = true;
  std::vector<Value> values = {};  // colour, key, places of results: as the call has them
};

struct Collective {
  std::string name = {};  // "Bcast", "Ibcast"
  Movement moves = {};
  uint32_t comm = 0;
  std::map<uint32_t, Part> parts = {};  // by world rank
  bool is_done = false;
  uint32_t starts = 0;  // channel of what a persistent one starts

  const Part& any_part() const { return parts.begin()->second; }
};

struct Request {
  uint32_t rank = 0;
  std::vector<uint32_t> operations = {};
  bool is_persistent = false, is_active = false, is_completed = false, is_freed = false;
  bool is_partitioned = false, receives = false;
  std::vector<bool> ready = {};                       // which parts are; of a receive: which were seen to have arrived
  Buffer part = {};                                   // the first one
  std::function<std::vector<uint32_t>()> start = {};  // persistent: posts its operations
  uint32_t place = 0, start_place = 0;
  std::string call = {};
};

// Memory that an operation holds.
struct Hold {
  uint32_t rank = 0;
  ObjectId object = 0;
  int64_t begin = 0, end = 0;
  bool forbids_reads = false;
  uint32_t place = 0;
  std::string call = {};
  uint32_t owner = 0;  // operation; with is_window: the window
  uint32_t target = 0;
  bool is_window = false;
};

struct RemoteAccess {
  uint32_t origin = 0, target = 0;
  int64_t begin = 0, end = 0;  // bytes in the target's window memory
  bool is_write = false, is_accumulate = false;
  bool is_local = false;  // by the owner, without a call
  std::string op = {}, call = {};
  uint32_t place = 0;
  int64_t lock = 0;                        // the type of the lock that the origin holds
  std::vector<uint64_t> clock = {};        // of the origin when it began
  std::optional<uint64_t> end_clock = {};  // the origin's own, when it was over
  std::optional<uint32_t> operation = {};  // whose completion ends it
};

// The ranks that requested the lock of a target, in the order of their requests.
struct Lock {
  uint32_t rank = 0, target = 0;
  int64_t type = 0;
  bool is_held = false;
};

// Memory that a rank has attached to a window that was made without any.
struct Attached {
  ObjectId object = 0;
  int64_t begin = 0;
};

// Memory that the ranks of a window have together, and what stands for it on each.
struct SharedMemory {
  machine::Object object = {};
  std::map<uint32_t, ObjectId> stand_ins = {};  // by world rank
};

struct WinSide {
  Value base = {};
  int64_t size_bytes = -1, unit = 1;  // -1: not known
  bool is_fenced = false, is_exposed = false, is_started = false, locked_all = false, is_freed = false;
  std::vector<uint32_t> exposed_to = {}, started = {};  // world ranks
  std::map<uint32_t, int64_t> locks = {};               // target -> lock type
  std::vector<Attached> attached = {};                  // of a dynamic window
  uint32_t epoch_place = 0, exposure_place = 0;
  uint32_t no_put_place = 0;  // where it promised that no rank puts anything here in this epoch; 0: it has not
  uint32_t store_place = 0;   // where it stored to its own memory since the fence that began the epoch; 0: nowhere
};

struct Win {
  uint32_t comm = 0;                // of its own
  std::vector<WinSide> sides = {};  // by rank of the communicator
  std::vector<RemoteAccess> accesses = {};
  std::vector<Lock> locks = {};
  std::map<std::pair<uint32_t, uint32_t>, std::vector<std::vector<uint64_t>>> posts = {},
                                                                              completes = {};  // target, origin: clocks
  bool is_dynamic = false;
  std::shared_ptr<SharedMemory> memory = {};  // of `MPI_Win_allocate_shared`; sides are contiguous
};

// What a rank has begun on a file and not ended.
struct FileSide {
  std::optional<uint32_t> split = {};  // operation of a split collective
  std::string split_call = {};         // "MPI_File_read_all"
  uint32_t split_place = 0;
  Value split_memory = {};
  std::vector<uint32_t> requests = {};
};

struct File {
  uint32_t comm = 0;  // of its own
  int64_t mode = 0;
  std::map<uint32_t, FileSide> sides = {};  // by world rank
};

// Why a rank waits, when it may go on, and what its call then writes. It returns that it succeeded.
struct Waiting {
  std::string call = {};
  uint32_t place = 0;
  std::vector<uint32_t> operations = {};
  std::function<bool()> is_ready = {};
  std::function<void()> finish = {};   // null: nothing
  std::function<void()> give_up = {};  // a call that does not wait: what it writes when nothing happens
  bool is_open_to_others = false;      // it is not for operations of its own that it waits
  bool is_patient = false;             // it goes on when nothing else happens, though it could before
  Statement statement = {};            // that it waits, for the witness
};

// What attributes are found by.
struct Key {
  uint32_t place = 0;
  std::string call = {};  // that made it
  enum class Copy : uint8_t {
    Never,
    Always,
    Asked
  };  // when a communicator is duplicated; asked: a function of the program
  Copy copy = Copy::Asked;
  Value copy_function = {}, extra = {};  // asked: what is called, and what it is given besides
  bool has_function = false;             // of the program, that is called when an attribute goes: it may free the key
  bool is_freed = false;
};

struct Rank {
  Machine machine = {};
  std::map<ObjectId, Handle> handles = {};
  std::optional<Waiting> waiting = {};
  bool is_initialized = false, is_finalized = false, was_finalized = false;
  bool may_be_initialized = false;  // by a library that was given the arguments of `main`
  int64_t sessions = 0;             // that are open
  uint32_t finalize_place = 0, idle_turns = 0;
  int64_t attached_bytes = -1;
  Value attached = {};                          // the buffer for buffered sends
  std::map<ObjectId, uint32_t> allocated = {};  // by MPI_Alloc_mem -> where
  int64_t thread_level = -1;                    // that was asked for; -1: not known
  bool asked_for_threads = false;               // by MPI_Init_thread
  bool asked_for_parent = false;                // by MPI_Comm_get_parent: another program may start it
  std::vector<Key> keys = {};                   // number 1 first
  std::map<std::pair<uint64_t, int64_t>, Value> attributes = {};  // by handle and key
  std::map<uint32_t, uint32_t> tests_failed = {};                 // by place: how often a test was made to find nothing
  std::vector<uint64_t> clock = {};                               // by rank: how far this one knows the others to be
  bool has_raced = false;        // it has received what could have been another message
  uint64_t shown = 0;            // what it has called and sent since then (races.h)
  bool shows_unknown = false;    // and not all of it is known
  std::vector<Note> steps = {};  // communication, for the witness
};

// A wildcard that could have been answered by several.
struct Race {
  uint32_t rank = 0, place = 0;
  std::vector<uint32_t> sources = {};
  std::vector<uint32_t> senders = {};  // operations
  bool source_is_read = false, value_is_read = false;
  std::string call = {};            // "MPI_Irecv"
  ObjectId status = 0, memory = 0;  // the object that it was received into
};

struct Choice {
  uint32_t options = 0, taken = 0;
  bool is_branch = false;
};

struct World {
  const machine::Program* program = nullptr;
  machine::Host host = {};
  std::deque<Rank> ranks = {};
  std::vector<Comm> comms = {};
  std::vector<std::vector<uint32_t>> groups = {};
  std::vector<Type> types = {};
  std::vector<Operator> operators = {};
  std::vector<Request> requests = {};
  std::vector<Win> wins = {};
  std::vector<File> files = {};
  std::deque<Operation> operations = {};
  std::deque<Collective> collectives = {};
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> collective_at = {};  // channel, index
  std::vector<uint32_t> open_sends = {}, open_receives = {};  // not matched yet, in the order of their posting
  uint32_t channels = 0;
  std::vector<Hold> holds = {};
  std::vector<Race> races = {};
  std::vector<Problem> problems = {};
  std::vector<std::pair<uint32_t, Posted>> out_of_step =
      {};                    // collectives that are not those of the others, and their ranks
  SharedValues shared = {};  // unknown values that all ranks share
  std::vector<Choice> choices = {};
  std::vector<uint32_t> wanted = {};  // what to choose first
  bool sends_are_buffered = false;
  bool asserts_hold = false;
  std::optional<bool> first_tests_fail = {};  // decided when the first test is met
  std::optional<bool> last_ones_first =
      {};  // of requests that are done together: decided when the first call asks for any of several
  bool is_lost = false;
  bool is_stopped = false;   // by a problem that ends the story
  bool is_finished = false;  // all ranks came to their end
  std::string lost_because = {};
  uint64_t work = 0;  // what was looked at and carried besides the ranks' own steps

  uint32_t size() const { return static_cast<uint32_t>(ranks.size()); }
  Rank& of(const Machine& m) { return ranks[m.rank]; }
};

// problems.cpp
Mark mark_of(const World& world, uint32_t place);
Problem& report(World& world, uint32_t rank, uint32_t place, Statement statement);
void add_note(World& world, Problem& problem, uint32_t place, Statement statement);

template <Fact fact, class... Given>
Problem& report(World& world, uint32_t rank, uint32_t place, Given&&... given) {
  static_assert(info_of(fact).is_problem);
  return report(world, rank, place, state<fact>(std::forward<Given>(given)...));
}

template <Fact fact, class... Given>
void add_note(World& world, Problem& problem, uint32_t place, Given&&... given) {
  static_assert(!info_of(fact).is_problem);
  add_note(world, problem, place, state<fact>(std::forward<Given>(given)...));
}
void add_lanes(World& world, Problem& problem);
void lose(World& world, std::string why);
// Counts work; where there is too much of it the run is cut off.
void spend(World& world, uint64_t work);

// Phrases in what is stated: "communicator", "rank 3" or "any rank", "tag 7" or "any tag".
Statement class_phrase(HandleClass handle_class);
Statement rank_phrase(int64_t rank);
Statement tag_phrase(int64_t tag);
// The name of a communicator, or a phrase for that of a file or a window.
Argument comm_name(const Comm& comm);

// trace.cpp
void add_posted(const World& world, Problem& problem);

// handles.cpp
Handle* handle_of(World& world, Machine& m, const Value& v);  // null: not a handle, or unknown
Value make_handle(World& world, Machine& m, HandleClass handle_class, uint32_t id, std::string name, uint32_t place);
Value null_handle(Machine& m, const char* name);
uint32_t add_comm(World& world, std::vector<uint32_t> members, std::string name);
int64_t rank_in(const std::vector<uint32_t>& members, uint32_t rank);  // -1: not in it

// buffers.cpp
void read_payload(World& world, Operation& operation);
std::vector<Value> read_items(World& world, uint32_t rank, const Value& address, int64_t count, const Type& type,
                              bool& known);
void write_items(World& world, uint32_t rank, const Value& address, int64_t count, const Type& type,
                 const std::vector<Value>& values, bool known);
void hold(World& world, uint32_t operation, const Buffer& buffer, bool forbids_reads);
void release(World& world, uint32_t operation);
void release_part(World& world, uint32_t operation, const Buffer& part);
void check_access(World& world, Machine& m, const machine::Access& access);
// The bytes of the items when the first one lies at `begin`, in pieces from and to; of very many pieces the first ones.
std::vector<std::pair<int64_t, int64_t>> ranges_of(const Buffer& buffer, int64_t begin);
bool overlap(const Buffer& a, const Buffer& b);
int64_t span_bytes(const Buffer& buffer);  // from the address to the end of the last item; -1: not known

// windows.cpp
void check_window_memory(World& world, Machine& m, const machine::Access& access);

// window_accesses.cpp
void local_access(World& world, Machine& m, const machine::Access& access);
void end_request_access(World& world, uint32_t operation);  // the one-sided call is complete at its origin

// deadlock.cpp
void report_deadlock(World& world);

// engine.cpp
void join_clock(Rank& rank, const std::vector<uint64_t>& other);
void run_world(World& world, const machine::Program& program, uint32_t size);
uint32_t post(World& world, Operation operation, bool is_open = true);
void open_send(World& world, uint32_t id);  // of one that was posted and not open
uint32_t choose(World& world, uint32_t options, bool is_branch);
void match(World& world, uint32_t send, uint32_t receive);  // of two operations that fit

// calls.cpp
machine::CallResult call_mpi(World& world, Machine& m, const std::string& name, std::span<const Value> arguments);

}  // namespace ranklint::mpi_check

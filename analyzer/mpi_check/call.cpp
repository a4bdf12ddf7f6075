#include "analyzer/mpi_check/call.h"

#include <algorithm>
#include <array>

namespace ranklint::mpi_check {

namespace {

constexpr size_t kMostShownSteps = 4000;
constexpr uint64_t kWorkOfCall = 40;  // what any call costs

// What may be called before MPI_Init and after MPI_Finalize.
constexpr std::array<std::string_view, 10> kAnyTime = {"Init",        "Init_thread",         "Initialized", "Finalized",
                                                       "Get_version", "Get_library_version", "Wtime",       "Abort",
                                                       "Error_class", "Error_string"};

// And the families of calls of which that holds since MPI 4.
constexpr std::array<std::string_view, 3> kAnyTimeFamilies = {"Info_", "Session_", "T_"};

bool is_of_any_time(const Call& call) {
  const std::string_view name = std::string_view(call.name).substr(4);
  return std::find(kAnyTime.begin(), kAnyTime.end(), name) != kAnyTime.end() ||
         std::any_of(kAnyTimeFamilies.begin(), kAnyTimeFamilies.end(),
                     [&](std::string_view f) { return name.starts_with(f); });
}

bool check_time(Call& call) {
  if (is_of_any_time(call)) return true;
  if (call.rank.is_finalized) {
    Problem& p = invalid<Fact::CalledAfterFinalize>(call);
    add_note<Fact::FinalizedHere>(call.world, p, call.rank.finalize_place);
    return false;
  }
  if (!call.rank.is_initialized && !call.rank.may_be_initialized && !call.rank.sessions) {
    invalid<Fact::CalledBeforeInit>(call);
    return false;
  }
  return true;
}

// Whether a library is given the arguments of `main`, by value or by reference: it may initialise MPI with them.
bool is_given_arguments_of_main(World& world, Machine& m, std::span<const Value> arguments) {
  const Value argv = machine::shared_unknown(world.shared.symbol(1, 1, 0));
  return std::ranges::any_of(arguments, [&](const Value& v) {
    return v == argv || (v.points() && m.at(v.object).life != machine::Object::Life::Text &&
                         machine::load(m.at(v.object), v.number, 8) == argv);
  });
}

}  // namespace

int Call::index(char letter) const {
  const size_t at = signature ? signature->parameters.find(letter) : std::string_view::npos;
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

static bool is_large_form(std::string_view name) { return name.ends_with("_c"); }

const Signature* find_signature(std::string_view name) {
  if (is_large_form(name)) name.remove_suffix(2);
  for (const auto table : {point_to_point_calls(), request_calls(), collective_calls(), communicator_calls(),
                           group_calls(), topology_calls(), topology_creation_calls(), attribute_calls(),
                           datatype_calls(), window_calls(), window_epoch_calls(), window_access_calls(), file_calls(),
                           message_calls(), partition_calls(), session_calls(), other_calls()})
    for (const Signature& s : table)
      if (s.name == name) return &s;
  return nullptr;
}

static bool is_in(std::span<const Signature> table, const Signature& s) {
  return &s >= table.data() && &s < table.data() + table.size();
}

bool is_collective(const Signature& s) { return is_in(collective_calls(), s); }

bool meets_others(std::string_view name) {
  if (!name.starts_with("MPI_")) return false;
  const Signature* s = find_signature(name.substr(4));
  if (!s) return false;
  const auto takes = [s](std::string_view letters) {
    return s->parameters.find_first_of(letters) != std::string_view::npos;
  };
  if (is_collective(*s) || takes("ds")) return true;
  const bool makes_object = is_in(window_calls(), *s) || is_in(file_calls(), *s) || takes("C");
  return makes_object && takes("c");
}

CallResult success() { return {.value = kSuccess}; }

CallResult nothing(Call&) { return success(); }

CallResult stop(Call& call) {
  call.world.is_stopped = true;
  return {.kind = CallResult::Kind::Lost};
}

CallResult not_known(Call& call, std::string why) {
  machine::lose(call.m, std::move(why));
  return {.kind = CallResult::Kind::Lost};
}

std::optional<int64_t> number(const Value& v) {
  if (v.kind == Value::Kind::Int) return v.number;
  if (v.kind == Value::Kind::Pointer && !v.object) return v.number;
  return std::nullopt;
}

const Handle* handle_at(Call& call, const Value& v) { return handle_of(call.world, call.m, v); }

std::optional<uint32_t> comm_of(Call& call, const Value& v) {
  const Handle* h = handle_at(call, v);
  if (!h || h->handle_class != HandleClass::Comm || h->is_null) return std::nullopt;
  return h->id;
}

Buffer buffer_of(Call& call, int address, int count, int type) {
  Buffer b;
  b.address = call.at(static_cast<size_t>(address));
  b.is_in_place = b.address == machine::pointer(0, kInPlace);
  if (auto n = count < 0 ? std::optional<int64_t>(1) : number(call.at(static_cast<size_t>(count)))) b.count = *n;
  const Handle* h = type < 0 ? nullptr : handle_at(call, call.at(static_cast<size_t>(type)));
  if (h && h->handle_class == HandleClass::Type && !h->is_null) {
    b.type = call.world.types[h->id];
    b.type_name = h->name;
  } else {
    b.type.is_known = false;
  }
  return b;
}

Value load_at(Call& call, const Value& address, int64_t offset, uint32_t bytes) {
  if (!address.points()) return machine::unknown();
  return machine::load(call.m, machine::pointer(address.object, address.number + offset), bytes);
}

void store_at(Call& call, const Value& address, int64_t offset, uint32_t bytes, Value v) {
  if (!address.points()) return;
  machine::store(call.m, machine::pointer(address.object, address.number + offset), bytes, v);
}

std::optional<std::vector<int64_t>> numbers_at(Call& call, const Value& address, size_t count, uint32_t bytes) {
  if (!check_list_memory(call, address, count, bytes)) return std::nullopt;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < count; ++i) {
    const auto n = number(load_at(call, address, static_cast<int64_t>(bytes * i), bytes));
    if (!n) return std::nullopt;
    numbers.push_back(*n);
  }
  return numbers;
}

void touch_buffer(Call& call, const Buffer& buffer, bool is_write) {
  if (buffer.count > 0 && buffer.type.is_absolute()) {
    for (const Segment& s : buffer.type.segments)
      machine::touch(call.m, machine::pointer(s.object, s.offset), s.basic->size_bytes, is_write);
    return;
  }
  if (!buffer.address.points() || span_bytes(buffer) <= 0) return;
  for (const auto& [begin, end] : ranges_of(buffer, buffer.address.number))
    machine::touch(call.m, machine::pointer(buffer.address.object, begin), end - begin, is_write);
}

void give_handle(Call& call, const Value& where, HandleClass handle_class, uint32_t id) {
  store_at(call, where, 0, 8, make_handle(call.world, call.m, handle_class, id, call.name, call.place));
}

void note_step(Call& call, Statement statement) {
  if (call.rank.steps.size() < kMostShownSteps)
    call.rank.steps.push_back({mark_of(call.world, call.place), std::move(statement)});
}

CallResult wait_for(Call& call, std::vector<uint32_t> operations, std::function<void()> finish) {
  return wait_for(call, std::move(operations), std::move(finish), state<Fact::WaitsIn>(call.name));
}

CallResult wait_for(Call& call, std::vector<uint32_t> operations, std::function<void()> finish, Statement statement) {
  World& world = call.world;
  auto is_ready = [&world, operations] {
    return std::all_of(operations.begin(), operations.end(), [&](uint32_t o) { return world.operations[o].is_done; });
  };
  call.rank.waiting = Waiting{.call = call.name,
                              .place = call.place,
                              .operations = operations,
                              .is_ready = std::move(is_ready),
                              .finish = std::move(finish),
                              .statement = std::move(statement)};
  return {.kind = CallResult::Kind::Blocked};
}

std::function<void()> tell_status(Call& call, uint32_t operation, const Value& status) {
  return [&world = call.world, operation, status] { write_status_of(world, world.operations[operation], status, 0); };
}

// A test may find nothing however far the others are: in one of two worlds, the first ones at each place do.
static CallResult test_for(Call& call, std::function<void()> give_up) {
  constexpr uint32_t kMostFailures = 16;
  World& world = call.world;
  uint32_t& failed = call.rank.tests_failed[call.place];
  const auto& operations = call.rank.waiting->operations;
  const bool is_open =
      call.rank.waiting->is_open_to_others ||
      std::any_of(operations.begin(), operations.end(), [&](uint32_t o) { return !world.operations[o].is_seen; });
  if (failed < kMostFailures && is_open) {
    if (!world.first_tests_fail) world.first_tests_fail = choose(world, 2, false) == 1;
    if (*world.first_tests_fail) {
      ++failed;
      call.rank.waiting.reset();
      give_up();
      return success();
    }
  }
  call.rank.waiting->give_up = std::move(give_up);
  return {.kind = CallResult::Kind::Blocked};
}

CallResult answer_no(Call& call, const Value& flag, std::optional<uint32_t> probe) {
  if (probe && call.world.operations[*probe].peer == kProcNull)
    return {.kind = CallResult::Kind::Blocked};  // always finds something
  return test_for(call, [&world = call.world, &m = call.m, flag, probe] {
    if (probe) {
      world.operations[*probe].is_cancelled = true;
      std::erase(world.open_receives, *probe);
    }
    machine::store(m, flag, 4, machine::integer(0));
  });
}

CallResult ask(Call& call, const Value& flag, std::optional<uint32_t> probe) {
  Waiting& waiting = *call.rank.waiting;
  waiting.finish = [&m = call.m, flag, finish = std::move(waiting.finish)] {
    if (finish) finish();
    machine::store(m, flag, 4, machine::integer(1));
  };
  return answer_no(call, flag, probe);
}

void write_status(World& world, uint32_t rank, const Value& status, size_t nth, int64_t source, int64_t tag,
                  int64_t bytes) {
  if (!status.points()) return;
  machine::Object& object = world.ranks[rank].machine.at(status.object);
  const int64_t at = status.number + static_cast<int64_t>(nth) * 20;
  machine::store(object, at, 4, machine::integer(source));
  machine::store(object, at + 4, 4, machine::integer(tag));
  machine::store(object, at + 8, 4, machine::integer(0));
  machine::store(object, at + 12, 4, bytes < 0 ? machine::unknown() : machine::integer(bytes));
  machine::store(object, at + 16, 4, machine::integer(0));
}

void write_status_of(World& world, const Operation& o, const Value& status, size_t nth) {
  if (o.kind == Operation::Kind::Receive || o.kind == Operation::Kind::Probe) {
    write_status(world, o.rank, status, nth, o.source, o.received_tag, o.received_bytes);
    for (Race& race : world.races)
      if (race.rank == o.rank && race.place == o.place && status.points()) {
        race.status = status.object;
        ++world.ranks[o.rank].machine.at(status.object).watches;
      }
  } else {
    write_status(world, o.rank, status, nth, kAnySource, kAnyTag, 0);
  }
  if (o.is_cancelled && status.points())
    machine::store(world.ranks[o.rank].machine.at(status.object), status.number + static_cast<int64_t>(nth) * 20 + 16,
                   4, machine::integer(1));
}

void finish_operation(World& world, uint32_t operation) {
  release(world, operation);
  if (world.operations[operation].window) end_request_access(world, operation);
}

uint32_t make_request(Call& call, const Value& where, std::vector<uint32_t> operations) {
  Request r{.rank = call.m.rank,
            .operations = std::move(operations),
            .is_active = true,
            .place = call.place,
            .start_place = call.place,
            .call = call.name};
  const auto id = static_cast<uint32_t>(call.world.requests.size());
  call.world.requests.push_back(std::move(r));
  give_handle(call, where, HandleClass::Request, id);
  return id;
}

CallResult call_mpi(World& world, Machine& m, const std::string& name, std::span<const Value> arguments) {
  spend(world, kWorkOfCall);
  Call call{.world = world, .m = m, .rank = world.of(m), .name = name, .arguments = arguments, .place = m.place()};
  if (call.name.starts_with("PMPI_")) call.name.erase(0, 1);
  if (!call.name.starts_with("MPI_")) {
    if (name == "pthread_create" || name == "thrd_create") return start_thread(call);
    const auto& externals = m.program->externals;
    const auto index = static_cast<size_t>(std::find(externals.begin(), externals.end(), name) - externals.begin());
    if (index < m.program->is_library.size() && m.program->is_library[index]) {
      call.rank.may_be_initialized |= is_given_arguments_of_main(world, m, arguments);
      for (const Value& v : arguments)
        if (v.points() && m.at(v.object).life != machine::Object::Life::Text) {
          machine::touch(m, v, 1, false);
          machine::forget(m.at(v.object), v.number, 8);
        }
      return {.value = machine::unknown()};
    }
    return not_known(call, "`" + name + "` has no body here");
  }
  call.is_large = is_large_form(call.name);
  if (call.is_large) call.name.resize(call.name.size() - 2);
  call.signature = find_signature(std::string_view(call.name).substr(4));
  if (!check_time(call)) return stop(call);
  if (!call.signature) return not_known(call, "`" + name + "` is not simulated");
  if (!is_of_any_time(call)) {
    if (const auto otherwise = check_threads(call)) return *otherwise;
  }
  if (!check_arguments(call)) return stop(call);
  ++call.rank.clock[m.rank];
  return call.signature->handler(call);
}

}  // namespace ranklint::mpi_check

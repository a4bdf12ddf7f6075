// Init, finalize, and what belongs to nothing else.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"
#include "analyzer/mpi_check/collectives/data.h"

namespace ranklint::mpi_check {

namespace {

CallResult init(Call& call) {
  if (call.rank.is_initialized) return refuse<Fact::InitialisedTwice>(call);
  call.rank.is_initialized = true;
  if (call.name == "MPI_Init") {
    call.rank.thread_level = 0;
    return success();
  }
  const auto level = number(call.at(2));
  if (level && (*level < 0 || *level > 3)) return refuse<Fact::UnknownThreadLevel>(call, *level);
  // The library may give less than is asked for: the level is asked, not known.
  store_at(call, call.at(3), 0, 4, call.at(2));
  call.rank.thread_level = level.value_or(-1);
  call.rank.asked_for_threads = true;
  return success();
}

// Whether the memory that is attached for buffered sends is still there.
bool has_attached_memory(Call& call) {
  const Value& attached = call.rank.attached;
  if (call.rank.attached_bytes < 0 || !attached.points() || !call.m.at(attached.object).freed) return true;
  invalid<Fact::AttachedBufferFreed>(call);
  return false;
}

CallResult finalize(Call& call) {
  if (!has_attached_memory(call)) return stop(call);
  call.rank.finalize_place = call.place;
  note_step<Fact::Named>(call);
  World& world = call.world;
  Rank& rank = call.rank;
  rank.is_finalized = true;
  const CallResult waits = wait_for(call, {});
  call.rank.waiting->is_ready = [&world] {
    for (const Rank& r : world.ranks)
      if (!r.is_finalized && r.machine.state != Machine::State::Ended) return false;
    return true;
  };
  return waits;
}

// Whether the rank has come to know what others did: then what it checks may be that.
bool has_met_others(const Call& call) {
  return std::any_of(call.world.operations.begin(), call.world.operations.end(),
                     [&](const Operation& o) { return o.rank == call.m.rank && o.kind != Operation::Kind::Local; });
}

CallResult abort_all(Call& call) {
  if (call.world.asserts_hold && has_met_others(call)) return success();
  if (call.m.shadows.empty()) call.m.exited = call.m.aborted = true;
  return {.kind = CallResult::Kind::Ended};
}

CallResult initialized(Call& call) {
  store_at(call, call.at(0), 0, 4,
           machine::integer(call.name == "MPI_Initialized" ? call.rank.is_initialized : call.rank.is_finalized));
  return success();
}

CallResult time_now(Call&) { return {.value = machine::unknown()}; }
CallResult processor_name(Call& call) {
  if (call.at(0).points()) machine::forget(call.m.at(call.at(0).object), call.at(0).number, 64);
  store_at(call, call.at(1), 0, 4, machine::unknown());
  return success();
}

CallResult allocate(Call& call) {
  const auto size = number(call.at(0));
  if (size && *size < 0) return refuse<Fact::NegativeBytes>(call, *size);
  const ObjectId id = machine::make_object(call.m, machine::Object::Life::Heap, size ? static_cast<uint64_t>(*size) : 0,
                                           machine::Scalar::None);
  call.m.at(id).size_known = size.has_value();
  store_at(call, call.at(2), 0, 8, machine::pointer(id));
  call.rank.allocated[id] = call.place;
  return success();
}

CallResult free_memory(Call& call) {
  const Value at = call.at(0);
  if (at.points() && !call.rank.allocated.erase(at.object)) return refuse<Fact::ForeignMemoryFreed>(call);
  if (at.points()) {
    machine::touch(call.m, at, static_cast<int64_t>(call.m.at(at.object).size_bytes), true);
    call.m.at(at.object).freed = true;
  }
  return success();
}

CallResult attach_buffer(Call& call) {
  if (const auto n = number(call.at(1)); n && *n < 0) return refuse<Fact::NegativeBytes>(call, *n);
  if (call.at(0).is_null() && number(call.at(1)).value_or(0) > 0) return refuse<Fact::NullAttached>(call);
  if (call.rank.attached_bytes >= 0) return refuse<Fact::AttachedTwice>(call);
  call.rank.attached_bytes = number(call.at(1)).value_or(0);
  call.rank.attached = call.at(0);
  return success();
}

CallResult detach_buffer(Call& call) {
  if (call.rank.attached_bytes < 0) return refuse<Fact::NothingToDetach>(call);
  if (!has_attached_memory(call)) return stop(call);
  call.rank.attached_bytes = -1;
  return success();
}

CallResult unknown_out_last(Call& call) {
  store_at(call, call.at(call.arguments.size() - 1), 0, 4, machine::unknown());
  return success();
}

CallResult pack_size(Call& call) {
  const Buffer b = buffer_of(call, 0, 0, 1);
  const bool is_known = b.count >= 0 && b.type.is_known;
  store_at(call, call.at(3), 0, 4, is_known ? machine::integer(b.count * b.type.size_bytes) : machine::unknown());
  return success();
}

// What one rank combines by itself. Where it writes was looked at with the arguments.
CallResult reduce_local(Call& call) {
  const Buffer from = buffer_of(call, 0, 2, 3), to = buffer_of(call, 1, 2, 3);
  if (from.is_in_place) return refuse<Fact::LocalReduceInPlace>(call);
  if (from.address.is_null() && from.count > 0) return refuse<Fact::LocalReduceOfNull>(call);
  check_memory(call, from);
  if (overlap(from, to) && from.count > 0) invalid<Fact::ReadsAndWrites>(call);
  touch_buffer(call, from, false);
  touch_buffer(call, to, true);
  const Handle* h = handle_at(call, call.argument('o'));
  carry_locally(call.world, call.m.rank, from, to, h ? call.world.operators[h->id] : Operator{});
  return success();
}

CallResult make_info(Call& call) {
  give_handle(call, call.at(0), HandleClass::Info, 0);
  return success();
}

CallResult set_info(Call& call) {
  const auto key = machine::text_at(call.m, call.at(1));
  return key && key->empty() ? refuse<Fact::EmptyInfoKey>(call) : success();
}

CallResult free_info(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Info)) return stop(call);
  if (Handle* h = handle_of(call.world, call.m, v)) h->is_freed = !h->is_predefined;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_INFO_NULL"));
  return success();
}

CallResult make_errhandler(Call& call) {
  give_handle(call, call.at(1), HandleClass::Errhandler, 0);
  return success();
}

CallResult set_errhandler(Call& call) {
  return check_handle(call, call.at(1), HandleClass::Errhandler) ? success() : stop(call);
}

CallResult free_errhandler(Call& call) {
  if (Handle* h = handle_of(call.world, call.m, load_at(call, call.at(0), 0, 8))) h->is_freed = !h->is_predefined;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_ERRHANDLER_NULL"));
  return success();
}

CallResult duplicate_info(Call& call) {
  give_handle(call, call.at(1), HandleClass::Info, 0);
  return success();
}

// What stands in an info object is not followed. The last two parameters: a text, and whether it is there; or a number.
CallResult ask_info(Call& call) {
  for (size_t i = 1; i < call.arguments.size(); ++i)
    if (const Value at = call.at(i); at.points() && call.m.at(at.object).life != machine::Object::Life::Text)
      machine::forget(call.m.at(at.object), at.number, 1);
  return success();
}

CallResult library_version(Call& call) { return processor_name(call); }

CallResult no_parent(Call& call) {
  call.rank.asked_for_parent = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_COMM_NULL"));
  return success();
}

CallResult query_thread(Call& call) {
  store_at(call, call.at(0), 0, 4, machine::unknown());
  return success();
}

CallResult is_main_thread(Call& call) {
  store_at(call, call.at(0), 0, 4, machine::integer(1));
  return success();
}

CallResult error_string(Call& call) {
  if (call.at(1).points()) machine::forget(call.m.at(call.at(1).object), call.at(1).number, 64);
  store_at(call, call.at(2), 0, 4, machine::unknown());
  return success();
}

constexpr std::array kOtherCalls = {
    Signature{"Init", "..", init},
    Signature{"Init_thread", "....", init},
    Signature{"Finalize", "", finalize},
    Signature{"Abort", "..", abort_all},
    Signature{"Initialized", ".", initialized},
    Signature{"Finalized", ".", initialized},
    Signature{"Wtime", "", time_now},
    Signature{"Wtick", "", time_now},
    Signature{"Get_processor_name", "..", processor_name},
    Signature{"Alloc_mem", ".I.", allocate},
    Signature{"Free_mem", ".", free_memory},
    Signature{"Buffer_attach", "..", attach_buffer},
    Signature{"Buffer_detach", "..", detach_buffer},
    Signature{"Pcontrol", ".", nothing},
    Signature{"Error_class", "..", unknown_out_last},
    Signature{"Error_string", "...", error_string},
    Signature{"Info_create", ".", make_info},
    Signature{"Info_set", "i..", set_info},
    Signature{"Info_free", ".", free_info},
    Signature{"Errhandler_free", ".", free_errhandler},
    Signature{"Info_dup", "i.", duplicate_info},
    Signature{"Info_delete", "i.", nothing},
    Signature{"Info_get", "i....", ask_info},
    Signature{"Info_get_string", "i....", ask_info},
    Signature{"Info_get_nkeys", "i.", ask_info},
    Signature{"Info_get_nthkey", "i..", ask_info},
    Signature{"Info_get_valuelen", "i...", ask_info},
    Signature{"Win_create_errhandler", "..", make_errhandler},
    Signature{"Comm_create_errhandler", "..", make_errhandler},
    Signature{"Query_thread", ".", query_thread},
    Signature{"Is_thread_main", ".", is_main_thread},
    Signature{"Get_version", "..", nothing},
    Signature{"Get_library_version", "..", library_version},
    Signature{"Comm_get_parent", ".", no_parent},
    Signature{"Win_set_errhandler", "w.", set_errhandler},
    Signature{"Comm_set_errhandler", "c.", set_errhandler},
    Signature{"Errhandler_set", "c.", set_errhandler},
    Signature{"Pack_size", "nuc.", pack_size},
    Signature{"Reduce_local", "bBnto", reduce_local},
};

}  // namespace

std::span<const Signature> other_calls() { return kOtherCalls; }

}  // namespace ranklint::mpi_check

// Messages sent in partitions: persistent, with parts that become ready one by one.
//
// The send is set aside when it is started and joins the messages under way when its last part is ready. From there on
// a part belongs to the library; on the other side, until it has arrived.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

using Kind = Operation::Kind;

// The memory of one part.
Buffer part_of(const Request& r, size_t i) {
  Buffer b = r.part;
  if (b.count >= 0) b.address.number += static_cast<int64_t>(i) * b.count * b.type.extent;
  return b;
}

std::vector<uint32_t> start_message(World& world, uint32_t request, const Operation& operation) {
  Request& r = world.requests[request];
  const bool receives = operation.kind == Kind::Receive;
  const uint32_t id = post(world, operation, receives);
  world.operations[id].payload_known = false;
  r.ready.assign(r.ready.size(), false);
  if (receives)
    for (size_t i = 0; i < r.ready.size(); ++i) hold(world, id, part_of(r, i), true);
  return {id};
}

CallResult describe(Call& call, Kind kind) {
  const auto comm = comm_of(call, call.at(6));
  const auto parts = number(call.at(1)), each = number(call.at(2)), peer = number(call.at(4)), tag = number(call.at(5));
  if (!comm || !peer || !tag || !parts || *parts > 100000)
    return not_known(call, "the message of `" + call.name + "` is not known");
  if (each && *each < 0) return refuse<Fact::NegativeCount>(call, *each);
  Operation o{.kind = kind,
              .rank = call.m.rank,
              .comm = *comm,
              .peer = *peer,
              .tag = *tag,
              .place = call.place,
              .call = call.name};
  o.is_partitioned = true;
  o.buffer = buffer_of(call, 0, 2, 3);
  const Buffer part = o.buffer;
  o.buffer.count = each ? *parts * *each : -1;
  if (o.buffer.count > 0 && o.buffer.address.is_null() && o.buffer.type.is_predefined)
    return refuse<Fact::NullMemory>(call, o.buffer.count);
  check_memory(call, o.buffer);
  const uint32_t request = make_request(call, call.at(8), {});
  Request& r = call.world.requests[request];
  r.is_persistent = r.is_partitioned = true;
  r.is_active = false;
  r.receives = kind == Kind::Receive;
  r.part = part;
  r.ready.assign(static_cast<size_t>(*parts), false);
  r.start = [&world = call.world, request, o] { return start_message(world, request, o); };
  return success();
}

CallResult describe_send(Call& call) { return describe(call, Kind::Send); }
CallResult describe_receive(Call& call) { return describe(call, Kind::Receive); }

// The request of a call that speaks of parts; null: the call cannot be carried out.
Request* request_of(Call& call, const Value& v, bool receives, CallResult& otherwise) {
  if (!check_handle(call, v, HandleClass::Request)) {
    otherwise = stop(call);
    return nullptr;
  }
  const Handle* h = handle_at(call, v);
  if (!h) {
    otherwise = not_known(call, "the request of `" + call.name + "` is not known");
    return nullptr;
  }
  Request& r = call.world.requests[h->id];
  const char* made = receives ? "MPI_Precv_init" : "MPI_Psend_init";
  if (!r.is_partitioned || r.receives != receives) {
    otherwise = refuse<Fact::RequestOfOtherCall>(call, r.call, made);
    return nullptr;
  }
  return &r;
}

// Whether the part may be marked. The last one sends the message.
bool mark_ready(Call& call, Request& r, int64_t i) {
  const auto n = static_cast<int64_t>(r.ready.size());
  if (i < 0 || i >= n) return reject<Fact::PartOutside>(call, i, n);
  if (!r.is_active) return reject<Fact::PartNotStarted>(call, i);
  if (r.ready[static_cast<size_t>(i)]) return reject<Fact::PartMarkedTwice>(call, i);
  const uint32_t operation = r.operations.front();
  const Buffer b = part_of(r, static_cast<size_t>(i));
  touch_buffer(call, b, false);
  r.ready[static_cast<size_t>(i)] = true;
  hold(call.world, operation, b, false);
  if (std::find(r.ready.begin(), r.ready.end(), false) == r.ready.end()) open_send(call.world, operation);
  return true;
}

CallResult ready_all(Call& call, const Value& request, const std::optional<std::vector<int64_t>>& parts) {
  CallResult otherwise;
  Request* r = request_of(call, request, false, otherwise);
  if (!r) return otherwise;
  if (!parts) return not_known(call, "the parts of `" + call.name + "` are not known");
  for (const int64_t i : *parts)
    if (!mark_ready(call, *r, i)) return stop(call);
  return success();
}

CallResult ready(Call& call) {
  const auto i = number(call.at(0));
  return ready_all(call, call.at(1), i ? std::optional(std::vector{*i}) : std::nullopt);
}

CallResult ready_range(Call& call) {
  const auto first = number(call.at(0)), last = number(call.at(1));
  if (!first || !last || *last - *first > 100000) return ready_all(call, call.at(2), std::nullopt);
  std::vector<int64_t> parts;
  for (int64_t i = *first; i <= *last; ++i) parts.push_back(i);
  return ready_all(call, call.at(2), parts);
}

CallResult ready_list(Call& call) {
  const auto n = number(call.at(0));
  return ready_all(call, call.at(2),
                   n && *n >= 0 && *n < 100000 ? numbers_at(call, call.at(1), static_cast<size_t>(*n)) : std::nullopt);
}

// A rank that saw all parts arrive knows that the message has.
void see_part(World& world, Request& r, size_t i) {
  r.ready[i] = true;
  if (std::find(r.ready.begin(), r.ready.end(), false) == r.ready.end())
    world.operations[r.operations.front()].is_seen = true;
}

CallResult arrived(Call& call) {
  CallResult otherwise;
  const Request* r = request_of(call, call.at(0), true, otherwise);
  if (!r) return otherwise;
  const auto i = number(call.at(1));
  if (i && (*i < 0 || *i >= static_cast<int64_t>(r->ready.size())))
    return refuse<Fact::PartOutside>(call, *i, r->ready.size());
  const Buffer part = i ? part_of(*r, static_cast<size_t>(*i)) : Buffer{};
  const std::vector<uint32_t> operations = r->is_active ? r->operations : std::vector<uint32_t>{};
  const auto request = static_cast<size_t>(r - call.world.requests.data());
  wait_for(call, operations, [&world = call.world, operations, part, request, i] {
    if (operations.empty()) return;
    release_part(world, operations.front(), part);
    if (i) see_part(world, world.requests[request], static_cast<size_t>(*i));
  });
  return ask(call, call.at(2));
}

constexpr std::array kPartitionCalls = {
    Signature{"Psend_init", "bn.tdgcIq", describe_send},
    Signature{"Precv_init", "Bn.tsGcIq", describe_receive},
    Signature{"Pready", "..", ready},
    Signature{"Pready_range", "...", ready_range},
    Signature{"Pready_list", "...", ready_list},
    Signature{"Parrived", "...", arrived},
};

}  // namespace

std::span<const Signature> partition_calls() { return kPartitionCalls; }

}  // namespace ranklint::mpi_check

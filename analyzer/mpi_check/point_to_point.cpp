// Sends, receives, probes.
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

using Mode = Operation::Mode;
using Kind = Operation::Kind;

// The letter after the optional I: S, B, R.
Mode mode_of(std::string_view name) {
  if (name.starts_with("I") && name.size() > 1) name.remove_prefix(1);
  if (name.starts_with("Ss") || name.starts_with("ss")) return Mode::Synchronous;
  if (name.starts_with("Bs") || name.starts_with("bs")) return Mode::Buffered;
  if (name.starts_with("Rs") || name.starts_with("rs")) return Mode::Ready;
  return Mode::Standard;
}

// The rank of the world that a rank of the call's communicator is.
Statement target(Call& call, int64_t peer) {
  if (peer == kAnySource || peer == kProcNull) return rank_phrase(peer);
  const auto comm = comm_of(call, call.argument('c'));
  const Comm& c = call.world.comms[*comm];
  const auto& side = c.remote.empty() ? c.members : c.remote;
  return rank_phrase(side[static_cast<size_t>(peer)]);
}

// The operation that the arguments at these places describe; nothing if something is not known.
std::optional<Operation> operation_of(Call& call, Kind kind, int buffer, int peer, int tag) {
  const auto comm = comm_of(call, call.argument('c'));
  const auto p = number(call.at(static_cast<size_t>(peer))), t = number(call.at(static_cast<size_t>(tag)));
  if (!comm || !p || !t) return std::nullopt;
  Operation o{.kind = kind,
              .mode = mode_of(call.name.substr(4)),
              .rank = call.m.rank,
              .comm = *comm,
              .peer = *p,
              .tag = *t,
              .place = call.place,
              .call = call.name};
  if (buffer >= 0) o.buffer = buffer_of(call, buffer, buffer + 1, buffer + 2);
  return o;
}

CallResult no_arguments(Call& call) {
  return not_known(call, "the peer, tag or communicator of `" + call.name + "` is not known");
}

template <Fact fact>
Statement direction_of(Call& call, const Operation& o) {
  return state<fact>(call.name, target(call, o.peer), tag_phrase(o.tag));
}

void note_send(Call& call, const Operation& o) { note_step(call, direction_of<Fact::SendTo>(call, o)); }

void note_receive(Call& call, const Operation& o) { note_step(call, direction_of<Fact::ReceiveFrom>(call, o)); }

uint32_t begin(Call& call, const Operation& operation) {
  const uint32_t id = post(call.world, operation);
  Operation& o = call.world.operations[id];
  if (o.kind == Kind::Send) read_payload(call.world, o);
  return id;
}

int64_t message_bytes(const Operation& o) {
  return o.buffer.count < 0 || !o.buffer.type.is_known ? 0 : o.buffer.count * o.buffer.type.size_bytes;
}

// A buffered send needs memory of the program: what was attached has to hold all messages that are still on their way,
// and what a library needs beside each.
bool check_space(Call& call, const Operation& next) {
  constexpr int64_t kOverhead = 96;  // MPI_BSEND_OVERHEAD, as frontends/cpp/stubs/first/mpi.h says it
  if (next.mode != Mode::Buffered || next.peer == kProcNull) return true;
  const int64_t attached = call.rank.attached_bytes;
  if (attached < 0) return reject<Fact::NoAttachedBuffer>(call);
  int64_t needed = message_bytes(next) + kOverhead;
  for (const uint32_t id : call.world.open_sends)
    if (const Operation& o = call.world.operations[id]; o.rank == call.m.rank && o.mode == Mode::Buffered)
      needed += message_bytes(o) + kOverhead;
  if (!attached || needed <= attached) return true;  // 0: not known
  return reject<Fact::AttachedTooSmall>(call, needed, attached);
}

CallResult send(Call& call) {
  auto o = operation_of(call, Kind::Send, 0, 3, 4);
  if (!o) return no_arguments(call);
  note_send(call, *o);
  if (!check_space(call, *o)) return stop(call);
  touch_buffer(call, o->buffer, false);
  const uint32_t id = begin(call, *o);
  return wait_for(call, {id}, {}, direction_of<Fact::WaitsToSend>(call, *o));
}

CallResult receive(Call& call) {
  auto o = operation_of(call, Kind::Receive, 0, 3, 4);
  if (!o) return no_arguments(call);
  note_receive(call, *o);
  touch_buffer(call, o->buffer, true);
  const uint32_t id = begin(call, *o);
  return wait_for(call, {id}, tell_status(call, id, call.at(6)), direction_of<Fact::WaitsToReceive>(call, *o));
}

CallResult immediate(Call& call, Kind kind) {
  auto o = operation_of(call, kind, 0, 3, 4);
  if (!o) return no_arguments(call);
  kind == Kind::Send ? note_send(call, *o) : note_receive(call, *o);
  if (!check_space(call, *o)) return stop(call);
  touch_buffer(call, o->buffer, kind == Kind::Receive);
  const uint32_t id = begin(call, *o);
  make_request(call, call.at(6), {id});
  hold(call.world, id, call.world.operations[id].buffer, kind == Kind::Receive);
  return success();
}

CallResult immediate_send(Call& call) { return immediate(call, Kind::Send); }
CallResult immediate_receive(Call& call) { return immediate(call, Kind::Receive); }

CallResult persistent(Call& call, Kind kind) {
  auto o = operation_of(call, kind, 0, 3, 4);
  if (!o) return no_arguments(call);
  const uint32_t request = make_request(call, call.at(6), {});
  Request& r = call.world.requests[request];
  r.is_persistent = true;
  r.is_active = false;
  World& world = call.world;
  r.start = [&world, &m = call.m, operation = *o, kind, signature = call.signature] {
    Call again{.world = world,
               .m = m,
               .rank = world.of(m),
               .signature = signature,
               .name = operation.call,
               .arguments = {},
               .place = operation.place};
    if (!check_space(again, operation)) return std::vector<uint32_t>{};
    const uint32_t id = post(world, operation);
    Operation& posted = world.operations[id];
    if (kind == Kind::Send) read_payload(world, posted);
    hold(world, id, posted.buffer, kind == Kind::Receive);
    return std::vector<uint32_t>{id};
  };
  return success();
}

CallResult persistent_send(Call& call) { return persistent(call, Kind::Send); }
CallResult persistent_receive(Call& call) { return persistent(call, Kind::Receive); }

// A send and a receive at once: the immediate forms have one request for both, which gets the receive's status.
CallResult exchange_of(Call& call, Operation to, Operation from) {
  note_step<Fact::ExchangeWith>(call, target(call, to.peer), target(call, from.peer));
  const uint32_t s = begin(call, to), r = begin(call, from);
  if (call.index('q') < 0) return wait_for(call, {s, r}, tell_status(call, r, call.argument('S')));
  make_request(call, call.argument('q'), {s, r});
  hold(call.world, s, to.buffer, false);
  hold(call.world, r, from.buffer, true);
  return success();
}

CallResult send_receive(Call& call) {
  auto to = operation_of(call, Kind::Send, 0, 3, 4), from = operation_of(call, Kind::Receive, 5, 8, 9);
  if (!to || !from) return no_arguments(call);
  if (overlap(to->buffer, from->buffer)) invalid<Fact::ExchangesWithItself>(call);
  touch_buffer(call, to->buffer, false);
  touch_buffer(call, from->buffer, true);
  return exchange_of(call, *to, *from);
}

CallResult send_receive_replace(Call& call) {
  auto to = operation_of(call, Kind::Send, 0, 3, 4), from = operation_of(call, Kind::Receive, 0, 5, 6);
  if (!to || !from) return no_arguments(call);
  touch_buffer(call, to->buffer, true);
  return exchange_of(call, *to, *from);
}

CallResult probe(Call& call) {
  auto o = operation_of(call, Kind::Probe, -1, 0, 1);
  if (!o) return no_arguments(call);
  note_receive(call, *o);
  const uint32_t id = begin(call, *o);
  return wait_for(call, {id}, tell_status(call, id, call.at(3)), direction_of<Fact::WaitsToReceive>(call, *o));
}

CallResult probe_now(Call& call) {
  auto o = operation_of(call, Kind::Probe, -1, 0, 1);
  if (!o) return no_arguments(call);
  const uint32_t id = begin(call, *o);
  wait_for(call, {id}, tell_status(call, id, call.at(4)));
  return ask(call, call.at(3), id);
}

constexpr std::array kPointToPointCalls = {
    Signature{"Send", "bntdgc", send},
    Signature{"Ssend", "bntdgc", send},
    Signature{"Bsend", "bntdgc", send},
    Signature{"Rsend", "bntdgc", send},
    Signature{"Isend", "bntdgcq", immediate_send},
    Signature{"Issend", "bntdgcq", immediate_send},
    Signature{"Ibsend", "bntdgcq", immediate_send},
    Signature{"Irsend", "bntdgcq", immediate_send},
    Signature{"Recv", "BntsGcS", receive},
    Signature{"Irecv", "BntsGcq", immediate_receive},
    Signature{"Send_init", "bntdgcq", persistent_send},
    Signature{"Ssend_init", "bntdgcq", persistent_send},
    Signature{"Bsend_init", "bntdgcq", persistent_send},
    Signature{"Rsend_init", "bntdgcq", persistent_send},
    Signature{"Recv_init", "BntsGcq", persistent_receive},
    Signature{"Sendrecv", "bntdgBntsGcS", send_receive},
    Signature{"Sendrecv_replace", "BntdgsGcS", send_receive_replace},
    Signature{"Isendrecv", "bntdgBntsGcq", send_receive},
    Signature{"Isendrecv_replace", "BntdgsGcq", send_receive_replace},
    Signature{"Probe", "sGcS", probe},
    Signature{"Iprobe", "sGc.S", probe_now},
};

bool is_wild(const BasicType& basic) { return basic.type_class == TypeClass::Packed; }

bool same_basic(const BasicType& a, const BasicType& b) {
  if (&a == &b || is_wild(a) || is_wild(b)) return true;
  const auto plain = [](std::string_view name) -> std::string_view {  // of two names of one type the one
    return name == "MPI_LONG_LONG" ? "MPI_LONG_LONG_INT" : name == "MPI_C_FLOAT_COMPLEX" ? "MPI_C_COMPLEX" : name;
  };
  return plain(a.name) == plain(b.name);
}

}  // namespace

std::span<const Signature> point_to_point_calls() { return kPointToPointCalls; }

bool same_signature(const Type& a, int64_t a_count, const Type& b, int64_t b_count, bool prefix) {
  if (!a.is_known || !b.is_known || a_count < 0 || b_count < 0) return true;
  const auto a_items = static_cast<int64_t>(a.segments.size()), b_items = static_cast<int64_t>(b.segments.size());
  const int64_t a_all = a_count * a_items, b_all = b_count * b_items;
  const bool packed = (a_items && is_wild(*a.segments[0].basic)) || (b_items && is_wild(*b.segments[0].basic));
  if (packed) return true;
  if (prefix ? a_all > b_all : a_all != b_all) return false;
  const int64_t compared = std::min<int64_t>(std::min(a_all, b_all), a_items * b_items);
  for (int64_t i = 0; i < compared && i < 100000; ++i)
    if (!same_basic(*a.segments[static_cast<size_t>(i % a_items)].basic,
                    *b.segments[static_cast<size_t>(i % b_items)].basic))
      return false;
  return true;
}

Statement items_phrase(const Buffer& b) {
  const bool is_named = b.type_name.starts_with("MPI_") && b.type.is_predefined;
  if (b.count < 0) return is_named ? state<Fact::SomeItems>(b.type_name) : state<Fact::SomeDerivedItems>();
  return is_named ? state<Fact::Items>(b.count, b.type_name) : state<Fact::DerivedItems>(b.count);
}

}  // namespace ranklint::mpi_check

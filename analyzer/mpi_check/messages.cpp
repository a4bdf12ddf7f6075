// Messages that are claimed before they are received, or packed by hand.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

using Kind = Operation::Kind;

CallResult not_enough(Call& call) {
  return not_known(call, "the peer, tag or communicator of `" + call.name + "` is not known");
}

// A probe that takes the message away from all other receives.
std::optional<uint32_t> claim(Call& call) {
  const auto comm = comm_of(call, call.at(2));
  const auto peer = number(call.at(0)), tag = number(call.at(1));
  if (!comm || !peer || !tag) return std::nullopt;
  note_step<Fact::Named>(call);
  return post(call.world, {.kind = Kind::Probe,
                           .rank = call.m.rank,
                           .comm = *comm,
                           .peer = *peer,
                           .tag = *tag,
                           .place = call.place,
                           .call = call.name,
                           .is_claim = true});
}

// What is done when there is one: its handle and its status are set.
std::function<void()> give_message(Call& call, uint32_t id, const Value& where, const Value& status) {
  return [&world = call.world, &m = call.m, id, where, name = call.name, place = call.place,
          tell = tell_status(call, id, status)] {
    const bool is_null = world.operations[id].peer == kProcNull;
    const Value handle =
        is_null ? null_handle(m, "MPI_MESSAGE_NO_PROC") : make_handle(world, m, HandleClass::Message, id, name, place);
    machine::store(m, where, 8, handle);
    tell();
  };
}

CallResult matched_probe(Call& call) {
  const auto id = claim(call);
  return id ? wait_for(call, {*id}, give_message(call, *id, call.at(3), call.at(4))) : not_enough(call);
}

CallResult matched_probe_now(Call& call) {
  const auto id = claim(call);
  if (!id) return not_enough(call);
  wait_for(call, {*id}, give_message(call, *id, call.at(4), call.at(5)));
  return ask(call, call.at(3), *id);
}

// The receive of a message that was claimed; nothing: there is none to receive.
std::optional<uint32_t> receive_claimed(Call& call) {
  const Value v = load_at(call, call.at(3), 0, 8);
  Handle* h = handle_of(call.world, call.m, v);
  Operation o{.kind = Kind::Receive, .rank = call.m.rank, .peer = kProcNull, .place = call.place, .call = call.name};
  o.buffer = buffer_of(call, 0, 1, 2);
  const bool is_null = h && h->is_predefined;
  if (!is_null) {
    const Operation& probe = call.world.operations[h->id];
    o.comm = probe.comm, o.peer = probe.peer, o.tag = probe.tag;
  }
  touch_buffer(call, o.buffer, true);
  store_at(call, call.at(3), 0, 8, null_handle(call.m, "MPI_MESSAGE_NULL"));
  note_step<Fact::Named>(call);
  const uint32_t id = post(call.world, std::move(o));
  if (is_null) return id;
  h->is_freed = true;
  match(call.world, call.world.operations[h->id].partner, id);
  return id;
}

bool check_message_handle(Call& call) {
  const Value v = load_at(call, call.at(3), 0, 8);
  const Handle* h = handle_at(call, v);
  if (h && h->is_predefined && h->name == "MPI_MESSAGE_NO_PROC") return true;
  return check_handle(call, v, HandleClass::Message) && h;
}

CallResult matched_receive(Call& call) {
  if (!check_message_handle(call)) return stop(call);
  const uint32_t id = *receive_claimed(call);
  return wait_for(call, {id}, tell_status(call, id, call.at(4)));
}

CallResult matched_receive_later(Call& call) {
  if (!check_message_handle(call)) return stop(call);
  const uint32_t id = *receive_claimed(call);
  make_request(call, call.at(4), {id});
  hold(call.world, id, call.world.operations[id].buffer, true);
  return success();
}

// ---- packing ----------------------------------------------------------------------------------------------------

// What was packed as another type than these elements; null: nothing is known to be.
const BasicType* packed_otherwise(const machine::Object& packed, int64_t at, const Type& type, int64_t count) {
  constexpr int64_t kMostItems = 4096;
  for (int64_t i = 0; i < std::min(count, kMostItems); ++i)
    for (const Segment& s : type.segments) {
      const uint32_t width = machine::cell_at(packed, at);
      if (is_packed_otherwise(machine::load(packed, at, width), width, *s.basic)) return s.basic;
      at += s.basic->size_bytes;
    }
  return nullptr;
}

int64_t packed_bytes(const Buffer& b) { return b.count < 0 || !b.type.is_known ? -1 : b.count * b.type.size_bytes; }

// Values lie one after the other in the packed memory, in cells of their own size.
CallResult pack(Call& call) {
  const Buffer from = buffer_of(call, 0, 1, 2);
  const auto size = number(call.at(4)), at = number(load_at(call, call.at(5), 0, 4));
  const int64_t bytes = packed_bytes(from);
  if (bytes < 0 || !at) {
    store_at(call, call.at(5), 0, 4, machine::unknown());
    return success();
  }
  if (size && *at + bytes > *size) return refuse<Fact::PackedBeyond>(call, *at + bytes, *size);
  bool known = true;
  const std::vector<Value> values = read_items(call.world, call.m.rank, from.address, from.count, from.type, known);
  machine::touch(call.m, call.at(3), bytes, true);
  int64_t next = *at;
  for (size_t i = 0; known && i < values.size(); ++i) {
    const uint32_t width = from.type.segments[i % from.type.segments.size()].basic->size_bytes;
    Value v = values[i];
    v.width = 0;
    store_at(call, call.at(3), next, width, v);
    next += width;
  }
  store_at(call, call.at(5), 0, 4, machine::integer(*at + bytes));
  return success();
}

CallResult unpack(Call& call) {
  const Buffer to{
      .address = call.at(3), .count = number(call.at(4)).value_or(-1), .type = buffer_of(call, 3, 4, 5).type};
  const auto size = number(call.at(1)), at = number(load_at(call, call.at(2), 0, 4));
  const int64_t bytes = packed_bytes(to);
  if (bytes < 0 || !at) {
    write_items(call.world, call.m.rank, to.address, to.count, to.type, {}, false);
    store_at(call, call.at(2), 0, 4, machine::unknown());
    return success();
  }
  if (size && *at + bytes > *size) return refuse<Fact::UnpackedBeyond>(call, *at + bytes, *size);
  if (const Value packed = call.at(0); packed.points())
    if (const BasicType* type = packed_otherwise(call.m.at(packed.object), packed.number + *at, to.type, to.count))
      invalid<Fact::UnpackedAsOtherType>(call, type->name);
  std::vector<Value> values;
  int64_t next = *at;
  for (int64_t i = 0; i < to.count && values.size() < 100000; ++i)
    for (const Segment& s : to.type.segments) {
      values.push_back(load_at(call, call.at(0), next, s.basic->size_bytes));
      next += s.basic->size_bytes;
    }
  touch_buffer(call, to, true);
  write_items(call.world, call.m.rank, to.address, to.count, to.type, values, true);
  store_at(call, call.at(2), 0, 4, machine::integer(*at + bytes));
  return success();
}

CallResult test_cancelled(Call& call) {
  store_at(call, call.at(1), 0, 4, load_at(call, call.at(0), 16, 4));
  return success();
}

constexpr std::array kMessageCalls = {
    Signature{"Mprobe", "sGc..", matched_probe},
    Signature{"Improbe", "sGc...", matched_probe_now},
    Signature{"Mrecv", "Bnt..", matched_receive},
    Signature{"Imrecv", "Bnt.q", matched_receive_later},
    Signature{"Pack", "bnt...c", pack},
    Signature{"Unpack",
              "....."
              "tc",
              unpack},
    Signature{"Test_cancelled", "..", test_cancelled},
};

}  // namespace

bool is_packed_otherwise(const Value& v, uint32_t width, const BasicType& basic) {
  if (!v.known() || width < 2 || basic.size_bytes < 2) return false;
  if (width != basic.size_bytes) return true;
  if (machine::is_real(basic.scalar)) return v.kind == Value::Kind::Int && v.number;  // memory of zeros is any type's
  return v.kind == Value::Kind::Real;
}

std::span<const Signature> message_calls() { return kMessageCalls; }

}  // namespace ranklint::mpi_check

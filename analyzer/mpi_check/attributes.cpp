// What hangs on communicators and windows: names, attributes, error handlers, infos. And small calls that belong to
// them.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

// A text and its length.
CallResult give_name(Call& call) {
  if (call.at(1).points()) machine::forget(call.m.at(call.at(1).object), call.at(1).number, 64);
  store_at(call, call.at(2), 0, 4, machine::unknown());
  return success();
}

constexpr int64_t kNoKey = 0x24000000;  // MPI_KEYVAL_INVALID

Key::Copy copy_of(Call& call, const Value& function) {
  if (function.is_null()) return Key::Copy::Never;
  const bool is_library = function.kind == Value::Kind::External &&
                          call.m.program->externals[static_cast<size_t>(function.number)].ends_with("DUP_FN");
  return is_library ? Key::Copy::Always : Key::Copy::Asked;
}

CallResult create_key(Call& call) {
  const Value on_delete = call.at(1);
  call.rank.keys.push_back({.place = call.place,
                            .call = call.name,
                            .copy = copy_of(call, call.at(0)),
                            .copy_function = call.at(0),
                            .extra = call.at(3),
                            .has_function = on_delete.kind == Value::Kind::Function || !on_delete.known()});
  store_at(call, call.at(2), 0, 4, machine::integer(static_cast<int64_t>(call.rank.keys.size())));
  return success();
}

// Of the rank's own; null: it is predefined, or not known.
Key* key_of(Call& call, const Value& v) {
  const auto key = number(v);
  return key && *key > 0 && static_cast<size_t>(*key) <= call.rank.keys.size()
             ? &call.rank.keys[static_cast<size_t>(*key - 1)]
             : nullptr;
}

bool check_key(Call& call, const Value& v) {
  const Key* key = key_of(call, v);
  if (number(v) == kNoKey) {
    invalid<Fact::InvalidKey>(call);
    return false;
  }
  if (!key || !key->is_freed) return true;
  Problem& p = invalid<Fact::FreedKey>(call);
  add_note<Fact::MadeHere>(call.world, p, key->place);
  return false;
}

CallResult free_key(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 4);
  if (!check_key(call, v)) return stop(call);
  if (Key* key = key_of(call, v)) key->is_freed = true;
  store_at(call, call.at(0), 0, 4, machine::integer(kNoKey));
  return success();
}

std::pair<uint64_t, int64_t> slot_of(Call& call) {
  return {call.at(0).kind == Value::Kind::Pointer ? call.at(0).object : 0, number(call.at(1)).value_or(-1)};
}

bool is_predefined(const std::optional<int64_t>& key) { return key && *key >= kTagBound && *key < kTagBound + 64; }

CallResult set_attribute(Call& call) {
  if (!check_key(call, call.at(1))) return stop(call);
  if (is_predefined(number(call.at(1)))) return refuse<Fact::LibraryKey>(call);
  call.rank.attributes[slot_of(call)] = call.at(2);
  return success();
}

CallResult delete_attribute(Call& call) {
  if (!check_key(call, call.at(1))) return stop(call);
  if (is_predefined(number(call.at(1)))) return refuse<Fact::LibraryKey>(call);
  call.rank.attributes.erase(slot_of(call));
  return success();
}

// The object that a predefined attribute lies in. All ranks see the same unknown value.
Value predefined(Call& call, int64_t key) {
  const ObjectId id = machine::make_object(call.m, machine::Object::Life::Global, 8, machine::Scalar::None);
  if (key == kTagBound)
    machine::store(call.m.at(id), 0, 4, machine::integer(kLargestTag));
  else
    machine::forget(call.m.at(id), 0, 8);
  return machine::pointer(id);
}

CallResult get_attribute(Call& call) {
  if (!check_key(call, call.at(1))) return stop(call);
  const auto key = number(call.at(1));
  const auto found = call.rank.attributes.find(slot_of(call));
  const bool is_of_library = is_predefined(key), has = found != call.rank.attributes.end();
  if (has && found->second.kind == Value::Kind::Unknown)
    return not_known(call, "what a function of the program copies of an attribute is not known");
  if (has || is_of_library) store_at(call, call.at(2), 0, 8, has ? found->second : predefined(call, *key));
  store_at(call, call.at(3), 0, 4, machine::integer(has || is_of_library));
  return success();
}

CallResult get_errhandler(Call& call) {
  store_at(call, call.at(1), 0, 8, null_handle(call.m, "MPI_ERRORS_ARE_FATAL"));
  return success();
}

constexpr std::array kAttributeCalls = {
    Signature{"Comm_get_name", "c..", give_name},
    Signature{"Win_get_name", "w..", give_name},
    Signature{"Type_get_name", "u..", give_name},
    Signature{"Type_set_name", "u.", nothing},
    Signature{"Comm_create_keyval", "....", create_key},
    Signature{"Keyval_create", "....", create_key},
    Signature{"Win_create_keyval", "....", create_key},
    Signature{"Type_create_keyval", "....", create_key},
    Signature{"Comm_free_keyval", ".", free_key},
    Signature{"Keyval_free", ".", free_key},
    Signature{"Win_free_keyval", ".", free_key},
    Signature{"Type_free_keyval", ".", free_key},
    Signature{"Comm_set_attr", "c..", set_attribute},
    Signature{"Attr_put", "c..", set_attribute},
    Signature{"Win_set_attr", "w..", set_attribute},
    Signature{"Type_set_attr", "u..", set_attribute},
    Signature{"Comm_get_attr", "c...", get_attribute},
    Signature{"Attr_get", "c...", get_attribute},
    Signature{"Win_get_attr", "w...", get_attribute},
    Signature{"Type_get_attr", "u...", get_attribute},
    Signature{"Comm_delete_attr", "c.", delete_attribute},
    Signature{"Attr_delete", "c.", delete_attribute},
    Signature{"Win_delete_attr", "w.", delete_attribute},
    Signature{"Type_delete_attr", "u.", delete_attribute},
    Signature{"Comm_get_errhandler", "c.", get_errhandler},
    Signature{"Win_get_errhandler", "w.", get_errhandler},
    Signature{"Comm_set_info", "c.", nothing},
    Signature{"Win_set_info", "w.", nothing},
};

}  // namespace

// What the program's own function makes of an attribute: the old communicator, the key, what the key was made with, the
// attribute, and where it writes the copy and whether there is one.
static std::optional<Value> asked_copy(World& world, Machine& m, const Value& from, int64_t number, const Key& key,
                                       const Value& value) {
  constexpr uint64_t kMostStepsOfCallback = 100'000;
  if (key.copy_function.kind != Value::Kind::Function) return machine::unknown();
  const auto function = static_cast<uint32_t>(key.copy_function.number);
  if (std::any_of(m.frames.begin(), m.frames.end(), [&](const machine::Frame& f) { return f.function == function; })) {
    lose(world, "a function that copies attributes duplicates what has them");
    return std::nullopt;
  }
  const ObjectId out = machine::make_object(m, machine::Object::Life::Local, 8, machine::Scalar::Pointer);
  const ObjectId flag = machine::make_object(m, machine::Object::Life::Local, 4, machine::Scalar::I32);
  const Value arguments[] = {from,  machine::integer(number), key.extra,
                             value, machine::pointer(out),    machine::pointer(flag)};
  const auto result = machine::call_back(m, function, arguments, m.steps + kMostStepsOfCallback);
  if (result != kSuccess) {
    lose(world, "a function of the program copies no attribute");
    return std::nullopt;
  }
  const auto is_copied = machine::truth(machine::load(m.at(flag), 0, 4));
  if (!is_copied) return machine::unknown();
  return *is_copied ? std::optional(machine::load(m.at(out), 0, 8)) : std::nullopt;
}

void copy_attributes(World& world, uint32_t rank, const Value& from, const Value& to) {
  Rank& r = world.ranks[rank];
  if (!from.points() || !to.points()) return;
  std::vector<std::pair<int64_t, Value>> copies;
  const auto attributes = r.attributes;  // a function of the program may change them
  for (const auto& [slot, value] : attributes) {
    const auto& [object, key] = slot;
    if (object != from.object || key < 1 || static_cast<size_t>(key) > r.keys.size()) continue;
    const Key of = r.keys[static_cast<size_t>(key - 1)];
    if (of.copy == Key::Copy::Always) copies.emplace_back(key, value);
    if (of.copy != Key::Copy::Asked) continue;
    if (const auto copy = asked_copy(world, r.machine, from, key, of, value)) copies.emplace_back(key, *copy);
  }
  for (const auto& [key, value] : copies) r.attributes[{to.object, key}] = value;
}

std::span<const Signature> attribute_calls() { return kAttributeCalls; }

}  // namespace ranklint::mpi_check

// What hangs on communicators and windows: names, attributes, error handlers, infos. And small calls that belong to them.
#include <array>

#include "analyzer/worlds/call.h"

namespace ranklint::worlds {

namespace {

// A text and its length.
CallResult give_name(Call& call) {
  if (call.at(1).points()) machine::forget(call.m.at(call.at(1).object), call.at(1).number, 64);
  store_at(call, call.at(2), 0, 4, machine::unknown());
  return success();
}

CallResult create_keyval(Call& call) {
  store_at(call, call.at(2), 0, 4, machine::integer(static_cast<int64_t>(call.rank.next_keyval++)));
  return success();
}

CallResult free_keyval(Call& call) {
  store_at(call, call.at(0), 0, 4, machine::integer(0x24000000));  // MPI_KEYVAL_INVALID
  return success();
}

std::pair<uint64_t, int64_t> slot_of(Call& call) {
  return {call.at(0).kind == Value::Kind::Pointer ? call.at(0).object : 0, number(call.at(1)).value_or(-1)};
}

CallResult set_attribute(Call& call) {
  call.rank.attributes[slot_of(call)] = call.at(2);
  return success();
}

CallResult delete_attribute(Call& call) {
  call.rank.attributes.erase(slot_of(call));
  return success();
}

// The object that a predefined attribute lies in. All ranks see the same, but nobody knows what.
Value predefined(Call& call, int64_t key) {
  const ObjectId id = machine::make_object(call.m, machine::Object::Life::Global, 8, machine::Scalar::None);
  if (key == kTagBound) machine::store(call.m.at(id), 0, 4, machine::integer(kLargestTag));
  else machine::forget(call.m.at(id), 0, 8);
  return machine::pointer(id);
}

CallResult get_attribute(Call& call) {
  const auto key = number(call.at(1));
  const auto found = call.rank.attributes.find(slot_of(call));
  const bool is_predefined = key && *key >= kTagBound && *key < kTagBound + 64;
  const bool has = found != call.rank.attributes.end();
  if (has || is_predefined) store_at(call, call.at(2), 0, 8, has ? found->second : predefined(call, *key));
  store_at(call, call.at(3), 0, 4, machine::integer(has || is_predefined));
  return success();
}

CallResult get_errhandler(Call& call) {
  store_at(call, call.at(1), 0, 8, null_handle(call.m, "MPI_ERRORS_ARE_FATAL"));
  return success();
}

constexpr std::array kCalls = {
    Signature{"Comm_get_name", "c..", give_name}, Signature{"Win_get_name", "w..", give_name}, Signature{"Type_get_name", "u..", give_name},
    Signature{"Type_set_name", "u.", nothing}, Signature{"Comm_create_keyval", "....", create_keyval}, Signature{"Keyval_create", "....", create_keyval},
    Signature{"Win_create_keyval", "....", create_keyval}, Signature{"Type_create_keyval", "....", create_keyval},
    Signature{"Comm_free_keyval", ".", free_keyval}, Signature{"Keyval_free", ".", free_keyval}, Signature{"Win_free_keyval", ".", free_keyval},
    Signature{"Type_free_keyval", ".", free_keyval}, Signature{"Comm_set_attr", "c..", set_attribute}, Signature{"Attr_put", "c..", set_attribute},
    Signature{"Win_set_attr", "w..", set_attribute}, Signature{"Type_set_attr", "u..", set_attribute}, Signature{"Comm_get_attr", "c...", get_attribute},
    Signature{"Attr_get", "c...", get_attribute}, Signature{"Win_get_attr", "w...", get_attribute}, Signature{"Type_get_attr", "u...", get_attribute},
    Signature{"Comm_delete_attr", "c.", delete_attribute}, Signature{"Attr_delete", "c.", delete_attribute},
    Signature{"Win_delete_attr", "w.", delete_attribute}, Signature{"Type_delete_attr", "u.", delete_attribute},
    Signature{"Comm_get_errhandler", "c.", get_errhandler}, Signature{"Win_get_errhandler", "w.", get_errhandler},
    Signature{"Comm_set_info", "c.", nothing}, Signature{"Win_set_info", "w.", nothing},
};

}  // namespace

std::span<const Signature> attribute_calls() { return kCalls; }

}  // namespace ranklint::worlds

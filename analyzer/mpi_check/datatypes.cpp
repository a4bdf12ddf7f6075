// Datatypes and operators: how they are made, committed and freed.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

const Type* known_type(Call& call, size_t at) {
  const Handle* h = handle_at(call, call.at(at));
  return h && h->handle_class == HandleClass::Type && !h->is_null ? &call.world.types[h->id] : nullptr;
}

CallResult give_type(Call& call, size_t where, Type type) {
  type.is_predefined = type.is_committed = type.is_pair = false;
  call.world.types.push_back(std::move(type));
  give_handle(call, call.at(where), HandleClass::Type, static_cast<uint32_t>(call.world.types.size() - 1));
  return success();
}

constexpr int64_t kMostBlocks = 1 << 16;

std::vector<int64_t> list_of(int64_t n, int64_t value) {
  return std::vector<int64_t>(static_cast<size_t>(std::clamp<int64_t>(n, 0, kMostBlocks)), value);
}

CallResult contiguous(Call& call) {
  const auto n = number(call.at(0));
  const Type* of = known_type(call, 1);
  return give_type(call, 2, n && of ? combine({*n}, {{}}, {of}) : unknown_type());
}

// Whether the displacements of a type are given in bytes or in extents of its elements.
enum class Unit { Extents, Bytes };

template <Unit kUnit>
CallResult vector_of(Call& call) {
  const auto n = number(call.at(0)), length = number(call.at(1)), stride = number(call.at(2));
  const Type* of = known_type(call, 3);
  if (length && *length < 0) return refuse<Fact::NegativeBlockLength>(call, *length);
  if (!n || !length || !stride || !of || *n > kMostBlocks) return give_type(call, 4, unknown_type());
  std::vector<Displacement> offsets;
  const int64_t unit = kUnit == Unit::Extents ? of->extent : 1;
  for (int64_t i = 0; i < *n; ++i) offsets.push_back({.bytes = i * *stride * unit});
  return give_type(call, 4, combine(list_of(*n, *length), offsets, {of}));
}

// The contents of a list of this many displacements: numbers, or addresses.
std::optional<std::vector<Displacement>> displacements_at(Call& call, const Value& list, size_t count,
                                                          uint32_t size_bytes) {
  std::vector<Displacement> displacements;
  for (size_t i = 0; i < count; ++i) {
    const Value v = load_at(call, list, static_cast<int64_t>(size_bytes * i), size_bytes);
    if (!v.points() && !number(v)) return std::nullopt;
    displacements.push_back({.bytes = v.number, .object = v.points() ? v.object : 0});
  }
  return displacements;
}

bool check_lengths(Call& call, const std::vector<int64_t>& lengths) {
  for (const int64_t n : lengths)
    if (n < 0) {
      invalid<Fact::NegativeBlockLength>(call, n);
      return false;
    }
  return true;
}

enum class Lengths { Equal, Listed };  // of the blocks

template <Lengths kLengths, Unit kUnit>
CallResult indexed(Call& call) {
  const auto n = number(call.at(0));
  const Type* of = known_type(call, 3);
  if (!n || !of || *n > kMostBlocks) return give_type(call, 4, unknown_type());
  const auto count = static_cast<size_t>(*n);
  constexpr bool are_equal = kLengths == Lengths::Equal, in_bytes = kUnit == Unit::Bytes;
  const auto length = number(call.at(1));
  auto lengths = !are_equal ? numbers_at(call, call.at(1), count, call.count_bytes())
                 : length   ? std::optional(list_of(*n, *length))
                            : std::nullopt;
  if (lengths && !check_lengths(call, *lengths)) return stop(call);
  auto offsets = displacements_at(call, call.at(2), count, in_bytes ? 8 : call.count_bytes());
  if (!lengths || !offsets) return give_type(call, 4, unknown_type());
  if (!in_bytes)
    for (Displacement& d : *offsets) d.bytes *= of->extent;
  return give_type(call, 4, combine(*lengths, *offsets, {of}));
}

CallResult structure(Call& call) {
  const auto n = number(call.at(0));
  if (!n || *n > (1 << 12)) return give_type(call, 4, unknown_type());
  const auto count = static_cast<size_t>(*n);
  const auto lengths = numbers_at(call, call.at(1), count, call.count_bytes());
  const auto offsets = displacements_at(call, call.at(2), count, 8);
  if (lengths && !check_lengths(call, *lengths)) return stop(call);
  std::vector<uint32_t> ids;
  for (size_t i = 0; i < count; ++i) {
    const Value v = load_at(call, call.at(3), static_cast<int64_t>(8 * i), 8);
    if (!check_handle(call, v, HandleClass::Type)) return stop(call);
    if (const Handle* h = handle_at(call, v)) ids.push_back(h->id);
  }
  if (!lengths || !offsets || ids.empty() || ids.size() < count) return give_type(call, 4, unknown_type());
  std::vector<const Type*> parts;  // when all are there: the first question for a predefined one adds it to the table
  for (const uint32_t id : ids) parts.push_back(&call.world.types[id]);
  return give_type(call, 4, combine(*lengths, *offsets, parts));
}

CallResult resized(Call& call) {
  const Type* of = known_type(call, 0);
  const auto lower = number(call.at(1)), extent = number(call.at(2));
  if (!of || !lower || !extent) return give_type(call, 3, unknown_type());
  Type t = *of;
  t.lower = *lower;
  t.extent = *extent;
  return give_type(call, 3, t);
}

CallResult dup_type(Call& call) {
  const Type* of = known_type(call, 0);
  const bool committed = of && of->is_committed;
  const CallResult result = give_type(call, 1, of ? *of : unknown_type());
  call.world.types.back().is_committed = committed;
  return result;
}

// The elements of a box within an array, row by row: the last dimension lies densely in C's order, the first in
// Fortran's.
CallResult subarray(Call& call) {
  const auto n = number(call.at(0)), order = number(call.at(4));
  const Type* of = known_type(call, 5);
  if (n && *n <= 0) return refuse<Fact::NoDimensions>(call, *n);
  if (order && *order != kOrderC && *order != kOrderFortran) {
    return refuse<Fact::UnknownOrder>(call, *order);
  }
  const bool few = n && *n <= 16;
  auto sizes = few ? numbers_at(call, call.at(1), static_cast<size_t>(*n), call.count_bytes()) : std::nullopt;
  auto lengths = few ? numbers_at(call, call.at(2), static_cast<size_t>(*n), call.count_bytes()) : std::nullopt;
  auto starts = few ? numbers_at(call, call.at(3), static_cast<size_t>(*n), call.count_bytes()) : std::nullopt;
  if (!sizes || !lengths || !starts || !order || !of) return give_type(call, 6, unknown_type());
  int64_t all = 1, inside = 1;
  for (size_t d = 0; d < sizes->size(); ++d) {
    if ((*lengths)[d] < 1 || (*starts)[d] < 0 || (*starts)[d] + (*lengths)[d] > (*sizes)[d])
      return refuse<Fact::PartOutsideArray>(call, (*starts)[d], (*lengths)[d], (*sizes)[d]);
    all *= (*sizes)[d];
    inside *= (*lengths)[d];
    if (all > (1 << 22) || inside > kMostBlocks) return give_type(call, 6, unknown_type());
  }
  if (*order != kOrderC) {
    for (auto* list : {&*sizes, &*lengths, &*starts}) std::reverse(list->begin(), list->end());
  }
  std::vector<Displacement> offsets;
  for (int64_t i = 0; i < inside; ++i) {
    int64_t rest = i, at = 0, unit = 1;
    for (size_t d = sizes->size(); d-- > 0;) {
      at += ((*starts)[d] + rest % (*lengths)[d]) * unit;
      rest /= (*lengths)[d];
      unit *= (*sizes)[d];
    }
    offsets.push_back({.bytes = at * of->extent});
  }
  Type t = combine(list_of(inside, 1), offsets, {of});
  t.lower = 0;
  t.extent = all * of->extent;
  return give_type(call, 6, t);
}
CallResult darray(Call& call) { return give_type(call, 9, unknown_type()); }

CallResult commit(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Type)) return stop(call);
  if (const Handle* h = handle_at(call, v)) call.world.types[h->id].is_committed = true;
  return success();
}

CallResult free_type(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Type)) return stop(call);
  Handle* h = handle_of(call.world, call.m, v);
  if (!h) return not_known(call, "the type of `MPI_Type_free` is not known");
  if (h->is_predefined) return refuse<Fact::PredefinedFreed>(call, h->name);
  h->is_freed = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_DATATYPE_NULL"));
  return success();
}

CallResult size(Call& call) {
  const Type* t = known_type(call, 0);
  store_at(call, call.at(1), 0, call.count_bytes(),
           t && t->is_known ? machine::integer(t->size_bytes) : machine::unknown());
  return success();
}

CallResult extent(Call& call) {
  const Type* t = known_type(call, 0);
  const bool known = t && t->is_known;
  const bool has_lower = call.name != "MPI_Type_extent";
  if (has_lower) store_at(call, call.at(1), 0, 8, known ? machine::integer(t->lower) : machine::unknown());
  store_at(call, call.at(has_lower ? 2 : 1), 0, 8, known ? machine::integer(t->extent) : machine::unknown());
  return success();
}

CallResult get_address(Call& call) {
  store_at(call, call.at(1), 0, 8, call.at(0));
  return success();
}

CallResult address_sum(Call& call) {
  const auto op = call.name == "MPI_Aint_diff" ? machine::Arithmetic::Subtract : machine::Arithmetic::Add;
  return {.value = machine::binary(call.m, op, machine::Scalar::I64, call.at(0), call.at(1))};
}

CallResult create_op(Call& call) {
  if (call.at(0).is_null()) return refuse<Fact::NullFunction>(call);
  call.world.operators.push_back({.is_user = true, .made_at = mark_of(call.world, call.place)});
  give_handle(call, call.at(2), HandleClass::Operator, static_cast<uint32_t>(call.world.operators.size() - 1));
  return success();
}

CallResult free_op(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Operator)) return stop(call);
  Handle* h = handle_of(call.world, call.m, v);
  if (!h) return not_known(call, "the operator of `MPI_Op_free` is not known");
  if (h->is_predefined) return refuse<Fact::PredefinedFreed>(call, h->name);
  h->is_freed = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_OP_NULL"));
  return success();
}

CallResult get_count(Call& call) {
  const auto bytes = number(load_at(call, call.at(0), 12, 4));
  const Type* t = known_type(call, 1);
  const bool known = bytes && t && t->is_known && t->size_bytes > 0;
  store_at(
      call, call.at(2), 0, call.count_bytes(),
      !known ? machine::unknown() : machine::integer(*bytes % t->size_bytes ? kUndefined : *bytes / t->size_bytes));
  return success();
}

constexpr std::array kDatatypeCalls = {
    Signature{"Type_contiguous", "nu.", contiguous},
    Signature{"Type_vector", "n..u.", vector_of<Unit::Extents>},
    Signature{"Type_create_hvector", "n..u.", vector_of<Unit::Bytes>},
    Signature{"Type_indexed", "n..u.", indexed<Lengths::Listed, Unit::Extents>},
    Signature{"Type_create_hindexed", "n..u.", indexed<Lengths::Listed, Unit::Bytes>},
    Signature{"Type_create_indexed_block", "n..u.", indexed<Lengths::Equal, Unit::Extents>},
    Signature{"Type_create_hindexed_block", "n..u.", indexed<Lengths::Equal, Unit::Bytes>},
    Signature{"Type_create_struct", "n....", structure},
    Signature{"Type_create_resized", "u...", resized},
    Signature{"Type_dup", "u.", dup_type},
    Signature{"Type_create_subarray", ".....u.", subarray},
    Signature{"Type_create_darray", "........u.", darray},
    Signature{"Type_commit", ".", commit},
    Signature{"Type_free", ".", free_type},
    Signature{"Type_size", "u.", size},
    Signature{"Type_extent", "u.", extent},
    Signature{"Type_get_extent", "u..", extent},
    Signature{"Type_get_true_extent", "u..", extent},
    Signature{"Get_address", "..", get_address},
    Signature{"Aint_diff", "..", address_sum},
    Signature{"Aint_add", "..", address_sum},
    Signature{"Op_create", "...", create_op},
    Signature{"Op_free", ".", free_op},
    Signature{"Get_count", ".u.", get_count},
    Signature{"Get_elements", ".u.", get_count},
};

}  // namespace

std::span<const Signature> datatype_calls() { return kDatatypeCalls; }

}  // namespace ranklint::mpi_check

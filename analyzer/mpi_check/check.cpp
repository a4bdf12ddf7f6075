// What every call must be given: counts, tags, ranks, handles, memory.
//
// An unknown value is not checked.
#include <algorithm>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

std::string_view null_name(HandleClass c) {
  switch (c) {
    case HandleClass::Comm: return "MPI_COMM_NULL";
    case HandleClass::Group: return "MPI_GROUP_NULL";
    case HandleClass::Type: return "MPI_DATATYPE_NULL";
    case HandleClass::Operator: return "MPI_OP_NULL";
    case HandleClass::Request: return "MPI_REQUEST_NULL";
    case HandleClass::Win: return "MPI_WIN_NULL";
    case HandleClass::File: return "MPI_FILE_NULL";
    case HandleClass::Errhandler: return "MPI_ERRHANDLER_NULL";
    case HandleClass::Info: return "MPI_INFO_NULL";
    case HandleClass::Session: return "MPI_SESSION_NULL";
    case HandleClass::Message: return "MPI_MESSAGE_NULL";
    case HandleClass::None: break;
  }
  return {};
}

// A number of a rank, or the constant that stands for it.
Argument rank_argument(int64_t rank) {
  if (rank == kAnySource) return Phrase(state<Fact::Named>("MPI_ANY_SOURCE"));
  if (rank == kProcNull) return Phrase(state<Fact::Named>("MPI_PROC_NULL"));
  return rank;
}

// Of a list of types that a collective is given, which one it is, is not shown.
Argument type_argument(const Buffer& b) {
  if (b.type_name.empty()) return Phrase(state<Fact::TypeOfList>());
  return b.type_name;
}

bool check_count(Call& call, const Value& v) {
  const auto n = number(v);
  if (!n || *n >= 0) return true;
  return reject<Fact::NegativeCount>(call, *n);
}

bool check_tag(Call& call, const Value& v, bool any_is_fine) {
  const auto n = number(v);
  if (!n || *n >= 0 || (any_is_fine && *n == kAnyTag)) return true;
  if (*n == kAnyTag) return reject<Fact::AnyTagSent>(call);
  return any_is_fine ? reject<Fact::NegativeReceiveTag>(call, *n) : reject<Fact::NegativeSendTag>(call, *n);
}

bool check_rank(Call& call, const Value& v, char letter) {
  const auto n = number(v);
  const int at = call.index('c');
  const auto comm = at < 0 ? std::nullopt : comm_of(call, call.at(static_cast<size_t>(at)));
  if (!n || !comm) return true;
  const Comm& c = call.world.comms[*comm];
  const size_t size = c.remote.empty() ? c.members.size() : c.remote.size();
  if (*n >= 0 && static_cast<size_t>(*n) < size) return true;
  if (*n == kProcNull && (letter != 'r' || !c.remote.empty())) return true;
  if (*n == kAnySource && letter == 's') return true;
  if (*n == kRoot && letter == 'r' && !c.remote.empty()) return true;
  const Argument given = rank_argument(*n);
  Problem& p = letter == 'r'   ? invalid<Fact::RootOutside>(call, given, size, size - 1)
               : letter == 'd' ? invalid<Fact::DestinationOutside>(call, given, size, size - 1)
                               : invalid<Fact::SourceOutside>(call, given, size, size - 1);
  if (*n >= 0 && size == call.world.size()) p.needed_size = static_cast<uint32_t>(std::min<int64_t>(*n + 1, 1 << 20));
  return false;
}

}  // namespace

bool check_type(Call& call, const Value& v, bool must_be_committed) {
  if (!check_handle(call, v, HandleClass::Type)) return false;
  const Handle* h = handle_at(call, v);
  if (!h || !must_be_committed || call.world.types[h->id].is_committed) return true;
  Problem& p = invalid<Fact::UncommittedType>(call);
  add_note<Fact::TypeMadeHere>(call.world, p, h->place);
  return false;
}

namespace {

// The class of what a type's elements are, if all are alike.
std::optional<TypeClass> class_of(const Type& type) {
  if (!type.is_known || type.segments.empty()) return std::nullopt;
  if (type.is_pair) return TypeClass::Pair;
  for (const Segment& s : type.segments)
    if (s.basic->type_class != type.segments.front().basic->type_class) return std::nullopt;
  return type.segments.front().basic->type_class;
}

bool takes(std::string_view op, TypeClass c) {
  using enum TypeClass;
  if (op == "MPI_MAX" || op == "MPI_MIN") return c == Integer || c == Real;
  if (op == "MPI_SUM" || op == "MPI_PROD") return c == Integer || c == Real || c == Complex;
  if (op == "MPI_LAND" || op == "MPI_LOR" || op == "MPI_LXOR") return c == Integer || c == Logical;
  if (op == "MPI_BAND" || op == "MPI_BOR" || op == "MPI_BXOR") return c == Integer || c == Byte;
  if (op == "MPI_MINLOC" || op == "MPI_MAXLOC") return c == Pair;
  return true;
}

bool is_one_sided(const Call& call) { return call.index('w') >= 0; }

bool check_operator(Call& call, const Value& v) {
  if (!check_handle(call, v, HandleClass::Operator)) return false;
  const Handle* h = handle_at(call, v);
  const int at = call.index('t');
  const Handle* type = !h || at < 0 ? nullptr : handle_at(call, call.at(static_cast<size_t>(at)));
  if (!type || type->handle_class != HandleClass::Type || type->is_null) return true;
  const Operator& op = call.world.operators[h->id];
  const bool only_one_sided = op.name == "MPI_REPLACE" || op.name == "MPI_NO_OP";
  if (only_one_sided && !is_one_sided(call)) return reject<Fact::OneSidedOperator>(call, op.name);
  const Type& t = call.world.types[type->id];
  if (op.is_user && is_one_sided(call)) return reject<Fact::OwnOperatorOneSided>(call);
  if (op.is_user || only_one_sided) return true;
  if (!t.is_predefined && !is_one_sided(call)) {
    report<Fact::OperatorOnDerivedType>(call.world, call.m.rank, call.place, op.name);
    return false;
  }
  const auto c = class_of(t);
  if (!c || takes(op.name, *c)) return true;
  report<Fact::OperatorOnOtherType>(call.world, call.m.rank, call.place, op.name, type->name);
  return false;
}

bool fits(machine::Scalar declared, const BasicType& basic) {
  using machine::Scalar;
  if (basic.type_class == TypeClass::Byte || basic.type_class == TypeClass::Packed || basic.scalar == Scalar::None)
    return true;
  if (declared == Scalar::None || declared == Scalar::Pointer || machine::size_bytes(declared) == 1) return true;
  if (machine::is_real(declared) != machine::is_real(basic.scalar)) return false;
  return machine::size_bytes(declared) == basic.size_bytes;
}

// Whether two elements of one item lie in the same memory.
bool overlaps_itself(const Type& type) {
  constexpr size_t kMostSegments = 4096;
  if (type.segments.size() < 2 || type.segments.size() > kMostSegments) return false;
  std::vector<std::pair<int64_t, int64_t>> parts;
  for (const Segment& s : type.segments) parts.emplace_back(s.offset, s.offset + s.basic->size_bytes);
  std::sort(parts.begin(), parts.end());
  return std::adjacent_find(parts.begin(), parts.end(),
                            [](const auto& a, const auto& b) { return b.first < a.second; }) != parts.end();
}

bool check_buffer(Call& call, size_t at) {
  const std::string_view p = call.signature->parameters;
  if (at + 2 >= p.size() || p[at + 1] != 'n' || p[at + 2] != 't') return true;
  if (is_collective(*call.signature)) return true;  // its count is that of one part: collectives/arguments.cpp
  const Buffer b = buffer_of(call, static_cast<int>(at), static_cast<int>(at) + 1, static_cast<int>(at) + 2);
  if (b.is_in_place) return reject<Fact::MessageInPlace>(call);
  if (b.count <= 0) return true;
  if (b.address.is_null()) {
    if (!b.type.is_known || b.type.segments.empty() || b.type.is_absolute()) return true;  // MPI_BOTTOM
    return reject<Fact::NullMemory>(call, b.count);
  }
  if (p[at] == 'B' && b.type.is_known && overlaps_itself(b.type)) invalid<Fact::ElementsOverlap>(call);
  check_memory(call, b);
  return true;
}

// `MPI_Get_accumulate` with `MPI_NO_OP`: what would be accumulated is not looked at.
bool is_only_read(Call& call) {
  if (call.name != "MPI_Get_accumulate" && call.name != "MPI_Rget_accumulate") return false;
  const Handle* h = handle_at(call, call.argument('o'));
  return h && h->name == "MPI_NO_OP";
}

// Whether the parameter belongs to memory that this rank's call does not look at: the other side of a rooted
// collective, or what is in place.
bool is_ignored(Call& call, size_t i) {
  if (i < 3 && is_only_read(call)) return true;
  const std::string_view p = call.signature->parameters;
  if (p[i] != 'n' && p[i] != 't' && p[i] != 'b' && p[i] != 'B') return false;
  size_t memory = i;
  while (memory > 0 && p[memory] != 'b' && p[memory] != 'B') --memory;
  if (p[memory] != 'b' && p[memory] != 'B') return false;
  const bool both = memory > 0 && p[memory - 1] == 'b';  // a reduction: one count and type
  if (!both && i != memory && call.at(memory) == machine::pointer(0, kInPlace)) return true;
  const int root = call.index('r'), comm = call.index('c');
  if (both || root < 0 || call.index('b') < 0 || comm < 0) return false;
  const auto id = comm_of(call, call.at(static_cast<size_t>(comm)));
  if (!id || number(call.at(static_cast<size_t>(root))) == rank_in(call.world.comms[*id].members, call.m.rank))
    return false;
  const bool scatters = call.signature->moves.kind == MovementKind::Scatter;
  return p[memory] == (scatters ? 'b' : 'B');
}

bool check_communicator(Call& call, const Value& v) {
  if (!check_handle(call, v, HandleClass::Comm)) return false;
  const auto comm = comm_of(call, v);
  if (!comm || !call.world.comms[*comm].is_with_started) return true;
  lose(call.world, "what the programs do that `" + call.world.comms[*comm].name + "` starts is not known");
  return false;
}

bool check_parameter(Call& call, size_t i) {
  if (is_ignored(call, i)) return true;
  const Value v = call.at(i);
  switch (call.signature->parameters[i]) {
    case 'n': return check_count(call, v);
    case 'g': return check_tag(call, v, false);
    case 'G': return check_tag(call, v, true);
    case 'd':
    case 's':
    case 'r': return check_rank(call, v, call.signature->parameters[i]);
    case 'c': return check_communicator(call, v);
    case 't': return check_type(call, v, true);
    case 'u': return check_type(call, v, false);
    case 'o': return check_operator(call, v);
    case 'w': return check_handle(call, v, HandleClass::Win);
    case 'i': return check_handle(call, v, HandleClass::Info);
    case 'I': return check_handle(call, v, HandleClass::Info, true);
    case 'f': return check_handle(call, v, HandleClass::File);
    case 'p': return check_handle(call, v, HandleClass::Group);
    case 'q':
      if (!v.is_null()) return true;
      if (const int n = call.index('n'); n >= 0 && n < static_cast<int>(i) && call.signature->parameters.size() < 6 &&
                                         number(call.at(static_cast<size_t>(n))) == 0)
        return true;
      return reject<Fact::NullRequest>(call);
    case 'b':
    case 'B': return check_buffer(call, i);
    default: return true;
  }
}

}  // namespace

bool check_memory(Call& call, const Buffer& b) {
  if (!b.address.points() || b.count <= 0) return true;
  const machine::Object& object = call.m.at(b.address.object);
  if (object.life == machine::Object::Life::Handle) return true;
  if (object.freed) return reject<Fact::MemoryGone>(call);
  const std::optional<TypeClass> c = class_of(b.type);
  // Whole elements may be described as that many bytes, against the standard's names.
  const uint32_t element = machine::size_bytes(object.element);
  const bool is_raw = c && b.type.size_bytes == 1 && element > 1 && b.count % element == 0 &&
                      static_cast<uint64_t>(b.count) * element > object.size_bytes;
  if (c && !is_raw && b.type.is_predefined && !b.type.segments.empty() &&
      !fits(object.element, *b.type.segments.front().basic))
    return reject<Fact::OtherElements>(call, type_argument(b));
  const int64_t span = span_bytes(b);
  if (span <= 0 || !object.size_known) return true;
  if (b.address.number >= 0 && b.address.number + span <= static_cast<int64_t>(object.size_bytes)) return true;
  return reject<Fact::MemoryTooSmall>(call, span,
                                      std::max<int64_t>(static_cast<int64_t>(object.size_bytes) - b.address.number, 0));
}

bool check_list_memory(Call& call, const Value& address, size_t count, uint32_t number_bytes) {
  if (!address.points()) return true;
  const machine::Object& object = call.m.at(address.object);
  if (!object.size_known || address.number < 0) return true;
  const uint64_t room = object.size_bytes - std::min(object.size_bytes, static_cast<uint64_t>(address.number));
  if (room / number_bytes >= count) return true;
  return reject<Fact::ListTooShort>(call, count, room / number_bytes);
}

bool check_handle(Call& call, const Value& v, HandleClass wanted, bool may_be_null) {
  if (v.kind == Value::Kind::Undefined) return reject<Fact::UnsetHandle>(call, class_phrase(wanted));
  if (!v.known()) return true;
  if (v.is_null()) return reject<Fact::ZeroHandle>(call, class_phrase(wanted));
  const Handle* h = handle_at(call, v);
  if (!h) return true;
  if (h->handle_class != wanted && !(h->is_null && h->handle_class == HandleClass::None))
    return reject<Fact::OtherHandle>(call, class_phrase(h->handle_class), class_phrase(wanted));
  if (h->is_freed) {
    Problem& p = invalid<Fact::FreedHandle>(call, class_phrase(wanted));
    add_note<Fact::MadeHere>(call.world, p, h->place);
    return false;
  }
  if (h->is_null && !may_be_null && wanted == HandleClass::Comm && call.rank.asked_for_parent) {
    lose(call.world, "the program is started by another one");
    return false;
  }
  if (h->is_null && !may_be_null) return reject<Fact::NullHandle>(call, null_name(wanted), class_phrase(wanted));
  return true;
}

bool check_arguments(Call& call) {
  // The communicator first: ranks are judged by it.
  if (const int at = call.index('c'); at >= 0 && !check_parameter(call, static_cast<size_t>(at))) return false;
  for (size_t i = 0; i < call.signature->parameters.size(); ++i)
    if (static_cast<int>(i) != call.index('c') && !check_parameter(call, i)) return false;
  return true;
}

}  // namespace ranklint::mpi_check

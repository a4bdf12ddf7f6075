// Handles: each rank has objects of its own, and each stands for something in the world's tables.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

namespace {

struct NamedClass {
  std::string_view prefix;
  HandleClass handle_class;
};

// What a predefined handle is follows from how its name begins.
constexpr std::array kClasses = {
    NamedClass{"MPI_COMM_", HandleClass::Comm},       NamedClass{"MPI_GROUP_", HandleClass::Group},
    NamedClass{"MPI_REQUEST_", HandleClass::Request}, NamedClass{"MPI_WIN_", HandleClass::Win},
    NamedClass{"MPI_INFO_", HandleClass::Info},       NamedClass{"MPI_ERR", HandleClass::Errhandler},
    NamedClass{"MPI_FILE_", HandleClass::File},       NamedClass{"MPI_MESSAGE_", HandleClass::Message},
    NamedClass{"MPI_SESSION_", HandleClass::Session}, NamedClass{"MPI_DATATYPE_NULL", HandleClass::Type},
};

constexpr std::array<std::string_view, 15> kOperators = {
    "MPI_MAX",  "MPI_MIN",  "MPI_SUM",    "MPI_PROD",   "MPI_LAND",    "MPI_BAND",  "MPI_LOR",    "MPI_BOR",
    "MPI_LXOR", "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP", "MPI_OP_NULL"};

bool is_operator(std::string_view name) {
  return std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end();
}

Handle predefined(World& world, Machine& m, const std::string& name) {
  Handle h{.is_predefined = true, .name = name};
  if (const BasicType* basic = find_basic(name)) {
    h.handle_class = HandleClass::Type;
    h.id = static_cast<uint32_t>(world.types.size());
    world.types.push_back(predefined_type(*basic));
    return h;
  }
  for (const NamedClass& c : kClasses)
    if (name.starts_with(c.prefix)) h.handle_class = c.handle_class;
  h.is_null = name.ends_with("_NULL");
  if (is_operator(name)) h.handle_class = HandleClass::Operator;
  if (h.is_null) return h;
  if (h.handle_class == HandleClass::None &&
      name.starts_with("MPI_")) {  // a type that only C++ or Fortran has, a mark of an old standard
    h.handle_class = HandleClass::Type;
    h.id = static_cast<uint32_t>(world.types.size());
    world.types.push_back({.is_known = false, .is_predefined = true, .is_committed = true});
  }
  if (name == "MPI_COMM_SELF") h.id = 1 + m.rank;
  if (name == "MPI_GROUP_EMPTY") h.id = 0;
  if (h.handle_class == HandleClass::Operator) {
    h.id = static_cast<uint32_t>(world.operators.size());
    world.operators.push_back({.name = name});
  }
  return h;
}

}  // namespace

Handle* handle_of(World& world, Machine& m, const Value& v) {
  if (!v.points()) return nullptr;
  Rank& rank = world.of(m);
  if (auto found = rank.handles.find(v.object); found != rank.handles.end()) return &found->second;
  for (const auto& [name, object] : m.named)
    if (object == v.object) return &(rank.handles[object] = predefined(world, m, name));
  return nullptr;
}

Value make_handle(World& world, Machine& m, HandleClass handle_class, uint32_t id, std::string name, uint32_t place) {
  const ObjectId object = machine::make_object(m, machine::Object::Life::Handle, 4, machine::Scalar::None);
  world.of(m).handles[object] = {.handle_class = handle_class, .id = id, .place = place, .name = std::move(name)};
  return machine::pointer(object);
}

Value null_handle(Machine& m, const char* name) { return machine::pointer(machine::named_object(m, name)); }

uint32_t add_comm(World& world, std::vector<uint32_t> members, std::string name) {
  Comm comm{.members = std::move(members)};
  comm.issued.assign(comm.members.size(), 0);
  comm.channel = world.channels++;
  comm.name = std::move(name);
  world.comms.push_back(std::move(comm));
  return static_cast<uint32_t>(world.comms.size() - 1);
}

int64_t rank_in(const std::vector<uint32_t>& members, uint32_t rank) {
  const auto it = std::find(members.begin(), members.end(), rank);
  return it == members.end() ? -1 : it - members.begin();
}

}  // namespace ranklint::mpi_check

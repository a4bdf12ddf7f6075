// Files: which ranks open and close them, which ranks meet where, and what a handle allows. The content of a file is
// unknown: what is read may differ between ranks.
//
// A file has a communicator of its own, as a window has, so its collectives meet there. Of a split collective the first
// half arrives and the second waits; a handle has one such pair at a time.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

// The numbers of frontends/cpp/stubs/first/mpi.h.
constexpr int64_t kCreate = 1, kReadOnly = 2, kWriteOnly = 4, kReadWrite = 8, kExclusive = 64, kSequential = 256;
constexpr int64_t kDisplacementCurrent = -54278278;
constexpr int64_t kSeekSet = 600, kSeekCurrent = 602, kSeekEnd = 604;

File* file_of(Call& call) {
  const Handle* h = handle_at(call, call.at(0));
  return h && h->handle_class == HandleClass::File && !h->is_null ? &call.world.files[h->id] : nullptr;
}

FileSide& side_of(Call& call, File& file) { return file.sides[call.m.rank]; }

CallResult no_file(Call& call) { return not_known(call, "the file of `" + call.name + "` is not known"); }

// ---- opening and closing ----------------------------------------------------------------------------------------

CallResult open(Call& call) {
  const auto comm = comm_of(call, call.at(0));
  const auto mode = number(call.at(2));
  if (!comm) return not_known(call, "the communicator of `MPI_File_open` is not known");
  if (!call.world.comms[*comm].remote.empty()) return refuse<Fact::FileBetweenGroups>(call);
  if (call.at(1).is_null()) return refuse<Fact::NullFileName>(call);
  if (mode) {
    const auto access = *mode & (kReadOnly | kWriteOnly | kReadWrite);
    if (access != kReadOnly && access != kWriteOnly && access != kReadWrite)
      return access ? refuse<Fact::SeveralAccessModes>(call) : refuse<Fact::NoAccessMode>(call);
    if (access == kReadOnly && (*mode & (kCreate | kExclusive))) return refuse<Fact::CreatesReadOnly>(call);
    if (access == kReadWrite && (*mode & kSequential)) return refuse<Fact::SequentialReadWrite>(call);
  }
  return creation(call, *comm, {call.at(2), call.at(4)});
}

void complete_open(World& world, Collective& c) {
  const std::vector<uint32_t> members = world.comms[c.comm].members;
  File file{.comm = add_comm(world, members, {})};
  world.comms[file.comm].owner = HandleClass::File;
  if (const auto mode = number(c.parts.begin()->second.values[0])) file.mode = *mode;
  const auto id = static_cast<uint32_t>(world.files.size());
  world.files.push_back(std::move(file));
  for (const uint32_t rank : members) {
    const Part& part = c.parts.at(rank);
    Machine& m = world.ranks[rank].machine;
    const Operation& o = world.operations[part.operation];
    const Value handle = make_handle(world, m, HandleClass::File, id, o.call, o.place);
    if (part.values[1].points()) machine::store(m.at(part.values[1].object), part.values[1].number, 8, handle);
  }
}

CallResult close(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::File)) return stop(call);
  Handle* h = handle_of(call.world, call.m, v);
  if (!h) return no_file(call);
  File& file = call.world.files[h->id];
  const FileSide& side = side_of(call, file);
  if (side.split) {
    Problem& p = invalid<Fact::SplitNotEnded>(call, side.split_call);
    add_note<Fact::SplitBeginsHere>(call.world, p, side.split_place);
    return stop(call);
  }
  for (const uint32_t r : side.requests) {
    const Request& request = call.world.requests[r];
    if (!request.is_active || request.is_freed) continue;
    Problem& p = invalid<Fact::ClosedBeforeRequest>(call, request.call);
    add_note<Fact::FileRequestStartsHere>(call.world, p, request.place);
    return stop(call);
  }
  const uint32_t comm = file.comm;
  h->is_freed = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_FILE_NULL"));
  return creation(call, comm, {});
}

// ---- what all ranks call together -------------------------------------------------------------------------------

// values: what all ranks have to give alike
CallResult together(Call& call, std::vector<Value> values) {
  File* file = file_of(call);
  return file ? creation(call, file->comm, std::move(values)) : no_file(call);
}

CallResult set_size(Call& call) {
  if (const auto size = number(call.at(1)); size && *size < 0) return refuse<Fact::NegativeSize>(call, *size);
  if (const File* file = file_of(call); file && (file->mode & kSequential))
    return refuse<Fact::ResizedSequential>(call);
  if (const File* file = file_of(call); file && (file->mode & kReadOnly)) return refuse<Fact::ResizedReadOnly>(call);
  return together(call, {call.at(1)});
}

CallResult set_atomicity(Call& call) { return together(call, {call.at(1)}); }
CallResult meet(Call& call) { return together(call, {}); }

CallResult set_view(Call& call) {
  const auto begin = number(call.at(1));
  const File* file = file_of(call);
  const bool from_here = begin == kDisplacementCurrent;
  if (from_here && file && !(file->mode & kSequential)) return refuse<Fact::CurrentDisplacement>(call);
  if (begin && *begin < 0 && !from_here) return refuse<Fact::NegativeDisplacement>(call, *begin);
  const Handle* etype = handle_at(call, call.at(2));
  const Handle* filetype = handle_at(call, call.at(3));
  if (etype && filetype && !etype->is_null && !filetype->is_null) {
    const Type &e = call.world.types[etype->id], &f = call.world.types[filetype->id];
    if (e.is_known && f.is_known && e.size_bytes > 0 && f.size_bytes % e.size_bytes)
      return refuse<Fact::UnevenFileType>(call, f.size_bytes, e.size_bytes);
    return together(call, {e.is_known ? machine::integer(e.extent) : machine::unknown()});
  }
  return together(call, {machine::unknown()});
}

bool check_seek(Call& call, const File& file) {
  const auto to = number(call.at(1)), from = number(call.at(2));
  if (from && *from != kSeekSet && *from != kSeekCurrent && *from != kSeekEnd)
    return reject<Fact::UnknownSeekStart>(call, *from);
  if (from == kSeekSet && to && *to < 0) return reject<Fact::SeekBeforeStart>(call, *to);
  return !(file.mode & kSequential) || reject<Fact::SeekInSequential>(call);
}

CallResult seek(Call& call) {
  const File* file = file_of(call);
  if (!file) return no_file(call);
  if (!check_seek(call, *file)) return stop(call);
  if (call.name.ends_with("_shared")) return together(call, {call.at(1), call.at(2)});
  return success();
}

// What the values of a collective are, all of which have to be the same on all ranks.
std::vector<Statement> terms_of(const std::string& name) {
  if (name == "File_open") return {state<Fact::AccessMode>()};
  if (name == "File_set_size" || name == "File_preallocate") return {state<Fact::FileSize>()};
  if (name == "File_seek_shared") return {state<Fact::FileOffset>(), state<Fact::SeekStart>()};
  if (name == "File_set_atomicity") return {state<Fact::Atomicity>()};
  if (name == "File_set_view") return {state<Fact::ElementExtent>()};
  return {};
}

bool same_values(World& world, const Collective& c) {
  const std::vector<Statement> terms = terms_of(c.name);
  const Part& first = c.parts.begin()->second;
  for (const auto& [rank, part] : c.parts)
    for (size_t i = 0; i < terms.size(); ++i) {
      const auto a = number(first.values[i]), b = number(part.values[i]);
      if (!a || !b || *a == *b) continue;
      differ(world, first, part, terms[i], *a, *b);
      world.is_stopped = true;
      return false;
    }
  return true;
}

// ---- reading and writing ----------------------------------------------------------------------------------------

bool has(const Call& call, std::string_view part) { return call.name.find(part) != std::string::npos; }

bool check_mode(Call& call, const File& file) {
  const bool reads = has(call, "read"), shared = has(call, "_shared") || has(call, "_ordered");
  if (reads && (file.mode & kWriteOnly)) return reject<Fact::ReadsWriteOnly>(call);
  if (!reads && (file.mode & kReadOnly)) return reject<Fact::WritesReadOnly>(call);
  if (!shared && (file.mode & kSequential)) return reject<Fact::OwnPlaceInSequential>(call);
  const auto offset = has(call, "_at") ? number(call.at(1)) : std::nullopt;
  return !offset || *offset >= 0 || reject<Fact::NegativeOffset>(call, *offset);
}

Buffer data_of(Call& call) {
  const int at = std::max(call.index('b'), call.index('B'));
  return buffer_of(call, at, at + 1, at + 2);
}

// A read fills its buffer with unknown values.
void move_data(Call& call, const Buffer& b) {
  const bool reads = has(call, "read");
  touch_buffer(call, b, reads);
  if (reads) write_items(call.world, call.m.rank, b.address, b.count, b.type, {}, false);
}

void remember(Call& call, File& file, uint32_t operation, const Buffer& b) {
  const uint32_t request = make_request(call, call.argument('q'), {operation});
  side_of(call, file).requests.push_back(request);
  hold(call.world, operation, b, has(call, "read"));
}

uint32_t local_operation(Call& call) {
  Operation o{.kind = Operation::Kind::Local, .rank = call.m.rank, .place = call.place, .call = call.name};
  o.is_done = o.is_matched = true;
  call.world.operations.push_back(std::move(o));
  return static_cast<uint32_t>(call.world.operations.size() - 1);
}

void give_status(Call& call) {
  if (const int at = call.index('S'); at >= 0)
    write_status(call.world, call.m.rank, call.at(static_cast<size_t>(at)), 0, kAnySource, kAnyTag, -1);
}

CallResult transfer(Call& call) {
  File* file = file_of(call);
  if (!file) return no_file(call);
  if (!check_mode(call, *file)) return stop(call);
  const Buffer b = data_of(call);
  note_step<Fact::Named>(call);
  move_data(call, b);
  if (!has(call, "_all") && !has(call, "_ordered")) {
    if (call.index('q') >= 0)
      remember(call, *file, local_operation(call), b);
    else
      give_status(call);
    return success();
  }
  const auto id = arrive(call, file->comm, call.name.substr(4), {.rank = call.m.rank});
  if (!id) return stop(call);
  if (call.index('q') >= 0) {
    remember(call, *file, *id, b);
    return success();
  }
  give_status(call);
  return wait_for(call, {*id});
}

CallResult begin(Call& call) {
  File* file = file_of(call);
  if (!file) return no_file(call);
  if (!check_mode(call, *file)) return stop(call);
  FileSide& side = side_of(call, *file);
  if (side.split) {
    Problem& p = invalid<Fact::SplitNotEnded>(call, side.split_call);
    add_note<Fact::SplitBeginsHere>(call.world, p, side.split_place);
    return stop(call);
  }
  const Buffer b = data_of(call);
  move_data(call, b);
  const auto id = arrive(call, file->comm, call.name.substr(4), {.rank = call.m.rank});
  if (!id) return stop(call);
  hold(call.world, *id, b, has(call, "read"));
  side.split = *id;
  side.split_call = call.name.substr(0, call.name.size() - std::string_view("_begin").size());
  side.split_place = call.place;
  side.split_memory = b.address;
  return success();
}

CallResult end(Call& call) {
  File* file = file_of(call);
  if (!file) return no_file(call);
  FileSide& side = side_of(call, *file);
  const std::string opened = call.name.substr(0, call.name.size() - std::string_view("_end").size());
  if (!side.split || side.split_call != opened) return refuse<Fact::SplitNotBegun>(call, opened);
  if (call.at(1).known() && side.split_memory.known() && !(call.at(1) == side.split_memory))
    return refuse<Fact::OtherSplitMemory>(call, opened);
  const uint32_t operation = *side.split;
  side.split.reset();
  give_status(call);
  World& world = call.world;
  return wait_for(call, {operation}, [&world, operation] { finish_operation(world, operation); });
}

// ---- questions --------------------------------------------------------------------------------------------------

CallResult ask_number(Call& call) {
  store_at(call, call.at(1), 0, 8, machine::unknown());
  return success();
}

CallResult ask_flag(Call& call) {
  store_at(call, call.at(1), 0, 4, machine::unknown());
  return success();
}

CallResult ask_mode(Call& call) {
  const File* file = file_of(call);
  if (!file) return no_file(call);
  store_at(call, call.at(1), 0, 4, machine::integer(file->mode));
  return success();
}

CallResult ask_group(Call& call) {
  const File* file = file_of(call);
  if (!file) return no_file(call);
  return give_group(call, call.at(1), call.world.comms[file->comm].members);
}

CallResult ask_file_info(Call& call) {
  give_handle(call, call.at(1), HandleClass::Info, 0);
  return success();
}

constexpr std::array kFileCalls = {
    Signature{"File_open", "c..I.", open},
    Signature{"File_close", ".", close},
    Signature{"File_delete", "..", nothing},
    Signature{"File_set_size", "f.", set_size},
    Signature{"File_preallocate", "f.", set_size},
    Signature{"File_set_atomicity", "f.", set_atomicity},
    Signature{"File_set_view", "f.tt.I", set_view},
    Signature{"File_sync", "f", meet},
    Signature{"File_set_info", "f.", meet},
    Signature{"File_seek", "f..", seek},
    Signature{"File_seek_shared", "f..", seek},
    Signature{"File_get_size", "f.", ask_number},
    Signature{"File_get_position", "f.", ask_number},
    Signature{"File_get_position_shared", "f.", ask_number},
    Signature{"File_get_type_extent", "ft.", nothing},
    Signature{"File_get_atomicity", "f.", ask_flag},
    Signature{"File_get_amode", "f.", ask_mode},
    Signature{"File_get_group", "f.", ask_group},
    Signature{"File_get_info", "f.", ask_file_info},
    Signature{"File_set_errhandler", "..", nothing},
    Signature{"File_call_errhandler", "f.", nothing},
    Signature{"File_read", "fBntS", transfer},
    Signature{"File_read_at", "f.BntS", transfer},
    Signature{"File_read_shared", "fBntS", transfer},
    Signature{"File_read_all", "fBntS", transfer},
    Signature{"File_read_at_all", "f.BntS", transfer},
    Signature{"File_read_ordered", "fBntS", transfer},
    Signature{"File_write", "fbntS", transfer},
    Signature{"File_write_at", "f.bntS", transfer},
    Signature{"File_write_shared", "fbntS", transfer},
    Signature{"File_write_all", "fbntS", transfer},
    Signature{"File_write_at_all", "f.bntS", transfer},
    Signature{"File_write_ordered", "fbntS", transfer},
    Signature{"File_iread", "fBntq", transfer},
    Signature{"File_iread_at", "f.Bntq", transfer},
    Signature{"File_iread_shared", "fBntq", transfer},
    Signature{"File_iread_all", "fBntq", transfer},
    Signature{"File_iread_at_all", "f.Bntq", transfer},
    Signature{"File_iwrite", "fbntq", transfer},
    Signature{"File_iwrite_at", "f.bntq", transfer},
    Signature{"File_iwrite_shared", "fbntq", transfer},
    Signature{"File_iwrite_all", "fbntq", transfer},
    Signature{"File_iwrite_at_all", "f.bntq", transfer},
    Signature{"File_read_all_begin", "fBnt", begin},
    Signature{"File_read_at_all_begin", "f.Bnt", begin},
    Signature{"File_read_ordered_begin", "fBnt", begin},
    Signature{"File_write_all_begin", "fbnt", begin},
    Signature{"File_write_at_all_begin", "f.bnt", begin},
    Signature{"File_write_ordered_begin", "fbnt", begin},
    Signature{"File_read_all_end", "f.S", end},
    Signature{"File_read_at_all_end", "f.S", end},
    Signature{"File_read_ordered_end", "f.S", end},
    Signature{"File_write_all_end", "f.S", end},
    Signature{"File_write_at_all_end", "f.S", end},
    Signature{"File_write_ordered_end", "f.S", end},
};

}  // namespace

void complete_file_call(World& world, Collective& c) {
  if (same_values(world, c) && c.name == "File_open") complete_open(world, c);
}

std::span<const Signature> file_calls() { return kFileCalls; }

}  // namespace ranklint::mpi_check

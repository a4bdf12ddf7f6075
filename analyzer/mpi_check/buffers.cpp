// Memory that calls read, write and hold.
#include <algorithm>

#include "analyzer/mpi_check/races.h"
#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

namespace {

// Longer messages are carried as "something".
constexpr int64_t kMostItems = 1 << 16;
// And so are long ones where many were.
constexpr uint64_t kMuchWork = 2'000'000;
constexpr int64_t kFewItems = 1 << 8;
constexpr size_t kMostRanges = 256;  // of one buffer

// The values of this many items; nothing: they are too many, or not known.
std::optional<int64_t> values_of(const World& world, const Type& type, int64_t count) {
  if (!type.is_known || count < 0 || count > kMostItems) return std::nullopt;
  const int64_t values = count * static_cast<int64_t>(std::max<size_t>(type.segments.size(), 1));
  return values <= (world.work < kMuchWork ? kMostItems : kFewItems) ? std::optional(values) : std::nullopt;
}

bool is_bytes(const Type& type) {
  return type.segments.size() == 1 && type.extent == 1 && type.segments.front().basic->size_bytes == 1;
}

// A message of bytes keeps what they make up: the first byte of a cell stands for it, the others for nothing.
std::vector<Value> read_bytes(const machine::Object& object, int64_t at, int64_t count) {
  std::vector<Value> values;
  for (int64_t i = 0; i < count;) {
    const uint32_t width = machine::cell_at(object, at + i);
    if (width < 2 || i + width > count || width > 255) {
      values.push_back(machine::load(object, at + i++, 1));
      continue;
    }
    values.push_back(machine::load(object, at + i, width));
    values.back().width = static_cast<uint8_t>(width);
    values.resize(values.size() + width - 1);
    i += width;
  }
  return values;
}

// A pointer means something to its rank alone: on another one it points nowhere that is known. What stands there
// already is that rank's own.
void put(machine::Object& object, int64_t at, uint32_t width, const Value& v) {
  const bool is_foreign = v.points() && machine::load(object, at, width) != v;
  machine::store(object, at, width, is_foreign ? machine::unknown() : v);
}

void write_bytes(machine::Object& object, int64_t at, int64_t count, const std::vector<Value>& values) {
  const auto n = static_cast<size_t>(std::min<int64_t>(count, static_cast<int64_t>(values.size())));
  for (size_t i = 0; i < n;) {
    Value v = values[i];
    const size_t width = v.width > 1 && i + v.width <= n ? v.width : 1;
    if (width == 1 && v.width > 1) v = machine::unknown();
    v.width = 0;
    put(object, at + static_cast<int64_t>(i), static_cast<uint32_t>(width), v);
    i += width;
  }
}

}  // namespace

int64_t span_bytes(const Buffer& buffer) {
  if (buffer.count < 0 || !buffer.type.is_known) return -1;
  if (buffer.count == 0 || buffer.type.segments.empty()) return 0;
  int64_t end = 0;
  for (const Segment& s : buffer.type.segments) end = std::max<int64_t>(end, s.offset + s.basic->size_bytes);
  return (buffer.count - 1) * buffer.type.extent + end;
}

static std::vector<Value> items_at(World& world, uint32_t rank, const Value& address, int64_t count, const Type& type,
                                   bool& known) {
  std::vector<Value> values;
  Machine& m = world.ranks[rank].machine;
  const auto n = values_of(world, type, count);
  known = n && (type.is_absolute() ? count <= 1 : address.points());
  if (!known) return values;
  spend(world, static_cast<uint64_t>(*n));
  if (type.is_absolute()) {
    for (const Segment& s : type.segments)
      values.push_back(machine::load(m.at(s.object), s.offset, s.basic->size_bytes));
    return values;
  }
  const machine::Object& object = m.at(address.object);
  if (is_bytes(type)) return read_bytes(object, address.number, count);
  for (int64_t i = 0; i < count; ++i)
    for (const Segment& s : type.segments)
      values.push_back(machine::load(object, address.number + i * type.extent + s.offset, s.basic->size_bytes));
  return values;
}

std::vector<Value> read_items(World& world, uint32_t rank, const Value& address, int64_t count, const Type& type,
                              bool& known) {
  std::vector<Value> values = items_at(world, rank, address, count, type, known);
  show_items(world, rank, values, known);
  return values;
}

// Each where the type itself says; of what there is no value nothing is known.
static void write_elements(Machine& m, const Type& type, const std::vector<Value>& values) {
  for (size_t i = 0; i < type.segments.size(); ++i) {
    const Segment& s = type.segments[i];
    if (i < values.size())
      put(m.at(s.object), s.offset, s.basic->size_bytes, values[i].width ? machine::unknown() : values[i]);
    else
      machine::forget(m.at(s.object), s.offset, s.basic->size_bytes);
  }
}

void write_items(World& world, uint32_t rank, const Value& address, int64_t count, const Type& type,
                 const std::vector<Value>& values, bool known) {
  Machine& m = world.ranks[rank].machine;
  if (type.is_absolute()) return write_elements(m, type, known && count == 1 ? values : std::vector<Value>{});
  if (!address.points()) return;
  machine::Object& object = m.at(address.object);
  const auto n = values_of(world, type, count);
  if (!known || !n) {
    const bool is_sized = count >= 0 && type.is_known;
    const int64_t bytes =
        is_sized ? std::max<int64_t>(count * type.extent, 1) : static_cast<int64_t>(object.size_bytes) - address.number;
    spend(world, static_cast<uint64_t>(std::clamp<int64_t>(bytes, 0, 1 << 20)) / 16);
    machine::forget(object, address.number, bytes);
    return;
  }
  spend(world, static_cast<uint64_t>(*n));
  if (is_bytes(type)) return write_bytes(object, address.number, count, values);
  size_t next = 0;
  for (int64_t i = 0; i < count; ++i)
    for (const Segment& s : type.segments) {
      if (next == values.size()) return;
      Value v = values[next++];
      if (v.width) v = machine::unknown();
      put(object, address.number + i * type.extent + s.offset, s.basic->size_bytes, v);
    }
}

void read_payload(World& world, Operation& o) {
  o.payload = read_items(world, o.rank, o.buffer.address, o.buffer.count, o.buffer.type, o.payload_known);
}

static void hold_range(World& world, uint32_t operation, ObjectId object, int64_t begin, int64_t end,
                       bool forbids_reads) {
  const Operation& o = world.operations[operation];
  Machine& m = world.ranks[o.rank].machine;
  world.holds.push_back({.rank = o.rank,
                         .object = object,
                         .begin = begin,
                         .end = end,
                         .forbids_reads = forbids_reads,
                         .place = o.place,
                         .call = o.call,
                         .owner = operation});
  ++m.at(object).watches;
}

void hold(World& world, uint32_t operation, const Buffer& buffer, bool forbids_reads) {
  if (buffer.count > 0 && buffer.type.is_absolute()) {
    for (const Segment& s : buffer.type.segments)
      hold_range(world, operation, s.object, s.offset, s.offset + s.basic->size_bytes, forbids_reads);
    return;
  }
  const int64_t span = span_bytes(buffer);
  if (!buffer.address.points() || span <= 0) return;
  const int64_t at = buffer.address.number;
  if (is_contiguous(buffer.type) || buffer.count * static_cast<int64_t>(buffer.type.segments.size()) > 4096)
    return is_contiguous(buffer.type)
               ? hold_range(world, operation, buffer.address.object, at + buffer.type.lower, at + span, forbids_reads)
               : void();
  for (int64_t i = 0; i < buffer.count; ++i)
    for (const Segment& s : buffer.type.segments) {
      const int64_t begin = at + i * buffer.type.extent + s.offset;
      hold_range(world, operation, buffer.address.object, begin, begin + s.basic->size_bytes, forbids_reads);
    }
}

void release(World& world, uint32_t operation) {
  spend(world, world.holds.size());
  std::erase_if(world.holds, [&](const Hold& h) {
    if (h.is_window || h.owner != operation) return false;
    --world.ranks[h.rank].machine.at(h.object).watches;
    return true;
  });
}

void release_part(World& world, uint32_t operation, const Buffer& part) {
  const int64_t span = span_bytes(part);
  std::erase_if(world.holds, [&](const Hold& h) {
    if (h.is_window || h.owner != operation || !part.address.points() || h.object != part.address.object ||
        h.begin < part.address.number || h.end > part.address.number + span)
      return false;
    --world.ranks[h.rank].machine.at(h.object).watches;
    return true;
  });
}

// The function that owns the memory of an operation returns.
static void check_life(World& world, Machine& m, const machine::Access& access) {
  for (const Hold& h : world.holds) {
    if (h.rank != m.rank || h.object != access.object || h.is_window) continue;
    Problem& p = report<Fact::BufferEndsEarly>(world, m.rank, m.place(), h.call, mark_of(world, h.place));
    add_note<Fact::OperationStartsHere>(world, p, h.place, h.call);
    return;
  }
}

static void report_touch(World& world, Machine& m, const machine::Access& access, const Hold& h) {
  const Mark since = mark_of(world, h.place);
  if (h.is_window) {
    Problem& p = access.is_write ? report<Fact::EpochBufferWritten>(world, m.rank, m.place(), h.call, since)
                                 : report<Fact::EpochBufferRead>(world, m.rank, m.place(), h.call, since);
    add_note<Fact::AccessStartsHere>(world, p, h.place, h.call);
  } else {
    Problem& p = access.is_write ? report<Fact::BufferWrittenEarly>(world, m.rank, m.place(), h.call, since)
                                 : report<Fact::BufferReadEarly>(world, m.rank, m.place(), h.call, since);
    add_note<Fact::OperationStartsHere>(world, p, h.place, h.call);
  }
}

void check_access(World& world, Machine& m, const machine::Access& access) {
  if (access.ends_life || access.is_freed) check_window_memory(world, m, access);
  if (access.is_freed) return;
  if (access.ends_life) return check_life(world, m, access);
  note_read(world, m, access);
  local_access(world, m, access);
  spend(world, world.holds.size());
  for (const Hold& h : world.holds) {
    if (h.rank != m.rank || h.object != access.object || access.offset >= h.end ||
        access.offset + access.size_bytes <= h.begin)
      continue;
    if (!access.is_write && !h.forbids_reads) continue;
    return report_touch(world, m, access, h);
  }
}

std::vector<std::pair<int64_t, int64_t>> ranges_of(const Buffer& b, int64_t begin) {
  if (is_contiguous(b.type)) return {{begin + b.type.lower, begin + span_bytes(b)}};
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (int64_t i = 0; i < b.count; ++i)
    for (const Segment& s : b.type.segments) {
      const int64_t from = begin + i * b.type.extent + s.offset, to = from + s.basic->size_bytes;
      if (!ranges.empty() && ranges.back().second == from)
        ranges.back().second = to;
      else if (ranges.size() == kMostRanges)
        return ranges;
      else
        ranges.emplace_back(from, to);
    }
  return ranges;
}

// What lies between the items of one may belong to the other: columns of one matrix.
bool overlap(const Buffer& a, const Buffer& b) {
  if (!a.address.points() || !b.address.points() || a.address.object != b.address.object || span_bytes(a) <= 0 ||
      span_bytes(b) <= 0)
    return false;
  const auto of_b = ranges_of(b, b.address.number);
  for (const auto& [begin, end] : ranges_of(a, a.address.number))
    if (std::any_of(of_b.begin(), of_b.end(),
                    [begin, end](const auto& r) { return begin < r.second && r.first < end; }))
      return true;
  return false;
}

}  // namespace ranklint::mpi_check

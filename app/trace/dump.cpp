#include "app/trace/dump.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "app/json/read_json.h"
#include "app/trace/pickle.h"

namespace ranklint::app {

namespace {

using Json = nlohmann::json;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// A member, or null where there is none: what a dump lacks is no error, what it has in another form counts as absent.
const Json& member(const Json& object, const char* name) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }
int64_t number(const Json& value) { return value.is_number_integer() ? value.get<int64_t>() : 0; }
bool truth(const Json& value) { return value.is_boolean() && value.get<bool>(); }

// "nccl:all_reduce" is all_reduce of NCCL's; the backend is the same for all ranks of a group.
std::string op_of(const std::string& profiling_name) {
  const size_t colon = profiling_name.find(':');
  return colon == std::string::npos ? profiling_name : profiling_name.substr(colon + 1);
}

std::vector<Frame> frames_of(const Json& list) {
  std::vector<Frame> frames;
  if (!list.is_array()) return frames;
  for (const Json& from : list) {
    const int64_t line = number(member(from, "line"));
    frames.push_back({text(member(from, "name")), text(member(from, "filename")),
                      line > 0 && line < INT32_MAX ? static_cast<uint32_t>(line) : 0});
  }
  return frames;
}

TraceEntry entry_of(const Json& from, const Json& status) {
  TraceEntry entry;
  const Json& group = member(from, "process_group");
  if (group.is_array() && group.size() >= 2) {
    entry.group = text(group[0]);
    entry.group_said = text(group[1]);
  }
  if (entry.group.empty()) entry.group = std::to_string(number(member(from, "pg_id")));
  entry.is_message = truth(member(from, "is_p2p"));
  const Json& sequence = member(from, entry.is_message ? "p2p_seq_id" : "collective_seq_id");
  entry.sequence = number(sequence);
  entry.op = op_of(text(member(from, "profiling_name")));
  const Json& sizes = member(from, "input_sizes");
  if (sizes.is_array()) entry.sizes = sizes.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string state = text(member(from, "state"));
  // Gloo never says that one is completed; it retires it, and the group's status counts.
  const Json& completed =
      member(member(status, std::to_string(number(member(from, "pg_id"))).c_str()), "last_completed_collective");
  entry.over = state == "completed" || truth(member(from, "retired")) ||
               (!entry.is_message && sequence.is_number_integer() && completed.is_number_integer() &&
                completed.get<int64_t>() >= entry.sequence);
  entry.started = state == "started";
  entry.frames = frames_of(member(from, "frames"));
  return entry;
}

// "[0, 1, 2]", as dumps write it, or a list.
std::vector<int> ranks_of(const Json& value) {
  std::vector<int> ranks;
  if (value.is_array()) {
    for (const Json& rank : value) ranks.push_back(static_cast<int>(number(rank)));
  } else {
    const std::string list = text(value);
    for (size_t at = 0; at < list.size();) {
      if (!is_digit(list[at])) {
        ++at;
        continue;
      }
      size_t end = at;
      int64_t rank = 0;
      for (; end < list.size() && is_digit(list[end]) && end - at < 9; ++end) rank = rank * 10 + (list[end] - '0');
      ranks.push_back(static_cast<int>(rank));
      at = end;
    }
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

// The digits that the name ends in, before what follows the last dot.
std::optional<int> rank_in_name(std::string_view name) {
  name = name.substr(name.rfind('/') + 1);
  if (const size_t dot = name.rfind('.');
      dot != std::string_view::npos && (dot + 1 == name.size() || !is_digit(name[dot + 1])))
    name = name.substr(0, dot);
  size_t begin = name.size();
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  if (begin == name.size() || name.size() - begin > 9) return std::nullopt;
  return std::stoi(std::string(name.substr(begin)));
}

}  // namespace

bool looks_like_dump(std::string_view bytes) {
  const size_t begin = bytes.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && (static_cast<unsigned char>(bytes[0]) == 0x80 || bytes[begin] == '{');
}

Result<Dump> read_dump(std::string_view bytes, const std::string& shown) {
  const bool pickled = !bytes.empty() && static_cast<unsigned char>(bytes[0]) == 0x80;
  Result<Json> read = pickled ? read_pickle(bytes, shown) : read_json(bytes, shown);
  if (!read) return read.error();
  const Json& file = read.value();
  const Json& entries = member(file, "entries");
  if (!entries.is_array())
    return Error{.message = "this is no dump of the flight recorder: it has no list `entries`", .path = shown};

  Dump dump{.file = shown, .entries = {}, .members = {}};
  const Json& rank = member(file, "rank");
  const std::optional<int> named = rank_in_name(shown);
  if (rank.is_number_integer() && rank.get<int64_t>() >= 0 && rank.get<int64_t>() < 1'000'000'000) {
    dump.rank = rank.get<int>();
  } else if (named) {
    dump.rank = *named;
  } else {
    return Error{.message =
                     "the rank of this dump is unknown: it has no `rank`, and its name does not end in one, as in "
                     "`trace_rank_3`",
                 .path = shown};
  }
  for (const Json& entry : entries) {
    if (!entry.is_object())
      return Error{.message = "the dump is damaged: number " + std::to_string(dump.entries.size()) +
                              " of `entries` is no object",
                   .path = shown};
    dump.entries.push_back(entry_of(entry, member(file, "pg_status")));
  }
  if (const Json& groups = member(file, "pg_config"); groups.is_object())
    for (const auto& [name, group] : groups.items())
      if (std::vector<int> ranks = ranks_of(member(group, "ranks")); !ranks.empty())
        dump.members[name] = std::move(ranks);
  return dump;
}

}  // namespace ranklint::app

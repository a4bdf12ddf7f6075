// `ranklint trace DIR`: what each rank of a hung job waits in, which line that is, and which finding predicted it.
#include <algorithm>
#include <array>

#include "app/check/checked.h"
#include "app/check/counted.h"
#include "app/cli/commands.h"
#include "app/files/paths.h"
#include "app/json/read_json.h"
#include "app/trace/dumps.h"
#include "app/trace/predicted.h"
#include "app/trace/stuck.h"

namespace ranklint::app {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr size_t kMostPredictions = 3;

struct Prediction {
  const Finding* finding;
  const SuppressedFinding* suppressed;  // null: it was reported
};

std::string ranks_with_spans(const std::vector<int>& ranks) {
  std::string out;
  for (size_t i = 0; i < ranks.size();) {
    size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    out.append(out.empty() ? "" : ", ").append(std::to_string(ranks[i]));
    if (last > i) out.append(last == i + 1 ? ", " : "..").append(std::to_string(ranks[last]));
    i = last + 1;
  }
  return (ranks.size() == 1 ? "rank " : "ranks ") + out;
}

std::vector<int> ranks_in(const Stuck& stuck, Standing::Where where) {
  std::vector<int> ranks;
  for (const Standing& standing : stuck.members)
    if (standing.where == where) ranks.push_back(standing.rank);
  return ranks;
}

std::string group_of(const TraceEntry& entry) {
  return "`" + (entry.group_said.empty() ? entry.group : entry.group_said) + "`";
}

std::string call_of(const TraceEntry& entry) {
  return "`" + entry.op + "` on " + group_of(entry) + ", number " + std::to_string(entry.sequence);
}

std::string summary_of(const Stuck& stuck) {
  const std::string group = "`" + (stuck.group_said.empty() ? stuck.group : stuck.group_said) + "`";
  const std::string call = "`" + stuck.op + "` on " + group + ", number " + std::to_string(stuck.sequence) + ": ";
  const std::vector<int> in = ranks_in(stuck, Standing::Where::InIt),
                         another = ranks_in(stuck, Standing::Where::InAnother),
                         missing = ranks_in(stuck, Standing::Where::NotThere),
                         unknown = ranks_in(stuck, Standing::Where::NoDump);
  const auto verb = [](const std::vector<int>& ranks, const char* one, const char* many) {
    return ranks.size() == 1 ? one : many;
  };
  std::string text = call + ranks_with_spans(in) + verb(in, " waits", " wait");
  if (!another.empty())
    text += ", " + ranks_with_spans(another) + verb(another, " issues", " issue") + " something else";
  if (!missing.empty()) text += ", " + ranks_with_spans(missing) + verb(missing, " has", " have") + " not come";
  if (another.empty() && missing.empty() && unknown.empty() && in.size() > 1)
    text += ", all that are in the group: slow, or the network";
  if (!unknown.empty()) text += "; of " + ranks_with_spans(unknown) + " nothing is known";
  return text;
}

std::string place_of(const TraceEntry& entry) {
  const Frame* frame = own_frame(entry);
  if (frame == nullptr) return entry.frames.empty() ? "the dump has no frames" : "in a library";
  return frame->file + ":" + std::to_string(frame->line) + " in " + frame->function;
}

std::string said_of(const Standing& standing) {
  std::string who = "rank " + std::to_string(standing.rank) + " ";
  const TraceEntry* entry = standing.entry;
  switch (standing.where) {
    case Standing::Where::InIt: return who + "waits";
    case Standing::Where::InAnother:
      return who + (entry->over ? "issued " : "is in ") + call_of(*entry) +
             (entry->sizes.empty() || entry->sizes == "[]" ? "" : " of " + entry->sizes);
    case Standing::Where::NotThere:
      if (entry == nullptr) return who + "has issued nothing";
      return who + (entry->over ? "came last through " : "is in ") + call_of(*entry);
    case Standing::Where::NoDump: return who + "has no dump, or its ring has forgotten";
  }
  return who;
}

// What the sources say of the dumps.
struct Traced {
  const Checked& checked;
  const FrameFiles& files;
};

// The source line of a frame whose file is among those that are checked.
std::string source_line(const Frame& frame, const Traced& traced) {
  const std::string_view path = traced.files.file_of(frame.file);
  if (path.empty()) return "";
  std::string_view text = traced.checked.texts->text(std::string(path));
  for (uint32_t line = 1; line < frame.line && !text.empty(); ++line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = text.substr(0, text.find('\n'));
  const size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? ""
                                         : std::string(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
}

std::vector<Prediction> predictions(const Stuck& stuck, const Traced& traced) {
  std::vector<std::pair<int, Prediction>> fitting;
  for (const Finding& finding : traced.checked.judged.findings)
    if (const int value = fit(finding, stuck, traced.files)) fitting.push_back({value, {&finding, nullptr}});
  for (const SuppressedFinding& s : traced.checked.judged.suppressed)
    if (const int value = fit(s.finding, stuck, traced.files)) fitting.push_back({value, {&s.finding, &s}});
  std::stable_sort(fitting.begin(), fitting.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Prediction> best;
  for (const auto& [value, prediction] : fitting)
    if (best.size() < kMostPredictions) best.push_back(prediction);
  return best;
}

std::string place_of(const Location& at) {
  return at.path + ":" + std::to_string(at.range.line) + ":" + std::to_string(at.range.column);
}

void tell(Io& io, const Stuck& stuck, const Traced& traced) {
  io.out << '\n' << summary_of(stuck) << '\n';
  for (const Standing& standing : stuck.members) {
    if (standing.where == Standing::Where::NoDump) continue;
    io.out << "  " << said_of(standing) << '\n';
    if (standing.entry == nullptr) continue;
    io.out << "      " << place_of(*standing.entry) << '\n';
    const Frame* frame = own_frame(*standing.entry);
    if (frame == nullptr) continue;
    if (const std::string line = source_line(*frame, traced); !line.empty()) io.out << "      | " << line << '\n';
  }
  for (const Prediction& p : predictions(stuck, traced)) {
    io.out << "  predicted by " << p.finding->code << ' ' << p.finding->rule << ", " << place_of(p.finding->primary)
           << '\n'
           << "      " << p.finding->message << '\n';
    if (p.suppressed != nullptr)
      io.out << "      (suppressed: " << (p.suppressed->reason.empty() ? "no reason given" : p.suppressed->reason)
             << ")\n";
  }
}

OrderedJson frame_json(const TraceEntry& entry) {
  const Frame* frame = own_frame(entry);
  if (frame == nullptr) return nullptr;
  return {{"path", frame->file}, {"line", frame->line}, {"function", frame->function}};
}

OrderedJson standing_json(const Standing& s) {
  constexpr std::array kWords{"waits", "issues another call", "has not come", "unknown"};
  OrderedJson out{{"rank", s.rank}, {"state", kWords[static_cast<size_t>(s.where)]}, {"call", nullptr}};
  if (s.entry != nullptr)
    out["call"] = {{"op", s.entry->op},       {"group", s.entry->group}, {"number", s.entry->sequence},
                   {"sizes", s.entry->sizes}, {"over", s.entry->over},   {"location", frame_json(*s.entry)}};
  return out;
}

OrderedJson stuck_json(const Stuck& stuck, const Traced& traced) {
  constexpr std::array kKinds{"disagree", "missing", "slow"};
  OrderedJson ranks = OrderedJson::array(), findings = OrderedJson::array();
  for (const Standing& s : stuck.members) ranks.push_back(standing_json(s));
  for (const Prediction& p : predictions(stuck, traced))
    findings.push_back({{"rule", p.finding->rule},
                        {"code", p.finding->code},
                        {"message", p.finding->message},
                        {"path", p.finding->primary.path},
                        {"line", p.finding->primary.range.line},
                        {"suppressed", p.suppressed != nullptr}});
  return {{"kind", kKinds[static_cast<size_t>(stuck.kind)]},
          {"op", stuck.op},
          {"group", stuck.group},
          {"group_name", stuck.group_said},
          {"number", stuck.sequence},
          {"summary", summary_of(stuck)},
          {"ranks", std::move(ranks)},
          {"predicted_by", std::move(findings)}};
}

// Whether nothing waits is known only of ranks whose dump was read and is not empty.
std::string headline(const Dumps& dumps, const std::vector<Stuck>& found) {
  const std::string read = counted(dumps.all.size(), "dump") + ", ";
  if (!found.empty()) return read + counted(found.size(), "call") + " not over";
  return read +
         (dumps.gaps.empty() ? "every call is over" : "no call in them waits; of the other ranks nothing is known");
}

void tell_all(Io& io, const TraceOptions& options, const Dumps& dumps, const std::vector<Stuck>& found,
              const Traced& traced) {
  if (options.output_format == "json") {
    OrderedJson list = OrderedJson::array(), ranks = OrderedJson::array();
    for (const Stuck& stuck : found) list.push_back(stuck_json(stuck, traced));
    for (const Dump& dump : dumps.all) ranks.push_back(dump.rank);
    io.out << json_text({{"schema_version", 1},
                         {"ranks", std::move(ranks)},
                         {"complete", dumps.gaps.empty()},
                         {"stuck", std::move(list)}});
    return;
  }
  if (dumps.all.empty()) return;
  io.out << headline(dumps, found) << '\n';
  for (const Stuck& stuck : found) tell(io, stuck, traced);
}

FrameFiles frame_files(const CheckRun& run, const Checked& checked) {
  const std::string& cwd = run.settings.discovery.cwd;
  std::vector<std::string> files = checked.reported, named;
  files.insert(files.end(), checked.silent.begin(), checked.silent.end());
  for (const std::string& path : run.options.paths) named.push_back(absolute_path(path, cwd));
  for (const std::string& path : run.settings.src) named.push_back(path);
  return {std::move(files), std::move(named), cwd};
}

// Where the sources are not those that the job ran, nothing could be said of them, and the user has to know why.
void tell_strangers(const CheckRun& run, const std::vector<Stuck>& found, const FrameFiles& files) {
  std::string example;
  for (const Stuck& stuck : found)
    for (const Standing& standing : stuck.members) {
      const Frame* frame = standing.entry == nullptr ? nullptr : own_frame(*standing.entry);
      if (frame == nullptr) continue;
      if (!files.file_of(frame->file).empty()) return;
      if (example.empty()) example = frame->file;
    }
  if (example.empty()) return;
  std::string where;
  for (const std::string& path : run.options.paths) where += (where.empty() ? "" : ", ") + path;
  run.io.err << "ranklint: none of the files in the dumps (such as " << example << ") lies in "
             << (where.empty() ? "this folder" : where)
             << ": no source lines and no findings; name the folder that holds the job's sources\n";
}

int trace_with(CheckRun& run, const TraceOptions& options) {
  Result<Dumps> dumps = read_dumps(options.folder, run.io.cwd);
  if (!dumps) return fail(run.io, dumps.error());
  for (const std::string& path : dumps->left_out) run.io.err << path << ": no dump, left out\n";
  for (const Error& damage : dumps->damaged) fail(run.io, damage);
  const std::vector<Stuck> found = find_stuck(dumps.value().all);
  Checked checked{.texts = std::make_shared<SourceTexts>(run.io.cwd)};
  if (!found.empty() && !options.no_check) {
    Result<Checked> read = check_sources(run);
    if (!read) return fail(run.io, read.error());
    checked = std::move(read).value();
  }
  const FrameFiles files = frame_files(run, checked);
  tell_all(run.io, options, dumps.value(), found, {.checked = checked, .files = files});
  if (!options.no_check) tell_strangers(run, found, files);
  if (!dumps->damaged.empty()) return kFailure;
  if (!found.empty()) return kFindings;
  for (const Error& gap : dumps->gaps) fail(run.io, gap);
  return dumps->gaps.empty() ? kClean : kFailure;
}

}  // namespace

int trace_command(const TraceOptions& options, Io& io, const Engine& engine) {
  return with_run(options.check, io, engine, [&](CheckRun& run) { return trace_with(run, options); });
}

}  // namespace ranklint::app

#include "analyzer/project/workspace.h"

#include <algorithm>

#include "analyzer/project/lowering.h"

namespace ranklint {

// Symbols keep their numbers, as they are made in the same order. Every member is named, so that one that is added to a
// module cannot be forgotten here.
ir::Module copy_of(const ir::Module& module) {
  const auto& [path, name, language, conventions, symbols, functions, classes, annotations, pragmas, starts,
               diagnostics, quotes, unknown_count, broken, incomplete, met_time_limit] = module;
  ir::Module twin;
  for (uint32_t s = 0; s < symbols.size(); ++s) twin.symbols.intern(symbols.text(Symbol{s}));
  twin.symbols.add_temporaries_of(symbols);
  twin.path = path;
  twin.name = name;
  twin.language = language;
  twin.conventions = conventions;
  twin.functions = functions;
  twin.classes = classes;
  twin.annotations = annotations;
  twin.pragmas = pragmas;
  twin.starts = starts;
  twin.diagnostics = diagnostics;
  twin.quotes = quotes;
  twin.unknown_count = unknown_count;
  twin.broken = broken;
  twin.incomplete = incomplete;
  twin.met_time_limit = met_time_limit;
  return twin;
}

static Workspace::File file_of(bool reported, LoweredSource read) {
  return {.reported = reported,
          .modules = std::make_shared<const std::vector<ir::Module>>(std::move(read.modules)),
          .program = std::move(read.program),
          .broken = std::move(read.broken)};
}

void Workspace::put(std::vector<SourceFile> files, const Models& models, const AnalysisOptions& options) {
  // By path, so that what follows from the order in which files are read does not depend on the order of the arguments.
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  Lowered lowered = lower_all(files, models, frontend_, options, Headers::EveryTime);
  for (size_t i = 0; i < files.size(); ++i) files_[files[i].path] = file_of(files[i].reported, std::move(lowered[i]));
}

Workspace::File Workspace::read(const SourceFile& file, const Frontend& frontend) {
  return file_of(file.reported, lower_contained(frontend, file));
}

Workspace::Modules Workspace::modules(const std::string& path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : found->second.modules;
}

std::unique_ptr<Session> session_of(const Workspace::Snapshot& files, const Models& models,
                                    const AnalysisOptions& options, std::stop_token stop) {
  std::vector<LoweredFile> lowered;
  lowered.reserve(files.files.size());
  for (const auto& [path, file] : files.files) {
    if (stop.stop_requested()) return nullptr;
    LoweredFile& one = lowered.emplace_back(LoweredFile{
        .path = path, .reported = file.reported, .modules = {}, .program = file.program, .broken = file.broken});
    for (const ir::Module& module : *file.modules) one.modules.push_back(copy_of(module));
  }
  auto session = std::make_unique<Session>(std::move(lowered), models, options, stop);
  return session->is_broken_off() ? nullptr : std::move(session);
}

Analysis check(const Workspace::Snapshot& files, const Models& models, const AnalysisOptions& options) {
  return session_of(files, models, options)->analysis();
}

}  // namespace ranklint

#include "app/check/result_cache.h"

#include <algorithm>
#include <utility>

#include "app/check/pipeline.h"
#include "app/files/observed_files.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

// The analysis does not depend on the order of the files.
void add_sources(Digester& key, const Sources& sources) {
  std::vector<const SourceFile*> files;
  for (const SourceFile& file : sources.files) files.push_back(&file);
  std::sort(files.begin(), files.end(), [](const SourceFile* a, const SourceFile* b) { return a->path < b->path; });
  key.add_number(files.size());
  for (const SourceFile* file : files) key.add(file->path).add_number(file->reported).add(file->bytes);
}

Digest key_of_result(const CheckRun& run, const Digest& engine, const Sources& sources, const Models& models) {
  Digester key;
  key.add(engine).add(models.added());
  const std::vector<Pass> passes = passes_for(run.engine, run.settings);
  key.add_number(passes.size());
  for (const Pass& pass : passes) key.add(pass.name);
  key.add(shown_path(run.settings.build_folder, run.settings.discovery.cwd));
  add_sources(key, sources);
  return key.digest();
}

// A run of the witnesses needs what no record has.
bool keeps(const CheckRun& run) { return !run.engine.identity.empty() && !run.options.verify; }

}  // namespace

Digest key_of_engine(const CheckRun& run) {
  Digester key;
  key.add(run.engine.identity);
  for (const std::string_view variable : run.engine.variables)
    key.add(run.io.environment(std::string(variable)).value_or(""));
  return key.digest();
}

ResultCache::ResultCache(const CheckRun& run, const Sources& sources, const Models& models)
    : store_(keeps(run) ? run.settings.cache_folder : std::string()) {
  if (!run.engine.identity.empty())
    for (const std::string& folder : run.settings.lowered) lowered_.emplace_back(folder);
  engine_ = key_of_engine(run);
  if (store_.is_off()) return;
  anywhere_ = key_of_result(run, engine_, sources, models);
  here_ = Digester().add(anywhere_).add(run.settings.discovery.cwd).digest();
}

std::optional<AnalysisRecord> ResultCache::find() const {
  for (const Digest& key : {anywhere_, here_}) {
    const std::optional<std::string> bytes = store_.get(key);
    if (!bytes) continue;
    std::optional<KeptRecord> kept = unpack_record(*bytes);
    if (kept && are_still_so(kept->seen)) return std::move(kept->record);
  }
  return std::nullopt;
}

std::shared_ptr<const SourceStore> ResultCache::sources(std::shared_ptr<ObservedFiles> observed) const {
  if (store_.is_off() && lowered_.empty()) return nullptr;
  return std::make_shared<const SourceStore>(store_, lowered_, engine_, std::move(observed));
}

void ResultCache::keep(std::optional<std::vector<Observation>> seen, const AnalysisRecord& record) const {
  if (store_.is_off()) return;
  if (seen && record.is_repeatable) {
    const Digest& key = seen->empty() ? anywhere_ : here_;
    store_.put(key, pack_record({.seen = std::move(*seen), .record = record}));
  }
  store_.trim();
}

}  // namespace ranklint::app

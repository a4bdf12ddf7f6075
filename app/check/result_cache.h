// What an earlier check of the same found: with the same program, rules, models, settings and sources, and a machine
// that shows the same where the frontends look.
//
// The sources are found and read in every run; nothing is concluded from times or sizes of files. What is kept is the
// analysis alone (AnalysisRecord): comments, thresholds, settings of single files, baselines and revisions are judged
// anew, and a report is written as after any other check. Paths are relative to where the run starts, so what is kept
// holds for a copy of the project elsewhere; unless a frontend looked at the machine (headers, compile commands): then
// only at that place.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/cache/source_store.h"
#include "app/check/checked.h"
#include "app/check/record_packing.h"

namespace ranklint::app {

// What a file as it was lowered depends on besides its own text and what a frontend is handed for it.
Digest key_of_engine(const CheckRun& run);

class ResultCache {
 public:
  // `sources` as they will be analysed. For a run that keeps nothing it is always empty.
  ResultCache(const CheckRun& run, const Sources& sources, const Models& models);

  bool is_off() const { return store_.is_off(); }
  std::optional<AnalysisRecord> find() const;
  // Files as they were lowered by earlier checks, for those that changed less than all, and by `ranklint lower`; null:
  // there are none, and nothing is kept.
  std::shared_ptr<const SourceStore> sources(std::shared_ptr<ObservedFiles> observed) const;
  // `seen` is what the frontends saw; nothing: it need not be the same again.
  void keep(std::optional<std::vector<Observation>> seen, const AnalysisRecord& record) const;

 private:
  Store store_;
  std::vector<Store> lowered_;
  Digest engine_;    // what every file depends on
  Digest anywhere_;  // the key of what holds at every place
  Digest here_;      // and of what holds at this one
};

}  // namespace ranklint::app

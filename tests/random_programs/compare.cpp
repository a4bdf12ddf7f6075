#include "tests/random_programs/compare.h"

#include <algorithm>

#include "analyzer/ir/parse.h"
#include "analyzer/mpi_check/problem.h"
#include "analyzer/project/shared.h"
#include "app/engine/frontends.h"
#include "tests/random_programs/emit.h"

namespace ranklint::random_programs {
namespace {

Said surest(const Analysis& analysis) {
  Said said = Said::Nothing;
  const auto take = [&](Confidence c) {
    said = std::max(said, c >= Confidence::Likely ? Said::Likely : Said::Possible);
  };
  for (const Mismatch& m : analysis.shared->mismatches) take(m.certainty.degree());
  for (const StuckMessage& m : analysis.shared->messages.stuck) take(m.certainty.degree());
  return said;
}

Analysis analysis_of(const std::string& path, std::string text, const Models& models, const Frontend& frontend) {
  std::vector<SourceFile> files;
  files.push_back({.path = path, .bytes = std::move(text)});
  AnalysisOptions options;
  options.threads = 1;
  return analyze(std::move(files), models, frontend, options);
}

Said analyse_with(const std::string& path, std::string text, const Models& models, const Frontend& frontend) {
  return surest(analysis_of(path, std::move(text), models, frontend));
}

}  // namespace

Said analyse(const Program& program, const Models& models) {
  return analyse_with("program.py", as_ir(program), models, [](const std::string& path, std::string_view text) {
    std::vector<ir::Module> modules;
    Result<ir::Module> module = ir::parse(text, path);
    RANKLINT_CHECK(module.has_value(), "the emitted IR parses");
    modules.push_back(std::move(module).value());
    return modules;
  });
}

Said analyse_source(const std::string& path, const std::string& text, const Models& models) {
  return analyse_with(path, text, models, app::lower_source);
}

Run run_cpp(const std::string& text, const Models& models) {
  const Analysis analysis = analysis_of("program.cpp", text, models, app::lower_source);
  if (analysis.shared->runs.size() != 1 || !analysis.shared->runs[0]->is_exact) return Run::Unknown;
  Run run = Run::Finishes;
  for (const mpi_check::Problem& p : analysis.shared->runs[0]->problems) {
    if (p.kind == mpi_check::ProblemKind::SendCycle) run = std::max(run, Run::NeedsBuffers);
    if (p.kind == mpi_check::ProblemKind::UnmatchedMessage || p.kind == mpi_check::ProblemKind::CollectiveMismatch)
      run = Run::Hangs;
  }
  return run;
}

Outcome compare(const Program& program, const Models& models) {
  return compare(program, find_hang(program).has_value(), analyse(program, models));
}

Outcome compare(const Program& program, bool hangs, Said said) {
  if (hangs == (said == Said::Likely)) return Outcome::Agree;
  const bool messages = has_messages(program);
  if (messages && addresses_nobody(program, 4)) return Outcome::Agree;
  if (hangs) return Outcome::Miss;
  // Where a smaller world fails, it does so before it could hang.
  if (messages && (addresses_nobody(program, 2) || addresses_nobody(program, 3))) return Outcome::Agree;
  return some_function_hangs(program) ? Outcome::Agree : Outcome::FalseAlarm;
}

std::string describe(const Hang& hang) {
  std::string text = std::to_string(hang.mesh.outer) + " x tp " + std::to_string(hang.mesh.tp) + " x dp " +
                     std::to_string(hang.mesh.dp) + (hang.mesh.tp_is_fastest ? ", tp fastest" : ", dp fastest") +
                     ", u0 " + std::to_string(hang.flags[0]) + ", u1 " + std::to_string(hang.flags[1]) + ", n0 " +
                     std::to_string(hang.rounds);
  if (!hang.local.empty()) text += ", each rank seeing";
  for (uint32_t seen : hang.local) text += " " + std::to_string(seen);
  return text;
}

}  // namespace ranklint::random_programs

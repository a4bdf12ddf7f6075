#include "analyzer/project/mpi_runs.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analyzer/base/contain.h"
#include "analyzer/machine/link.h"
#include "analyzer/mpi_check/problem.h"
#include "analyzer/project/shared.h"

namespace ranklint {

namespace {

// Whether it says where the ranks diverge, or that they do not.
bool knows_better(const mpi_check::Verdict& verdict) {
  return verdict.is_exact ||
         std::any_of(verdict.problems.begin(), verdict.problems.end(), [](const mpi_check::Problem& p) {
           return p.kind == mpi_check::ProblemKind::CollectiveMismatch ||
                  p.kind == mpi_check::ProblemKind::CollectiveArguments;
         });
}

void note_run_through(const mpi_check::Verdict& verdict, Shared& shared) {
  std::set<std::pair<std::string_view, SourceRange>> names;
  for (const mpi_check::Mark& mark : verdict.reached) names.emplace(mark.file, mark.range);
  for (FunctionKey f{0}; f.index < shared.index->functions().size(); ++f.index)
    if (names.contains({shared.index->path(f), shared.index->function(f).name_range})) shared.run_through.insert(f);
}

}  // namespace

void run_mpi_programs(const Programs& units, Shared& shared, std::vector<BrokenPiece>& broken) {
  const auto contained = [&](const std::string& path, const std::function<void()>& body) {
    if (std::optional<std::string> what = contain(body))
      broken.push_back({.path = path, .stage = "run in small worlds", .what = std::move(*what)});
  };
  contained({}, [&] {
    machine::link(units, [&](const machine::Program& program) {
      contained(program.unit, [&] {
        shared.runs.push_back(std::make_shared<const mpi_check::Verdict>(mpi_check::explore(program)));
        if (knows_better(*shared.runs.back())) note_run_through(*shared.runs.back(), shared);
      });
    });
  });
}

}  // namespace ranklint

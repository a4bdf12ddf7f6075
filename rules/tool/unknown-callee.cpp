// Calls by some ranks only of what is not known and takes a group (RL905).
#include <algorithm>

#include "analyzer/questions/code.h"
#include "analyzer/questions/rank_guard.h"
#include "rules/wording.h"

namespace ranklint::unknown_callee {

constexpr RuleInfo kInfo{.id = "unknown-callee",
                         .code = "RL905",
                         .summary = "only some ranks call something unknown that may communicate",
                         .severity = Severity::Info,
                         .since = "0.1",
                         .no_wait = "nothing is known to go wrong",
                         .premise = "what is called communicates",
                         .default_on = false};

namespace {

// A call that only some ranks make, takes a group, and of which nothing is known.
struct UnknownCallee {
  FunctionKey function;
  SourceRange range, guard;
  std::string callee;
};

bool takes_a_group(const NamePriors& priors, const FunctionCode& code, const ir::Instruction& i) {
  return std::ranges::any_of(ir::arguments(code.ir, i), [&](const ir::Argument& a) {
    if (a.kind != ir::ArgumentKind::Keyword) return false;
    const std::string_view keyword = code.text.text(a.keyword);
    return priors.suggest(keyword, NameMeaning::Group) || priors.suggest(keyword, NameMeaning::Mesh);
  });
}

std::vector<UnknownCallee> unknown_callees(const Query& in) {
  std::vector<UnknownCallee> found;
  in.for_each_function_to_check("unknown callees", [&](FunctionKey f) {
    const Summary* s = in.summary(f);
    if (!s) return;
    const FunctionCode code(in.index(), *s);
    for (ir::BlockId b : s->graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind != ir::InstructionKind::Call || !takes_a_group(in.priors(), code, i)) continue;
        const Entity callee = in.index().resolve(code.module, code.ir, i.value);
        if (callee.kind != Entity::Kind::External) continue;
        const std::string name(in.index().names().text(callee.name));
        if (in.roles().play(name.substr(0, name.find('.')), Role::InstalledLibrary) || in.models().find(name)) continue;
        if (const ir::BlockId guard = rank_guard_of(in, *s, b); guard.valid())
          found.push_back({f, i.range, code.ir.blocks[guard].terminator.range, name.substr(name.rfind('.') + 1)});
      }
  });
  return found;
}

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const UnknownCallee& call : unknown_callees(in)) {
    if (!is_reported(shared, call.function)) continue;
    Finding finding = finding_at(kInfo, shared, call.function, call.range, Confidence::Likely);
    finding.message = "nothing is known of `" + call.callee + "`, which only some ranks call and which takes a group";
    finding.related.push_back({{finding.primary.path, call.guard}, "ranks diverge here"});
    finding.help = "describe the function in a model file, or add its source to what is read";
    finding.fingerprint_key = call.callee;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unknown_callee

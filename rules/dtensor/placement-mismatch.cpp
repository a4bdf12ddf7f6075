#include <algorithm>
#include <array>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/layout.h"
#include "rules/wording.h"

namespace ranklint::placement_mismatch {

constexpr RuleInfo kInfo{.id = "placement-mismatch",
                         .code = "RL307",
                         .summary = "local data is declared with a placement that it does not have",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "values are wrong",
                         .premise = "the mesh has more than one rank"};

constexpr std::array<std::string_view, 1> kCalls{"<declares-layout>"};

namespace {

// `from_local` of data that differs between ranks as whole, or of whole data as a part.
struct MisplacedData {
  FunctionKey function;
  SourceRange range;
  std::string declared;
  std::optional<SourceRange> whole_made_at;  // none: the data differs
};

// `from_local` of data of any length, made whole at once as if all ranks had the same length.
struct UnevenGather {
  FunctionKey function;
  SourceRange range;
  std::string declared;
};

struct PlacementsFound {
  std::vector<MisplacedData> misplaced;
  std::vector<UnevenGather> uneven;
};

class Placements {
 public:
  explicit Placements(const Query& in) : in_(in), values_(in.values()), index_(in.index()) {}

  PlacementsFound run() {
    in_.for_each_watched(kInfo.id, [&](FunctionKey f, const auto& calls) {
      const Summary* s = in_.summary(f);
      for (const auto& [site, call] : calls)
        if (s) check_layout(FunctionCode(index_, *s), {site.block, site.instruction}, call);
    });
    return std::move(found_);
  }

 private:
  static std::string worded(const Placement& p) {
    return std::string(p.written_as) + (p.dim ? "(" + std::to_string(*p.dim) + ")" : "");
  }

  // Of data that each rank has by itself, on a mesh of one dimension.
  void check_layout(const FunctionCode& code, ProgramPoint at, const WatchedCall& call) {
    const ir::Instruction& instruction = code.ir.blocks[at.block].instructions[at.instruction];
    const RoleEntry* declares = role_of(in_, code, instruction, Role::DeclaresLayout);
    if (call.call.positional.empty() || !declares) return;
    const std::optional<Layout> layout = layout_given(in_, code, instruction, at);
    if (!layout || layout->placements.size() != 1) return;
    const Placement& declared = layout->placements[0];
    const Derivation from = derivation_of(code, first_argument(code, instruction), at);
    const ValueId data = call.call.positional[0];
    if (declared.is_whole && !values_.variance(data).empty() && values_[data].kind != ValueKind::Believed)
      found_.misplaced.push_back({code.key, call.range, worded(declared), std::nullopt});
    if (declared.is_whole) return;
    for (const ProgramPoint& p : from.calls)
      if (const ir::Instruction& made = code.ir.blocks[p.block].instructions[p.instruction];
          plays(in_, code, made, Role::GivesWhole))
        found_.misplaced.push_back({code.key, call.range, worded(declared), made.range});
    const bool is_sized = given_for(code, instruction, *declares).valid();
    if (declared.dim == 0 && !is_sized && gathered_at_once(code, at) && takes_data(code, from))
      found_.uneven.push_back({code.key, call.range, worded(declared)});
  }

  // `DTensor.from_local(...).full_tensor()`, whose own arguments may be calls in between.
  bool gathered_at_once(const FunctionCode& code, ProgramPoint at) const {
    const auto& instructions = code.ir.blocks[at.block].instructions;
    const ir::ExprId made = instructions[at.instruction].target;
    if (code.name(made).empty()) return false;
    const auto reader =
        std::find_if(instructions.begin() + at.instruction + 1, instructions.end(), [&](const ir::Instruction& i) {
          return code.reads(i, [&](Symbol name) { return name == code.ir.exprs[made].symbol; });
        });
    if (reader == instructions.end() || reader->kind != ir::InstructionKind::Call ||
        code.ir.exprs[reader->value].kind != ir::ExprKind::Attribute)
      return false;
    return plays(in_, code, *reader, Role::GivesWhole) &&
           code.name(ir::children(code.ir, reader->value)[0]) == code.name(made);
  }

  // In a module's forward, of what it is given: a batch, whose length is each rank's own.
  bool takes_data(const FunctionCode& code, const Derivation& from) const {
    if (!in_.roles().play(code.text.text(code.ir.name), Role::ComputesOutput) || names_one(in_, code, Role::Pads) ||
        names_one(in_, code, NameMeaning::EqualGather))
      return false;
    return std::any_of(from.parameters.begin(), from.parameters.end(), [](int p) { return p > 0; });
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  PlacementsFound found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const PlacementsFound placements = Placements(in).run();
  for (const MisplacedData& data : placements.misplaced) {
    if (!is_reported(shared, data.function)) continue;
    Finding finding = finding_at(kInfo, shared, data.function, data.range, Confidence::Likely);
    finding.message = "`from_local` declares `" + data.declared + "`, but " +
                      (data.whole_made_at ? "every rank has the whole tensor" : "its values follow from the rank");
    if (data.whole_made_at)
      finding.related.push_back({location_at(shared, data.function, *data.whole_made_at), "made here"});
    finding.help = "declare the placement that the data has, or redistribute it";
    finding.fingerprint_key = data.declared + "misplaced";
    findings.push_back(std::move(finding));
  }
  for (const UnevenGather& gather : placements.uneven) {
    if (!is_reported(shared, gather.function)) continue;
    Finding finding = finding_at(kInfo, shared, gather.function, gather.range, Confidence::Likely);
    finding.message = "`from_local` with `" + gather.declared +
                      "` takes every rank's first dimension for as long as this one's, and it is gathered at once: "
                      "ranks with batches of other lengths disagree about its size";
    finding.help = "pass `shape` and `stride` of the whole, or agree on the lengths and pad before gathering";
    finding.fingerprint_key = gather.declared + "uneven";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::placement_mismatch

// Members of a model that are asked of its wrapper. `DistributedDataParallel` is a module beside the model and passes
// on calls and nothing else: `model.hidden_size` works on one device, and where the model is wrapped it raises
// AttributeError. What a wrapper has itself is data (Role::OfferedByWrapper). The member has to be seen, too: in the
// model's class, or where that is not known, in a class of models of the project.
#include <map>
#include <set>
#include <utility>

#include "analyzer/resolve/dotted.h"
#include "rules/fsdp/hiding_wrappers.h"
#include "rules/fsdp/own_members.h"
#include "rules/wording.h"

namespace ranklint::wrapper_hides_member {

constexpr RuleInfo kInfo{.id = "wrapper-hides-member",
                         .code = "RL410",
                         .summary = "a member of the model is asked of a wrapper that does not pass it on",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "every rank fails",
                         .premise = "the program runs with the model wrapped"};

constexpr std::string_view kCalls[] = {"<hides-members>"};

namespace {

struct HiddenUse {
  FunctionKey function;
  SourceRange range;
  std::string variable, member;  // as the source writes them
  HeldWrapper held;
  OwnMember own;
};

class HiddenUses {
 public:
  explicit HiddenUses(const Query& in) : in_(in), index_(in.index()), wrappers_(in), members_(in) {}

  std::vector<HiddenUse> run() {
    for (const FunctionKey f : wrappers_.functions()) in_.contain(f, kInfo.id, [&] { note_members_set(f); });
    for (const FunctionKey f : wrappers_.functions()) in_.contain(f, kInfo.id, [&] { check(f); });
    return std::move(found_);
  }

 private:
  // `model.steps = 0`: from then on the wrapper has it. What holds a wrapper there may go elsewhere under other names.
  void note_members_set(FunctionKey f) {
    const Summary* s = in_.summary(f);
    if (!s) return;
    const FunctionCode code(index_, *s);
    for (ir::BlockId b{0}; b.index < code.ir.blocks.size(); ++b.index) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        ir::any_part(code.ir, instructions[i].target, [&](ir::ExprId part) {
          const ir::Expr& e = code.ir.exprs[part];
          if (e.kind != ir::ExprKind::Attribute) return false;
          const std::string member = name_in(f, e.symbol);
          set_.emplace(owner_of(f, part), member);
          if (const auto held = wrappers_.held(code, ir::children(code.ir, part)[0], {b, i}))
            set_on_wrappers_.emplace(class_of(*held), member);
          return false;
        });
    }
  }

  ClassKey class_of(const HeldWrapper& held) const {
    return held.model.valid() ? in_.values().class_of(held.model) : ClassKey{};
  }

  void check(FunctionKey f) {
    const Summary* s = in_.summary(f);
    if (!s) return;
    const FunctionCode code(index_, *s);
    std::map<std::pair<std::string, std::string>, HiddenUse> first;
    const auto look_at = [&](ir::ExprId whole, ProgramPoint at, SourceRange range) {
      ir::any_part(code.ir, whole, [&](ir::ExprId part) {
        std::optional<HiddenUse> use = use_of(code, part, at, whole);
        if (!use) return false;
        use->range = range;
        const auto [known, is_new] = first.try_emplace({use->variable, use->member}, *use);
        if (!is_new && range < known->second.range) known->second = std::move(*use);
        return false;
      });
    };
    for (const ir::BlockId b : code.graph().order()) {
      const ir::Block& block = code.ir.blocks[b];
      const auto count = static_cast<uint32_t>(block.instructions.size());
      for (uint32_t i = 0; i < count; ++i) {
        const ir::Instruction& instruction = block.instructions[i];
        look_at(instruction.value, {b, i}, instruction.range);
        if (instruction.kind == ir::InstructionKind::Call)
          for (const ir::Argument& a : ir::arguments(code.ir, instruction)) look_at(a.value, {b, i}, instruction.range);
      }
      look_at(block.terminator.value, {b, count}, block.terminator.range);
    }
    for (auto& [what, use] : first) found_.push_back(std::move(use));
  }

  std::optional<HiddenUse> use_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at, ir::ExprId whole) {
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind != ir::ExprKind::Attribute) return std::nullopt;
    const std::string member(code.text.text(expr.symbol));
    const ir::ExprId variable = ir::children(code.ir, e)[0];
    if (in_.roles().play(member, Role::OfferedByWrapper) || !ir::is_dotted(code.ir, variable)) return std::nullopt;
    const std::string name = owner_of(code.key, e);
    if (set_.contains({name, member}) || SymbolTable::is_unnamed(name)) return std::nullopt;
    const std::optional<HeldWrapper> held = wrappers_.held(code, variable, at);
    if (!held || set_on_wrappers_.contains({class_of(*held), member})) return std::nullopt;
    if (questions_.stand_in(code, whole, at, variable, held->options)) return std::nullopt;
    const std::optional<OwnMember> own = members_.find(held->model, index_.name(code.module, expr.symbol));
    if (!own) return std::nullopt;
    return HiddenUse{code.key, {}, index_.dotted(code.module, code.ir, variable), member, *held, *own};
  }

  // The last part of the name of what the attribute is taken of.
  std::string owner_of(FunctionKey f, ir::ExprId attribute) const {
    const ir::Function& function = index_.function(f);
    const ir::ExprId object = ir::children(function, attribute)[0];
    return ir::is_dotted(function, object) ? name_in(f, function.exprs[object].symbol) : std::string();
  }
  std::string name_in(FunctionKey f, Symbol name) const {
    return std::string(index_.modules()[index_.functions()[f].module].text(name));
  }

  const Query& in_;
  const ProjectIndex& index_;
  HidingWrappers wrappers_;
  OwnMembers members_;
  WrapperQuestions questions_{in_};
  std::set<std::pair<std::string, std::string>> set_;           // of variables, by name
  std::set<std::pair<ClassKey, std::string>> set_on_wrappers_;  // by the class of the model; invalid: not known
  std::vector<HiddenUse> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const HiddenUse& use : HiddenUses(in).run()) {
    if (!is_reported(shared, use.function)) continue;
    // What wraps together with other ranks needs a job.
    if (use.held.is_of_job && is_without_job(shared, use.function)) continue;
    const bool is_sure = !use.held.in_some_runs && !use.own.is_by_name;
    const std::string wrapper(last_part(use.held.wrapper->name));
    const Confidence found = is_sure ? Confidence::High : Confidence::Likely;
    Finding finding = finding_at(kInfo, shared, use.function, use.range,
                                 use.held.is_of_job ? certainty_of_several_ranks(shared, use.function, found) : found);
    finding.message = "`" + use.variable + "` holds the wrapper that `" + wrapper +
                      "` makes, which does not pass on `" + use.member + "`: AttributeError where the model is wrapped";
    finding.help =
        "take `" + use.member + "` of the model itself, by " + use.held.wrapper->note + " where it is wrapped";
    finding.related.push_back({location_at(shared, use.held.made_at.function, use.held.range), "wrapped here"});
    finding.related.push_back(
        {location_at(shared, use.own.defined.function, use.own.defined.range), "`" + use.member + "` of the model"});
    finding.fingerprint_key = use.variable + "." + use.member;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::wrapper_hides_member

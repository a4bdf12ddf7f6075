#include <algorithm>
#include <set>

#include "analyzer/program/given_for.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/identifier_words.h"
#include "analyzer/resolve/builtins.h"
#include "rules/sequence-parallel/remainders.h"
#include "rules/wording.h"

namespace ranklint::sequence_not_padded {

constexpr RuleInfo kInfo{
    .id = "sequence-not-padded",
    .code = "RL603",
    .summary = "a sequence is cut over ranks without padding, and gathered as if the pieces were equal",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "the result is wrong",
    .premise = "a length comes up that the number of ranks does not divide"};

namespace {

constexpr size_t kMostDefinitions = 60;  // that one look for padding goes back over

// A sequence that is cut over the ranks and gathered as if all chunks were equal.
struct UnpaddedChunk {
  FunctionKey function;
  SourceRange cut_at;
  SourceRange gathered_at;
};

class UnpaddedChunks {
 public:
  explicit UnpaddedChunks(const Query& in) : in_(in), index_(in.index()), remainders_(in) {}

  std::vector<UnpaddedChunk> run(const Shared& shared) {
    in_.for_each_function_to_check("divisibility", [&](FunctionKey key) {
      const Summary* s = is_reported(shared, key) ? in_.summary(key) : nullptr;
      if (s && !index_.function(key).blocks.empty()) find_chunk(FunctionCode(index_, *s));
    });
    return std::move(found_);
  }

 private:
  // The first of the function: `torch.chunk(x, size, dim)[rank]` with a gather after it.
  void find_chunk(const FunctionCode& code) {
    SourceRange first, gather;
    bool padded = false;
    for_each_call(code, [&](const ir::Instruction& call, ProgramPoint at) {
      const std::string_view name = name_of_callee(code, call);
      const RoleEntry* cuts = cut_named(name);
      if (!cuts) {
        padded |= name_suggests_filling_up(name);
        if (first.known() && !gather.known() && is_equal_gather(name) && first < call.range) gather = call.range;
        return;
      }
      const ir::ExprId base = code.ir.exprs[call.value].kind == ir::ExprKind::Attribute
                                  ? ir::children(code.ir, call.value)[0]
                                  : ir::ExprId{};
      const bool free = names_library(index_, code, base);
      const ir::ExprId tensor = free ? given_for(code.ir, code.text, call, 0, "input") : base;
      const ir::ExprId count = given_for(code.ir, code.text, call, free ? 1 : 0, cuts->argument.keyword);
      if (!count.valid() || !name_suggests_sequence_size(in_.priors(), identifier_words_with_source(code, count, at)) ||
          !is_taken_by_rank(code, call))
        return;
      if (cuts->role == Role::CutsByLength && code.ir.exprs[count].kind != ir::ExprKind::Binary)
        return;  // split(x, x.size(1) // sp_size)
      padded |= is_padded(code, tensor, at);
      if (!first.known()) first = call.range;
    });
    if (first.known() && gather.known() && !padded &&
        !remainders_.is_checked(code, &Remainders::OfFunction::by_sequence))
      found_.push_back({.function = code.key, .cut_at = first, .gathered_at = gather});
  }

  const RoleEntry* cut_named(std::string_view function) const {
    for (const Role role : {Role::CutsIntoChunks, Role::SplitsIntoParts, Role::CutsByLength})
      if (const RoleEntry* entry = in_.roles().find(function, role)) return entry;
    return nullptr;
  }

  bool is_equal_gather(std::string_view name) const { return in_.priors().suggest(name, NameMeaning::EqualGather); }

  // `pieces[rank]`, at once or later.
  bool is_taken_by_rank(const FunctionCode& code, const ir::Instruction& call) const {
    if (!call.target.valid() || code.name(call.target).empty()) return false;
    bool taken = false;
    for_each_expression(code, [&](ir::ExprId e, ProgramPoint at) {
      const ir::Expr& expr = code.ir.exprs[e];
      if (taken || expr.kind != ir::ExprKind::Subscript ||
          code.name(ir::children(code.ir, e)[0]) != code.name(call.target))
        return;
      const Reaching from = code.reaching(code.ir.exprs[ir::children(code.ir, e)[0]].symbol, at);
      const bool of_call = std::any_of(from.definitions.begin(), from.definitions.end(),
                                       [&](const Definition& d) { return d.instruction == &call; });
      taken = of_call &&
              any_suggests(in_.priors(), identifier_words(code, ir::children(code.ir, e)[1], at), NameMeaning::Rank);
    });
    return taken;
  }

  // Whether the value has been filled up on the way to a place.
  bool is_padded(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
    Seen seen;
    size_t budget = kMostDefinitions;
    return pads(code, e, at, seen, budget);
  }

  using Seen = std::set<std::pair<ProgramPoint, uint32_t>>;

  // Follows what decides about the length: the first operand, the object of a method, the first argument.
  bool pads(const FunctionCode& code, ir::ExprId e, ProgramPoint at, Seen& seen, size_t& budget) const {
    if (!e.valid()) return false;
    const ir::Expr& expr = code.ir.exprs[e];
    const auto children = ir::children(code.ir, e);
    switch (expr.kind) {
      case ir::ExprKind::Name: return name_pads(code, expr.symbol, at, seen, budget);
      case ir::ExprKind::Function: return body_pads(code, expr.function());
      case ir::ExprKind::List:
      case ir::ExprKind::Tuple:
        return std::any_of(children.begin(), children.end(),
                           [&](ir::ExprId child) { return pads(code, child, at, seen, budget); });
      case ir::ExprKind::Conditional:
        return pads(code, children[1], at, seen, budget) || pads(code, children[2], at, seen, budget);
      default: return !children.empty() && pads(code, children[0], at, seen, budget);
    }
  }

  bool name_pads(const FunctionCode& code, Symbol name, ProgramPoint at, Seen& seen, size_t& budget) const {
    if (name_suggests_filling_up(code.text.text(name))) return true;
    for (const Definition& d : code.reaching(name, at).definitions) {
      if (!d.instruction || budget == 0 || !seen.insert({d.place, name.index}).second) continue;
      --budget;
      if (d.instruction->kind == ir::InstructionKind::Call ? call_pads(code, *d.instruction, d.place, seen, budget)
                                                           : pads(code, d.instruction->value, d.place, seen, budget))
        return true;
    }
    return false;
  }

  bool call_pads(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at, Seen& seen,
                 size_t& budget) const {
    const std::string_view name = name_of_callee(code, call);
    if (name_suggests_filling_up(name)) return true;
    const ir::Expr& callee = code.ir.exprs[call.value];
    if (callee.kind == ir::ExprKind::Function && body_pads(code, callee.function())) return true;
    const ir::ExprId first = given_for(code.ir, code.text, call, 0, "input");
    if (in_.roles().play(name, Role::JoinsTensors))
      if (first.valid() && any_suggests(in_.priors(), identifier_words(code, first, at), NameMeaning::Filling))
        return true;
    const ir::ExprId base =
        callee.kind == ir::ExprKind::Attribute ? ir::children(code.ir, call.value)[0] : ir::ExprId{};
    const bool of_library = names_library(index_, code, base);
    if (of_library && is_of_written_size(code, call)) return true;
    const bool of_object = base.valid() && !of_library && !is_builtin(code.name(base), Builtin::Self) &&
                           code.ir.exprs[base].kind == ir::ExprKind::Name;
    return pads(code, of_object ? base : first, at, seen, budget);
  }

  // `torch.rand(128)`: a length that is written down is chosen for as many ranks as there are to be.
  bool is_of_written_size(const FunctionCode& code, const ir::Instruction& call) const {
    if (!plays(in_, code, call, Role::MakesTensor) && !plays(in_, code, call, Role::CountsIntoTensor)) return false;
    const auto is_number = [&](ir::ExprId e) { return code.ir.exprs[e].kind == ir::ExprKind::Integer; };
    const auto is_size = [&](ir::ExprId e) {
      const ir::ExprKind kind = code.ir.exprs[e].kind;
      return is_number(e) || ((kind == ir::ExprKind::Tuple || kind == ir::ExprKind::List) &&
                              std::ranges::all_of(ir::children(code.ir, e), is_number));
    };
    bool any = false;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      if (a.kind == ir::ArgumentKind::Keyword) continue;
      if (a.kind != ir::ArgumentKind::Positional || !is_size(a.value)) return false;
      any = true;
    }
    return any;
  }

  bool name_suggests_filling_up(std::string_view name) const {
    return in_.priors().suggest(name, NameMeaning::Padding);
  }

  // A comprehension or lambda in which something is filled up.
  bool body_pads(const FunctionCode& code, ir::FunctionId id) const {
    const ir::Function& body = code.text.functions[id];
    return std::any_of(body.exprs.begin(), body.exprs.end(), [&](const ir::Expr& e) {
      return (e.kind == ir::ExprKind::Attribute || e.kind == ir::ExprKind::Name) &&
             in_.priors().suggest(code.text.text(e.symbol), NameMeaning::Filling);
    });
  }

  const Query& in_;
  const ProjectIndex& index_;
  const Remainders remainders_;
  std::vector<UnpaddedChunk> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const UnpaddedChunk& chunk : UnpaddedChunks(in).run(shared)) {
    Finding finding = finding_at(kInfo, shared, chunk.function, chunk.cut_at, Confidence::Likely);
    finding.message =
        "each rank takes its chunk of a sequence that nothing makes a multiple of the group: the last rank's is "
        "shorter, or missing";
    finding.related.push_back({{finding.primary.path, chunk.gathered_at}, "gathered here as if all chunks were equal"});
    finding.help =
        "pad the sequence to a multiple of the group's size before it is cut, and cut the padding off behind the "
        "gather";
    finding.fingerprint_key = "chunk";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::sequence_not_padded

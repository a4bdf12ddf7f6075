#include "analyzer/program/given_for.h"
#include "analyzer/questions/identifier_words.h"
#include "rules/sequence-parallel/remainders.h"
#include "rules/wording.h"

namespace ranklint::degree_world_mismatch {

constexpr RuleInfo kInfo{.id = "degree-world-mismatch",
                         .code = "RL602",
                         .summary = "parallel degrees whose product is not held to the number of ranks",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "set-up fails, or ranks stay idle",
                         .premise = "the job is started with a number of ranks that does not fit"};

namespace {

// A place that divides the world by a degree, or that passes a degree and one of its factors as the same.
struct Degrees {
  enum class What { Unchecked, Differ };
  FunctionKey function;
  SourceRange range;
  What what = What::Unchecked;
  std::string subject;  // the divisor, or the degree that is left out
};

class DegreeChecks {
 public:
  explicit DegreeChecks(const Query& in) : in_(in), index_(in.index()), remainders_(in) {}

  std::vector<Degrees> run(const Shared& shared) {
    in_.for_each_function_to_check("divisibility", [&](FunctionKey key) {
      const Summary* s = is_reported(shared, key) ? in_.summary(key) : nullptr;
      if (s && !index_.function(key).blocks.empty()) find_degrees(FunctionCode(index_, *s));
    });
    return std::move(found_);
  }

 private:
  // `dp_size = world_size // sp_size` without a remainder, and degrees that one call gets twice.
  void find_degrees(const FunctionCode& code) {
    bool reported = !makes_groups(code);
    for (ir::BlockId b : code.graph().order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        if (instructions[i].kind == ir::InstructionKind::Call) find_differing_degrees(code, instructions[i], {b, i});
        if (instructions[i].kind == ir::InstructionKind::Call && !reported)
          reported = find_quotient_in_mesh(code, instructions[i], {b, i});
        if (instructions[i].kind != ir::InstructionKind::Assign || reported) continue;
        reported = is_sequence_quotient(code, instructions[i], {b, i}) &&
                   !is_held_to_world(code, {b, i}, instructions[i].value);
        if (reported)
          found_.push_back(
              {code.key, instructions[i].range, Degrees::What::Unchecked, quotient_text(code, instructions[i])});
      }
    }
  }

  // Whether the function hands something to what makes groups or a mesh, by its name, or keeps it in an object.
  bool makes_groups(const FunctionCode& code) const {
    bool found = index_.functions()[code.key].owner.valid();
    for_each_call(code, [&](const ir::Instruction& call, ProgramPoint) {
      found |= in_.priors().suggest(name_of_callee(code, call), NameMeaning::GroupOrMesh);
    });
    return found;
  }

  bool is_sequence_quotient(const FunctionCode& code, const ir::Instruction& assign, ProgramPoint at) const {
    if (!assign.target.valid() || !divides_world(code, assign.value, at)) return false;
    const std::string target = identifier_words(code, assign.target, at);
    return name_suggests_degree(in_.priors(), target) || in_.priors().suggest(target, NameMeaning::DataParallel);
  }

  // `world_size // sp_size`
  bool divides_world(const FunctionCode& code, ir::ExprId quotient, ProgramPoint at) const {
    const ir::Expr& e = code.ir.exprs[quotient];
    if (e.kind != ir::ExprKind::Binary || e.op != ir::Operator::FloorDivide) return false;
    const std::string left = identifier_words(code, ir::children(code.ir, quotient)[0], at),
                      right = identifier_words(code, ir::children(code.ir, quotient)[1], at);
    const NamePriors& priors = in_.priors();
    return any_suggests(priors, left, NameMeaning::WorldDegree) &&
           !any_suggests(priors, right, NameMeaning::WorldDegree) && name_suggests_sequence_size(priors, right);
  }

  // `init_device_mesh("cuda", (world_size // sp_size, sp_size))`
  bool find_quotient_in_mesh(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at) {
    const RoleEntry* makes = in_.roles().find(name_of_callee(code, call), Role::ShapesMesh);
    if (!makes) return false;
    const ir::ExprId shape = given_for(code, call, *makes);
    const bool written = shape.valid() && (code.ir.exprs[shape].kind == ir::ExprKind::Tuple ||
                                           code.ir.exprs[shape].kind == ir::ExprKind::List);
    for (ir::ExprId part : written ? ir::children(code.ir, shape) : std::span<const ir::ExprId>()) {
      if (!divides_world(code, part, at) || is_held_to_world(code, at, part)) continue;
      found_.push_back({code.key, call.range, Degrees::What::Unchecked, divisor_text(code, part)});
      return true;
    }
    return false;
  }

  // Whether some code tests the divisor's remainder, or a product with all its factors:
  // `shard * sp_size * copies != world_size` below `shard = world_size // (sp_size * copies)`.
  bool is_held_to_world(const FunctionCode& code, ProgramPoint at, ir::ExprId quotient) const {
    std::vector<std::string> factors;
    add_factors(code, ir::children(code.ir, quotient)[1], factors);
    return std::ranges::all_of(factors,
                               [&](const std::string& f) { return remainders_.is_world_checked(code, at, f); });
  }

  void add_factors(const FunctionCode& code, ir::ExprId e, std::vector<std::string>& factors) const {
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Binary && expr.op == ir::Operator::Multiply) {
      for (const ir::ExprId part : ir::children(code.ir, e)) add_factors(code, part, factors);
    } else {
      const bool has_name = expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute;
      factors.push_back(has_name ? std::string(code.text.text(expr.symbol)) : std::string());
    }
  }

  std::string quotient_text(const FunctionCode& code, const ir::Instruction& assign) const {
    return divisor_text(code, assign.value);
  }

  std::string divisor_text(const FunctionCode& code, ir::ExprId quotient) const {
    const ir::ExprId divisor = ir::children(code.ir, quotient)[1];
    const ir::Expr& e = code.ir.exprs[divisor];
    return e.kind == ir::ExprKind::Name || e.kind == ir::ExprKind::Attribute ? std::string(code.text.text(e.symbol))
                                                                             : "the product of the degrees";
  }

  // initialize_model_parallel(sequence_parallel_degree=u, ulysses_degree=u, ring_degree=r): the product of the last two
  // is the first, so r can only be 1.
  void find_differing_degrees(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at) {
    const auto given = [&](std::string_view keyword) { return given_for(code.ir, code.text, call, -1, keyword); };
    const ir::ExprId whole = given("sequence_parallel_degree"), ulysses = given("ulysses_degree"),
                     ring = given("ring_degree");
    if (!whole.valid() || !ulysses.valid() || !ring.valid()) return;
    const auto same = [&](ir::ExprId a, ir::ExprId b) {
      const std::string words = identifier_words(code, a, at);
      return !words.empty() && words == identifier_words(code, b, at) && code.ir.exprs[a].kind == code.ir.exprs[b].kind;
    };
    const ir::Expr& other = code.ir.exprs[same(whole, ulysses) ? ring : ulysses];
    if ((!same(whole, ulysses) && !same(whole, ring)) || other.kind == ir::ExprKind::Integer) return;
    found_.push_back({code.key, call.range, Degrees::What::Differ,
                      std::string(same(whole, ulysses) ? "ring_degree" : "ulysses_degree")});
  }

  const Query& in_;
  const ProjectIndex& index_;
  const Remainders remainders_;
  std::vector<Degrees> found_;
};

}  // namespace

static std::string describe(const Degrees& degrees) {
  if (degrees.what == Degrees::What::Differ)
    return "the sequence-parallel degree is said to be one of its two factors: it does not hold when `" +
           degrees.subject + "` is more than 1";
  return "the number of ranks is divided by " +
         (degrees.subject.starts_with("the ") ? degrees.subject : "`" + degrees.subject + "`") +
         " and nothing looks at the remainder: ranks beyond the product are in no group";
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Degrees& degrees : DegreeChecks(in).run(shared)) {
    if (!is_reported(shared, degrees.function)) continue;
    Finding finding = finding_at(kInfo, shared, degrees.function, degrees.range, Confidence::Likely);
    finding.message = describe(degrees);
    finding.help = degrees.what == Degrees::What::Differ
                       ? "pass the product of both degrees"
                       : "stop with an error unless the product of the degrees is the number of ranks";
    finding.fingerprint_key = degrees.subject;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::degree_world_mismatch

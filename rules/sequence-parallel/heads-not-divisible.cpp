#include "analyzer/program/given_for.h"
#include "analyzer/questions/identifier_words.h"
#include "rules/sequence-parallel/remainders.h"
#include "rules/wording.h"

namespace ranklint::heads_not_divisible {

constexpr RuleInfo kInfo{.id = "heads-not-divisible",
                         .code = "RL601",
                         .summary = "heads are dealt out over a group whose size is not known to divide them",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the shape does not fit, on every rank",
                         .premise = "a degree is chosen that does not divide the number of heads"};

namespace {

// An exchange that gives each rank its part of the heads.
struct HeadExchange {
  FunctionKey function;
  SourceRange range;
  std::string tensor;  // empty: not seen
};

class UncheckedHeads {
 public:
  explicit UncheckedHeads(const Query& in) : in_(in), index_(in.index()), remainders_(in) {}

  std::vector<HeadExchange> run(const Shared& shared) {
    in_.for_each_function_to_check("divisibility", [&](FunctionKey key) {
      const Summary* s = is_reported(shared, key) ? in_.summary(key) : nullptr;
      if (s && !index_.function(key).blocks.empty()) find_heads(FunctionCode(index_, *s));
    });
    return std::move(found_);
  }

 private:
  // The first exchange of the function.
  void find_heads(const FunctionCode& code) {
    const ir::Instruction* first = nullptr;
    ProgramPoint place;
    for_each_call(code, [&](const ir::Instruction& call, ProgramPoint at) {
      if (first || !scatters_heads(code, call)) return;
      first = &call;
      place = at;
    });
    if (!first || remainders_.is_checked(code, &Remainders::OfFunction::of_heads)) return;
    const ir::ExprId tensor = given_for(code.ir, code.text, *first, 0, "x");
    if (tensor.valid() && (repeats_heads(code) || name_suggests_hidden_size(code.name(tensor)))) return;
    found_.push_back({code.key, first->range, tensor.valid() ? std::string(code.name(tensor)) : ""});
  }

  // A tensor that has no heads yet: the exchange splits its last dimension.
  bool name_suggests_hidden_size(std::string_view name) const {
    return in_.priors().suggest(name, NameMeaning::HiddenSize);
  }

  bool scatters_heads(const FunctionCode& code, const ir::Instruction& call) const {
    return in_.priors().suggest(name_of_callee(code, call), NameMeaning::ScattersHeads);
  }

  // Heads that are fewer than the ranks are repeated first.
  bool repeats_heads(const FunctionCode& code) const {
    bool repeats = false;
    for_each_call(code, [&](const ir::Instruction& call, ProgramPoint) {
      repeats |= in_.priors().suggest(name_of_callee(code, call), NameMeaning::Repeats);
    });
    return repeats;
  }

  const Query& in_;
  const ProjectIndex& index_;
  const Remainders remainders_;
  std::vector<HeadExchange> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const HeadExchange& exchange : UncheckedHeads(in).run(shared)) {
    if (!is_reported(shared, exchange.function)) continue;
    Finding finding = finding_at(kInfo, shared, exchange.function, exchange.range, Confidence::Likely);
    const bool is_named = !exchange.tensor.empty() && !SymbolTable::is_unnamed(exchange.tensor);
    finding.message =
        "the heads of " + (is_named ? "`" + exchange.tensor + "`" : "its tensor") +
        " are split over the sequence-parallel ranks, but nothing ensures that their number is divisible by the degree";
    finding.help =
        "check `num_heads % sp_size == 0` where the model is set up; repeat key and value heads that are fewer than "
        "the ranks";
    finding.fingerprint_key = exchange.tensor;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::heads_not_divisible

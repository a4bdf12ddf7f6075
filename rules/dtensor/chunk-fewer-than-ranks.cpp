// A rank that picks its part by its number: `chunks[rank]`. A chunking gives fewer chunks than asked for when the
// dimension is short, so the last ranks find none. That it is so short needs a reason: it is written down, or the data
// decides it.
#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/subscripts.h"
#include "rules/dtensor/cut.h"
#include "rules/wording.h"

namespace ranklint::chunk_fewer_than_ranks {

constexpr RuleInfo kInfo{.id = "chunk-fewer-than-ranks",
                         .code = "RL305",
                         .summary = "a chunk is picked by a mesh coordinate without a look at the size",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the index fails",
                         .premise = "the mesh may have more ranks than there are parts"};

constexpr std::string_view kCalls[] = {"<cuts-into-chunks>"};

namespace {

// A chunk that a rank picks by its coordinate.
struct ChunkPick {
  FunctionKey function;
  SourceRange range;
  std::string chunks;  // the variable that is indexed; starts with '%' where it is a call's unnamed result
  Assurance certainty;
};

class ThinChunks {
 public:
  explicit ThinChunks(const Query& in) : in_(in), index_(in.index()) {}

  std::vector<ChunkPick> run() {
    in_.for_each_function_to_check("picks of chunks", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s) return;
      const FunctionCode code(index_, *s);
      // Asked before what reaches a subscript, of which a function of C may have thousands.
      if (!names_one(in_, code, Role::CutsIntoChunks)) return;
      for_each_subscript(code, [&](const Subscript& subscript) { check(code, subscript); });
    });
    return std::move(found_);
  }

 private:
  void check(const FunctionCode& code, const Subscript& pick) {
    if (code.name(pick.container).empty()) return;
    const std::vector<Cut> cuts = cuts_of(code, pick.container, pick.at);
    if (cuts.empty() || std::ranges::all_of(cuts, is_enough) || checks_sizes(code)) return;
    const Derivation from = derivation_of(code, pick.index, pick.at);
    const bool by_mesh = std::any_of(from.calls.begin(), from.calls.end(), [&](const ProgramPoint& p) {
      return plays(in_, code, code.ir.blocks[p.block].instructions[p.instruction], Role::TellsCoordinate);
    });
    if (!by_mesh) return;
    Assurance certainty = Confidence::Likely;
    if (std::ranges::none_of(cuts, may_be_too_few)) certainty.doubt({Reason::UnknownSize, {code.key, pick.range}});
    found_.push_back({code.key, pick.range, std::string(code.name(pick.container)), std::move(certainty)});
  }

  // What the calls that may have made the chunks cut.
  std::vector<Cut> cuts_of(const FunctionCode& code, ir::ExprId chunks, ProgramPoint at) const {
    std::vector<Cut> cuts;
    for (const Definition& d : code.reaching(code.ir.exprs[chunks].symbol, at).definitions)
      if (d.instruction && cuts_into_chunks(code, *d.instruction)) cuts.push_back(cut_at(code, d));
    return cuts;
  }

  bool cuts_into_chunks(const FunctionCode& code, const ir::Instruction& call) const {
    if (call.kind != ir::InstructionKind::Call) return false;
    const ir::Expr& called = code.ir.exprs[call.value];
    return called.kind == ir::ExprKind::Attribute &&
           in_.roles().play(code.text.text(called.symbol), Role::CutsIntoChunks);
  }

  // `x.chunk(n, dim)`, `torch.chunk(x, n, dim)`
  Cut cut_at(const FunctionCode& code, const Definition& d) const {
    const auto call = in_.watched().calls.find({code.key, d.place.block, d.place.instruction});
    if (call == in_.watched().calls.end()) return {};
    const Call& chunk = call->second.call;
    const bool free = names_library(index_, code, ir::children(code.ir, d.instruction->value)[0]);
    const ValueId whole = free ? in_.argument(chunk, {0, "input"}) : in_.receiver_of(chunk.callee);
    return cut_of(in_, whole, in_.argument(chunk, {free ? 1 : 0, "chunks"}),
                  in_.argument(chunk, {free ? 2 : 1, "dim"}));
  }

  static bool is_enough(const Cut& cut) {
    return cut.size && cut.parts && parts_that_exist(*cut.size, *cut.parts) >= *cut.parts;
  }

  static bool may_be_too_few(const Cut& cut) { return cut.is_of_data || (cut.size && cut.parts && !is_enough(cut)); }

  // Whether divisibility or padding is thought of anywhere in the function.
  bool checks_sizes(const FunctionCode& code) const {
    return names_one(in_, code, Role::Pads) || std::ranges::any_of(code.ir.exprs, [](const ir::Expr& e) {
             return e.kind == ir::ExprKind::Binary && e.op == ir::Operator::Modulo;
           });
  }

  const Query& in_;
  const ProjectIndex& index_;
  std::vector<ChunkPick> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const ChunkPick& pick : ThinChunks(in).run()) {
    if (!is_reported(shared, pick.function)) continue;
    Finding finding = finding_at(kInfo, shared, pick.function, pick.range, pick.certainty);
    finding.message = (SymbolTable::is_unnamed(pick.chunks) ? "what `chunk` gives" : "`" + pick.chunks + "`") +
                      " is indexed by this rank's coordinate, and there are fewer pieces than ranks where the "
                      "dimension is smaller: the last ranks raise, the others wait";
    finding.help = "check that the dimension divides, pad it, or use tensor_split, which gives empty pieces";
    finding.fingerprint_key = pick.chunks + "chunk";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::chunk_fewer_than_ranks

// Rank 0 broadcasts what it has read from a file, the others receive into a buffer that they made themselves. The
// buffer's type has to be the file's. `torch.empty(shape)` is float32 wherever the checkpoint is not: the two sides
// then disagree about the number of bytes, and NCCL hangs or fills the buffer with something else. So a broadcast's
// tensor is traced to the assignments that reach it: one that allocates under a rank condition with a type of its
// own, and one that reads data of the type it was saved in, with no conversion on the way.
//
// Likewise the size: a list that a loop has filled with what it found has that many elements, and
// `torch.empty(batch_size)` as many as a full batch. The last one is not full.
#include <algorithm>
#include <optional>

#include "analyzer/questions/derivation.h"
#include "analyzer/questions/events.h"
#include "analyzer/questions/identifier_words.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/questions/weight_reads.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "rules/loading/grown_lists.h"
#include "rules/wording.h"

namespace ranklint::broadcast_metadata_mismatch {

constexpr RuleInfo kInfo{.id = "broadcast-metadata-mismatch",
                         .code = "RL503",
                         .summary = "a broadcast is received into a buffer of another type or size than is sent",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "bytes are taken for another type",
                         .premise = "some tensors are saved in another type or number than they are received in"};

namespace {

// A buffer that the receiving ranks of a broadcast allocate themselves.
struct ReceiveBuffer {
  FunctionKey function;
  SourceRange allocated_at;
  std::string name;
  std::string type;
  SourceRange broadcast_at;
};

struct ReceiversFound {
  std::vector<ReceiveBuffer> of_other_type;  // the sender's data has the type it was saved in
  std::vector<ReceiveBuffer> of_other_size;  // the sender's data has as many elements as a loop has found
};

class Receivers {
 public:
  explicit Receivers(const Query& in) : in_(in), index_(in.index()), reads_(in) {}

  ReceiversFound run() {
    each_event(in_, kInfo.id, [&](const Summary& s, ir::BlockId b, const Step& step) {
      if (step.event->model->fills_tensor && in_.roles().play(step.event->model->op, Role::BringsToOthers))
        check(s, {b, in_.site(step.site).instruction}, step.range);
    });
    return std::move(found_);
  }

 private:
  // A call that makes a tensor.
  struct Maker {
    const ir::Instruction* call = nullptr;
    ProgramPoint place;
  };

  // The two assignments that reach a broadcast, each under a rank condition: the receivers' allocates, the sender's has
  // the data.
  struct Sides {
    Maker allocation;
    Definition received, sent;
  };

  void check(const Summary& s, ProgramPoint at, SourceRange range) {
    const FunctionCode code(index_, s);
    if (at.instruction >= code.ir.blocks[at.block].instructions.size()) return;
    const ir::ExprId buffer = first_argument(code, code.ir.blocks[at.block].instructions[at.instruction]);
    if (code.name(buffer).empty()) return;
    const std::optional<Sides> sides = sides_of(code, s, code.ir.exprs[buffer].symbol, at);
    if (!sides) return;
    const ir::Instruction& allocation = *sides->allocation.call;
    const ReceiveBuffer receiver{.function = code.key,
                                 .allocated_at = allocation.range,
                                 .name = std::string(code.name(buffer)),
                                 .type = type_of(code, allocation),
                                 .broadcast_at = range};
    if (is_of_other_type(code, s, *sides)) found_.of_other_type.push_back(receiver);
    if (is_of_other_size(code, code.ir.exprs[buffer].symbol, *sides)) found_.of_other_size.push_back(receiver);
  }

  std::optional<Sides> sides_of(const FunctionCode& code, const Summary& s, Symbol buffer, ProgramPoint at) const {
    const Reaching reaching = code.reaching(buffer, at);
    if (reaching.entry || reaching.definitions.size() != 2) return {};
    Sides sides;
    for (const Definition& d : reaching.definitions) {
      if (!d.instruction || d.instruction->kind != ir::InstructionKind::Call ||
          !rank_guard_of(in_, s, d.place.block).valid())
        return {};
      if (const Maker maker = maker_of(code, d); allocates(code, *maker.call))
        sides.allocation = maker, sides.received = d;
      else
        sides.sent = d;
    }
    if (!sides.allocation.call || !sides.sent.instruction) return {};
    return sides;
  }

  bool is_of_other_type(const FunctionCode& code, const Summary& s, const Sides& sides) {
    const bool as_allocated = sides.allocation.call == sides.received.instruction;
    return as_allocated && own_type(code, *sides.allocation.call) && reads_data(code, s, sides.sent) &&
           !converts_later(code);
  }

  // `torch.tensor(picked)` of what a loop has picked, into `torch.empty(batch_size)`.
  bool is_of_other_size(const FunctionCode& code, Symbol buffer, const Sides& sides) const {
    if (cares_for_length(in_.roles(), code, buffer)) return false;
    const Maker maker = maker_of(code, sides.sent);
    if (!in_.roles().play(index_.dotted(code.module, code.ir, maker.call->value), Role::MakesOfData)) return false;
    const ir::ExprId list = first_argument(code, *maker.call);
    if (code.name(list).empty()) return false;
    const std::string grown = words_of_open_growth(in_.roles(), code, code.ir.exprs[list].symbol, maker.place);
    return !grown.empty() && !shares_word(grown, words_of_size(code, sides.allocation));
  }

  // The call itself, or the one on whose result it is a method: `torch.tensor(picked).view(-1)`.
  static Maker maker_of(const FunctionCode& code, const Definition& d) {
    constexpr int kMostMethods = 4;
    Maker maker{d.instruction, d.place};
    for (int step = 0; step < kMostMethods; ++step) {
      const ir::Expr& callee = code.ir.exprs[maker.call->value];
      const ir::ExprId object =
          callee.kind == ir::ExprKind::Attribute ? ir::children(code.ir, maker.call->value)[0] : ir::ExprId{};
      if (code.name(object).empty()) break;
      const Reaching before = code.reaching(code.ir.exprs[object].symbol, maker.place);
      if (before.entry || before.definitions.size() != 1) break;
      const ir::Instruction* call = before.definitions[0].instruction;
      if (!call || call->kind != ir::InstructionKind::Call) break;
      maker = {call, before.definitions[0].place};
    }
    return maker;
  }

  static std::string words_of_size(const FunctionCode& code, const Maker& allocation) {
    std::string words;
    for (const ir::Argument& a : ir::arguments(code.ir, *allocation.call))
      if (a.kind == ir::ArgumentKind::Positional) words += identifier_words(code, a.value, allocation.place);
    return words;
  }

  // Whether both speak of one thing; all speak of `self`.
  static bool shares_word(std::string_view words, std::string_view others) {
    for (size_t begin = words.find_first_not_of(' '); begin != words.npos;
         begin = words.find_first_not_of(' ', begin)) {
      const size_t end = std::min(words.find(' ', begin), words.size());
      const std::string_view word = words.substr(begin, end - begin);
      if (!is_builtin(word, {Builtin::Self, Builtin::Len, Builtin::Range}) &&
          others.find(" " + std::string(word) + " ") != others.npos)
        return true;
      begin = end;
    }
    return false;
  }

  bool allocates(const FunctionCode& code, const ir::Instruction& i) const {
    return in_.roles().play(index_.dotted(code.module, code.ir, i.value), Role::MakesTensor);
  }

  ir::ExprId type_argument(const FunctionCode& code, const ir::Instruction& i) const {
    for (const ir::Argument& a : ir::arguments(code.ir, i))
      if (a.kind == ir::ArgumentKind::Keyword && in_.roles().play(code.text.text(a.keyword), Role::SaysNumberType))
        return a.value;
    return {};
  }

  // A type that is written there, or none.
  bool own_type(const FunctionCode& code, const ir::Instruction& i) const {
    for (const ir::Argument& a : ir::arguments(code.ir, i))
      if (a.kind == ir::ArgumentKind::DoubleStar) return false;
    const ir::ExprId type = type_argument(code, i);
    return !type.valid() || in_.roles().play(index_.dotted(code.module, code.ir, type), Role::NumberType);
  }

  std::string type_of(const FunctionCode& code, const ir::Instruction& i) const {
    const ir::ExprId type = type_argument(code, i);
    return type.valid() ? index_.dotted(code.module, code.ir, type) : "the default type, float32";
  }

  bool reads_data(const FunctionCode& code, const Summary& s, const Definition& d) {
    const ir::Expr& callee = code.ir.exprs[d.instruction->value];
    const bool gives_entry =
        callee.kind == ir::ExprKind::Attribute && in_.roles().play(code.text.text(callee.symbol), Role::GivesEntries);
    if (gives_entry || reads_.of_call(code, s, d.place) != WeightReads::By::Nobody) return true;
    if (callee.kind != ir::ExprKind::Attribute) return false;
    const std::string_view method = code.text.text(callee.symbol);
    if (in_.roles().play(method, Role::CastsTensor) ||
        (in_.roles().play(method, Role::MovesOrCasts) && casts(code, *d.instruction)))
      return false;
    const Derivation from = derivation_of(code, ir::children(code.ir, d.instruction->value)[0], d.place);
    return std::any_of(from.calls.begin(), from.calls.end(),
                       [&](const ProgramPoint& p) { return reads_.of_call(code, s, p) != WeightReads::By::Nobody; });
  }

  bool casts(const FunctionCode& code, const ir::Instruction& i) const {
    if (type_argument(code, i).valid()) return true;
    const ir::ExprId to = first_argument(code, i);
    return to.valid() && code.ir.exprs[to].kind != ir::ExprKind::String &&
           !in_.priors().suggest(index_.dotted(code.module, code.ir, to), NameMeaning::Device);
  }

  // Whether the function reads any type: then it may handle the difference.
  bool converts_later(const FunctionCode& code) const {
    return std::ranges::any_of(code.ir.exprs, [&](const ir::Expr& expr) {
      return expr.kind == ir::ExprKind::Attribute &&
             in_.roles().play(code.text.text(expr.symbol), Role::SaysNumberType);
    });
  }

  const Query& in_;
  const ProjectIndex& index_;
  ReceiversFound found_;
  WeightReads reads_;
};

}  // namespace

static void check_types(const Shared& shared, const std::vector<ReceiveBuffer>& buffers,
                        std::vector<Finding>& findings) {
  for (const ReceiveBuffer& buffer : buffers) {
    if (!is_reported(shared, buffer.function)) continue;
    Finding finding = finding_at(kInfo, shared, buffer.function, buffer.allocated_at, Confidence::Likely);
    finding.message = "the receiving ranks allocate `" + buffer.name + "` as " + buffer.type +
                      ", and it is broadcast in the type it was saved in: the sides disagree about the number of bytes";
    finding.related.push_back({location_at(shared, buffer.function, buffer.broadcast_at), "broadcast here"});
    finding.help = "allocate the buffer with the type and the shape of what is sent, or convert before sending";
    finding.fingerprint_key = buffer.name + "receiver";
    findings.push_back(std::move(finding));
  }
}

static void check_sizes(const Shared& shared, const std::vector<ReceiveBuffer>& buffers,
                        std::vector<Finding>& findings) {
  for (const ReceiveBuffer& buffer : buffers) {
    if (!is_reported(shared, buffer.function)) continue;
    Finding finding = finding_at(kInfo, shared, buffer.function, buffer.allocated_at, Confidence::Likely);
    finding.message = "the receiving ranks allocate `" + buffer.name +
                      "` by a size of their own, and the sender makes it of as many elements as a loop has found: "
                      "where these are fewer the sides disagree about the size";
    finding.related.push_back({location_at(shared, buffer.function, buffer.broadcast_at), "broadcast here"});
    finding.help = "fill up to the size that all allocate, or broadcast the number of elements first";
    finding.fingerprint_key = buffer.name + "size";
    findings.push_back(std::move(finding));
  }
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const ReceiversFound receivers = Receivers(in).run();
  check_types(shared, receivers.of_other_type, findings);
  check_sizes(shared, receivers.of_other_size, findings);
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::broadcast_metadata_mismatch

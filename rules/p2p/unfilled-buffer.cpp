// Buffers that are made for a message and read, with no call in between that could have filled them (RL205).
//
//     size = torch.empty(1, dtype=torch.long)
//     dist.recv(size, src)                        # left out: `size` is uninitialised
//     data = torch.empty(size.item(), ...)
//
// A call that gets the buffer may fill it, and so may an assignment through an alias. So a buffer counts only if the
// function does nothing but query its shape and read its numbers. Or if a branch on a property of the buffer receives
// into it on one side and does nothing with it on the other (unfilled-buffer_arms.cpp):
//
//     if data.is_cpu: dist.recv(data, src, group=of_hosts)     # and data on a device?
//     return data
#include <algorithm>

#include "analyzer/ir/shared_variable.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"
#include "rules/p2p/unfilled-buffer.h"
#include "rules/wording.h"

namespace ranklint::unfilled_buffer {

constexpr RuleInfo kInfo{.id = "unfilled-buffer",
                         .code = "RL205",
                         .summary = "a buffer is read that nothing has been received into",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong",
                         .premise = "nothing else fills the buffer"};

namespace {

struct UnfilledBuffer {
  FunctionKey function;
  std::string name;
  SourceRange made_at;
  SourceRange read_at;  // not known: it is returned
  SourceRange branch;   // one side of which fills it; not known: nothing does
};

class UnfilledBuffers {
 public:
  explicit UnfilledBuffers(const Query& query) : in_(query) {}

  std::vector<UnfilledBuffer> run() {
    in_.for_each_function_to_check("buffers that nothing fills", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s || (!s->communicates && !s->transfers)) return;
      const FunctionCode code(in_.index(), *s);
      if (code.ir.kind != ir::FunctionKind::Module) check(code);
    });
    return std::move(found_);
  }

 private:
  enum class Use : uint8_t { None, Reads, Other };

  void check(const FunctionCode& code) {
    std::set<Symbol> checked;
    for (ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions)
        if (leaves_unfilled(code, i) && checked.insert(code.ir.exprs[i.target].symbol).second)
          check_buffer(code, code.ir.exprs[i.target].symbol,
                       {b, static_cast<uint32_t>(&i - code.ir.blocks[b].instructions.data())});
  }

  // `name = torch.empty(...)`, of some size.
  bool leaves_unfilled(const FunctionCode& code, const ir::Instruction& i) const {
    const std::string_view name = code.name(i.target);
    if (i.kind != ir::InstructionKind::Call || name.empty() || SymbolTable::is_unnamed(name)) return false;
    const auto arguments = ir::arguments(code.ir, i);
    const bool has_size = std::ranges::none_of(arguments, [&](const ir::Argument& a) {
      const ir::Expr& size = code.ir.exprs[a.value];
      return a.kind == ir::ArgumentKind::Positional && size.kind == ir::ExprKind::Integer &&
             code.text.text(size.symbol) == "0";
    });
    return has_size && plays(in_, code, i, Role::LeavesUnfilled);
  }

  void check_buffer(const FunctionCode& code, Symbol buffer, ProgramPoint made_at) {
    if (code.parameter(buffer) >= 0 ||
        is_shared_variable(code.text, code.ir, [buffer](Symbol s) { return s == buffer; }))
      return;
    const SourceRange made = code.ir.blocks[made_at.block].instructions[made_at.instruction].range;
    for (const UnfilledArm& arm : unfilled_arms(in_, code, buffer, made_at))
      found_.push_back({code.key, std::string(code.text.text(buffer)), made, arm.read, arm.branch});
    SourceRange read;
    for (ir::BlockId b : code.graph().order()) {
      const ir::Block& block = code.ir.blocks[b];
      for (const ir::Instruction& i : block.instructions) {
        if (code.defines(i, buffer) && !leaves_unfilled(code, i)) return;
        const Use use = use_in(code, i, buffer);
        if (use == Use::Other) return;
        if (use == Use::Reads && !read.known()) read = i.range;
      }
      if (reads_content(in_, code, block.terminator.value, buffer) || code.mentions(block.terminator.target, buffer))
        return;
    }
    if (read.known()) found_.push_back({code.key, std::string(code.text.text(buffer)), made, read, {}});
  }

  Use use_in(const FunctionCode& code, const ir::Instruction& i, Symbol buffer) const {
    if (code.mentions(i.target, buffer) && !code.defines(i, buffer)) return Use::Other;
    const bool is_call = i.kind == ir::InstructionKind::Call;
    if (is_call)
      for (const ir::Argument& a : ir::arguments(code.ir, i))
        if (reads_content(in_, code, a.value, buffer)) return Use::Other;
    if (!reads_content(in_, code, i.value, buffer)) return Use::None;
    const ir::Expr& value = code.ir.exprs[i.value];
    const auto parts = ir::children(code.ir, i.value);
    const auto is_buffer = [&](ir::ExprId e) { return code.name(e) == code.text.text(buffer); };
    if (i.kind == ir::InstructionKind::Assign)
      return value.kind == ir::ExprKind::Binary && std::ranges::any_of(parts, is_buffer) ? Use::Reads : Use::Other;
    if (!is_call || value.kind != ir::ExprKind::Attribute || !is_buffer(parts[0])) return Use::Other;
    const std::string_view method = code.text.text(value.symbol);
    const bool reads = in_.roles().play(method, Role::ComputesWithTensor);
    return reads && !in_.roles().play(method, Role::WritesTensor) ? Use::Reads : Use::Other;
  }

  const Query& in_;
  std::vector<UnfilledBuffer> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const UnfilledBuffer& buffer : UnfilledBuffers(in).run()) {
    if (!is_reported(shared, buffer.function)) continue;
    const bool half_filled = buffer.branch.known();
    Finding finding =
        finding_at(kInfo, shared, buffer.function, half_filled ? buffer.branch : buffer.read_at, Confidence::Likely);
    finding.message = half_filled ? "`" + buffer.name + "` is received into on one side of this branch only"
                                  : "`" + buffer.name + "` is read here, and nothing has been received into it";
    finding.related.push_back(
        {{finding.primary.path, buffer.made_at}, "it is made here, with whatever lies in memory"});
    if (half_filled && buffer.read_at.known())
      finding.related.push_back({{finding.primary.path, buffer.read_at}, "it is read here"});
    finding.help = "receive into it before it is read, or make it with zeros";
    finding.fingerprint_key = buffer.name;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find};

}  // namespace ranklint::unfilled_buffer

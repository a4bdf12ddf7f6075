// What all ranks do to one path at once and only one of them can: each writes the same file, makes the same folder or
// link, or removes or moves what the others do.
#include <algorithm>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/ir/print.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/reached_calls.h"
#include "rules/loading/every_rank.h"
#include "rules/wording.h"

namespace ranklint::shared_file_written_by_all {

constexpr RuleInfo kInfo{.id = "shared-file-written-by-all",
                         .code = "RL507",
                         .summary = "every rank writes, makes or removes the same file at once",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "a file is torn",
                         .premise = "the ranks share a file system"};

constexpr auto kOpened = {Role::OpensPath, Role::ReadsFile};
constexpr auto kFiles = {Role::WritesFile, Role::OpensPath, Role::ReadsFile};
constexpr auto kMadeOrMoved = {Role::MakesPath, Role::MovesPath};
constexpr std::string_view kCalls[] = {"...<writes-file>",   "...<reads-file>",   "...<opens-path>",
                                       "...<writes-folder>", "...<makes-folder>", "...<removes-path>",
                                       "...<moves-path>",    "...<makes-path>"};

namespace {

enum class Deed : uint8_t { Writes, Saves, Makes, Creates, Removes, Moves };
constexpr bool is_failure(Deed deed) { return deed != Deed::Writes && deed != Deed::Saves; }
// Those whose path is the role's argument.
constexpr std::pair<Deed, Role> kOfPath[] = {{Deed::Creates, Role::MakesPath}, {Deed::Moves, Role::MovesPath}};

struct Clash {
  FunctionKey function;
  SourceRange range;
  Deed deed = Deed::Writes;
  std::string what;  // the path as it is written; of what saves itself, that
  ReachedByAll reached;
  bool may_be_alike = false;  // what is written by all
};

class Clashes {
 public:
  explicit Clashes(const Query& in) : in_(in), index_(in.index()) {}

  std::vector<Clash> run() {
    for_each_reached_call(in_, kInfo.id,
                          [&](const Summary& s, const Site& site, const WatchedCall& call) { check(s, site, call); });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const Site& site, const WatchedCall& call) {
    const FunctionCode code(index_, s);
    const ir::Block& block = code.ir.blocks[site.block];
    const ir::Instruction& i = block.instructions[site.instruction];
    const ProgramPoint place{site.block, site.instruction};
    const std::optional<Deed> deed = deed_of(code, i, call.call);
    const ir::ExprId path = deed ? path_of(code, i, call.call, *deed) : ir::ExprId{};
    const bool names_file = deed == Deed::Writes || deed == Deed::Moves || deed == Deed::Creates;
    if (names_file && !(path.valid() && is_path(code, path, place))) return;
    if (!path.valid() || is_own(call.call)) return;
    // Where nothing is thrown, a folder that is there is no failure.
    const bool throws = code.text.has(ir::Convention::DeclaresNoTypes);
    if (is_failure(*deed) && (!throws || block.handler.valid() || is_known(s.function))) return;
    std::optional<ReachedByAll> reached = every_rank_.at(s.function, place, path, value_of(call.call, *deed));
    if (!reached) return;
    if (*deed == Deed::Makes && every_rank_.is_made_before(s, place, path_told(in_, call.call))) return;
    const ir::ExprId named = *deed == Deed::Saves ? ir::children(code.ir, i.value)[0] : path;
    const bool writes_anew = deed == Deed::Writes && !opens_to_append(code, i) &&
                             (opens_to_write(code, i) || path == object_called(in_, code, i));
    found_.push_back({s.function, call.range, *deed, text_of(code, named), std::move(*reached), writes_anew});
  }

  // As it is written; empty where it is put together there, which reads otherwise in the source.
  static std::string text_of(const FunctionCode& code, ir::ExprId e) {
    const ir::Expr& expr = code.ir.exprs[e];
    const bool is_variable = expr.kind == ir::ExprKind::Name && !SymbolTable::is_unnamed(code.text.text(expr.symbol));
    const bool is_short = is_variable || expr.kind == ir::ExprKind::Attribute || expr.kind == ir::ExprKind::String;
    return is_short ? ir::print_expr(code.text, code.ir, e) : std::string();
  }

  std::optional<Deed> deed_of(const FunctionCode& code, const ir::Instruction& i, const Call& call) const {
    if (call.open_ended || i.kind != ir::InstructionKind::Call || settles_writing(call)) return std::nullopt;
    if (const RoleEntry* makes = role_of(in_, code, i, Role::MakesFolder))
      return given_for(code, i, *makes).valid() ? std::nullopt : std::optional(Deed::Makes);
    // With an argument more, what is not there is no failure: ignore_errors, missing_ok.
    if (plays(in_, code, i, Role::RemovesPath))
      return call.keywords.empty() && call.positional.size() <= 1 ? std::optional(Deed::Removes) : std::nullopt;
    // One argument more may allow it: dirs_exist_ok.
    for (const auto& [deed, role] : kOfPath)
      if (plays(in_, code, i, role))
        return call.keywords.empty() && call.positional.size() == 2 ? std::optional(deed) : std::nullopt;
    if (file_given(in_, code, i, call, {Role::WritesFile}).valid() ||
        (opens_to_write(code, i) && file_given(in_, code, i, kOpened).valid()))
      return Deed::Writes;
    if (plays(in_, code, i, Role::WritesFile) || plays(in_, code, i, Role::ReadsFile)) return std::nullopt;
    if (!in_.roles().play(in_.callee_name(call.callee), Role::WritesFolder)) return std::nullopt;
    if (code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return std::nullopt;
    const std::string owner = index_.dotted(code.module, code.ir, ir::children(code.ir, i.value)[0]);
    return in_.priors().suggest(owner, NameMeaning::Preprocessor) ? std::optional(Deed::Saves) : std::nullopt;
  }

  // Whether an argument says which rank writes, or that all ranks write together.
  bool settles_writing(const Call& call) const {
    return std::ranges::any_of(call.keywords, [&](const auto& k) {
      return in_.roles().takes_by_keyword(index_.names().text(k.first), Role::ChoosesWriter);
    });
  }

  // The argument that the role names; otherwise the first argument, or the path whose method is called.
  ir::ExprId path_of(const FunctionCode& code, const ir::Instruction& i, const Call& call, Deed deed) const {
    switch (deed) {
      case Deed::Writes: return file_given(in_, code, i, call, kFiles);
      case Deed::Saves: return first_argument(code, i);
      case Deed::Creates:
      case Deed::Moves: return file_given(in_, code, i, call, kMadeOrMoved);
      default: return path_told(in_, code, i);
    }
  }

  // What the path is, where it is known.
  ValueId value_of(const Call& call, Deed deed) const {
    switch (deed) {
      case Deed::Writes: return file_given(in_, call, kFiles);
      case Deed::Saves: return call.positional.empty() ? ValueId{} : call.positional.front();
      case Deed::Creates:
      case Deed::Moves: return file_given(in_, call, kMadeOrMoved);
      default: return path_told(in_, call);
    }
  }

  // And no buffer in memory, nor a library's own path such as `os.devnull`: nothing is called for it but what puts
  // paths together. What made the object that it is an attribute or an entry of does not matter: `args.output`.
  bool is_path(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
    return !names_in_library(index_, code, e) &&
           std::ranges::all_of(derivation_without_objects(code, e, at).calls, [&](const ProgramPoint& p) {
             return plays(in_, code, code.ir.blocks[p.block].instructions[p.instruction], Role::JoinsPaths);
           });
  }

  bool is_own(const Call& call) const {
    const ValueStore& values = in_.values();
    const auto diverges = [&](ValueId v) { return v.valid() && values.diverges(v); };
    return diverges(call.callee) || diverges(in_.receiver_of(call.callee)) ||
           std::ranges::any_of(call.positional, diverges);
  }

  // One place of a function says it for the others.
  bool is_known(FunctionKey f) const {
    return std::ranges::any_of(found_, [&](const Clash& c) { return c.function == f && is_failure(c.deed); });
  }

  const Query& in_;
  const ProjectIndex& index_;
  EveryRank every_rank_{in_};
  std::vector<Clash> found_;
};

}  // namespace

// Of what fails on all ranks but one: "makes the folder `out`", "made".
static void say_race(Finding& finding, const std::string& does, std::string_view done) {
  finding.message = "every rank " + does + " at once: a rank that finds it " + std::string(done) +
                    " by another fails, also where it has looked before";
}

static void say(const Clash& clash, Finding& finding) {
  const std::string named = clash.what.empty() ? "" : " `" + clash.what + "`";
  const std::string path = named.empty() ? " the same path" : named;
  switch (clash.deed) {
    case Deed::Writes:
    case Deed::Saves:
      finding.message = "every rank writes" +
                        (clash.deed == Deed::Saves ? named + " to the same path" : " the file" + named) +
                        " at once: on a shared file system they can damage it or block each other";
      finding.help = "write it on one rank and let the others wait at a barrier";
      break;
    case Deed::Makes:
      say_race(finding, "makes the folder" + named, "made");
      finding.help = "pass `exist_ok=True`, or make it on one rank and let the others wait at a barrier";
      break;
    case Deed::Creates:
      say_race(finding, "makes" + path, "made");
      finding.help = "make it on one rank and let the others wait at a barrier";
      break;
    case Deed::Removes:
      say_race(finding, "removes" + path, "removed");
      finding.help = "remove it on one rank and let the others wait at a barrier";
      break;
    case Deed::Moves:
      say_race(finding, "moves" + path, "moved");
      finding.help = "move it on one rank and let the others wait at a barrier";
      break;
  }
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Clash& clash : Clashes(in).run()) {
    if (!is_reported(shared, clash.function) || is_without_job(shared, clash.function)) continue;
    Assurance certainty = certainty_of_several_ranks(shared, clash.function);
    if (clash.may_be_alike) certainty.doubt({Reason::WrittenAlike, {clash.function, clash.range}});
    Finding finding = finding_at(kInfo, shared, clash.function, clash.range, certainty);
    say(clash, finding);
    add_way(finding, shared, clash.reached);
    finding.fingerprint_key = clash.what + "shared";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::shared_file_written_by_all

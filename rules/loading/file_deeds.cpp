#include "rules/loading/file_deeds.h"

#include <algorithm>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/flow/deciding_branch.h"
#include "analyzer/flow/side_of_branch.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kMostDeeds = 64;       // of one function
constexpr size_t kMostCallsToDeed = 7;  // that which does it among them
constexpr size_t kMostConditionsOfDeed = 16;

}  // namespace

static std::initializer_list<Role> roles_of(FileDeed::Kind kind) {
  static constexpr std::initializer_list<Role> kReads = {Role::OpensPath, Role::ReadsFile, Role::ReadsFolder},
                                               kWrites = {Role::WritesFile},
                                               kOpens = {Role::OpensPath, Role::ReadsFile, Role::WritesFile},
                                               kFills = {Role::WritesFolder}, kMakes = {Role::MakesFolder};
  switch (kind) {
    case FileDeed::Kind::Reads: return kReads;
    case FileDeed::Kind::Writes: return kWrites;
    case FileDeed::Kind::OpensToWrite: return kOpens;
    case FileDeed::Kind::FillsFolder: return kFills;
    case FileDeed::Kind::MakesFolder: return kMakes;
  }
  return {};
}

static ValueId path_of(const Query& in, FileDeed::Kind kind, const Call& call) {
  return kind == FileDeed::Kind::MakesFolder ? path_told(in, call) : file_given(in, call, roles_of(kind));
}

static bool joins_paths(const Query& in, ValueId path) {
  return in.values()[path].kind == ValueKind::Pure && in.values()[path].child_count > 1 &&
         in.roles().play(function_of(in.values(), in.index(), path), Role::JoinsPaths);
}

// Nothing: it does nothing of the kind. A file that is opened is read or written by how it is opened.
static std::optional<FileDeed::Kind> kind_of(const Query& in, const FunctionCode& code, const Site& site,
                                             const Call& call) {
  using Kind = FileDeed::Kind;
  static constexpr Kind kOpening[] = {Kind::OpensToWrite, Kind::MakesFolder},
                        kOthers[] = {Kind::Writes, Kind::FillsFolder, Kind::Reads, Kind::MakesFolder};
  const std::string callee = in.callee_path(call.callee);
  const bool opens = opens_to_write(code, code.instruction({site.block, site.instruction}));
  for (const Kind kind : opens ? std::span<const Kind>(kOpening) : kOthers)
    if (std::ranges::any_of(roles_of(kind), [&](Role role) { return in.roles().play(callee, role); })) return kind;
  return std::nullopt;
}

ValueId beginning_of(const Query& in, ValueId path) {
  const ValueStore& values = in.values();
  const auto begins_with = [&](ValueId text, std::string_view beginning) {
    return values[text].kind == ValueKind::Text &&
           in.index().names().text(Symbol{values[text].a}).starts_with(beginning);
  };
  if (joins_paths(in, path)) return values.child(path, 0);
  if (values[path].kind == ValueKind::Binary) {
    ValueId first = path;
    while (values[values.child(first, 0)].kind == ValueKind::Binary) first = values.child(first, 0);
    const bool is_folder = values[first].op == ir::Operator::Divide || begins_with(values.child(first, 1), "/");
    return is_folder ? values.child(first, 0) : ValueId{};
  }
  const bool is_filled = derived_of(values, in.index(), path) == Derived::FilledText && values[path].child_count > 1;
  return is_filled && begins_with(values.child(path, 0), "{}/") ? values.child(path, 1) : ValueId{};
}

bool lie_in_one_folder(const Query& in, ValueId a, ValueId b) {
  const ValueStore& values = in.values();
  const auto begin_alike = [&](size_t count) {
    return std::ranges::equal(values.children(a).first(count), values.children(b).first(count));
  };
  if (values[a].kind != values[b].kind || values[a].child_count != values[b].child_count) return false;
  if (joins_paths(in, a)) return joins_paths(in, b) && begin_alike(values[a].child_count - 1);
  if (values[a].kind == ValueKind::Binary) return beginning_of(in, a).valid() && begin_alike(1);
  // Texts with values in them, alike up to the last name.
  if (!beginning_of(in, a).valid() || !beginning_of(in, b).valid()) return false;
  const auto folder = [&](ValueId path) {
    const std::string_view pattern = in.index().names().text(Symbol{values[values.child(path, 0)].a});
    return pattern.substr(0, pattern.rfind('/'));
  };
  const auto filled = static_cast<size_t>(std::ranges::count(folder(a), '{'));
  return folder(a) == folder(b) && filled < values[a].child_count &&
         std::ranges::equal(values.children(a).subspan(1, filled), values.children(b).subspan(1, filled));
}

bool is_for_some(const Query& in, const Summary& s, ir::BlockId block) {
  const auto parts_ranks = [&](ir::BlockId above) {
    const ValueId condition = s.blocks[above.index].condition;
    return condition.valid() && !in.values().variance(condition).empty() && !s.graph().is_loop_header(above);
  };
  return deciding_branch(s.graph(), block, parts_ranks).valid();
}

FileDeeds::FileDeeds(const Query& in, const EveryRank& every_rank) : in_(in), every_rank_(every_rank) {
  add_own();
  std::set<FunctionKey> work;
  for (const auto& [f, deeds] : deeds_) work.insert(f);
  for (size_t length = 1; length < kMostCallsToDeed; ++length) {
    std::set<FunctionKey> callers;
    for (const FunctionKey f : work) hand_up(f, length, callers);
    work = std::move(callers);
  }
}

std::span<const FileDeed> FileDeeds::of(FunctionKey f) const {
  const auto found = deeds_.find(f);
  return found == deeds_.end() ? std::span<const FileDeed>() : std::span<const FileDeed>(found->second);
}

void FileDeeds::add_own() {
  for (const auto& [site, call] : in_.watched().calls) {
    const Summary* s = in_.summary(site.function);
    if (!s || !s->graph().reachable(site.block) || in_.program().called_for(site.function) != site.function) continue;
    if (const std::optional<FileDeed::Kind> kind = kind_of(in_, FunctionCode(in_.index(), *s), site, call.call))
      add({.kind = *kind, .way = {site}, .call = call.call});
  }
}

// Those of the callee's deeds to which a way of that length leads.
void FileDeeds::hand_up(FunctionKey callee, size_t length, std::set<FunctionKey>& callers) {
  const std::vector<FileDeed> deeds(deeds_[callee]);  // a function may call itself
  for (const WayToCall& way : every_rank_.ways().to(callee)) {
    Binding binding = in_.bind(way.target, way.call->call, 0);
    binding.held = way.call->call.held;
    for (const FileDeed& deed : deeds)
      if (deed.way.size() == length && add(handed(deed, way, binding))) callers.insert(way.site.function);
  }
}

FileDeed FileDeeds::handed(const FileDeed& deed, const WayToCall& way, const Binding& binding) const {
  FileDeed above = deed;
  above.way.insert(above.way.begin(), way.site);
  above.by_some |= way.target.guard.valid();
  if (deed.path.valid())
    above.path = in_.instantiate(deed.path, binding);
  else
    above.call = in_.instantiate(deed.call, binding);
  for (TermLiteral& condition : above.conditions) condition.term = in_.instantiate(condition.term, binding);
  // The caller may pass `rank == 0` for a parameter of the callee.
  std::erase_if(above.conditions, [&](const TermLiteral& condition) {
    const bool diverges = in_.values().diverges(condition.term);
    above.by_some |= !in_.values().variance(condition.term).empty();
    above.may_be_by_some |= diverges;
    return diverges;
  });
  return above;
}

bool FileDeeds::add(FileDeed deed) {
  const Site& site = deed.way.front();
  const Summary* s = in_.summary(site.function);
  std::vector<FileDeed>& deeds = deeds_[site.function];
  if (!s || !s->graph().reachable(site.block) || deeds.size() >= kMostDeeds) return false;
  if (!deed.path.valid()) deed.path = path_of(in_, deed.kind, deed.call);
  if (!deed.path.valid() && !deed.call.star.valid() && !deed.call.double_star.valid()) return false;
  deed.by_some |= is_for_some(in_, *s, site.block);
  deed.may_be_by_some |= deed.by_some || every_rank_.is_guarded(*s, site.block);
  if (!deed.writes() && deed.path.valid() && in_.values().diverges(deed.path)) return false;
  add_conditions(*s, site.block, deed);
  deeds.push_back(std::move(deed));
  return true;
}

void FileDeeds::add_conditions(const Summary& s, ir::BlockId block, FileDeed& deed) const {
  const ir::Function& f = in_.index().function(s.function);
  for (ir::BlockId above = s.graph().dominator(block); above.valid(); above = s.graph().dominator(above)) {
    const ValueId condition = s.blocks[above.index].condition;
    const std::optional<bool> side = side_of_branch(s.graph(), f, above, block);
    if (side && condition.valid() && !in_.values().diverges(condition) &&
        deed.conditions.size() < kMostConditionsOfDeed)
      deed.conditions.push_back({condition, *side});
  }
}

}  // namespace ranklint

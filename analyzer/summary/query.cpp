#include "analyzer/summary/query.h"

#include <algorithm>
#include <iterator>

#include "analyzer/base/contain.h"
#include "analyzer/base/current_work.h"
#include "analyzer/base/mixed_hash.h"
#include "analyzer/base/work_limit.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {

// What one stage of the check may do for one function: about a second, and ten times what the largest functions of real
// projects need. A project may have as many such functions as its size allows; the functions after them may do little.
constexpr uint64_t kMostWork = 8000000;
constexpr uint64_t kLittleWork = 200000;
constexpr uint64_t kMostWorkOfProject = 40000000;  // and more with each of its functions
constexpr uint64_t kMostWorkPerFunction = 20000;

Query::Query(const Program& program, SummarySource& source, int deepest_call)
    : index_(program.index()),
      models_(program.models()),
      program_(program),
      source_(source),
      deepest_call_(deepest_call),
      values_(index_) {
  using Trait = ValueStore::Trait;
  const auto plain = [&](const std::string& name) {
    return index_.intern(name.starts_with("*.") ? name.substr(2) : name);
  };
  for (const auto& [role, trait] : {std::pair(Role::SplitsIntoParts, Trait::SplitsIntoParts),
                                    std::pair(Role::HasNoLiteral, Trait::HasNoLiteral),
                                    std::pair(Role::CountsElements, Trait::CountsElements),
                                    std::pair(Role::KeepsElements, Trait::KeepsElements),
                                    std::pair(Role::KeepsLength, Trait::KeepsLength),
                                    std::pair(Role::TellsForm, Trait::TellsForm),
                                    std::pair(Role::TellsSize, Trait::TellsSize),
                                    std::pair(Role::AsksKind, Trait::AsksKind),
                                    std::pair(Role::ComputesOfValues, Trait::ComputesOfValues),
                                    std::pair(Role::MovesOrCasts, Trait::ComputesOfValues),
                                    std::pair(Role::KeepsTensor, Trait::ComputesOfValues),
                                    std::pair(Role::CastsTensor, Trait::ComputesOfValues),
                                    std::pair(Role::LooksForNoNumber, Trait::LooksForNoNumber),
                                    std::pair(Role::RoundsNumber, Trait::RoundsNumber),
                                    std::pair(Role::GivesMagnitude, Trait::GivesMagnitude),
                                    std::pair(Role::GivesTruth, Trait::GivesTruth),
                                    std::pair(Role::HoldsForAny, Trait::HoldsForAny),
                                    std::pair(Role::HoldsForAll, Trait::HoldsForAll),
                                    std::pair(Role::GivesFirst, Trait::GivesFirst),
                                    std::pair(Role::GivesQuotient, Trait::GivesQuotient),
                                    std::pair(Role::RoundsUp, Trait::RoundsUp),
                                    std::pair(Role::TellsShape, Trait::TellsShape)})
    for (const std::string& name : roles().names_in(role)) values_.set_trait(plain(name), trait);
  for (const std::string& name : roles().names_in(Role::Computes))
    if (const RoleEntry* entry = roles().find(name, Role::Computes))
      values_.set_computation(plain(name), computation_named(entry->note));
  values_.set_priors(priors());
  allow_work();
}

Query::Query(const Query& below, Over)
    : below_(&below),
      own_names_(ProjectIndex::over(below.index_)),
      index_(*own_names_),
      models_(below.models_),
      program_(below.program_),
      source_(below.source_),
      deepest_call_(below.deepest_call_),
      values_(below.values_, index_),
      sites_(decltype(sites_)::over(below.sites_)),
      site_ids_(decltype(site_ids_)::over(below.site_ids_)),
      paths_(decltype(paths_)::over(below.paths_)),
      last_path_(below.last_path_),
      free_names_(decltype(free_names_)::over(below.free_names_)),
      fields_(decltype(fields_)::over(below.fields_)),
      differing_attributes_(decltype(differing_attributes_)::over(below.differing_attributes_)),
      class_attributes_(decltype(class_attributes_)::over(below.class_attributes_)),
      globals_(decltype(globals_)::over(below.globals_)),
      member_models_(decltype(member_models_)::over(below.member_models_)),
      decorated_(decltype(decorated_)::over(below.decorated_)),
      attribute_types_(decltype(attribute_types_)::over(below.attribute_types_)),
      mentions_(decltype(mentions_)::over(below.mentions_)),
      axis_of_unknown_(decltype(axis_of_unknown_)::over(below.axis_of_unknown_)),
      work_left_(below.work_left_) {}

void Query::allow_work() { work_left_ = kMostWorkOfProject + kMostWorkPerFunction * index_.functions().size(); }

void Query::note_incomplete(FunctionKey f, IncompleteReason reason) const {
  const auto [known, is_new] = notes_.incomplete.try_emplace(f, reason);
  if (!is_new && reason < known->second) known->second = reason;
}

std::optional<Doubt> Query::older_library(FunctionKey f, const std::vector<std::string>& needs) const {
  const LibraryVersions::Statement* stated = program_.library_versions().too_old(f, needs);
  return stated ? std::optional(Doubt{Reason::OlderLibrary, {stated->within, stated->range}}) : std::nullopt;
}

void Query::add_notes(Notes notes) const {
  work_left_ -= std::min(work_left_, notes.work);
  notes_.work += notes.work;
  for (const auto& [f, reason] : notes.incomplete) note_incomplete(f, reason);
  std::ranges::move(notes.broken, std::back_inserter(notes_.broken));
}

// Code that runs when something breaks has counted what it began and not what it ended.
bool Query::contain(FunctionKey f, std::string_view stage, const std::function<void()>& body) const {
  const Asking before = asking_;
  const std::string_view name = f.valid() ? index_.qualified_name(f) : std::string_view();
  const CurrentWork work(stage, f.valid() ? index_.path(f) : std::string_view("all files"), name);
  bool is_finished = true;
  std::optional<std::string> what = ranklint::contain([&] {
    source_.begins(stage, name);
    const WorkLimit limit(!f.valid() ? UINT64_MAX : work_left_ > 0 ? kMostWork : kLittleWork);
    try {
      body();
    } catch (const WorkLimitReached&) {
      is_finished = false;
    }
    if (!f.valid()) return;
    work_left_ -= std::min(work_left_, limit.used());
    notes_.work += limit.used();
  });
  if (!what && is_finished) return true;
  asking_ = before;
  asking_.free_names.clear();
  if (what)
    notes_.broken.push_back({f, std::string(stage), std::move(*what)});
  else
    note_incomplete(f, IncompleteReason::MuchWork);
  return false;
}

const ir::Instruction* Query::call_at(const Site& site) const {
  const auto& instructions = index_.function(site.function).blocks[site.block].instructions;
  const bool is_call = site.why == Site::Why::Instruction && site.instruction < instructions.size() &&
                       instructions[site.instruction].kind == ir::InstructionKind::Call;
  return is_call ? &instructions[site.instruction] : nullptr;
}

ValueId Query::failure_taken_by(FunctionKey function, ir::BlockId handler) const {
  return values_.local("failure", intern_site({function, handler, 0, 0, Site::Why::ExceptionCame}).index);
}

SiteId Query::intern_site(const Site& site) const {
  uint64_t hash = site.function.index;
  for (const uint32_t part :
       {site.block.index, site.instruction, site.part, static_cast<uint32_t>(site.why), site.place.index})
    hash = mixed_hash(hash, part);
  const SiteId known = site_ids_.find(hash, [&](SiteId id) { return sites_[id] == site; });
  if (known.valid()) return known;
  const SiteId added = sites_.push_back(site);
  site_ids_.add(hash, added);
  return added;
}

uint32_t Query::extend_path(uint32_t path, SiteId site) const {
  const std::pair key{path, site.index};
  const uint32_t* known = paths_.find(key);
  return known ? *known : paths_.set(key, ++last_path_);
}

std::string_view Query::class_name(ClassKey c) const {
  return index_.modules()[index_.classes()[c].module].text(index_.klass(c).name);
}

std::string_view Query::last_name(ValueId v) const {
  const Value& value = values_[v];
  const SymbolTable& names = index_.names();
  switch (value.kind) {
    case ValueKind::Attribute: return names.text(Symbol{value.a});
    case ValueKind::Global:
    case ValueKind::Free: return names.text(Symbol{value.b});
    case ValueKind::External: return last_part(names.text(Symbol{value.a}));
    case ValueKind::Parameter: {
      const FunctionKey f{value.a};
      const auto& parameters = index_.function(f).parameters;
      if (value.b >= parameters.size()) return {};
      return index_.modules()[index_.functions()[f].module].text(parameters[value.b].name);
    }
    case ValueKind::Believed: return last_name(values_.child(v, 0));
    case ValueKind::Module: return last_part(index_.modules()[ModuleKey{value.a}].name);
    default: return {};
  }
}

}  // namespace ranklint

// Linking by name, as a linker does, with one thing less to go by: which units make up a program is not known, only
// which there are. Of several that define a function, it takes the one whose folder is nearest to that of `main`; where
// two are equally near, the choice is unknown, and the function stays without a body.
//
// A unit is taken in as a whole: its parts move after those that are there, its numbers with them. Its globals are set
// before `main` begins, as those of the first unit are.
#include "analyzer/machine/link.h"

#include <algorithm>
#include <map>

#include "analyzer/base/nearest.h"

namespace ranklint::machine {

namespace {

constexpr size_t kMostFunctions = 4000;

// Which units define what, units with a `main` of their own left out.
class Exports {
 public:
  explicit Exports(const Units& units) : units_(units) {
    for (size_t u = 0; u < units.size(); ++u) {
      if (units[u]->has_main()) continue;
      for (const Function& f : units[u]->functions)
        if (!f.exported.empty()) by_name_[f.exported].push_back(u);
      for (const Variable& v : units[u]->globals)
        if (!v.exported.empty() && v.size_bytes) by_name_[v.exported].push_back(u);
    }
  }

  // The unit that a program whose `main` stands in a file means by the name; null: none, or it is ambiguous.
  const Program* find(const std::string& name, const std::string& from) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return nullptr;
    const size_t* unit = only_nearest(found->second, [&](size_t u) { return common_folders(units_[u]->unit, from); });
    return unit ? units_[*unit].get() : nullptr;
  }

 private:
  const Units& units_;
  std::map<std::string, std::vector<size_t>> by_name_;
};

// Where the parts of a unit that is taken in begin in the program.
struct Base {
  int64_t functions, globals, texts, externals;
  uint32_t places, files;
};

void move_step(Step& step, const Base& base) {
  if (step.place) step.place += base.places;
  switch (step.kind) {
    case StepKind::Text:
    case StepKind::Unsupported: step.number += base.texts; break;
    case StepKind::FunctionAddress:
    case StepKind::Call: step.number += base.functions; break;
    case StepKind::ExternalAddress:
    case StepKind::CallExternal: step.number += base.externals; break;
    case StepKind::Global: step.number += base.globals; break;
    default: break;
  }
}

template <typename List>
void append(List& list, const List& more) {
  list.insert(list.end(), more.begin(), more.end());
}

class Linker {
 public:
  Linker(const Program& main, const Exports& exports) : exports_(exports), program_(main) {}

  Program run() {
    for (bool again = true; again;) {
      again = false;
      for (const std::string& name : open_names()) again |= take_in(name);
    }
    resolve();
    return std::move(program_);
  }

 private:
  std::set<std::string> open_names() const {
    std::set<std::string> names;
    for (size_t i = 0; i < program_.externals.size(); ++i)
      if (!program_.is_library[i]) names.insert(program_.externals[i]);
    for (const Variable& v : program_.globals)
      if (!v.size_bytes && !v.exported.empty()) names.insert(v.exported);
    return names;
  }

  bool take_in(const std::string& name) {
    const Program* unit = exports_.find(name, program_.unit);
    if (!unit || program_.functions.size() + unit->functions.size() > kMostFunctions || !taken_.insert(unit).second)
      return false;
    const Base base{.functions = size(program_.functions),
                    .globals = size(program_.globals),
                    .texts = size(program_.texts),
                    .externals = size(program_.externals),
                    .places = static_cast<uint32_t>(program_.places.size()),
                    .files = static_cast<uint32_t>(program_.files.size())};
    append(program_.files, unit->files);
    append(program_.texts, unit->texts);
    append(program_.externals, unit->externals);
    program_.is_library.insert(program_.is_library.end(), unit->is_library.begin(), unit->is_library.end());
    for (SourceLocation place : unit->places) {
      place.file += base.files;
      program_.places.push_back(place);
    }
    for (Variable global : unit->globals) {
      if (global.place) global.place += base.places;
      program_.globals.push_back(std::move(global));
    }
    for (Function function : unit->functions) {
      if (function.place) function.place += base.places;
      for (Variable& v : function.variables)
        if (v.place) v.place += base.places;
      for (Step& step : function.steps) move_step(step, base);
      program_.functions.push_back(std::move(function));
    }
    set_globals(base.functions);
    return true;
  }

  static int64_t size(const auto& list) { return static_cast<int64_t>(list.size()); }

  // Before the end of the function that sets the program's globals.
  void set_globals(int64_t function) {
    std::vector<Step>& steps = program_.functions[0].steps;
    steps.pop_back();
    steps.push_back({.kind = StepKind::Call, .number = function});
    steps.push_back({.kind = StepKind::Pop});
    steps.push_back({.kind = StepKind::ReturnNothing});
  }

  // Calls and uses by name become what they name.
  void resolve() {
    std::map<std::string, int64_t> functions, globals;
    for (size_t f = 0; f < program_.functions.size(); ++f)
      if (!program_.functions[f].exported.empty())
        functions.try_emplace(program_.functions[f].exported, static_cast<int64_t>(f));
    for (size_t g = 0; g < program_.globals.size(); ++g)
      if (const Variable& v = program_.globals[g]; v.size_bytes && !v.exported.empty())
        globals.try_emplace(v.exported, static_cast<int64_t>(g));
    for (Function& function : program_.functions)
      for (Step& step : function.steps) {
        if (step.kind == StepKind::Global) resolve_global(step, globals);
        if (step.kind != StepKind::CallExternal && step.kind != StepKind::ExternalAddress) continue;
        const auto found = functions.find(program_.externals[static_cast<size_t>(step.number)]);
        if (found == functions.end()) continue;
        step.kind = step.kind == StepKind::CallExternal ? StepKind::Call : StepKind::FunctionAddress;
        step.number = found->second;
      }
  }

  void resolve_global(Step& step, const std::map<std::string, int64_t>& globals) const {
    const std::string& name = program_.globals[static_cast<size_t>(step.number)].exported;
    if (const auto found = globals.find(name); !name.empty() && found != globals.end()) step.number = found->second;
  }

  const Exports& exports_;
  Program program_;
  std::set<const Program*> taken_;
};

bool calls_mpi(const Program& program) {
  return std::any_of(program.externals.begin(), program.externals.end(),
                     [](const std::string& name) { return name.starts_with("MPI_"); });
}

}  // namespace

void link(const Units& units, const std::function<void(const Program&)>& take) {
  const Exports exports(units);
  for (const auto& unit : units) {
    if (!unit->has_main()) continue;
    const Program program = Linker(*unit, exports).run();
    if (calls_mpi(program)) take(program);
  }
}

std::set<std::string> missing_functions(const Units& units) {
  std::set<std::string> missing, defined;
  for (const auto& unit : units) {
    for (size_t i = 0; i < unit->externals.size(); ++i)
      if (!unit->is_library[i] && !unit->externals[i].starts_with("MPI_")) missing.insert(unit->externals[i]);
    for (const Function& f : unit->functions) defined.insert(f.exported);
  }
  std::erase_if(missing, [&](const std::string& name) { return defined.contains(name); });
  return missing;
}

}  // namespace ranklint::machine

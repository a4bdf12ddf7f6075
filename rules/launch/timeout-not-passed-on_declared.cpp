// A time-out that is declared beside what a call is given, and that nothing reads:
//
//     @dataclass
//     class Settings:
//         backend: str = "nccl"
//         timeout_minutes: int = 60
//
//     def start(settings: Settings):
//         dist.init_process_group(settings.backend)
//
// It is declared as a field of a class, or as an option of the command line. Read is what any file of the project
// names: an attribute, a variable, a text.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analyzer/program/handed.h"
#include "analyzer/questions/callee.h"
#include "rules/launch/timeout-names.h"
#include "rules/launch/timeout-not-passed-on.h"

namespace ranklint::timeout_not_passed_on {
namespace {

// What one class or one function declares together.
struct Declared {
  FunctionKey by;  // the class body, or the function that declares options
  ClassKey klass;  // invalid: options
  Symbol name;
  SourceRange range;
  friend bool operator<(const Declared& x, const Declared& y) {
    return std::tie(x.by, x.klass, x.name) < std::tie(y.by, y.klass, y.name);
  }
};

class DeclaredTimeouts {
 public:
  explicit DeclaredTimeouts(const Query& in) : in_(in), index_(in.index()), names_(in.roles()) {}

  std::vector<DeclaredTimeout> run() {
    for (uint32_t m = 0; m < index_.modules().size(); ++m) find_fields(ModuleKey{m});
    for (uint32_t f = 0; f < index_.functions().size(); ++f) find_options(FunctionKey{f});
    leave_out_read();
    if (!timeouts_.empty())
      in_.for_each_function_to_check("time-outs that are declared", [&](FunctionKey f) {
        if (const Summary* s = in_.summary(f)) look_at(FunctionCode(index_, *s));
      });
    return std::move(found_);
  }

 private:
  void note(const Declared& declared) {
    all_.insert(declared);
    if (names_.name_setting(index_.names().text(declared.name))) timeouts_.push_back(declared);
  }

  bool derives_from_library(ClassKey c) const {
    return std::ranges::any_of(index_.linearization(c),
                               [&](ClassKey k) { return !index_.classes()[k].external_bases.empty(); });
  }

  void find_fields(ModuleKey m) {
    const ir::Module& text = index_.modules()[m];
    std::map<ir::FunctionId, ClassKey> bodies;
    for (uint32_t c = 0; c < text.classes.size(); ++c)
      if (const ClassKey key = index_.key(m, ir::ClassId{c}); !derives_from_library(key))
        bodies[text.classes[ir::ClassId{c}].body] = key;
    for (const ir::Annotation& a : text.annotations) {
      const auto body = bodies.find(a.function);
      if (body == bodies.end()) continue;
      const ir::Expr& target = text.functions[a.function].exprs[a.target];
      if (target.kind == ir::ExprKind::Name)
        note(
            {index_.key(m, a.function), body->second, index_.name(m, target.symbol), index_.klass(body->second).range});
    }
  }

  // `parser.add_argument("--ddp-timeout", default=7200)`
  void find_options(FunctionKey f) {
    const ir::Function& function = index_.function(f);
    const ModuleKey module = index_.functions()[f].module;
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        const RoleEntry* role = i.kind == ir::InstructionKind::Call
                                    ? role_of(in_.roles(), index_, module, function, i.value, Role::DeclaresOption)
                                    : nullptr;
        if (!role) continue;
        const std::string name = name_of_option(index_.modules()[module], function, i, *role);
        if (!name.empty()) note({f, {}, index_.intern(name), i.range});
      }
  }

  // What the declared option is called where it is read. Empty: it is not written down, or another name is given for
  // it.
  static std::string name_of_option(const ir::Module& text, const ir::Function& f, const ir::Instruction& declaring,
                                    const RoleEntry& role) {
    std::string name;
    for (const ir::Argument& a : ir::arguments(f, declaring)) {
      const ir::Expr* e = a.value.valid() ? &f.exprs[a.value] : nullptr;
      const bool is_text = e && e->kind == ir::ExprKind::String;
      if (a.kind != ir::ArgumentKind::Positional) {
        if (a.kind == ir::ArgumentKind::Keyword && text.text(a.keyword) != role.note) continue;
        return {};
      }
      if (!is_text) return {};
      const std::string_view spelled = text.text(e->symbol);
      if (name.empty() || (spelled.starts_with("--") && !name.starts_with("--"))) name = spelled;
    }
    name.erase(0, name.find_first_not_of('-'));
    std::ranges::replace(name, '-', '_');
    return name;
  }

  void leave_out_read() {
    std::set<Symbol> read;
    const auto is_asked = [&](Symbol name) {
      return std::ranges::any_of(timeouts_, [&](const Declared& t) { return t.name == name; });
    };
    for (uint32_t f = 0; f < index_.functions().size() && !timeouts_.empty(); ++f) {
      const FunctionKey key{f};
      const ModuleKey module = index_.functions()[key].module;
      const bool declares =
          std::ranges::any_of(timeouts_, [&](const Declared& t) { return t.klass.valid() && t.by == key; });
      for (const ir::Expr& e : index_.function(key).exprs) {
        const bool names = e.kind == ir::ExprKind::Attribute || e.kind == ir::ExprKind::String ||
                           (e.kind == ir::ExprKind::Name && !declares);
        if (names && e.symbol.valid() && is_asked(index_.name(module, e.symbol)))
          read.insert(index_.name(module, e.symbol));
      }
    }
    std::erase_if(timeouts_, [&](const Declared& t) { return read.contains(t.name); });
  }

  void look_at(const FunctionCode& code) {
    for (const ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind != ir::InstructionKind::Call || gives_more(code.ir, i)) continue;
        const RoleEntry* role = role_of(in_, code, i, Role::TakesTimeout);
        if (role && !given_for(code, i, *role).valid()) look_at(code, i);
      }
  }

  void look_at(const FunctionCode& code, const ir::Instruction& call) {
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      const ir::Expr& given = code.ir.exprs[a.value];
      if (given.kind != ir::ExprKind::Attribute) continue;
      const Symbol name = index_.name(code.module, given.symbol);
      const ClassKey of = class_of(code, ir::children(code.ir, a.value)[0]);
      for (const Declared& timeout : timeouts_) {
        const bool together = all_.contains({timeout.by, timeout.klass, name, {}});
        const bool is_there = of.valid() ? timeout.klass == of : index_.functions()[timeout.by].module == code.module;
        if (!together || !is_there) continue;
        found_.push_back({code.key, call.range, std::string(name_of_callee(code, call)),
                          std::string(index_.names().text(timeout.name)), timeout.by, timeout.range});
        return;
      }
    }
  }

  // Of a parameter, by its annotation.
  ClassKey class_of(const FunctionCode& code, ir::ExprId object) const {
    const int parameter =
        code.ir.exprs[object].kind == ir::ExprKind::Name ? code.parameter(code.ir.exprs[object].symbol) : -1;
    const ir::ExprId annotation =
        parameter < 0 ? ir::ExprId{} : code.ir.parameters[static_cast<size_t>(parameter)].annotation;
    return annotation.valid() ? index_.resolve(code.module, code.ir, annotation).klass : ClassKey{};
  }

  const Query& in_;
  const ProjectIndex& index_;
  const TimeoutNames names_;
  std::set<Declared> all_;
  std::vector<Declared> timeouts_;  // that nothing reads
  std::vector<DeclaredTimeout> found_;
};

}  // namespace

std::vector<DeclaredTimeout> declared_timeouts(const Query& in) { return DeclaredTimeouts(in).run(); }

}  // namespace ranklint::timeout_not_passed_on

// What library functions do, as data: the facts about `torch.distributed.all_reduce` and its kin.
//
// Models are read from JSON (rules/models/*.json, compiled into the binary, and files the user names in the
// configuration); docs/models.md describes the format. This header is what the analysis asks.
//
// A model is found by a qualified name ("torch.distributed.all_reduce"), or by a pattern whose first part is
// `*` ("*.GroupCoordinator.all_reduce": that class whatever module defines it; "*.get_sp_group": that function
// whatever module defines it), or by `?` ("?.is_main_process": an attribute of a receiver whose type is not
// known, optionally only if the receiver's own name is one of `receivers`). One model may have several names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/confidence.h"
#include "analyzer/base/digest.h"
#include "analyzer/base/name_map.h"
#include "analyzer/base/result.h"
#include "analyzer/resolve/name_priors.h"
#include "analyzer/resolve/roles.h"

namespace ranklint {

enum class ModelKind {
  Collective,      // every rank of the group must call it, in order
  PointToPoint,    // send, receive; compared by the p2p rules only
  GroupCreate,     // creates a group; a collective on `group` (world unless said otherwise)
  GroupSource,     // returns an existing group or mesh; `axes`
  RankSource,      // returns this rank's coordinate along `axes` (or in its group argument)
  SizeSource,      // returns the number of ranks along `axes` (or of its group argument)
  RootSource,      // returns the global rank of the group's root: uniform inside the group, along `axes`
  RankPredicate,   // returns whether this rank is the first/last along `axes`
  LocalSource,     // returns what this rank alone sees: clock, file system, unseeded random, signal
  Uniformizer,     // not a collective by itself, but its result is equal on all ranks of the group
  Initialized,     // whether distributed is set up: true in the runs that matter
  GuardDecorator,  // the decorated function's body runs only where `predicate` holds along `axes`
  GuardContext,    // `with` it, or call it with a function: see `shape`
  Wait,            // completes an asynchronous collective's handle
  Setup,           // init_process_group and the like: a collective on world, before everything
  Teardown,        // destroy_process_group
  Environment,     // an environment variable: `axes` if it holds a rank
  Pure,            // no communication, result follows from the arguments alone
  Class,           // a class whose members are modelled: see `instance`
};

enum class RankPredicateKind { First, Last, NotFirst };

// What a call is part of, for rules that report it in their own terms.
enum class ModelAbout : uint8_t {
  Communication,  // nothing else
  Wrapper,
  Run,
  Forward,
  GatheredParameters,
  StateDict,
  Checkpoint,
  TensorRead,
  Redistribute,
};

// On which ranks the body of a guard runs, and when.
enum class GuardShape : uint8_t {
  None,
  FirstThenOthers,  // on all, the first before the others, with barriers around
  FirstOnly,        // on the first only
  CallArgument,     // a function given as an argument, on the first only
};

// How the sizes of a collective are given, where they must agree on all ranks.
enum class SizesGiven : uint8_t {
  ByTensor,  // the shape of `tensor`
  ByCount,   // the number that `input` names
  InPairs,   // a tensor for each peer: both sides of a pair agree, and other pairs may have another size
};

// What a point-to-point operation does. Both: or what its arguments say.
enum class TransferDirection { Both, Sends, Receives };

// Which group an operation runs on: the argument if it is given, else another one, else what `otherwise` says.
// OfReceiver: the group that the object it is called on was made with, the world if that was made with none.
struct GroupSpec {
  enum class Otherwise { World, Receiver, OfReceiver, Axes, Unknown };
  ArgumentSpec argument;
  ArgumentSpec or_argument;  // a mesh in place of a group
  Otherwise otherwise = Otherwise::World;
  std::vector<std::string> axes;  // for Axes
};

// "The call counts only if this argument is (not) this literal"; literals as written: "true", "none", "0", "'x'".
struct ArgumentCondition {
  ArgumentSpec argument;  // absent: what the method is called on, of which only `made_with` is asked
  // Empty: it is about the argument itself. Else about what its maker was given for these keywords, one of which is
  // enough: `options=Options(whole=True)`.
  struct Keyword {
    std::string name, default_value;  // what it means where it is not given
  };
  std::vector<Keyword> made_with;
  std::string maker;   // the last part of the name of its class
  std::string equals;  // one of the two is non-empty
  std::string not_equals;
  std::string default_value;  // what an absent argument means
};

struct Model {
  std::string name;  // as in the file, pattern included
  ModelKind kind = ModelKind::Pure;
  std::string op;  // "all_reduce"; the word that messages use and that sequences compare
  GroupSpec group;
  std::vector<std::string> axes;  // RankSource, SizeSource, GroupSource, ...: "world", "tp", "local"
  ArgumentSpec root;              // src or dst
  bool root_is_group_rank = false;
  ArgumentSpec reduce_op;
  ArgumentSpec async;
  ArgumentSpec handle;          // what gets the handle of an operation that is only posted; absent: it waits
  ArgumentSpec ranks;           // GroupCreate: the list of member ranks
  ArgumentSpec color;           // GroupCreate: ranks that give the same value form a group (MPI_Comm_split)
  bool same_members = false;    // GroupCreate: a copy of `group` (MPI_Comm_dup)
  ArgumentSpec tensor;          // the tensor whose shape must agree (or that is filled in place)
  ArgumentSpec input;           // the tensor sent, where `tensor` is only what is filled
  ArgumentSpec result;          // the argument through which the result comes back; absent: it is returned
  bool result_uniform = false;  // the value returned is equal on all ranks of the group
  bool fills_tensor = false;    // and so is `tensor` (or the object list) after the call
  bool same_shape = false;      // sizes must agree on all ranks
  SizesGiven sizes = SizesGiven::ByTensor;
  bool conditional = false;          // communicates only in some set-ups: lowers the confidence to likely
  bool if_sharded = false;           // communicates only where the model is sharded; conditional, too
  std::vector<std::string> needs;    // the versions in which it is so, "torch>=2.2"; one entry a name of the package
  bool several_collectives = false;  // of which only `op` is named: what a library does as a whole
  bool implicit = false;             // its name does not say that it communicates
  bool gives_nothing = false;        // known by its bare name only where the result is not used
  bool matched_by_name = false;      // ranks find each other's by the tensor's name, in any order
  ModelAbout about = ModelAbout::Communication;
  std::vector<ArgumentCondition> when;  // all must hold for the call to communicate
  RankPredicateKind predicate = RankPredicateKind::First;
  TransferDirection direction = TransferDirection::Both;  // PointToPoint
  GuardShape shape = GuardShape::None;                    // GuardContext
  std::string instance;  // Class, GroupSource, GroupCreate: the class that the value is an instance of; a
                         //   member's model is find(instance + "." + member): "GroupCoordinator.all_reduce"
  std::vector<std::string>
      receivers;        // for `?` patterns: names a receiver may have ("accelerator", "self.accelerator")
  std::string mention;  // the word a file must hold for the model to matter, if not its last name part
  Confidence confidence = Confidence::Certain;
  std::string note;     // one sentence for hover and messages
  std::string library;  // whose function it is, as the file says; of Python the package: "torch.distributed"
};

struct NamedModel;  // analyzer/resolve/model_reader.h
struct ModelFile;

class Models {
 public:
  // The built-in models. Aborts on a malformed built-in file: that is our bug.
  static Models builtin();

  // Adds the models, roles and words of a JSON text and returns how many; `path` is for errors. Later models
  // replace earlier ones of the same name. On an error nothing is added. Pointers that the lookups gave are invalid
  // afterwards.
  Result<size_t> add(std::string_view json, const std::string& path);

  // By qualified name, then by the longest `*.` pattern that is a suffix of it. Null when there is none.
  const Model* find(std::string_view qualified_name) const;

  // Whether a model is of this member of the class itself, and not of any of the name.
  bool names_member(std::string_view type, std::string_view member) const;

  // By attribute name on a receiver of unknown type whose last name is `receiver` ("accelerator" for
  // `self.accelerator.gather`). Null when there is none.
  const Model* find_attribute(std::string_view receiver, std::string_view attribute) const;

  // An environment variable's model.
  const Model* find_environment(std::string_view variable) const;

  // The last name parts of all models that communicate or distinguish ranks: what a file must contain to matter.
  const std::vector<std::string>& interesting_names() const { return interesting_names_; }

  // What functions are beside that.
  const Roles& roles() const { return roles_; }
  // What names make likely.
  const NamePriors& names() const { return names_; }

  size_t size() const { return models_.size(); }
  // Of the texts that were added, in their order.
  const Digest& added() const { return added_; }
  const std::vector<Model>& all() const { return models_; }

 private:
  void insert_all(std::vector<NamedModel> models);
  void insert(Model model, const std::vector<std::string>& aliases);
  void index_name(const std::string& name, size_t model);
  void collect_interesting_names();

  std::vector<Model> models_;
  NameMap<size_t> by_identity_;                // what a later model replaces
  NameMap<size_t> by_name_;                    // exact
  NameMap<size_t> by_suffix_;                  // "*." patterns without the "*."
  NameMap<std::vector<size_t>> by_attribute_;  // "?." patterns without the "?."
  NameMap<size_t> by_environment_;
  std::vector<std::string> interesting_names_;
  Roles roles_;
  NamePriors names_;
  Digest added_;
};

}  // namespace ranklint

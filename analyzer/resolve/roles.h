// What library functions and names are, beside their effect on the agreement of ranks: functions that read a file, that
// run a callback later, what a variable called `train_loader` holds. Data, in the files of the models.
//
// A role is found by a qualified name ("torch.load", "open"): under that name, or under a pattern that its end matches
// ("*.exists": `os.path.exists`, `path.exists`, `exists`), or of which it is a member ("torch.nn.*").
// One function may have several roles, and a model besides. What the project defines itself has no roles: its body says
// what it does.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/name_map.h"

namespace ranklint {

// An argument by position (0-based, not counting self; -1: keyword only) and keyword.
struct ArgumentSpec {
  int position = -1;
  std::string keyword;
  bool present() const { return position >= 0 || !keyword.empty(); }
};

enum class Role : uint16_t {
  // Files.
  ReadsFile,       // `argument`: its path; none: it is called on the path
  WritesFile,      // likewise
  OpensPath,       // a method of a path, by the mode that it may be given first
  WritesFolder,    // `argument`: its path; a file or several
  ReadsFolder,     // likewise; what was written into it
  ChoosesWriter,   // saves; `argument`: which rank writes, or how, or that all write together
  ReadsWeights,    // tensors of a checkpoint
  WritesWeights,   // likewise
  ListsDirectory,  // in an order that each machine has for itself
  TestsPath,       // whether there is something
  TestsFile,       // whether there is a file, which a folder is not
  MakesFolder,     // `argument`: whether it is content with one that is there
  RemovesPath,
  MovesPath,    // `argument`: the path that is gone then
  MakesPath,    // a link, or a copy of a folder; `argument`: the path, which must not be there yet
  FillsFolder,  // its argument: a download, an archive
  JoinsPaths,
  MayRaise,     // on one rank and not on another: a disk, a network, another process
  NeverRaises,  // shows what it is given, or keeps it
  EndsProcess,
  EndsWhenRaised,  // an exception that ends the process where no handler takes it
  RaisedByCode,    // an exception: raised for what the program is or what its user does, independent of the data
  RaisedByBases,   // an exception that a method raises so that derived classes replace it
  RaisedByValues,  // an exception for what is computed, not for what lies outside of the program
  MemoryError,     // an exception: memory is used up; `note`: what others say that are raised then
  // Collections.
  Interrupts,        // an exception: somebody stops the program
  MissingModule,     // an exception: a module is not installed
  AnyException,      // an exception that has nearly all others below it
  MissingAttribute,  // an exception: an object has no such attribute, or one that stands for that, too
  MakesSet,
  SetType,          // the type of one, as annotations name it
  KeepsOrder,       // `argument`: whose elements it gives, one after the other
  ViewsEntries,     // of the object it is called on, likewise
  AddsElements,     // those of its argument
  AddsElement,      // its arguments, to the object it is called on
  AddsEntries,      // those of its argument, likewise
  TakesElement,     // out of the object it is called on, and gives it
  Empties,          // the object it is called on
  ChangesEntries,   // of the object it is called on
  ChangesElements,  // of the list it is called on, other than by adding at its end
  GivesEntries,     // of the object it is called on, one or all of them
  ReadsEntries,     // of the object it is called on, or leaves some out, and adds none
  LooksUpEntry,     // of the object it is called on, by its first argument; where there is none it gives the second
  MakesContainer,   // empty, where it is given nothing
  SequenceType,     // the type of one, as annotations name it: of elements of one type
  TupleType,        // likewise: of elements of a type each
  CombinesSets,     // of the object it is called on and others
  HandsOnElements,  // of each of its arguments, one by one
  SplitsIntoParts,  // all parts of something, of which the first have one more where there is a rest
  HasNoLiteral,     // a class: no literal is an object of it
  CountsElements,   // of its only argument
  KeepsElements,    // of its only argument, in any order
  KeepsLength,      // gives as many as each of its arguments has
  TakesSlice,       // of its first argument: up to a place, or from, to and step
  // Numbers.
  FillsText,         // that it is called on: its arguments stand in the place of braces
  Converts,          // its argument to another type of number, or to a text: the function's name
  RoundsNumber,      // its argument to a whole one
  RoundsUp,          // likewise, to the next one that is not smaller
  ComputesOfValues,  // of what its argument holds, which its form does not show
  LooksForNoNumber,  // in its argument: infinity, or what is no number
  GivesMagnitude,    // of its argument, a number
  GivesTruth,        // whether its argument is true
  HoldsForAny,       // whether any of the elements of its argument is true
  HoldsForAll,       // whether all of them are
  GivesFirst,        // of what it is given to go over; `argument`: what it gives where that is nothing
  GivesQuotient,     // of its two arguments, and what is left over
  Computes,          // of the numbers, texts and lists that it is given, and of those alone; `note`: what
  SeedsNumbers,      // random ones; `argument`: the seed
  LooksUpByText,  // what a text names that the program puts together; `note`: in any file, not only in those imported
  DescribesPackage,  // which others can install
  // Tensors.
  MakesTensor,         // of the sizes that it is given; `argument`: them, by keyword
  FillsTensor,         // likewise, with what its second argument says
  CountsIntoTensor,    // as long as its only argument says
  MakesTensorLike,     // of the sizes of its first argument
  MakesTensorBeside,   // of the sizes that it is given, and the type of the tensor it is called on
  KeepsTensor,         // gives the tensor it is called on, or another of its sizes and type
  MovesOrCasts,        // the tensor that it is called on, as its arguments say
  FlattensTensor,      // gives the elements of the tensor that it is called on in one dimension
  JoinsTensors,        // of a list, into one tensor
  MakesOfData,         // of a list or of other tensors
  CopiesTensor,        // into memory of its own; whether or not it has to
  TypedByData,         // of a list, its elements of the type of the list's
  CastsTensor,         // gives the tensor it is called on as another type: `note`, or what an argument says
  NumberType,          // a constant: what the elements of a tensor are
  SaysNumberType,      // an argument or an attribute: it is of such a type
  WholeNumberType,     // one of whole numbers, or of truth values
  TypeInTensors,       // a type of the language; `note`: that of a tensor's elements which are made of such numbers
  LeavesUnfilled,      // makes a tensor of which only the sizes are known
  PicksElements,       // of one tensor, although it is called like an exchange
  GeneratesTokens,     // with the model that it is called on; `argument`: one that says how many at least; an entry for
                       // each
  SizedByData,         // gives a tensor of as many elements as the data have of a kind
  ComputesWithTensor,  // that it is called on
  CutsIntoChunks,      // the tensor that it is called on; fewer than asked for, where that is short
  CutsByLength,        // likewise; `argument`: how long each chunk is
  Pads,                // a tensor up to a length
  WritesTensor,        // that it is called on
  TakesNorm,           // of gradients
  // Distributed tensors.
  LaysOut,          // one of the tensor that it is given or called on; `argument`: its placements
  DealsOutTensor,   // gives each rank its part of a tensor that one rank has; `argument`: which rank, if any
  DeclaresLayout,   // makes one of the parts that the ranks have; `argument`: the size of the whole
  GivesWhole,       // of the one that it is called on
  GivesOwnPart,     // this rank's, of the one that it is called on
  GivesPlacements,  // of the one that it belongs to
  WholeOnEachRank,  // a placement
  PartOnEachRank,   // likewise; `argument`: the dimension that is cut
  // Devices.
  ChoosesDevice,
  BindsDevice,    // of the process; `argument`: its number
  TakesDevice,    // `argument`: its number; without: any of them
  MovesToDevice,  // the model that it is called on, or given; `argument`: which; without: one that is not the host
  MovesToHost,    // likewise
  SetsDefaultDevice,
  KeepsDevice,    // a context: what is made under it is made where it would be without
  HostDevice,     // the text that names the host
  CurrentDevice,  // a kind of device without a number, which is the current one
  MetaDevice,     // the text that names the device without storage
  CountsDevices,
  CountsRanks,  // of the world
  MakesOnMeta,  // a context: modules that are made under it have no storage
  // Time.
  TakesTimeout,    // for the groups that it makes; `argument`: it, or the options that hold it; `note`: what it makes,
                   // where further groups are made of the same ranks
  DefaultTimeout,  // a constant: how long operations wait where no time-out is given
  LastsByDefault,  // a backend; `note`: how many seconds its operations wait where no time-out is given
  TakesLong,       // a download, data that are prepared, code that is compiled; `argument`: only where it is given
  MakesDuration,   // one entry for each argument that counts a unit of time; `note`: how many seconds that is
  // What it gives.
  ReturnsArgument,       // `argument`: which
  ReturnsModule,         // the model that it is called on
  ReturnsReceiver,       // what it is called on, as a number or a copy, where it is given nothing
  KeepsType,             // something of its first argument's type
  CastsType,             // its second argument, of the type that the first one is
  FollowsFromArguments,  // divergence included
  TellsForm,             // of the object it is called on: what it is and how large, not what it holds
  TellsShape,            // of the tensor that it is an attribute of
  TellsSize,             // of the tensor it is called on: how many elements it has
  AsksKind,              // of what kind its argument is
  TakesBatch,            // a method that a framework calls; `argument`: the batch
  TellsWorker,           // of a data loader that asks
  TrainsByGradients,     // computes or clears gradients, as only training does
  TellsTrained,          // an attribute, or a method: whether a parameter, or all of a module, is trained
  TakesGradientsOff,     // for a block or a function: what runs under it is not trained
  GivesModelState,       // a method of models: their parameters, their buffers, or all of them by name
  GivesStateDict,        // likewise: all that a model is saved by
  GivesWholeState,       // of a model, however it is sharded; `argument`: options, of which `note` says so
  // The environment.
  HoldsEnvironment,  // a variable: the table of them
  HoldsAddress,      // a variable of the environment: where the ranks of a group meet
  ReadsEnvironment,  // `argument`: the variable
  // Functions.
  RunsAtExit,       // `argument`: the function that runs later, and `note`: how messages call it
  RunsAtAnyTime,    // likewise; of a method of a class: other code runs it
  StartsThread,     // likewise
  RunsLater,        // the function that it is given, at a later time
  WaitsForThread,   // to end; `argument`: how long
  CalledByOthers,   // a method, or all of a class
  CalledByTrainer,  // a method: a hook of training that a trainer calls on every rank
  RunsHooks,        // an attribute of a hook's object: its caller
  StopsTraining,    // an attribute of the hooks' caller: what ends the training, when it is true
  CallsBack,        // calls `argument`, at once or later
  CallsArgument,    // its first one, with the others
  CallsMethod,      // of a class: its objects' method `note`
  ComputesOutput,   // a method: what a model makes of its input, when it is called
  KeepsCall,        // of its first argument, with the others, for later
  DoesNothing,
  HandlesSignal,        // `argument`: the function
  MakesExecutor,        // `note`: the class by which the roles of its methods are known
  MakesCachedProperty,  // of the function that it decorates
  MakesProperty,        // of the method that it decorates
  MakesClassMethod,     // likewise
  MakesStaticMethod,    // likewise
  MakesContextManager,  // of the generator that it decorates
  MakesAbstract,        // of the method that it decorates
  KeepsResult,          // of the function that it decorates, for the next call
  // Processes.
  StartsProcesses,      // `argument`: the function that each of them runs
  StartsOnThisMachine,  // all that it starts
  NumbersProcesses,     // passes the number of the process, from 0, as the function's first argument
  HandsArguments,       // `argument`: those of the function, a tuple
  CountsProcesses,      // how many there are, or what options say so; `argument`: the number; `note`: it, where none is
                        // given
  TakesRank,            // makes a process group; `argument`: the rank of this process in it
  TakesWorldSize,       // likewise; `argument`: how many ranks it has
  TakesAddress,         // likewise; `argument`: the address where its ranks meet
  TakesBackend,         // likewise; `argument`: what its ranks communicate with
  ReachesNobody,        // a backend whose operations wait for no other process
  IsThisMachine,        // a name of the machine that asks, in an address
  DeclaresOption,       // its first argument is the option's name; `argument`: what it holds where none is given
  SetByLauncher,        // a variable of the environment: this process's number
  SetInJobs,            // a variable of the environment that is set in each job of several ranks
  SetUpByCall,          // a library whose ranks no other call sets up than those that have a model
  StartsJob,            // likewise: of `argument` processes; the other arguments are the options' numbers
  StatesDegree,         // a launcher's option, written as a call of its name and the number `argument`
  CutsWorld,  // an option: the number of ranks along one axis; `note`: whose numbers, multiplied, divide the world
  StatesRequirements,  // `argument`: of libraries, with their versions, a text or a list of texts
  RequiresVersion,     // of a library, where `argument`, if there is one, is given; `note`: the requirement
  CountsUp,            // gives the integers from 0 on, in order
  // Threads.
  SharedByThreads,  // makes what threads hand on to each other
  ChangesShared,    // asks or changes such a thing
  // Classes.
  GroupClass,         // of process groups, communicators and meshes
  ProcessGroupClass,  // PyTorch's own
  MeshClass,
  AsksMesh,          // a method that meshes have and nothing else
  MakesActor,        // of the class that it decorates: its objects live in processes of their own
  MakesDataclass,    // of the class that it decorates
  DeclaresField,     // of a class; `argument`: what it holds where nothing is given
  EnumerationClass,  // its members are constants that differ
  LeavesClass,       // the class that it decorates as it was, and keeps no list of them
  SamplesClass,      // of data sets and of samplers
  StreamsClass,      // of data sets that are gone through, and not looked up by number
  // Ranks.
  GroupOfSelf,        // a variable: the group of this rank alone
  GroupOfAll,         // a variable: the group of the world
  MakesPart,          // a group of some of another's members; `argument`: them, where they are given
  LeavesOutMembers,   // makes a list of a group's members without some
  GivesGroup,         // an attribute of a group: the same group, as another library takes it
  MakesGroupId,       // `argument`: what all ranks of a new group have to pass
  TakesGroupId,       // `argument`: likewise
  MakesGroupsAtOnce,  // of all devices of this thread; `argument`: them
  EndsGroup,          // `argument`: which
  EndsDefaultGroup,   // where no group is given as `argument`
  PicksDevice,        // a collective without a tensor: it picks its device by the rank
  TellsCoordinate,    // along one axis of a mesh
  GivesReduced,       // reduces what ranks give, into the tensor of its model; `argument`: what this rank gives
  GathersObjects,     // `argument`: what this rank gives
  WayToReduce,        // a constant: how what ranks give is combined
  AddsUp,             // a way to reduce: the sum
  TrueForAll,         // a way to reduce: what comes out is true only where all ranks give what is true
  FalseForAll,        // likewise, false only where all give what is false
  AsksGroup,          // which ranks are in it, and which number each of them has there
  MovesMessage,       // `argument`: its tag; `note`: by whose rules, where not by those of PyTorch
  DescribesMessage,   // that is moved later; `argument`: the function that moves it
  MovesDescribed,     // messages that were described before, as a batch
  MovesObjects,       // as messages, sizes and contents apart
  WaitsForAll,
  WaitsForWork,     // for the operation whose handle it is called on
  UsesDevice,       // a backend: its operations run on the device
  StartsRun,        // at a service that records runs; `argument`: what puts the runs of one job together
  GivesResult,      // of a collective, to who calls it: what it was given stays as it was
  GivesHandle,      // of what it starts, or a list of handles: its holder has to wait
  DealsOut,         // samples to ranks; `argument`: the rank; `note`: whose it takes by default
  DealsOutAmong,    // likewise; `argument`: how many ranks
  DealsOutOf,       // likewise; `argument`: all samples, where it is not what it is called on
  HidesDevices,     // an environment variable: which devices a process sees
  SamplesAmong,     // of what deals out as many samples to each; `argument`: how many ranks
  SamplesBySeed,    // likewise, of one order; `argument`: the seed that it is drawn from
  ShufflesByEpoch,  // a class of samplers: the order follows from a seed and the epoch; `argument`: whether it shuffles
  SetsEpoch,        // tells the sampler that it is called on which epoch it is
  HoldsEpoch,       // an attribute of a sampler: which epoch it is
  PicksSamples,     // of a data set; `argument`: their numbers
  LoadsSamples,     // makes a loader; `argument`: the data set
  ChoosesSamples,   // likewise; `argument`, of one entry for each: says which samples, or that a rest is left away
  NamesAxes,        // of the mesh that it makes; `argument`: the names
  ShapesMesh,       // makes a mesh; `argument`: how many ranks along each dimension
  SharesData,       // it is used where ranks of one group see the same data; `note`: what messages call the group
  SharesActivations,   // and what these have of it between two layers is alike, too
  AnswersForFinished,  // a context in which a rank without data answers the others' passes
  // Models.
  MakesModel,         // whole, as it was saved or described
  FillsModel,         // that it is called on: gives its parameters their values
  ShardsModel,        // `argument`: the model
  KeepsPlainShards,   // a class of sharded models: a rank's parameters are plain tensors, its part of each
  GathersParameters,  // a context: the parameters of a sharded model are whole
  GivenAlike,         // `argument`, of one entry for each: all ranks have to give the same
  BringsToOthers,     // values that one rank has, to all ranks
  GathersBatch,       // `argument`: of all ranks, of one size
  TrainsModel,        // or runs it over data, as a whole
  CopiesObject,       // and what it holds: the copy is of the kind of the original
  MakesModule,        // on the host, if nothing around it says otherwise
  NoModule,           // although others of the same library are
  TestsModel,         // what it is, or what it is wrapped in
  HidesMembers,       // of the model that it wraps; `argument`: it, or none where it wraps each model that it is given;
                      // `note`: how to get at the model again
  OfferedByWrapper,   // a member that such a wrapper has, too
  GivesWrapped,       // a member of such a wrapper: the model
  ModuleClass,        // the base of classes of models
  TellsTraining,      // whether a model is being trained
  ShardedType,        // a class: its objects hold one part of each tensor on each rank
  HandlesShards,      // asks whether a tensor is distributed, or takes its parts or the whole
  SendsBuffers,       // in the forward pass; `argument`, of what makes the model: whether it does
  SendsModuleStates,  // `argument`: whether one rank sends its parameters to the others when the model is wrapped
  MixesTensors,       // a context: plain tensors count as replicated
  TakesSharding,      // makes options; `argument`, of one entry for each, says how models are sharded
  InstalledLibrary,   // a package: an import means it also where a folder of the project has its name
  TellsType,          // of `argument`: `note`
  KnownValue,         // a name: `note`, a number or the numbers of a tuple
  AlwaysDefined,      // a name: in every file, also where nothing there defines it
  DefinesNames,       // which ones follows from its arguments
};

inline constexpr size_t kRoles = static_cast<size_t>(Role::DefinesNames) + 1;

struct RoleEntry {
  Role role = Role::ReadsFile;
  std::string name;           // as in the file, pattern included
  ArgumentSpec argument;      // which one the role is about: the path, the function that is run later
  std::string note;           // what messages call it, "a signal handler", or the type that it implies
  bool is_exception = false;  // `!*.str.extractall`: not this one, even if it matches a shorter pattern
};

class Roles {
 public:
  void add(RoleEntry entry);

  // The entry of the longest name that the qualified name has in this role. Null: it does not play it.
  const RoleEntry* find(std::string_view qualified_name, Role role) const;
  // All of its entries in this role, where it has one for each of its arguments.
  std::vector<const RoleEntry*> all(std::string_view qualified_name, Role role) const;
  bool play(std::string_view qualified_name, Role role) const { return find(qualified_name, role) != nullptr; }

  // Whether some function in the role is given the argument that the role is about under this keyword.
  bool takes_by_keyword(std::string_view keyword, Role role) const;

  // The names in a role, in the order of the files.
  const std::vector<std::string>& names_in(Role role) const { return in_role_[static_cast<size_t>(role)]; }

 private:
  const RoleEntry* find_in(const NameMap<std::vector<RoleEntry>>& names, std::string_view name, Role role) const;

  const RoleEntry* find_by_name(std::string_view name, Role role) const;

  NameMap<uint8_t> last_parts_;                // of those by name and of "*." patterns: most names have another
  NameMap<std::vector<RoleEntry>> by_name_;    // exact
  NameMap<std::vector<RoleEntry>> by_suffix_;  // "*." patterns without the "*."
  NameMap<std::vector<RoleEntry>> by_owner_;   // ".*" patterns without the ".*"
  std::array<std::vector<std::string>, kRoles> in_role_;
};

}  // namespace ranklint

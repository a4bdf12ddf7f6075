// What the name of a variable or a function makes likely, where nothing better is known: `train_loader` holds a loader,
// `rank_dir` is named after a rank. Data, in rules/models/names.json.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/name_map.h"

namespace ranklint {

enum class NameMeaning : uint8_t {
  Loader,          // of batches
  LoaderMade,      // a variable that a call of which nothing is known gives its value
  LoaderIterator,  // over one
  Agreement,       // a function in which ranks agree
  Exchange,        // a function in which ranks exchange tensors
  Reduction,       // a function in which ranks reduce them, or one broadcasts them
  ModelState,      // a parameter, and what belongs to one
  Rank,
  SourceRank,  // a function that gives the rank in the world that a group broadcasts from
  SomeRanks,   // whether a rank is one of some: `is_main`, `rank`
  Integer,
  Origin,          // where something comes from, not where it goes to: `url`
  Writer,          // a function that writes a file
  Preprocessor,    // what is saved beside a model and is no part of it
  WorldSize,       // of an argument, or a variable
  RankCount,       // a variable: of the ranks among which something is divided
  Group,           // of an argument
  ShardingOption,  // whether a model is sharded
  ShardingKind,    // a way to shard a model
  ShardingStage,   // an option: the number that says how much of a model is sharded
  Sharder,         // a function that cuts a model into shards
  GroupOrMesh,     // a group of ranks or a mesh of them: `tp_group`, `pg`
  KeptGroup,       // a variable of a module: a group, set in the runs that matter
  Mesh,            // a variable
  Wrapper,         // what wraps or shards a model
  Strategy,        // what chooses how a model is distributed
  Device,
  PlacesModel,  // a function that is given a model and brings it somewhere
  NumberType,   // what the elements of a tensor are
  Model,
  EqualGather,      // a function that gathers pieces of one length
  Padding,          // what fills up to a length
  PaddingToken,     // the token that it fills up with
  HiddenSize,       // a tensor that has no heads yet
  ScattersHeads,    // a function that gives each rank a portion of the heads
  Repeats,          // a function
  DataParallel,     // a degree
  Validation,       // a function that holds the settings of a program against each other
  ReportsError,     // a function that says that something is wrong
  SetUp,            // a question: whether process groups have been made
  WarmUp,           // a function that communicates so that communicators are made
  SameData,         // an axis along which ranks see the same data
  SameActivations,  // likewise, and what they have of it between two layers is alike
  Generator,        // of an argument: what draws random numbers
  OwnRank,          // a number that this rank has along axes
  FirstRank,        // whether this rank is the first along axes
  Axis,             // a group, or a dimension of a mesh: over which axes
  ShortAxis,        // likewise, of a group, in a few letters: two of them in one name say nothing
  WorldDegree,      // the number of ranks in the world
  SequenceDegree,   // of those that share a sequence
  ModelDegree,      // of those that share layers, or have some each
  Degree,           // of those along any other axis
  Heads,            // of attention
  Filling,          // what a tensor is filled up with
  GivesWeights,     // a function that gives a model the values of its parameters
  Synchronisation,  // a function that waits for a device, or puts operations together
  Transit,          // a part of a name: where a message comes from or goes to
  Tokens,           // an entry of a batch: as long as its longest sequence
  Mask,             // a tensor: which elements of another count
  Builder,          // a function that makes something of its description
  NodeFolder,       // a path: on a disk that each node has for itself
};
inline constexpr size_t kNameMeanings = static_cast<size_t>(NameMeaning::NodeFolder) + 1;

struct NamePrior {
  NameMeaning meaning = NameMeaning::Loader;
  // In small letters; `*` in front and at the end stands for anything, `<tp>` for that part of a name, between
  // underscores or at its ends.
  std::string pattern;
  std::vector<std::string> axes;  // that such a name is about, where its meaning has any: "tp"
};

class NamePriors {
 public:
  void add(NamePrior prior);
  // Whether the name matches one of the meaning's patterns; capitals count as small letters.
  bool suggest(std::string_view name, NameMeaning meaning) const;

  // What the name as a whole is in this meaning. Null: nothing. A name in capitals is a constant's, and another.
  const NamePrior* find(std::string_view name, NameMeaning meaning) const;
  // What parts of it are, `<tp>` of `tp_group`, the longest first.
  std::vector<const NamePrior*> find_parts(std::string_view name, NameMeaning meaning) const;

 private:
  struct Pattern {
    std::string text;
    bool open_front = false, open_end = false;
    bool matches(std::string_view name) const;
  };
  struct Patterns {
    std::vector<Pattern> open;  // with a `*`
    NameMap<NamePrior> whole, parts;
    size_t longest_part = 0;
  };
  const Patterns& of(NameMeaning meaning) const { return patterns_[static_cast<size_t>(meaning)]; }

  std::array<Patterns, kNameMeanings> patterns_;
};

}  // namespace ranklint

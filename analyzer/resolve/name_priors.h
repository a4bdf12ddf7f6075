// What the name of a variable or a function makes likely, where nothing better is known: `train_loader` holds a loader,
// `rank_dir` is named after a rank. Data, in rules/models/names.json.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
};
inline constexpr size_t kNameMeanings = static_cast<size_t>(NameMeaning::Generator) + 1;

struct NamePrior {
  NameMeaning meaning = NameMeaning::Loader;
  std::string pattern;  // in small letters; `*` in front and at the end stands for anything
};

class NamePriors {
 public:
  void add(const NamePrior& prior);
  // Whether the name matches one of the meaning's patterns; capitals count as small letters.
  bool suggest(std::string_view name, NameMeaning meaning) const;

 private:
  struct Pattern {
    std::string text;
    bool open_front = false, open_end = false;
    bool matches(std::string_view name) const;
  };
  std::array<std::vector<Pattern>, kNameMeanings> patterns_;
};

}  // namespace ranklint

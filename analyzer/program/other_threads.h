// What threads, handlers and callbacks change of queues and events, read off the text of the project.
//
// Whether an event is set, and how much lies in a queue, depends on each rank's own timing where a thread or a callback
// sets or fills it. Where the program's own control flow does, all ranks have done the same by the time they test it:
//
//     self.done = threading.Event()                 self.items = queue.Queue()
//     ... if told == "stop": self.done.set()        ... for x in scattered: self.items.put(x)
//     while not self.done.is_set(): step()          while not self.items.empty(): step(self.items.get())
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

class OtherThreads {
 public:
  OtherThreads(const ProjectIndex& index, const Models& models);

  // Whether only the program's own control flow changes the queue or event that a function tests (`queue` of
  // `queue.empty()`): some code is seen to, and no thread, handler or callback.
  bool leave_alone(FunctionKey asking, ir::ExprId object) const;

 private:
  // Which functions change what has this name.
  struct Touch {
    ClassKey owner;      // of `self.name`; invalid: of something else
    FunctionKey within;  // of a variable that no other function has; invalid: others may
    bool elsewhere;      // at a moment of its own, or on some ranks only
  };
  struct Named {
    std::string_view name;
    ClassKey owner;
    FunctionKey within;
  };

  void find_entries(FunctionKey key);
  void enter(FunctionKey around, const ir::Function& f, ir::ExprId handed);
  void follow_calls();
  void find_touches(FunctionKey key);
  Named named(FunctionKey in, ir::ExprId object) const;
  bool related(ClassKey a, ClassKey b) const;

  const ProjectIndex& index_;
  const Roles& roles_;
  const NamePriors& priors_;
  std::set<FunctionKey> entered_;  // run asynchronously, they and their callees
  std::map<std::string, std::vector<Touch>, std::less<>> touches_;
};

}  // namespace ranklint

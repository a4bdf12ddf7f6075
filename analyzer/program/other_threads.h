// What threads, handlers and callbacks touch of queues and events, read off the text of the project.
//
// Whether an event is set, and how much lies in a queue, is a matter of each rank's own clock where somebody sets or
// fills it at a moment of his own. Where the program itself does, on its way, all ranks have done alike by the time
// they ask:
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

  // Whether the queue or event that a function asks (`queue` of `queue.empty()`) is changed by the program on its way
  // alone: somebody is seen to, and nobody is seen to elsewhere.
  bool leave_alone(FunctionKey asking, ir::ExprId object) const;

 private:
  // Who changes what has this name.
  struct Touch {
    ClassKey owner;      // of `self.name`; invalid: of something else
    FunctionKey within;  // of a variable that nobody else has; invalid: somebody may
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
  std::set<FunctionKey> entered_;  // run at a moment of their own, they and who they call
  std::map<std::string, std::vector<Touch>, std::less<>> touches_;
};

}  // namespace ranklint

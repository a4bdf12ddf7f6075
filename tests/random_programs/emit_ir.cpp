// The blocks that a frontend would make: a side of a branch, the join after it, the head of a loop and its end.
#include "tests/random_programs/emit.h"

namespace ranklint::random_programs {
namespace {

std::string group(Axis axis) {
  switch (axis) {
    case Axis::World: return "dist.group.WORLD";
    case Axis::Tp: return "tp";
    case Axis::Dp: return "dp";
    case Axis::Handed: return "g";
  }
  return {};
}
std::string rank(Axis axis) { return axis == Axis::World ? "rank" : axis == Axis::Tp ? "tp_rank" : "dp_rank"; }
std::string size(Axis axis) { return axis == Axis::World ? "world_size" : axis == Axis::Tp ? "tp_size" : "dp_size"; }

std::string rank_of(const Peer& peer) {
  switch (peer.kind) {
    case Peer::Kind::Number: return std::to_string(peer.number);
    case Peer::Kind::Next: return "(rank + 1) % world_size";
    case Peer::Kind::Previous: return "(rank - 1) % world_size";
    case Peer::Kind::Above: return "rank + 1";
    case Peer::Kind::Below: return "rank - 1";
    case Peer::Kind::Mirror: return "world_size - 1 - rank";
    case Peer::Kind::Other: return "other";
  }
  return {};
}

class Function {
 public:
  Function(const std::vector<Statement>& body, int number) {
    text_ = "func f" + std::to_string(number) + "(u0, u1, n0, p, g) {\n^entry:\n";
    const std::pair<const char*, const char*> facts[] = {{"rank", "dist.get_rank()"},
                                                         {"world_size", "dist.get_world_size()"},
                                                         {"tp_rank", "mpu.get_tensor_model_parallel_rank()"},
                                                         {"tp_size", "mpu.get_tensor_model_parallel_world_size()"},
                                                         {"tp", "mpu.get_tensor_model_parallel_group()"},
                                                         {"dp_rank", "mpu.get_data_parallel_rank()"},
                                                         {"dp_size", "mpu.get_data_parallel_world_size()"},
                                                         {"dp", "mpu.get_data_parallel_group()"}};
    for (const auto& [name, call] : facts) line(std::string(name) + " = " + value(call));
    block(body, "", "");
    if (open_) line("return");
    text_ += "}\n";
  }
  std::string text() && { return std::move(text_); }

 private:
  void line(const std::string& words) { text_ += "  " + words + "\n"; }
  std::string value(const std::string& call) { return value_of("call " + call); }
  std::string value_of(const std::string& words) {
    const std::string name = "%" + std::to_string(values_++);
    line(name + " = " + words);
    return name;
  }
  std::string label(const std::string& name) { return "^" + name + std::to_string(labels_++); }
  void start(const std::string& label) {
    text_ += label + ":" + (handlers_.empty() ? "" : " handler " + handlers_.back()) + "\n";
    open_ = true;
  }
  void end(const std::string& words) {
    if (open_) line(words);
    open_ = false;
  }

  void block(const std::vector<Statement>& statements, const std::string& head, const std::string& behind) {
    for (const Statement& s : statements) statement(s, head, behind);
  }

  void statement(const Statement& s, const std::string& head, const std::string& behind) {
    if (!open_) return;
    switch (s.kind) {
      case Statement::Kind::Collective: return collective(s);
      case Statement::Kind::If: return branch(s, head, behind);
      case Statement::Kind::Repeat: return repeat(s);
      case Statement::Kind::Return: return end("return");
      case Statement::Kind::Break: return end("jump " + behind);
      case Statement::Kind::Continue: return end("jump " + head);
      case Statement::Kind::Raise: return end("raise ValueError");
      case Statement::Kind::Try: return attempt(s, head, behind);
      case Statement::Kind::Call: {
        const std::string handed = condition(s.condition);
        value("f" + std::to_string(s.callee) + "(u0, u1, n0, " + handed + ", " + group(s.axis) + ")");
        return;
      }
      case Statement::Kind::Transfer: value(std::string(s.sends ? "dist.send" : "dist.recv") + given(s)); return;
      case Statement::Kind::Started: {
        const std::string request = "r" + std::to_string(requests_++);
        line(request + " = call dist." + (s.sends ? "isend" : "irecv") + given(s));
        block(s.body, head, behind);
        if (open_) value(request + ".wait()");
        return;
      }
      case Statement::Kind::Batch: return batch(s);
    }
  }

  static std::string given(const Statement& s) {
    return "(x, " + rank_of(s.peer) + (s.tag ? ", tag=" + std::to_string(s.tag) : "") + ")";
  }

  void batch(const Statement& s) {
    std::string parts[2];
    for (const bool second : {false, true}) {
      const bool sends = s.sends != second;
      parts[second] = value(std::string("dist.P2POp(dist.") + (sends ? "isend" : "irecv") + ", x, " +
                            rank_of(sends ? s.peer : s.from) + ")");
    }
    const std::string requests = value("dist.batch_isend_irecv([" + parts[0] + ", " + parts[1] + "])");
    const std::string loop = label("loop"), body = label("body"), end_of = label("end");
    end("jump " + loop);
    start(loop);
    end("for work in " + requests + " ? " + body + " : " + end_of);
    start(body);
    value("work.wait()");
    end("jump " + loop);
    start(end_of);
  }

  void collective(const Statement& s) {
    const std::string on = s.axis == Axis::World ? "" : "group=" + group(s.axis);
    if (s.op == Op::Barrier) value("dist.barrier(" + on + ")");
    if (s.op == Op::AllReduce) value("dist.all_reduce(p" + (on.empty() ? "" : ", " + on) + ")");
    if (s.op == Op::AllGather) value("dist.all_gather(u0, u1" + (on.empty() ? "" : ", " + on) + ")");
  }

  void branch(const Statement& s, const std::string& head, const std::string& behind) {
    const std::string yes = label("then"), no = s.otherwise.empty() ? "" : label("else"), join = label("join");
    end("branch " + condition(s.condition) + " ? " + yes + " : " + (no.empty() ? join : no));
    start(yes);
    block(s.body, head, behind);
    bool met = open_ || no.empty();
    end("jump " + join);
    if (!no.empty()) {
      start(no);
      block(s.otherwise, head, behind);
      met = met || open_;
      end("jump " + join);
    }
    if (met) start(join);
  }

  void attempt(const Statement& s, const std::string& head, const std::string& behind) {
    const std::string tried = label("try"), dispatch = label("dispatch"), handler = label("except"),
                      other = label("other"), join = label("join");
    end("jump " + tried);
    handlers_.push_back(dispatch);
    start(tried);
    block(s.body, head, behind);
    bool met = open_;
    end("jump " + join);
    handlers_.pop_back();
    start(dispatch);
    end("except ValueError ? " + handler + " : " + other);
    start(handler);
    value_of("catch ValueError");
    block(s.otherwise, head, behind);
    met = met || open_;
    end("jump " + join);
    start(other);
    end("raise");
    if (met) start(join);
  }

  void repeat(const Statement& s) {
    const bool others = s.times == Statement::Times::Others;
    const std::string times = s.times == Statement::Times::Unknown ? "n0"
                              : s.times == Statement::Times::Two   ? "2"
                              : others                             ? "1, world_size"
                                                                   : rank(s.axis);
    const std::string range = value("range(" + times + ")");
    const std::string head = label("loop"), body = label("body"), behind = label("end");
    end("jump " + head);
    start(head);
    end(std::string("for ") + (others ? "other" : "i") + " in " + range + " ? " + body + " : " + behind);
    start(body);
    block(s.body, head, behind);
    end("jump " + head);
    start(behind);
  }

  // As one expression; what is asked of the clock is asked before.
  std::string condition(const Condition& c) {
    const std::string number = std::to_string(c.number);
    switch (c.kind) {
      case Condition::Kind::Flag: return "u" + number;
      case Condition::Kind::Equals: return rank(c.axis) + " == " + number;
      case Condition::Kind::Less: return rank(c.axis) + " < " + number;
      case Condition::Kind::Even: return rank(c.axis) + " % 2 == 0";
      case Condition::Kind::Last: return rank(c.axis) + " == " + size(c.axis) + " - 1";
      case Condition::Kind::Local: return value("time.time()") + " > 3";
      case Condition::Kind::Parameter: return "p";
      case Condition::Kind::Not: return "(not (" + condition(c.parts[0]) + "))";
      case Condition::Kind::And: break;
      case Condition::Kind::Or: break;
    }
    const std::string left = condition(c.parts[0]), right = condition(c.parts[1]);
    return "((" + left + ")" + (c.kind == Condition::Kind::And ? " and " : " or ") + "(" + right + "))";
  }

  std::string text_;
  std::vector<std::string> handlers_;  // around the block being written, the innermost last
  int values_ = 0, labels_ = 0, requests_ = 0;
  bool open_ = true;  // the block being written has no end yet
};

}  // namespace

std::string as_ir(const Program& program) {
  std::string text =
      "module \"program.py\"\nlanguage \"python\" shares_objects numbers_are_values declares_no_types\n\n"
      "func <module>() {\n^entry:\n  import time\n  import torch\n"
      "  import torch.distributed as dist\n  from megatron.core import parallel_state as mpu\n";
  for (size_t f = 0; f < program.functions.size(); ++f)
    text += "  f" + std::to_string(f) + " = &f" + std::to_string(f) + "\n";
  text += "  x = call torch.zeros(4)\n  return\n}\n";
  for (size_t f = 0; f < program.functions.size(); ++f)
    text += "\n" + Function(program.functions[f], static_cast<int>(f)).text();
  return text;
}

}  // namespace ranklint::random_programs

// Whether the ranks of a job meet at an address of their own machine, by the text of a file.
//
//     url = "tcp://localhost:" + str(port)      # a text with parts
//     args.url = url                            # an attribute that the file gives no other value
//     dist.init_process_group("nccl", init_method=args.url, rank=args.local_rank)
//
// An address comes from a variable, an attribute, an entry of a dictionary, the default of an option. It is one of this
// machine if each value is that the file gives to what has this name, and there is one. Another machine has another
// machine of that name, so that ranks that meet there are all on one.
#pragma once

#include "analyzer/program/program.h"

namespace ranklint {

// Whether every value that the expression may hold in the function names the machine that evaluates it.
bool is_address_of_this_machine(const Program& program, FunctionKey within, ir::ExprId e);

// The same for the argument that a call gives for a keyword or at a position, also by way of `**options`.
bool is_given_address_of_this_machine(const Program& program, FunctionKey within, const ir::Instruction& call,
                                      const ArgumentSpec& argument);

}  // namespace ranklint

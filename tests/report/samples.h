// Findings made by hand, and the files that they lie in: the world of the report tests.
#pragma once

#include "app/report/report.h"

namespace ranklint::test {

// The bytes of a sample file; empty for a path that is none.
std::string_view sample_source(const std::string& path);

// Where a text stands in a sample file for the first time.
Location at(const std::string& path, std::string_view text);

Finding guarded_constructor();  // a chain through three files, two lanes
Finding no_witness();           // a warning with a related place in another file
Finding tabs_and_wide();        // tabs, CRLF, emoji, a path to be escaped in a URI; three lanes, an info
Finding hostile_text();         // escape sequences, a broken byte and a very long line
Finding unknown_range();        // a file without a place
Finding file_gone();            // a place in a file that can not be read

// All of them, a suppressed one and two notes, in a world that does not depend on the machine.
ReportInput sample_input();

}  // namespace ranklint::test

// The cases that rules are tested with: fixtures and the blocks of the rules' pages.
//
//   testdata/rules/RULE/NAME.py      one file, one project
//   testdata/rules/RULE/NAME/**.py   a folder, one project
//   testdata/lookalikes/NAME.py      correct code: nothing is expected
//   rules/PACK/RULE.md               each ```python block under "## Bad" or "## Good" is a project of one file
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/rules/expectations.h"

namespace ranklint::test {

// A file of a case. A block of a page is a file that starts after `line_offset` lines of the page.
struct CaseFile {
  std::string path;  // in the case's project: "save.py", "pkg/helpers.py"
  std::string text;
  std::filesystem::path origin;  // where the text stands on disk
  uint32_t line_offset = 0;
};

struct Case {
  std::string name;             // what RANKLINT_FIXTURE selects: "rules/collectives/divergent-root.md#bad-1"
  std::string rule;             // the rule whose folder or page it is; empty for look-alikes
  std::vector<CaseFile> files;  // sorted by path
};

// Where a case lies that has not been read: a file or a folder.
struct CasePlace {
  std::string name, rule;  // as in Case
  std::filesystem::path path;
};

std::vector<CasePlace> fixture_places();
std::vector<CasePlace> lookalike_places();
Case read_case(const CasePlace& place);

std::vector<Case> fixture_cases();
std::vector<Case> lookalike_cases();

enum class PageSection { Bad, Good };
std::vector<Case> cases_of_page(const std::filesystem::path& page, PageSection section);
std::vector<Case> page_cases(PageSection section);

// Whether RANKLINT_FIXTURE is unset or part of the case's name.
bool is_selected(const std::string& name);

}  // namespace ranklint::test

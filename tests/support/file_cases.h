// Cases of Catch2 that are files of testdata: each is a test of ctest under its own name, and runs alone by it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint::test {

// Adds a case. To be called while static objects are made, before main(): `name` is all that is needed of a file then,
// so a program that runs one case reads one file.
void add_case(const std::string& name, std::function<void()> body);

// The paths below a folder, from the repository's root, whose name ends in `suffix`, sorted. Reads no file.
std::vector<std::string> paths_below(std::string_view folder, std::string_view suffix);

// Adds a case for each of these, under its path. Returns true, so that a static object can be initialised with it.
bool add_cases_below(std::string_view folder, std::string_view suffix,
                     const std::function<void(const std::string& path)>& check);

}  // namespace ranklint::test

// SPDX-License-Identifier: Apache-2.0
// The shared command line.
#include "harness/program_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace gpucert {
namespace {

/// CLI11 speaks in several lines at times; usage errors are one.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// An option whose values are the names of an enumeration.
template <class Enum>
void add_word_option(CLI::App &app, const std::string &name, Enum &chosen, const std::vector<Enum> &values,
                     const std::string &description) {
  std::string words;
  for (const Enum value : values)
    words += (words.empty() ? "" : "|") + std::string(name_of(value));
  app.add_option_function<std::string>(
         name,
         [&chosen, values, name, words](const std::string &word) {
           const auto found = std::find_if(values.begin(), values.end(), [&](Enum v) { return name_of(v) == word; });
           if (found == values.end())
             throw CLI::ValidationError(name, "'" + word + "' is none of " + words);
           chosen = *found;
         },
         fmt::format("{} (default: {})", description, name_of(chosen)))
      ->type_name(words);
}

std::uint64_t largest_of(std::uint64_t) { return std::numeric_limits<std::uint64_t>::max(); }
std::uint64_t largest_of(std::optional<int>) { return std::numeric_limits<int>::max(); }
void set_number(std::uint64_t &chosen, std::uint64_t number) { chosen = number; }
void set_number(std::optional<int> &chosen, std::uint64_t number) { chosen = static_cast<int>(number); }

/// A whole number from 0 on; CLI11 would cut off those that do not fit.
template <class Number>
void add_number_option(CLI::App &app, const std::string &name, Number &chosen, const std::string &description) {
  app.add_option_function<std::string>(
         name,
         [&chosen, name](const std::string &word) {
           std::uint64_t number = 0;
           const char *const end = word.data() + word.size();
           const auto [stop, error] = std::from_chars(word.data(), end, number);
           if (error != std::errc{} || stop != end || number > largest_of(chosen))
             throw CLI::ValidationError(name,
                                        "'" + word + "' is no number from 0 to " + std::to_string(largest_of(chosen)));
           set_number(chosen, number);
         },
         description)
      ->type_name("N");
}

void add_options(CLI::App &app, program_options &options) {
  add_number_option(app, "--device", options.device, "CUDA device, by its index among the visible ones");
  app.add_option("--filter", options.selection.filters, "Only cases with such an id; * and ? as in a shell; repeatable")
      ->type_name("PATTERN")
      ->take_all()
      ->expected(1);
  app.add_option("--exclude", options.selection.excluded, "Not the case with this id; repeatable")
      ->type_name("ID")
      ->take_all()
      ->expected(1);
  add_word_option(app, "--level", options.selection.level, {run_level::quick, run_level::standard, run_level::extended},
                  "How much is run");
  add_word_option(app, "--scale", options.settings.scale, {run_scale::full, run_scale::tiny},
                  "tiny is for the simulator: small shapes of the same structure");
  add_number_option(app, "--seed", options.settings.seed,
                    fmt::format("Seed of all random data (default: {})", options.settings.seed));
  app.add_option("--case-lines", options.case_lines_path,
                 "Append what happens to this file, as lines of JSON; /dev/fd/N is an open descriptor")
      ->type_name("FILE");
  app.add_flag("--list", options.lists_only, "Print the ids of the chosen cases, and run none");
}

} // namespace

std::string_view name_of(run_scale scale) { return scale == run_scale::full ? "full" : "tiny"; }

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = pattern.npos; // the last one passed, and where its text may end
  std::size_t star_end = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

bool case_selection::selects(std::string_view id, run_level lowest_level) const {
  const bool is_chosen =
      filters.empty() || std::any_of(filters.begin(), filters.end(),
                                     [&](const std::string &pattern) { return matches_glob(pattern, id); });
  return is_chosen && lowest_level <= level && std::find(excluded.begin(), excluded.end(), id) == excluded.end();
}

std::optional<program_options> parse_program_options(CLI::App &app, const std::vector<std::string> &arguments) {
  program_options options;
  add_options(app, options);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend())); // CLI11 takes them from the back
  } catch (const CLI::CallForHelp &) {
    const std::string help = app.help();
    std::fwrite(help.data(), 1, help.size(), stdout);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    throw wrong_usage(one_line(error.what()) + "; see --help");
  }
  options.settings.device = options.device.value_or(0);
  return options;
}

int run_program(std::string_view name, const std::function<program_exit()> &body) {
  try {
    return static_cast<int>(body());
  } catch (const wrong_usage &error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return static_cast<int>(program_exit::usage);
  } catch (const std::exception &error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return static_cast<int>(program_exit::unknown);
  }
}

} // namespace gpucert

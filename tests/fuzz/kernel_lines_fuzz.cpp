// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_lines.h"
#include "node/log_marks.h"
#include "node/log_time.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_kernel_lines(std::string_view input) {
  parse_kernel_lines(input);
  seconds_of_wall_time(input);
  parse_log_time(input);
  find_unix_date(input, std::chrono::local_seconds{std::chrono::seconds{1718174463}});
  while (!input.empty())
    take_marked_line(input);
}

const fuzz_registration registration{
    {"kernel_lines",
     {"commands/dmesg.txt", "commands/journal_kernel.txt"},
     fuzz_kernel_lines,
     {"2024-06-12  06:41:03", "2026-09-10T12:00:02-0400", "Sat Jul 11 05:52:47 2026"}}};

} // namespace
} // namespace gpucert

// SPDX-License-Identifier: Apache-2.0
// Check log_storm: does one message flood the kernel log? The ring buffer is small: what is pushed out may be the Xid
// that explains everything.
#include "checks/check.h"
#include "node/evidence.h"

namespace gpucert {
namespace {

// An ordinary boot or a crashing program says the same some ten times. A client that tries again in a loop came to 54
// in one second and 703 in 45 minutes.
constexpr std::int64_t most_in_one_second = 50, most_in_one_hour = 300;
constexpr double seconds_of_hour = 3600;

bool is_of_driver(std::string_view text) { return text.starts_with("NVRM") || text.starts_with("nvidia"); }

bool is_of_pcie(std::string_view text) {
  return text.find("AER:") != text.npos || text.find("PCIe Bus Error") != text.npos;
}

bool floods(const repeated_message &message) {
  if (message.most_in_one_second > most_in_one_second)
    return true;
  const double hours = std::max(message.seconds.value_or(0) / seconds_of_hour, 1.0); // less would exaggerate
  return static_cast<double>(message.count) / hours >= static_cast<double>(most_in_one_hour);
}

void judge_log_storm(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.log.is_known())
    return; // check xid says so
  for (const repeated_message &message : node.log->repeated) {
    if (!floods(message) || (!is_of_driver(message.text) && !is_of_pcie(message.text)))
      continue;
    result.add("host.log-storm")
        .saw("one message {} times{}", message.count,
             message.most_in_one_second > 1 ? fmt::format(", up to {} in one second", message.most_in_one_second) : "")
        .expected("at most {} in one second and {} in one hour", most_in_one_second, most_in_one_hour)
        .read_from(node.log.source, message.text)
        .note("What the message says is the fault; the flood hides others.");
    return; // the worst one is enough
  }
}

const check_registration registration{{"log_storm", "does one message flood the kernel log?", false, judge_log_storm}};

} // namespace
} // namespace gpucert

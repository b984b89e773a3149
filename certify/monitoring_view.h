// SPDX-License-Identifier: Apache-2.0
// The stack's verdict in the words of monitoring systems, each with the exit codes that it expects.
#pragma once

#include "certify/exit_code.h"
#include "certify/report.h"

#include <string>

namespace gpucert {

/// Nagios, Icinga and their kin: one line with performance data, then the findings as multi-line text. The first line
/// holds no '|' but the one before the data.
std::string nagios_view(const report &run);
/// 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN; a warning is CRITICAL when strict.
exit_code nagios_code(const report &run);

/// A custom plugin of the Kubernetes node-problem-detector: one line, cut at its default limit of 80 bytes.
std::string npd_view(const report &run);
/// 0 no problem, 1 problem, 2 unknown; a warning is a problem only when strict.
exit_code npd_code(const report &run);

/// Prometheus' text format, for the textfile collector of node_exporter. Labels are escaped; values are numbers.
std::string prometheus_view(const report &run);

} // namespace gpucert

// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_log.h"

#include "node/host.h"
#include "node/kernel_log_builder.h"
#include "node/log_marks.h"

#include <fmt/format.h>

#include <cstring>
#include <sys/klog.h>

namespace gpucert {
namespace {

/// The kernel's ring buffer, without a process: what dmesg reads.
fact<std::string> ask_for_ring_buffer() {
  constexpr int read_all = 3, buffer_size = 10; // SYSLOG_ACTION_READ_ALL and _SIZE_BUFFER of syslog(2)
  const int size = ::klogctl(buffer_size, nullptr, 0);
  std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  const int got = size > 0 ? ::klogctl(read_all, text.data(), size) : size;
  if (got < 0)
    return fact<std::string>::unknown("kernel log", fmt::format("{} (run as root)", std::strerror(errno)));
  text.resize(static_cast<std::size_t>(got));
  return fact<std::string>::known(std::move(text), "kernel log");
}

fact<std::string> ask_for_log(host &node) {
  if (node.is_live())
    return ask_for_ring_buffer();
  fact<std::string> text = node.read_file("/var/log/dmesg"); // the boot's messages, where a distribution keeps them
  if (text.is_absent())                                      // a tree says nothing of the ring buffer of its kernel
    return fact<std::string>::unknown(text.source, "the tree holds no kernel log");
  return text;
}

} // namespace

kernel_log parse_kernel_log(std::string_view text) {
  kernel_log_builder builder;
  while (!text.empty()) {
    std::string_view line = take_marked_line(text);
    while (!line.empty())
      builder.take(strip_prefixes(take_part(line)));
  }
  return builder.finish();
}

fact<kernel_log> read_kernel_log(host &node) {
  fact<std::string> text = node.read_document("commands/dmesg.txt", [&] { return ask_for_log(node); });
  if (text.is_unknown() && node.kind() == host_kind::capture)
    text = node.read_document("commands/journal_kernel.txt");
  if (text.is_absent())
    return fact<kernel_log>::known({}, text.source); // an empty log
  return text.then([](const std::string &log) { return std::optional(parse_kernel_log(log)); }, "is not readable");
}

} // namespace gpucert

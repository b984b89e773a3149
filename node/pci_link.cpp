// SPDX-License-Identifier: Apache-2.0
#include "node/pci_link.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <charconv>

namespace gpucert {
namespace {

template <class Parse> auto read_number(host &node, const std::string &path, Parse parse) {
  const fact<std::string> text = node.read_file(path);
  return text.is_known() ? parse(*text) : std::nullopt;
}

/// The port above a device is the folder above its own in /sys/devices. A capture has no links, so that the two facts
/// of the port are kept beside the device.
link_speed read_port(host &node, const std::string &folder) {
  const fact<std::string> text = node.read_document("root" + folder + "/port.txt", [&]() -> fact<std::string> {
    const auto place = node.resolve(folder);
    if (!place)
      return fact<std::string>::absent(folder);
    const std::string port = place->substr(0, place->rfind('/'));
    const fact<std::string> width = node.peek_file(port + "/max_link_width");
    const fact<std::string> speed = node.peek_file(port + "/max_link_speed");
    if (!width.is_known() || !speed.is_known()) // a root complex, or a virtual machine
      return fact<std::string>::absent(port);
    return fact<std::string>::known(std::string(trim(*width)) + "\n" + std::string(trim(*speed)) + "\n", port);
  });
  if (!text.is_known())
    return {};
  std::string_view rest = *text;
  const std::string_view width = take_line(rest);
  return {parse_link_width(width), parse_link_speed(take_line(rest))};
}

bool is_empty(const link_speed &speed) { return !speed.width && !speed.tenth_gt_per_s; }

} // namespace

std::optional<int> parse_link_speed(std::string_view text) {
  text = trim(text);
  int whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  constexpr int fastest = 1000;
  if (error != std::errc() || text.find("GT/s") == text.npos || whole < 0 || whole > fastest)
    return std::nullopt;
  int tenth = 0;
  if (end + 1 < text.data() + text.size() && *end == '.' && end[1] >= '0' && end[1] <= '9')
    tenth = end[1] - '0';
  const int speed = whole * 10 + tenth;
  return speed == 0 ? std::nullopt : std::optional(speed);
}

std::optional<int> parse_link_width(std::string_view text) {
  text = trim(text);
  int width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  constexpr int most_lanes = 32;
  return error == std::errc() && width > 0 && width <= most_lanes ? std::optional(width) : std::nullopt;
}

std::optional<long long> parse_aer_counts(std::string_view text) {
  std::optional<long long> sum;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view name = take_word(line);
    const std::string_view number = take_word(line);
    long long count = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (error != std::errc() || name.starts_with("TOTAL_") || name == "UnsupReq")
      continue;
    sum = sum.value_or(0) + count;
  }
  return sum;
}

std::vector<pci_link> read_pci_links(host &node, const fact<std::vector<pci_gpu>> &gpus) {
  std::vector<pci_link> links;
  if (!gpus.is_known())
    return links;
  for (const pci_gpu &gpu : *gpus) {
    const std::string folder = "/sys/bus/pci/devices/" + gpu.address;
    pci_link link{gpu.address, folder, {}, {}, {}, {}, {}};
    link.now = {read_number(node, folder + "/current_link_width", parse_link_width),
                read_number(node, folder + "/current_link_speed", parse_link_speed)};
    link.card = {read_number(node, folder + "/max_link_width", parse_link_width),
                 read_number(node, folder + "/max_link_speed", parse_link_speed)};
    link.port = read_port(node, folder);
    link.fatal_errors = read_number(node, folder + "/aer_dev_fatal", parse_aer_counts);
    link.nonfatal_errors = read_number(node, folder + "/aer_dev_nonfatal", parse_aer_counts);
    if (!is_empty(link.now) || link.fatal_errors || link.nonfatal_errors)
      links.push_back(std::move(link));
  }
  return links;
}

} // namespace gpucert

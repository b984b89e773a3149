// SPDX-License-Identifier: Apache-2.0
#include "node/xid_event.h"

#include "node/pci_address.h"
#include "node/text_lines.h"

#include <charconv>

namespace gpucert {
namespace {

/// Takes a decimal number off the text.
std::optional<int> take_number(std::string_view &text) {
  int number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{})
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

bool take_phrase(std::string_view &text, std::string_view phrase) {
  if (!text.starts_with(phrase))
    return false;
  text.remove_prefix(phrase.size());
  return true;
}

/// Takes "FIELD" off "FIELD, rest". Everything when no comma follows.
std::string_view take_field(std::string_view &text) {
  const auto comma = text.find(", ");
  const std::string_view field = text.substr(0, comma);
  text = comma == text.npos ? std::string_view() : text.substr(comma + 2);
  return field;
}

/// "pid=1818990", "pid='<unknown>'", "pid=..." and "name=python3": older and newer drivers leave out either or both.
void take_process(std::string_view &rest, xid_event &event) {
  if (rest.starts_with("pid=")) {
    std::string_view digits = take_field(rest).substr(4);
    event.pid = take_number(digits);
  }
  if (rest.starts_with("name=")) {
    const std::string_view name = take_field(rest).substr(5);
    if (!name.empty() && name.front() != '<')
      event.name = name;
  }
}

/// SXid lines say it as a field, NVLink's Xids in their text. "Nonfatal" and "Non-fatal" hold "fatal" too.
std::optional<bool> says_fatal(std::string_view body) {
  if (contains_ignoring_case(body, "nonfatal") || contains_ignoring_case(body, "non-fatal"))
    return false;
  return contains_ignoring_case(body, "fatal") ? std::optional(true) : std::nullopt;
}

} // namespace

std::optional<xid_event> parse_xid(std::string_view message) {
  const auto at = message.find("Xid (");
  if (at == message.npos || (!message.starts_with("NVRM") && !message.starts_with("nvidia")))
    return std::nullopt;
  xid_event event;
  event.is_sxid = at > 0 && message[at - 1] == 'S';
  event.text = trim(message.substr(event.is_sxid ? at - 1 : at));
  std::string_view rest = message.substr(at + 5);
  const auto close = rest.find("):");
  if (close == rest.npos)
    return std::nullopt;
  event.address = parse_pci_address(rest.substr(0, close));
  rest = trim(rest.substr(close + 2));
  const auto number = take_number(rest);
  if (!number || *number < 0)
    return std::nullopt;
  event.xid = *number;
  if (!take_phrase(rest, ", "))
    take_phrase(rest, ",");
  take_process(rest, event);
  event.body = trim(rest);
  event.is_fatal = says_fatal(event.body);
  if (const auto cause = event.body.find("caused by previous Xid "); cause != event.body.npos) {
    std::string_view digits = std::string_view(event.body).substr(cause + 23);
    event.caused_by = take_number(digits);
  }
  return event;
}

} // namespace gpucert

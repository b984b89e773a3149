// SPDX-License-Identifier: Apache-2.0
// A page of text for a terminal. All text of a node passes through here and is escaped.
#pragma once

#include "certify/terminal_text.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace gpucert {

/// Collects lines; all text of the node passes through `field` or `line` and is escaped there.
class text_page {
public:
  void line(std::size_t indent, std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "{:{}}{}\n", "", indent, escape_for_terminal(text));
  }
  void field(std::string_view name, std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "  {:<9} {}\n", name, escape_for_terminal(text));
  }
  void heading(std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "\n{}\n", escape_for_terminal(text));
  }
  std::string take() { return std::move(text_); }

private:
  std::string text_;
};

} // namespace gpucert

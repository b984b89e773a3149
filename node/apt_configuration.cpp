// SPDX-License-Identifier: Apache-2.0
// apt.conf(5) and apt_preferences(5).
#include "node/letter_case.h"
#include "node/text_lines.h"
#include "node/update_policy.h"

#include <charconv>

namespace gpucert {
namespace {

enum class token_kind { word, text, open, close, end, nothing };

struct token {
  token_kind kind = token_kind::nothing;
  std::string_view text;
};

/// Cuts a configuration into words, quoted texts and the signs { } ;.
class apt_scanner {
public:
  explicit apt_scanner(std::string_view text) : rest_(text) {}

  token next() {
    skip_blanks_and_comments();
    if (rest_.empty())
      return {};
    switch (rest_.front()) {
    case '{':
      return take(token_kind::open, 1);
    case '}':
      return take(token_kind::close, 1);
    case ';':
      return take(token_kind::end, 1);
    case '"': {
      const auto quote = rest_.find('"', 1);
      const std::string_view inner = rest_.substr(1, quote == rest_.npos ? rest_.npos : quote - 1);
      rest_.remove_prefix(quote == rest_.npos ? rest_.size() : quote + 1);
      return {token_kind::text, inner};
    }
    default:
      return take(token_kind::word,
                  std::max<std::size_t>(1, std::min(rest_.find_first_of(" \t\r\n{};\""), rest_.size())));
    }
  }

private:
  token take(token_kind kind, std::size_t size) {
    const token taken{kind, rest_.substr(0, size)};
    rest_.remove_prefix(size);
    return taken;
  }

  void skip_to(std::string_view end) {
    const auto at = rest_.find(end);
    rest_.remove_prefix(at == rest_.npos ? rest_.size() : at + end.size());
  }

  void skip_blanks_and_comments() {
    for (;;) {
      while (!rest_.empty() && (is_blank(rest_.front()) || rest_.front() == '\n' || rest_.front() == '\r'))
        rest_.remove_prefix(1);
      const bool is_directive = rest_.starts_with("#clear") || rest_.starts_with("#include");
      if (rest_.starts_with("/*"))
        skip_to("*/");
      else if (rest_.starts_with("//") || (rest_.starts_with('#') && !is_directive))
        skip_to("\n");
      else
        return;
    }
  }

  std::string_view rest_;
};

std::string join_names(const std::vector<std::string> &scopes, std::string_view name) {
  std::string joined;
  for (const std::string &scope : scopes)
    joined += scope + "::";
  return joined + lower_case(name);
}

} // namespace

void apt_configuration::enter(std::string name, std::string value, std::string_view source) {
  if (!name.ends_with("::"))
    for (apt_option &option : options_)
      if (option.name == name) {
        option.value = std::move(value);
        option.source = source;
        return;
      }
  options_.push_back({std::move(name), std::move(value), std::string(source)});
}

void apt_configuration::clear(std::string_view name) {
  const std::string wanted = lower_case(name);
  std::erase_if(options_, [&](const apt_option &option) {
    return option.name == wanted || option.name.starts_with(wanted + "::");
  });
}

void apt_configuration::add_file(std::string_view text, std::string_view source) {
  constexpr std::size_t deepest = 32;
  apt_scanner scanner(text);
  std::vector<std::string> scopes;
  std::vector<token> statement; // words and texts up to ; or {
  for (token now = scanner.next(); now.kind != token_kind::nothing; now = scanner.next()) {
    if (now.kind == token_kind::word || now.kind == token_kind::text) {
      if (statement.size() < 3)
        statement.push_back(now);
    } else if (now.kind == token_kind::open) {
      if (statement.empty() || scopes.size() >= deepest)
        return;
      scopes.push_back(lower_case(statement[0].text));
      statement.clear();
    } else if (now.kind == token_kind::close) {
      if (scopes.empty())
        return;
      scopes.pop_back();
      statement.clear();
    } else { // ;
      if (statement.size() == 2 && statement[0].text == "#clear")
        clear(join_names(scopes, statement[1].text));
      else if (statement.size() == 1 && statement[0].kind == token_kind::text) // an element of the list of this block
        enter(join_names(scopes, ""), std::string(statement[0].text), source);
      else if (statement.size() == 2)
        enter(join_names(scopes, statement[0].text), std::string(statement[1].text), source);
      statement.clear();
    }
  }
}

std::optional<std::string> apt_configuration::value(std::string_view name) const {
  const std::string wanted = lower_case(name);
  for (const apt_option &option : options_)
    if (option.name == wanted)
      return option.value;
  return std::nullopt;
}

std::vector<apt_option> apt_configuration::list(std::string_view name) const {
  const std::string wanted = lower_case(name) + "::";
  std::vector<apt_option> found;
  for (const apt_option &option : options_)
    if (option.name.starts_with(wanted) && option.name.find("::", wanted.size()) == std::string::npos)
      found.push_back(option);
  return found;
}

bool is_read_by_apt(std::string_view file_name, std::string_view extension) {
  const auto dot = file_name.rfind('.');
  return !file_name.starts_with('.') && (dot == file_name.npos || file_name.substr(dot) == extension);
}

std::vector<apt_pin> parse_apt_preferences(std::string_view text, std::string_view source) {
  std::vector<apt_pin> pins;
  apt_pin pin;
  const auto finish = [&] {
    if (!pin.packages.empty() && !pin.pin.empty()) {
      pin.source = source;
      pins.push_back(std::move(pin));
    }
    pin = {};
  };
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (trim(line).empty()) {
      finish();
      continue;
    }
    const auto colon = line.find(':');
    if (line.starts_with('#') || colon == line.npos)
      continue;
    const std::string key = lower_case(trim(line.substr(0, colon)));
    std::string_view value = trim(line.substr(colon + 1));
    if (key == "package") {
      for (std::string_view name = take_word(value); !name.empty(); name = take_word(value))
        pin.packages.emplace_back(name);
    } else if (key == "pin") {
      pin.pin = value;
    } else if (key == "pin-priority") {
      std::from_chars(value.data(), value.data() + value.size(), pin.priority);
    }
  }
  finish();
  return pins;
}

} // namespace gpucert

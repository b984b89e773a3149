// SPDX-License-Identifier: Apache-2.0
#include "checks/catalogue_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace gpucert {
namespace {

using nlohmann::json;

/// One JSON object that is read key by key. A key which nobody asked for is a misspelt one, so done() refuses it.
class object_reader {
public:
  object_reader(const json &object, std::string place) : object_(object), place_(std::move(place)) {
    if (!object_.is_object())
      throw catalogue_error(fmt::format("{} is not an object", place_));
  }

  /// Messages name the entry from here on.
  void set_place(std::string place) { place_ = std::move(place); }
  const std::string &place() const { return place_; }

  const json *optional(std::string_view key) {
    asked_.push_back(key);
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }

  const json &required(std::string_view key) {
    if (const json *value = optional(key))
      return *value;
    throw catalogue_error(fmt::format("{} has no \"{}\"", place_, key));
  }

  std::string text(std::string_view key) { return get<std::string>(required(key), key, "a text"); }

  template <class T> T get(const json &value, std::string_view key, std::string_view kind) const {
    try {
      return value.get<T>();
    } catch (const json::exception &) {
      throw catalogue_error(fmt::format("{}: \"{}\" is not {}", place_, key, kind));
    }
  }

  /// One of a few words, as the value at the same place in the list.
  template <class Enum> Enum word(std::string_view key, std::initializer_list<Enum> values) {
    const std::string text_of_key = text(key);
    for (const Enum value : values)
      if (name_of(value) == text_of_key)
        return value;
    throw catalogue_error(fmt::format("{}: \"{}\" cannot be \"{}\"", place_, key, text_of_key));
  }

  void done() const {
    for (const auto &[key, value] : object_.items())
      if (std::find(asked_.begin(), asked_.end(), key) == asked_.end())
        throw catalogue_error(fmt::format("{} has an unknown key \"{}\"", place_, key));
  }

private:
  const json &object_;
  std::string place_;
  std::vector<std::string_view> asked_;
};

/// An array of CBOR begins with a byte of major type 4; no text of JSON begins with such a one.
bool is_cbor(std::string_view text) { return !text.empty() && (static_cast<unsigned char>(text[0]) >> 5) == 4; }

json parse_list(std::string_view text, std::string_view file) {
  json list;
  try {
    list = is_cbor(text) ? json::from_cbor(text) : json::parse(text);
  } catch (const json::parse_error &error) {
    throw catalogue_error(fmt::format("{}: not {} near byte {}", file, is_cbor(text) ? "CBOR" : "JSON", error.byte));
  }
  if (!list.is_array() || list.empty())
    throw catalogue_error(fmt::format("{}: not a list of entries", file));
  return list;
}

finding_definition parse_finding(const json &object, std::size_t number) {
  object_reader reader(object, fmt::format("finding number {}", number));
  finding_definition finding;
  finding.id = reader.text("id");
  reader.set_place(fmt::format("finding {}", finding.id));
  finding.area = reader.text("area");
  finding.severity = reader.word("severity", {severity::info, severity::warn, severity::fail});
  finding.title = reader.text("title");
  finding.meaning = reader.text("meaning");
  finding.evidence = reader.text("evidence");
  finding.action = reader.text("action");
  finding.explained_by =
      reader.get<std::vector<std::string>>(reader.required("explained_by"), "explained_by", "a list of ids");
  finding.notes = reader.text("notes");
  if (const json *flag = reader.optional("symptom_level"))
    finding.is_symptom = reader.get<bool>(*flag, "symptom_level", "true or false");
  if (const json *xids = reader.optional("xids"))
    finding.xids = reader.get<std::vector<int>>(*xids, "xids", "a list of numbers");
  reader.done();
  return finding;
}

action_step parse_step(const json &object, std::string place) {
  object_reader reader(object, std::move(place));
  action_step step;
  step.text = reader.text("text");
  if (const json *command = reader.optional("command"))
    step.command = reader.get<std::string>(*command, "command", "a text");
  step.why = reader.text("why");
  reader.done();
  return step;
}

action_definition parse_action(const json &object, std::size_t number) {
  object_reader reader(object, fmt::format("action number {}", number));
  action_definition action;
  action.id = reader.text("id");
  reader.set_place(fmt::format("action {}", action.id));
  action.title = reader.text("title");
  action.reboot_helps = reader.word("reboot_helps", {reboot_helps::yes, reboot_helps::no, reboot_helps::only_after});
  const json &steps = reader.required("steps");
  if (!steps.is_array() || steps.empty())
    throw catalogue_error(fmt::format("{}: \"steps\" is not a list of steps", reader.place()));
  for (const json &step : steps)
    action.steps.push_back(parse_step(step, fmt::format("{} step {}", reader.place(), action.steps.size() + 1)));
  reader.done();
  return action;
}

} // namespace

std::vector<finding_definition> parse_findings(std::string_view text) {
  std::vector<finding_definition> findings;
  for (const json &object : parse_list(text, "findings"))
    findings.push_back(parse_finding(object, findings.size() + 1));
  return findings;
}

std::vector<action_definition> parse_actions(std::string_view text) {
  std::vector<action_definition> actions;
  for (const json &object : parse_list(text, "actions"))
    actions.push_back(parse_action(object, actions.size() + 1));
  return actions;
}

} // namespace gpucert

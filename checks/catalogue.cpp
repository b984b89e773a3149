// SPDX-License-Identifier: Apache-2.0
#include "checks/catalogue.h"

#include "checks/catalogue_json.h"
#include "cmake/embedded_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace gpucert {

namespace catalogue_data {
extern const std::vector<embedded_file> embedded_files;
}

namespace {

std::string_view embedded_text(std::string_view name) {
  for (const embedded_file &file : catalogue_data::embedded_files)
    if (file.name == name)
      return file.text;
  throw catalogue_error(fmt::format("{}.json was not built into this program", name));
}

/// True for area.subject-property: lower-case words joined by dashes, after the area and a dot.
bool is_well_formed(std::string_view id, std::string_view area) {
  if (!id.starts_with(area) || !id.substr(area.size()).starts_with('.') || area.empty())
    return false;
  const std::string_view rest = id.substr(area.size() + 1);
  return !rest.empty() && !rest.starts_with('-') && !rest.ends_with('-') && rest.find("--") == std::string_view::npos &&
         rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

/// Walks explained_by depth first, so that the causes of a finding are complete before its effects ask for them.
class cause_closure {
public:
  explicit cause_closure(const std::vector<std::vector<bool>> &direct, const std::vector<finding_definition> &findings)
      : direct_(direct), findings_(findings), any_(direct), state_(direct.size(), visit::never) {}

  std::vector<std::vector<bool>> run() {
    for (std::size_t effect = 0; effect < direct_.size(); ++effect)
      close(effect);
    return std::move(any_);
  }

private:
  enum class visit { never, open, done };

  void close(std::size_t effect) {
    if (state_[effect] == visit::done)
      return;
    path_.push_back(effect);
    if (state_[effect] == visit::open)
      throw catalogue_error(fmt::format("findings explain each other in a circle: {}", circle()));
    state_[effect] = visit::open;
    for (std::size_t cause = 0; cause < direct_.size(); ++cause) {
      if (!direct_[effect][cause])
        continue;
      close(cause);
      for (std::size_t deeper = 0; deeper < direct_.size(); ++deeper)
        any_[effect][deeper] = any_[effect][deeper] || any_[cause][deeper];
    }
    state_[effect] = visit::done;
    path_.pop_back();
  }

  std::string circle() const {
    std::string text;
    for (auto at = std::find(path_.begin(), path_.end(), path_.back()); at != path_.end(); ++at)
      text += (text.empty() ? "" : " <- ") + findings_[*at].id;
    return text;
  }

  const std::vector<std::vector<bool>> &direct_;
  const std::vector<finding_definition> &findings_;
  std::vector<std::vector<bool>> any_;
  std::vector<visit> state_;
  std::vector<std::size_t> path_;
};

} // namespace

std::string_view name_of(severity level) {
  switch (level) {
  case severity::info:
    return "info";
  case severity::warn:
    return "warn";
  case severity::fail:
    return "fail";
  }
  return "?";
}

std::string_view name_of(reboot_helps answer) {
  switch (answer) {
  case reboot_helps::yes:
    return "yes";
  case reboot_helps::no:
    return "no";
  case reboot_helps::only_after:
    return "only-after";
  }
  return "?";
}

catalogue::catalogue(std::string_view findings_json, std::string_view actions_json)
    : findings_(parse_findings(findings_json)), actions_(parse_actions(actions_json)) {
  index_actions();
  index_findings();
  index_xids();
  resolve_causes();
}

const catalogue &catalogue::built_in() {
  static const catalogue shared(embedded_text("findings"), embedded_text("actions"));
  return shared;
}

void catalogue::index_actions() {
  for (std::size_t i = 0; i < actions_.size(); ++i)
    if (!action_index_.emplace(actions_[i].id, i).second)
      throw catalogue_error(fmt::format("action {} is there twice", actions_[i].id));
}

void catalogue::index_findings() {
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    const finding_definition &finding = findings_[i];
    if (!is_well_formed(finding.id, finding.area))
      throw catalogue_error(fmt::format("finding {}: the id is not {}.subject-property", finding.id, finding.area));
    if (!finding_index_.emplace(finding.id, i).second)
      throw catalogue_error(fmt::format("finding {} is there twice", finding.id));
    if (!action(finding.action))
      throw catalogue_error(fmt::format("finding {}: there is no action {}", finding.id, finding.action));
  }
}

void catalogue::index_xids() {
  for (std::size_t i = 0; i < findings_.size(); ++i)
    for (const int xid : findings_[i].xids)
      if (const auto [at, is_new] = xid_index_.emplace(xid, i); !is_new)
        throw catalogue_error(
            fmt::format("finding {}: Xid {} belongs to {} already", findings_[i].id, xid, findings_[at->second].id));
}

void catalogue::resolve_causes() {
  direct_.assign(findings_.size(), std::vector<bool>(findings_.size(), false));
  for (std::size_t effect = 0; effect < findings_.size(); ++effect)
    for (const std::string &id : findings_[effect].explained_by) {
      const auto cause = index_of(id);
      if (!cause)
        throw catalogue_error(
            fmt::format("finding {}: explained_by names {}, which is no finding", findings_[effect].id, id));
      direct_[effect][*cause] = true;
    }
  any_ = cause_closure(direct_, findings_).run();
}

std::optional<std::size_t> catalogue::index_of(std::string_view id) const {
  const auto at = finding_index_.find(id);
  return at == finding_index_.end() ? std::nullopt : std::optional(at->second);
}

const finding_definition *catalogue::find(std::string_view id) const {
  const auto at = index_of(id);
  return at ? &findings_[*at] : nullptr;
}

const action_definition *catalogue::action(std::string_view id) const {
  const auto at = action_index_.find(id);
  return at == action_index_.end() ? nullptr : &actions_[at->second];
}

const finding_definition *catalogue::find_by_xid(int xid) const {
  const auto at = xid_index_.find(xid);
  return at == xid_index_.end() ? nullptr : &findings_[at->second];
}

bool catalogue::explains(std::string_view cause, std::string_view effect) const {
  const auto from = index_of(cause);
  const auto to = index_of(effect);
  return from && to && any_[*to][*from];
}

bool catalogue::folds(std::string_view cause, std::string_view effect) const {
  const auto from = index_of(cause);
  const auto to = index_of(effect);
  return from && to && (findings_[*to].is_symptom ? any_ : direct_)[*to][*from];
}

std::vector<std::string> catalogue::unexplained(std::span<const std::string> present,
                                                std::span<const std::string> beside) const {
  const auto is_beside = [&](const std::string &id) {
    return std::find(beside.begin(), beside.end(), id) != beside.end();
  };
  std::vector<std::size_t> roots;
  for (const std::string &effect : present) {
    const auto index = index_of(effect);
    if (index && std::none_of(present.begin(), present.end(),
                              [&](const std::string &cause) { return folds(cause, effect) && !is_beside(cause); }))
      roots.push_back(*index);
  }
  const auto rank = [&](std::size_t i) {
    return std::tuple(-static_cast<int>(findings_[i].severity), is_beside(findings_[i].id), i);
  };
  std::sort(roots.begin(), roots.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());

  std::vector<std::string> ids;
  for (const std::size_t root : roots)
    ids.push_back(findings_[root].id);
  return ids;
}

} // namespace gpucert

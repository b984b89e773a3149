// SPDX-License-Identifier: Apache-2.0
// Text that a person pasted, sorted into the documents of a capture, so that every reader and check works on it.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gpucert {

/// Place in a capture -> text. Lines are told by their shape, whatever prompts and prose stand between them; all of the
/// text is also a symptom and a kernel log, whose readers pass over what is neither. Takes any bytes.
std::map<std::string, std::string> sort_pasted_text(std::string_view text);

} // namespace gpucert

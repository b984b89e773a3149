// SPDX-License-Identifier: Apache-2.0
// The one formula behind every error bound.
#pragma once

namespace gpucert {

/// gamma_n(u) = n u / (1 - n u): n factors (1 + d), |d| <= u, multiply to 1 + t with |t| <= gamma_n(u).
/// Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, lemma 3.1. Needs n u < 1.
constexpr double gamma_factor(double roundings, double unit_roundoff) {
  return roundings * unit_roundoff / (1 - roundings * unit_roundoff);
}

} // namespace gpucert

// SPDX-License-Identifier: Apache-2.0
// Order statistics of samples.
#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpucert {

double quantile_of(const std::vector<double> &sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::optional<sample_summary> summarize(std::vector<double> samples) {
  if (samples.empty())
    return std::nullopt;
  std::sort(samples.begin(), samples.end());
  return sample_summary{samples.front(), quantile_of(samples, 0.25), quantile_of(samples, 0.5),
                        quantile_of(samples, 0.75), quantile_of(samples, 0.99)};
}

std::optional<double> relative_noise(const std::vector<double> &samples) {
  const auto summary = summarize(samples);
  if (!summary || summary->median == 0)
    return std::nullopt;
  return (summary->q3 - summary->q1) / summary->median;
}

std::optional<double> relative_error_of_median(const std::vector<double> &samples) {
  const auto noise = relative_noise(samples);
  if (!noise)
    return std::nullopt;
  return 1.2533 / 1.349 * *noise / std::sqrt(static_cast<double>(samples.size()));
}

bool is_settled(const std::vector<double> &noise, std::size_t window) {
  if (noise.size() < window || window < 2)
    return false;
  const auto first = noise.end() - static_cast<std::ptrdiff_t>(window);
  const double mean = std::accumulate(first, noise.end(), 0.0) / static_cast<double>(window);
  const double squares =
      std::accumulate(first, noise.end(), 0.0, [&](double sum, double x) { return sum + (x - mean) * (x - mean); });
  return std::sqrt(squares / static_cast<double>(window - 1)) < 0.05 * mean;
}

} // namespace gpucert

// SPDX-License-Identifier: Apache-2.0
// Order statistics of samples, and when there are enough of them.
#pragma once

#include <optional>
#include <vector>

namespace gpucert {

/// The five numbers that stand for a set of samples.
struct sample_summary {
  double least = 0;
  double q1 = 0;
  double median = 0;
  double q3 = 0;
  double p99 = 0;
};

/// Linear between neighbours (type 7 of Hyndman and Fan, as NumPy has it). `sorted` is not empty; `share` is in [0, 1].
double quantile_of(const std::vector<double> &sorted, double share);

/// Nothing for no samples.
std::optional<sample_summary> summarize(std::vector<double> samples);

/// The interquartile range over the median: the noise of single samples. Outliers do not move it. Nothing without
/// samples or with a median of 0.
std::optional<double> relative_noise(const std::vector<double> &samples);

/// The standard deviation of the median over the median, estimated as for a normal distribution of that noise:
/// 1.2533 (sqrt(pi / 2)) * (interquartile range / 1.349) / sqrt(n).
std::optional<double> relative_error_of_median(const std::vector<double> &samples);

/// Whether estimates of the noise no longer move: their standard deviation is below 5 % of their mean. Looks at the
/// last `window` of them; false before there are so many. Then more samples would say the same.
bool is_settled(const std::vector<double> &noise, std::size_t window);

} // namespace gpucert

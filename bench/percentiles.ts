/**
 * Returns the percentile by nearest rank: at least this `share` of the samples is not larger than the result. Without samples
 * the result is 0.
 */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/**
 * Returns the median. For an even number of samples this is the mean of the two middle samples. A single slow repetition hardly
 * changes the median.
 */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return (upper + lower) / 2;
}

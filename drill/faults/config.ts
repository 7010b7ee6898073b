/**
 * The path of a file with a number of milliseconds. `moved-clock.ts` shifts the clock by this number, which the drill changes
 * while the process runs.
 */
export const clockFile = (): string | undefined => process.env.DRILL_CLOCK_FILE;

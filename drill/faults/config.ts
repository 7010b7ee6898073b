/**
 * The path of a file with a number of milliseconds. `moved-clock.ts` shifts the clock of the process by this number. The drill
 * writes the file while the process runs.
 */
export const clockFile = (): string | undefined => process.env.DRILL_CLOCK_FILE;

/**
 * Returns the path of a file that contains a number of milliseconds. `moved-clock.ts` shifts the clock of the process by this
 * number. The drill changes the number while the process runs.
 */
export const clockFile = (): string | undefined => process.env.DRILL_CLOCK_FILE;

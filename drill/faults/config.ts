/** The file with the clock shift of a process in milliseconds; the drill writes it while the process runs. */
export const clockFile = (): string | undefined => process.env.DRILL_CLOCK_FILE;

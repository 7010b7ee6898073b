/** The file with the shift of the clock of this process, in milliseconds. The drill writes it while the process runs. */
export const clockFile = (): string | undefined => process.env.DRILL_CLOCK_FILE;

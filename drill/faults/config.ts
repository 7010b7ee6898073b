/** The file from which a process with a moved clock reads by how many milliseconds; the drill writes it while the process runs. */
export const clockFile = (): string | undefined => process.env.DRILL_CLOCK_FILE;

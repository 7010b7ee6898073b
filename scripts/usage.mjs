export const asksForHelp = (words = process.argv.slice(2)) => words.some((word) => word === '--help' || word === '-h');

/** Ends the process on `--help`, before anything is prepared or changed. */
export function helpIfAsked(usage) {
  if (!asksForHelp()) return;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

export const asksForHelp = (words = process.argv.slice(2)) => words.some((word) => word === '--help' || word === '-h');

/** Prints how a script is used and ends the process where that is asked for, before anything is prepared or touched. */
export function helpIfAsked(usage) {
  if (!asksForHelp()) return;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

import { DAY_MS } from '../../domain/durations';
import type { FleetInput } from '../../platform/fleets/inputs';
import { Refused, refuseUnlessAllowed } from '../refused';
import type { Session } from '../session';

const DATE_CHARS = 10;

/** The end of the typed day, so that an input of the same day counts. */
function typedDate(typed: string): Date {
  const text = typed.trim();
  const date = new Date(`${text}T23:59:59.999Z`);
  const isDate = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, DATE_CHARS) === text;
  if (!isDate) throw new Refused('This is not a date like 2030-01-31.');
  return date;
}

/**
 * The clock of a machine without a network can be wrong. A date outside of the input's dates, or before the newest input that the
 * machine has seen, is asked of the people, who read it from another clock. Returns the newest date that is certain. Throws
 * `Refused` for an input that has lapsed.
 */
export async function judgedDate({ open, screen, now }: Session, { dateIssued, notAfter }: FleetInput): Promise<string> {
  const [issued, end] = [new Date(dateIssued), new Date(notAfter)];
  const { newestDate } = open.state();
  const newest = newestDate === null || newestDate < dateIssued ? dateIssued : newestDate;
  const isPlausible = (date: Date) => date.getTime() >= new Date(newest).getTime() - DAY_MS && date <= end;
  refuseUnlessAllowed(issued <= end, 'The input ends before it was issued.');
  let date = now();
  if (!isPlausible(date)) {
    screen.say([
      `The clock of this machine says ${date.toISOString()}.`,
      `The input was issued on ${dateIssued}, and is valid until ${notAfter}.`,
    ]);
    date = typedDate(await screen.ask('Type the date of today from another clock (YYYY-MM-DD): '));
    refuseUnlessAllowed(date.getTime() - DAY_MS < end.getTime(), `The input has lapsed: it was valid until ${notAfter}.`);
    refuseUnlessAllowed(
      isPlausible(date) || date > end,
      `The date is before ${newest.slice(0, DATE_CHARS)}, when the service issued an input.`,
    );
  }
  return newest;
}

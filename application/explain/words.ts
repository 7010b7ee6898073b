import { unitsOfMicro } from '../../domain/amounts';

/** A longer list of names ends with the number of the other names. */
const NAMES_MAX = 5;
const USD_DECIMALS_MIN = 2;

/** The time to the minute, always in UTC. */
export const datesInWords = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `a`, `a and b`, `a, b and c`. */
export function listInWords(words: readonly string[], last = 'and'): string {
  const [end = '', ...rest] = [...words].reverse();
  return rest.length === 0 ? end : `${rest.reverse().join(', ')} ${last} ${end}`;
}

export function peopleInWords(people: readonly { readonly name: string }[]): string {
  const named = people.slice(0, NAMES_MAX).map(({ name }) => name);
  const more = people.length - named.length;
  return listInWords(more > 0 ? [...named, `${more} others`] : named, 'or');
}

/** Converts micro-dollars to dollars with all digits, and at least two after the point. */
export function usdInWords(micro: string): string {
  const [whole = '', fraction = ''] = unitsOfMicro(micro).split('.');
  return `${whole}.${fraction.padEnd(USD_DECIMALS_MIN, '0')}`;
}

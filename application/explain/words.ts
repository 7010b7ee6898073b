import { unitsOfMicro } from '../../domain/amounts';

/** The highest number of names in one sentence. If there are more names, the sentence says only how many more. */
const NAMES_MAX = 5;
const USD_DECIMALS_MIN = 2;

/** A time for people: to the minute, and always in UTC. */
export const datesInWords = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `a`, `a and b`, `a, b and c`. */
export function listInWords(words: readonly string[], last = 'and'): string {
  const [end = '', ...rest] = [...words].reverse();
  return rest.length === 0 ? end : `${rest.reverse().join(', ')} ${last} ${end}`;
}

/** The names of several people, with `or` before the last name. */
export function peopleInWords(people: readonly { readonly name: string }[]): string {
  const named = people.slice(0, NAMES_MAX).map(({ name }) => name);
  const more = people.length - named.length;
  return listInWords(more > 0 ? [...named, `${more} others`] : named, 'or');
}

/** A value in micro-dollars as exact decimal dollars, with all digits and at least two digits after the point. */
export function usdInWords(micro: string): string {
  const [whole = '', fraction = ''] = unitsOfMicro(micro).split('.');
  return `${whole}.${fraction.padEnd(USD_DECIMALS_MIN, '0')}`;
}

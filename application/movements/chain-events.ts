import { kindsNamed } from '../../domain/event-names';
import type { Reader } from '../../entities/database';
import { historyOf, pageKeyOf } from './history';
import { chainEventView } from './view';

type EventFilter = Readonly<Partial<Record<'name' | 'contract' | 'txHash' | 'after', string | undefined>>>;

/**
 * Newest first, at most `limit`. `after` is the key of the next page, undefined on the last page. `whose` is the subject with
 * which error messages begin. Throws the errors of `historyOf`.
 */
export async function chainEventsOf(
  reader: Reader,
  subject: { readonly id: string; readonly network: string },
  whose: string,
  { name, ...filter }: EventFilter,
  limit: number,
) {
  const asked = { ...filter, ...(name === undefined ? {} : { kinds: kindsNamed(name) }) };
  const { network, rows } = await historyOf(reader, subject, whose, asked, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    ...{ network, events: page.map(chainEventView) },
    after: rows.length > limit && last ? pageKeyOf(last) : undefined,
  };
}

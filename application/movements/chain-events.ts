import { kindsNamed } from '../../domain/event-names';
import type { ContractEventEntity } from '../../entities/contract-events/contract-event.entity';
import { contractEventStore } from '../../entities/contract-events/contract-event.store';
import type { Reader } from '../../entities/database';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import { contractEventView } from '../contract-events/view';
import { cursorOf, historyOf, pageKeyOf } from './history';
import { chainEventView } from './view';

type EventFilter = Readonly<Partial<Record<'name' | 'contract' | 'txHash' | 'after', string | undefined>>>;

/**
 * The movements and the other events of a subject in one order, newest first, at most `limit`. `after` is the key of the next
 * page, undefined on the last page. Error messages begin with `whose`, for example `Wallets`. Throws the errors of `historyOf`.
 */
export async function chainEventsOf(
  reader: Reader,
  subject: { readonly id: string; readonly network: string },
  whose: string,
  { name, ...filter }: EventFilter,
  limit: number,
) {
  const asked = { ...filter, ...(name === undefined ? {} : { kinds: kindsNamed(name) }) };
  const further = { ...filter, name, after: cursorOf(filter.after) };
  // Both lists are read from one snapshot, because reads that start together share a transaction.
  const [{ network, rows }, others] = await Promise.all([
    historyOf(reader, subject, whose, asked, limit + 1),
    contractEventStore.list(reader, subject.id, further, limit + 1),
  ]);
  const merged = [...rows, ...others].sort(newestFirst);
  const page = merged.slice(0, limit);
  const last = page.at(-1);
  return {
    ...{ network, events: page.map((row) => ('data' in row ? contractEventView(row) : chainEventView(row))) },
    after: merged.length > limit && last ? pageKeyOf(last) : undefined,
  };
}

type Row = MovementEntity | ContractEventEntity;

/** Both stores use this order. Heights and places are compared as numbers, and ids as bytes. */
function newestFirst(a: Row, b: Row): number {
  if (a.blockHeight !== b.blockHeight) return Number(b.blockHeight) - Number(a.blockHeight);
  if (a.place !== b.place) return Number(b.place) - Number(a.place);
  return a.id < b.id ? 1 : -1;
}

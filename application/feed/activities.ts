import { fieldFault } from '../../domain/field-faults';
import { isId } from '../../domain/ids';
import type { Reader } from '../../entities/database';
import type { EventEntity } from '../../entities/events/event.entity';
import { type EventCursor, type EventPeriod, eventStore } from '../../entities/events/event.store';
import { csvExport } from '../csv-export';
import { CHAINS } from '../hash-chains/chains';

/** The limit of one export, as in the specification. */
export const ACTIVITY_EVENTS_MAX = 50_000;

const COLUMNS = ['date', 'id', 'kind', 'recordId', 'version', 'data'] as const;

export const activityView = (event: EventEntity) => ({ ...CHAINS.feed.contentOf(event), recordId: event.aggregateId });

/** The whole period, oldest first. The column `data` has the body of the event as JSON. */
export const activitiesCsv = (reader: Reader, period: EventPeriod) =>
  csvExport({
    columns: COLUMNS,
    rowsMax: ACTIVITY_EVENTS_MAX,
    exceeds: (rows) => eventStore.exceeds(reader, period, rows),
    page: (after: EventEntity | undefined, rowsMax) => eventStore.page(reader, period, after, rowsMax),
    lineOf: (event) => {
      const { version, data, ...told } = activityView(event);
      return { ...told, version: String(version), data: JSON.stringify(data) };
    },
  });

/** Oldest first. Throws `InvalidPaginationToken`. */
export const activitiesBetween = (reader: Reader, period: EventPeriod, after: string | undefined, rowsMax: number) =>
  eventStore.page(reader, period, cursorOf(after), rowsMax);

export const activityKeyOf = ({ dateCreated, id }: EventCursor): string => `${dateCreated.getTime()}.${id}`;

const KEY = /^(\d{1,15})\.(.+)$/;

function cursorOf(after: string | undefined): EventCursor | undefined {
  if (after === undefined) return undefined;
  const [, date, id] = KEY.exec(after) ?? [];
  if (date === undefined || id === undefined || !isId('event', id))
    throw fieldFault('query.paginationToken', 'is not a token of this list', { code: 'InvalidPaginationToken' });
  return { dateCreated: new Date(Number(date)), id };
}

import { isId } from '../../domain/ids';
import type { EventEntity } from '../../entities/events/event.entity';
import { type EventCursor, eventStore } from '../../entities/events/event.store';
import { CHAINS } from '../hash-chains/chains';
import type { ExportList } from '../resumable-export';

/** The limit that the specification sets for one export. */
export const ACTIVITY_EVENTS_MAX = 50_000;

export const activityView = (event: EventEntity) => ({ ...CHAINS.feed.contentOf(event), recordId: event.aggregateId });

const KEY = /^(\d{1,15})\.(.+)$/;

/** The events of a period, oldest first. The column `data` contains the body of the event as JSON. */
export const EXPORTED_ACTIVITIES: ExportList<EventCursor, EventEntity> = {
  name: 'activities',
  columns: ['date', 'id', 'kind', 'recordId', 'version', 'data'],
  rowsMax: ACTIVITY_EVENTS_MAX,
  count: eventStore.count,
  page: eventStore.page,
  lineOf: (event) => {
    const { version, data, ...told } = activityView(event);
    return { ...told, version: String(version), data: JSON.stringify(data) };
  },
  keyOf: ({ dateCreated, id }) => `${dateCreated.getTime()}.${id}`,
  cursorOf: (key) => {
    const [, date, id] = KEY.exec(key) ?? [];
    return date === undefined || id === undefined || !isId('event', id) ? undefined : { dateCreated: new Date(Number(date)), id };
  },
};

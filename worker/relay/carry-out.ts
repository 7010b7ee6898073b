import type { Dispatcher } from '../../application/dispatch/dispatcher';
import type { Deliverer } from '../../application/webhooks/delivery';
import { invariant } from '../../domain/errors';
import type { RelayStore, WaitingRow } from '../../entities/outbox/relay.store';
import type { Logger } from '../../platform/logger';
import { during } from '../../platform/points';
import { contextFrom, inContext } from '../../platform/request-context';
import { inSpan } from '../../platform/spans';
import { within } from './pace';

/** Observes the progress of each row, for the metrics. Must not throw. */
export type RelayObserver = {
  readonly relayed: (row: WaitingRow) => void;
  readonly putOff: (row: WaitingRow) => void;
};

type Services = {
  readonly store: Pick<RelayStore, 'markRelayed' | 'putOff'>;
  readonly dispatcher: Dispatcher;
  readonly deliverer: Deliverer;
  readonly logger: Logger;
  readonly observer: RelayObserver | undefined;
};

const CARRY_OUT_LIMIT_MS = 15_000;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;

/**
 * Returns a function that dispatches one outbox row, in the context of the request that wrote the row, and marks the row as
 * relayed. The function returns false if the row needs another attempt.
 */
export function createCarrier({ store, dispatcher, deliverer, logger, observer }: Services) {
  const work = async (row: WaitingRow): Promise<void> => {
    const { orgId, kind, aggregateId, routing } = row;
    if (kind !== 'event') {
      const told = during(routing['signal'] ?? kind, [orgId, aggregateId], () => dispatcher.carryOut(orgId, row));
      return within(CARRY_OUT_LIMIT_MS, told);
    }
    const { eventId } = routing;
    invariant(eventId, 'an event row names its event');
    return during('deliver', [orgId, eventId], () => deliverer.deliver(orgId, eventId));
  };

  const carryOut = async (row: WaitingRow): Promise<boolean> => {
    try {
      const attributes = { 'strongroom.outbox.kind': row.kind, 'strongroom.outbox.attempts': row.attempts };
      await inSpan({ name: `outbox ${row.kind}`, kind: 'internal', attributes }, () => work(row));
      await store.markRelayed(row);
      observer?.relayed(row);
      return true;
    } catch (error) {
      observer?.putOff(row);
      logger.warn(
        { err: error, orgId: row.orgId, outboxId: row.id, attempts: row.attempts + 1 },
        'an outbox row could not be dispatched and is retried',
      );
      await store
        .putOff(row, Math.min(RETRY_FIRST_MS * 2 ** Math.min(row.attempts, 16), RETRY_MAX_MS))
        .catch((failure: unknown) => logger.warn({ err: failure, outboxId: row.id }, 'the failed attempt could not be recorded'));
      return false;
    }
  };

  return (row: WaitingRow): Promise<boolean> => inContext(contextFrom(row.routing), () => carryOut(row));
}

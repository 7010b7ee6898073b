import { invariant } from '../../domain/errors';
import { type AmendmentEnd, amendmentStore } from '../../entities/charters/amendment.store';
import { charterStore } from '../../entities/charters/charter.store';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { amendmentView } from './view';

/** Has no effect on an amendment that has ended. */
export async function endAmendment(tx: Tx, amendmentId: string, end: AmendmentEnd): Promise<void> {
  if (!(await amendmentStore.end(tx, amendmentId, end))) return;
  if (end.status === 'InForce') await charterStore.seeHead(tx, end);
  const row = await amendmentStore.find(tx, amendmentId);
  invariant(row, 'an amendment that has ended exists');
  await eventStore.emit(tx, {
    kind: end.status === 'InForce' ? 'charter.amended' : 'charter.amendment.refused',
    aggregateId: amendmentId,
    aggregateVersion: 1,
    data: { amendment: amendmentView(row) },
  });
}

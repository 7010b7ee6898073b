import { invariant } from '../../domain/errors';
import { isAnswerable } from '../../domain/transfers';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { answerOrDevice } from '../fleets/answer-or-device';
import type { Services } from '../services';

export const TRANSFER_ANSWER_LIMIT_MS = 15_000;

/** Returns once the request is held, waits for an offline device, is under way or ended. At the time limit, returns the request in its current state. */
export async function waitForAnswer(services: Services, orgId: string, id: string): Promise<OutgoingEntity> {
  const read = async () => {
    const row = await outgoingStore.find(services.db.read(orgId), id);
    invariant(row, 'a committed request exists');
    return row;
  };
  return answerOrDevice(services, { orgId, id }, read, { isAnswerable, limitMs: TRANSFER_ANSWER_LIMIT_MS });
}

/** If the start fails, the relay starts the workflow from the outbox. */
export async function startAndWait(services: Services, orgId: string, id: string, start: Dispatch): Promise<OutgoingEntity> {
  void services.dispatcher.tryNow(orgId, start);
  return waitForAnswer(services, orgId, id);
}

import { AppError, invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { keyStore, type MadeKey } from '../../entities/keys/key.store';
import { keyRecordStore } from '../../entities/keys/key-record.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { CREATE_KEY } from '../../workflows/create-key.messages';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { emitKey } from './events';
import { askingActionFor } from './holders';
import { type NewKeyRequest, planKey } from './plan-key';
import { takeFromStore } from './take-key';
import { type KeyView, keyView } from './view';

const READY_LIMIT_MS = 20_000;

const startOf = (keyId: string): Dispatch => ({
  kind: 'start',
  aggregateId: keyId,
  dedupeKey: `start:${keyId}`,
  routing: { workflow: CREATE_KEY, summary: 'Create a key' },
});

/**
 * Returns the key once its secret is stored safely (S4). Throws the errors of `planKey`, `askingActionFor` and `takeFromStore`. Throws `NotReady`
 * if the signer exceeds the time limit; the key then appears in the list of keys later.
 */
export async function createKey(services: Services, authority: Authority, request: NewKeyRequest): Promise<KeyView> {
  const { orgId } = authority.caller;
  const start = await act(services.db, authority, async (tx, userActionId) => {
    const planned = await planKey(tx, authority.caller, request);
    const key = { ...planned.key, askingActionId: await askingActionFor(tx, planned.key, userActionId) };
    await takeFromStore(tx, planned);
    await keyRecordStore.insert(tx, key);
    const row = startOf(key.id);
    await outboxStore.add(tx, row);
    return row;
  });
  void services.dispatcher.tryNow(orgId, start);
  const ready = await services.changes.waitFor(
    start.aggregateId,
    () => keyStore.find(services.db.read(orgId), start.aggregateId),
    (key) => key?.status !== 'Creating',
    READY_LIMIT_MS,
  );
  invariant(ready, `the key ${start.aggregateId} is never deleted`);
  if (ready.status !== 'Creating') return keyView(ready);
  throw new AppError('NotReady', 'The key is still being created. It appears among the keys when it is ready.', {
    keyId: ready.id,
  });
}

/** Has no effect on a key that is already complete. */
export async function activateKey(tx: Tx, made: MadeKey): Promise<void> {
  const key = await keyRecordStore.lock(tx, made.keyId);
  if (key?.status !== 'Creating') return;
  await keyStore.activate(tx, made);
  await emitKey(tx, 'key.created', key.id);
}

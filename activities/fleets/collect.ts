import { wakeRequest } from '../../application/fleets/wake-request';
import { AppError } from '../../domain/errors';
import { FLEET_INPUT_BYTES_MAX } from '../../domain/fleets';
import { isId } from '../../domain/ids';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import type { SignRequest } from '../../platform/fleets/inputs';
import { createSigningActivities } from '../outgoing/sign';
import { createSignatureSigningActivities } from '../signatures/sign';
import { type CarryingGroup, type Voucher, vouching } from './vouching';

/** The signer waits for its disk between two orders, so several orders at once share the wait. */
const AT_ONCE = 8;
/** Vouches for many coins are longer than the room that their requests reserve. */
const ROOM_BYTES = FLEET_INPUT_BYTES_MAX - 1024 * 1024;

type Dependencies = Parameters<typeof createSigningActivities>[0] &
  Parameters<typeof createSignatureSigningActivities>[0] & { readonly signer: Voucher };

export function createCollector(dependencies: Dependencies) {
  const { db } = dependencies;

  /**
   * Carries the open requests of the store to the device, oldest first. Each request passes all checks of a signature, and the
   * signer vouches for it. A request that does not pass is left out; its workflow is woken, and ends or judges the request. A
   * repeated call for the same group returns the same requests, unless a request has ended meanwhile.
   */
  return async (group: CarryingGroup, roomBytes = ROOM_BYTES): Promise<readonly SignRequest[]> => {
    const { orgId, storeId } = group;
    const carried = new Map<string, SignRequest>();
    const offline = vouching(dependencies, group, { room: { bytes: roomBytes }, carried });
    const { signTransfer } = createSigningActivities({ ...dependencies, offline });
    const { signPayload } = createSignatureSigningActivities({ ...dependencies, offline });
    const ids = (await offlineRequestStore.waiting(db.read(orgId), storeId)).map(({ requestId }) => requestId);
    const judge = async (id: string): Promise<void> => {
      const asked = isId('signature', id) ? signPayload({ orgId, signatureId: id }) : signTransfer({ orgId, transferId: id });
      if ((await asked.catch(stopped)) !== 'Offline') await db.withOrg(orgId, (tx) => wakeRequest(tx, id));
    };
    const left = [...ids];
    const deal = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) await judge(id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, deal));
    return ids.flatMap((id) => carried.get(id) ?? []);
  };
}

/** A request that needs an operator must not hold back the other requests. */
function stopped(error: unknown): 'Stopped' {
  if (error instanceof AppError && !error.retryable) return 'Stopped';
  throw error;
}

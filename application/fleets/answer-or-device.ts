import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import type { Services } from '../services';

type Requested = { readonly id: string; readonly state: string };

/**
 * Reads the request until `isAnswerable` returns true, the request waits for an offline device, or `limitMs` has passed. Returns
 * the last value. A device signs days later, so a caller need not wait for it.
 */
export async function answerOrDevice<T extends Requested>(
  { db, changes }: Pick<Services, 'db' | 'changes'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  read: () => Promise<T>,
  { isAnswerable, limitMs }: { readonly isAnswerable: (row: T) => boolean; readonly limitMs: number },
): Promise<T> {
  const look = async () => {
    const row = await read();
    const atDevice = row.state === 'Signing' && (await offlineRequestStore.unsigned(db.read(orgId), id)) !== undefined;
    return { row, done: atDevice || isAnswerable(row) };
  };
  const { row } = await changes.waitFor(id, look, ({ done }) => done, limitMs);
  return row;
}

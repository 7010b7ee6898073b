import { AppError } from '../../domain/errors';
import { equalPaymentOf, STATUS_OF, type TransferState } from '../../domain/transfers';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { wakeWherever } from './competing-requests';
import { ABORTED, failTransfer } from './end/fail';

/** How long the caller waits for the signer's promise never to sign the request. */
const ABORT_ANSWER_LIMIT_MS = 10_000;

/**
 * Ends an unsigned request that policies have allowed, or a request that is held as a possible duplicate. Once the bytes are
 * built, only the signer knows whether the bytes are signed. The request then ends after the signer has promised never to sign
 * the bytes. Without a reply from the signer, this function returns the request as `Executing` with `details.stage` `Aborting`,
 * and the request ends later. Throws `WrongState` for every other request, if the signer has already signed, and if an archive with the
 * request exists.
 */
export async function abortRequest(services: Services, authority: Authority, id: string): Promise<OutgoingEntity> {
  const { orgId } = authority.caller;
  await act(services.db, authority, async (tx) => {
    const row = await outgoingStore.lockBehindRoot(tx, id);
    if (row.state === 'Approved' || equalPaymentOf(row)) await failTransfer(tx, id, [row.state], ABORTED);
    else if (row.state === 'Signing' && (await offlineRequestStore.isExported(tx, id))) throw exported();
    else if (row.state === 'Signing') await tx.update(OutgoingEntity, { id }, { abortAsked: await tx.clock() });
    else throw tooLate(row.state);
    await wakeWherever(tx, id);
  });
  const read = async () => (await outgoingStore.find(services.db.read(orgId), id)) ?? notFound(id);
  const row = await services.changes.waitFor(id, read, ({ state }) => state !== 'Signing', ABORT_ANSWER_LIMIT_MS);
  if (row.state !== 'Failed' && row.state !== 'Signing') throw tooLate(row.state);
  return row;
}

function tooLate(state: TransferState): AppError {
  const signed = state === 'Signed' ? ' and signed' : '';
  const message = `Only a request that is Executing and not signed can be aborted: this one is ${STATUS_OF[state]}${signed}`;
  return new AppError('WrongState', message, { status: STATUS_OF[state] });
}

const exported = () =>
  new AppError('WrongState', 'An offline device may have signed it, because an archive with it exists: cancel it instead', {
    status: STATUS_OF.Signing,
  });

function notFound(transferId: string): never {
  throw new AppError('NotFound', 'transfer not found', { transferId });
}

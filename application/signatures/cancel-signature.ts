import { networkOf } from '../../chains/networks';
import { AppError } from '../../domain/errors';
import { SIGNATURE_STATUS_OF } from '../../domain/signatures';
import { TRANSFER_FAILURES } from '../../domain/transfers';
import type { Tx } from '../../entities/database';
import { laneStore } from '../../entities/outgoing/lane.store';
import { laneCareStore } from '../../entities/outgoing/lane-care.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { SignatureEntity } from '../../entities/signatures/signature.entity';
import { signatureStore } from '../../entities/signatures/signature.store';
import { pauseAfterMs } from '../outgoing/lanes/lane-care';
import { nothingToOneself, recordCompetingRequest } from '../outgoing/request-replacement';
import { startAndWait } from '../outgoing/start-and-wait';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { signingWallet } from '../wallets/signing-wallets';
import { type UsableWallet, walletOf } from '../wallets/wallets';
import { walletAt } from './evm/prepare-transaction';
import { getSignature } from './request-signature';

/**
 * Cancels a transaction that this service has signed and that the holder of the signed bytes has not sent. Records another
 * transaction, which only uses up the nonce or coins that the signature has claimed. Either transaction may win, because the
 * holder may still send the signed transaction. Policies judge the recorded transaction. Throws `WrongState` if the request is
 * not signed, has no open claims of this wallet, or is already being cancelled.
 */
export async function cancelSignature(
  services: Services,
  authority: Authority,
  walletId: string,
  signatureId: string,
): Promise<OutgoingEntity> {
  const { caller } = authority;
  const { orgId } = caller;
  const reader = services.db.read(orgId);
  const { key } = await walletOf(reader, caller, walletId);
  await getSignature(reader, caller, { keyId: key.id }, signatureId);
  const wallet = await signingWallet(reader, caller, walletId);
  const { id, start } = await act(services.db, authority, (tx, userActionId) =>
    record(tx, wallet, signatureId, {
      ...{ requesterUserId: caller.userId, requesterTokenId: caller.tokenId },
      ...{ userActionId, madeByService: false },
    }),
  );
  return startAndWait(services, orgId, id, start);
}

/**
 * Cancels a signature on behalf of the service, because the nonce that the service chose was not used in time. Returns the
 * milliseconds until the next check, or null if the sender no longer has a wallet. Policies may reject a cancellation, so the
 * wait before each attempt is longer than the wait before the previous attempt.
 */
export async function cancelLapsed(tx: Tx, signatureId: string): Promise<number | null> {
  const row = await signatureStore.lock(tx, signatureId);
  const { claimNetwork: network, fromAddress: address, requesterUserId, requesterTokenId, userActionId } = row;
  const wallet = network === null || address === null ? undefined : await walletAt(tx, network, address);
  if (network === null || address === null || !wallet) return null;
  const { count, agoMs } = await laneCareStore.attempts(tx, { network, address }, { root: signatureId, nonce: null });
  const leftMs = pauseAfterMs(count) - agoMs;
  if (leftMs > 0) return leftMs;
  try {
    const by = { requesterUserId, requesterTokenId, userActionId, madeByService: true };
    await record(tx, { id: wallet.id, network, address }, signatureId, by);
  } catch (error) {
    // A cancellation is already under way, or a transaction in the chain has used the nonce.
    if (!(error instanceof AppError) || error.code !== 'WrongState') throw error;
  }
  return pauseAfterMs(count + 1);
}

async function record(
  tx: Tx,
  { id: walletId, network, address }: Pick<UsableWallet, 'id' | 'network' | 'address'>,
  signatureId: string,
  by: Pick<OutgoingEntity, 'requesterUserId' | 'requesterTokenId' | 'userActionId' | 'madeByService'>,
) {
  const row = await signatureStore.lock(tx, signatureId);
  const { state, txHash, details, claimNetwork, fromAddress } = row;
  const wrong = (message: string, more = {}) =>
    new AppError('WrongState', message, { status: SIGNATURE_STATUS_OF[state], ...more });
  if (state !== 'Signed') throw wrong(`Only a Signed request can be cancelled: this one is ${SIGNATURE_STATUS_OF[state]}`);
  const last = details?.cancelledBy === undefined ? undefined : await outgoingStore.find(tx, details.cancelledBy);
  if (last && !TRANSFER_FAILURES.includes(last.state)) throw wrong(`${last.id} already replaces it`, { replacementId: last.id });
  // Wallets of one key on several networks may share an address, but a nonce belongs to one network.
  const isOurs = claimNetwork === network && fromAddress === address;
  if (!isOurs || !(await laneStore.isSignatureOpen(tx, signatureId)))
    throw wrong('It has claimed no nonce or coins of the wallet that another transaction could use up');
  const sender = { walletId, fromAddress: address, feeSponsorId: null, sponsorAddress: null };
  const recorded = await recordCompetingRequest(
    tx,
    { id: signatureId, network, txHash, kind: 'Cancel' },
    {
      ...nothingToOneself(sender),
      ...sender,
      ...by,
      ...{ assetSymbol: null, assetDecimals: null, assetVerified: false },
      feeCeilingUnits: networkOf(network).feeCeilingUnits.toString(),
      ...{ replacementKind: 'Cancel', cancelsSignatureId: signatureId },
    },
  );
  await tx.update(SignatureEntity, { id: signatureId }, { details: { ...details, cancelledBy: recorded.id } });
  return recorded;
}

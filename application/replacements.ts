import { networkOf } from '../chains/networks';
import { AppError, invariant } from '../domain/errors';
import { JUDGED_HERE } from '../domain/judgements';
import type { NetworkName } from '../domain/networks';
import { ANSWERABLE_STATES, type ReplacementKind, STATUS_OF } from '../domain/transfers';
import type { Tx } from '../entities/database';
import { type Dispatch, outboxStore } from '../entities/outbox/outbox.store';
import { laneStore } from '../entities/transfers/lane.store';
import { payloadStore } from '../entities/transfers/payload.store';
import { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { digestOf } from '../platform/canonical';
import { newId } from '../platform/ids';
import { type Authority, act } from './authority';
import { wakeWherever } from './rivals';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { solanaReplacement } from './solana/replacement';
import { emitTransfer } from './transfer-events';
import type { PerFamily, ReplacementForm } from './transfer-forms';
import { utxoReplacement } from './utxo/replacement';
import { TRANSFER_ANSWER_LIMIT_MS } from './wallet-requests';

/** What a cancellation is in every family: it does nothing but use up the claims of what it takes the place of. */
export const nothingToOneself = ({ fromAddress }: TransferEntity) => ({
  assetKind: 'Native' as const,
  contract: null,
  tokenId: null,
  toAddress: fromAddress,
  amountUnits: '0',
  terms: null,
  options: {},
});

const FORMS: PerFamily<ReplacementForm> = {
  evm: {},
  solana: solanaReplacement,
  utxo: utxoReplacement,
};

/** How something takes the place of a transaction there; undefined where nothing does. */
export function replacementOf(name: NetworkName): ReplacementForm | undefined {
  const network = networkOf(name);
  const form = FORMS[network.family];
  return form?.isTakenBy?.(network) === false ? undefined : form;
}

const KINDS = { Cancel: 'CancelTransaction', SpeedUp: 'SpeedUpTransaction' } as const;
/** The interface names the signed bytes; nobody is told them before they are sent, because a freeze may still keep them back. */
const NOT_SENT = '0x';
const OVER: readonly TransferEntity['state'][] = ['Failed', 'Rejected'];

/** Which claims a replacement has: those of another request, or a nonce that an ended one has left behind. */
type Shared = { readonly claimsOf: string; readonly askedNonce: null } | { readonly claimsOf: null; readonly askedNonce: number };

/**
 * Records a transaction that competes with a request of the same wallet for its claims, and starts it; either of the two may win. A speed-up
 * is the same payment, so that it is not judged again as long as its fee stays below the ceiling that was approved. A cancellation is judged like any
 * transaction to oneself, because it spends a fee and undoes what others may have approved: a policy that holds everything holds it too.
 * Throws `WrongState` with the state for what cannot be replaced, or is being replaced already.
 */
export async function requestReplacement(
  services: Services,
  authority: Authority,
  { id: replacedId, walletId, network }: TransferEntity,
  kind: ReplacementKind,
): Promise<TransferEntity> {
  const { caller } = authority;
  const { orgId } = caller;
  await signingWallet(services.db.read(orgId), caller, walletId);
  if (!replacementOf(network))
    throw new AppError('NetworkNotEnabled', `Nothing takes the place of a transaction on ${network}`, { network });
  const { id, start } = await act(services.db, authority, async (tx, userActionId) => {
    const replaced = await transferStore.lockBehindRoot(tx, replacedId);
    const { userId: requesterUserId, tokenId: requesterTokenId } = caller;
    return recordReplacement(tx, replaced, kind, { requesterUserId, requesterTokenId, userActionId, madeByService: false });
  });
  void services.dispatcher.tryNow(orgId, start);
  const read = async () => {
    const row = await transferStore.find(services.db.read(orgId), id);
    invariant(row, 'what was committed is there');
    return row;
  };
  return services.changes.waitFor(id, read, ({ state }) => ANSWERABLE_STATES.includes(state), TRANSFER_ANSWER_LIMIT_MS);
}

type MadeBy = Pick<TransferEntity, 'requesterUserId' | 'requesterTokenId' | 'userActionId' | 'madeByService'>;

/**
 * Writes down what competes with a locked request, of which the claims' owner is locked before. The answered dispatch is in the outbox already. Throws
 * `WrongState` before anything is written.
 */
export async function recordReplacement(
  tx: Tx,
  replaced: TransferEntity,
  kind: ReplacementKind,
  by: MadeBy,
): Promise<{ readonly id: string; readonly start: Dispatch }> {
  const { id: replacedId, walletId, network } = replaced;
  const form = replacementOf(network);
  if (!form) throw new AppError('NetworkNotEnabled', `Nothing takes the place of a transaction on ${network}`, { network });
  const shared = await claimsFor(tx, replaced, kind, form);
  const id = newId('transaction');
  const summary = `${KINDS[kind]} of ${replacedId} on ${network}`;
  const start: Dispatch = {
    kind: 'start',
    aggregateId: id,
    dedupeKey: `start:${id}`,
    routing: { workflow: 'transfer', walletId, network, summary, ...JUDGED_HERE },
  };
  const body = { kind: KINDS[kind], ...(replaced.txHash === null ? {} : { txHash: replaced.txHash }), signedTx: NOT_SENT };
  const { assetKind, contract, tokenId, toAddress, amountUnits, terms, options } =
    kind === 'SpeedUp' ? replaced : nothingToOneself(replaced);
  const isSame = kind === 'SpeedUp';
  await tx.insert(TransferEntity, {
    ...{ assetKind, contract, tokenId, toAddress, amountUnits, terms, options },
    ...by,
    orgId: tx.orgId,
    id,
    form: 'Transaction',
    walletId,
    network,
    requestBody: body,
    requestDigest: digestOf({ walletId, body, replacedId }),
    externalId: null,
    fromAddress: replaced.fromAddress,
    priority: 'Fast',
    assetSymbol: isSame ? replaced.assetSymbol : null,
    assetDecimals: isSame ? replaced.assetDecimals : null,
    assetVerified: isSame && replaced.assetVerified,
    feeCeilingUnits: replaced.feeCeilingUnits,
    state: 'Requested',
    replacementKind: kind,
    replacesId: replacedId,
    ...shared,
  });
  // What is not signed yet shall never be, so that the nonce is used up by this one alone.
  const abort = replaced.state === 'Signing' ? { abortAsked: await tx.clock() } : {};
  await tx.update(TransferEntity, { id: replacedId }, { replacedById: id, ...abort });
  if (replaced.state === 'Signing') await wakeWherever(tx, replacedId);
  await emitTransfer(tx, await transferStore.lock(tx, id));
  await outboxStore.add(tx, start);
  return { id, start };
}

async function claimsFor(tx: Tx, replaced: TransferEntity, kind: ReplacementKind, form: ReplacementForm): Promise<Shared> {
  const { id, state, claimsOf, replacedById } = replaced;
  const wrong = (message: string, more = {}) => new AppError('WrongState', message, { status: STATUS_OF[state], ...more });
  // The operation in it lives on whatever becomes of its sponsor's nonce, so that both could be carried out (S7).
  if (replaced.feeSponsorId !== null) throw wrong('What a fee sponsor pays for is neither sped up nor cancelled');
  const last = replacedById === null ? undefined : await transferStore.find(tx, replacedById);
  if (last && !OVER.includes(last.state)) {
    throw wrong(`${last.id} takes its place already: replace that one`, { replacementId: last.id });
  }
  const payload = await payloadStore.of(tx, id);
  if (
    state === 'Failed' &&
    kind === 'Cancel' &&
    claimsOf === null &&
    payload &&
    payload.rawHex === null &&
    payload.nonce !== null
  ) {
    const key = { network: replaced.network, address: replaced.fromAddress };
    const { taken } = await laneStore.nonces(tx, key, payload.nonce);
    if (!taken.includes(payload.nonce)) return { claimsOf: null, askedNonce: payload.nonce };
    throw wrong(`The nonce ${payload.nonce} that it has left behind belongs to another transaction by now`);
  }
  const isSent = state === 'Broadcasted';
  const mayCancel = isSent || state === 'Signed' || (state === 'Signing' && claimsOf === null);
  if (kind === 'SpeedUp' ? !isSent : !mayCancel) {
    const which = kind === 'SpeedUp' ? 'Broadcasted can be sped up' : 'built, sent or left a nonce behind can be cancelled';
    throw wrong(`Only what is ${which}: this is ${STATUS_OF[state]}`);
  }
  const reason = (payload && form.whyNot?.(replaced, payload, kind)) ?? (await form.whoPrevents?.(tx, replaced));
  if (reason !== undefined) throw wrong(reason);
  if (payload?.state === 'Included') throw wrong('It is in a block already and waits for its confirmations');
  return { claimsOf: claimsOf ?? id, askedNonce: null };
}

import { networkOf } from '../../chains/networks';
import { AppError, invariant } from '../../domain/errors';
import { JUDGED_HERE } from '../../domain/judgements';
import type { NetworkName } from '../../domain/networks';
import { REPLACEMENT_BODIES, type ReplacementKind, STATUS_OF, TRANSFER_FAILURES } from '../../domain/transfers';
import type { Tx } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { laneStore } from '../../entities/outgoing/lane.store';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../entities/outgoing/payload.store';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { signingWallet } from '../wallets/signing-wallets';
import { wakeWherever } from './competing-requests';
import { emitTransfer } from './events';
import { familyOf } from './families';
import type { ChildForm, ReplacementForm } from './family-forms';
import { startAndWait } from './start-and-wait';

/** The content of a cancellation and of a child: a transfer of zero to the sender. */
export const nothingToOneself = ({ fromAddress }: Pick<OutgoingEntity, 'fromAddress'>) => ({
  assetKind: 'Native' as const,
  contract: null,
  tokenId: null,
  toAddress: fromAddress,
  amountUnits: '0',
  terms: null,
  options: {},
});

/** Undefined if no transaction of this network can be replaced. */
export function replacementOf(name: NetworkName): ReplacementForm | undefined {
  const form = familyOf(name).replacement;
  return form.isTakenBy?.(networkOf(name)) === false ? undefined : form;
}

/** What was never sent can compete on every network, even if nodes keep the first transaction that they see. */
const formFor = ({ network, state }: OutgoingEntity): ReplacementForm | undefined =>
  state === 'Signing' ? familyOf(network).replacement : replacementOf(network);

const notReplaced = (network: NetworkName) =>
  new AppError('NetworkNotEnabled', `Transactions on ${network} cannot be replaced`, { network });

function childFormOf(row: OutgoingEntity, kind: ReplacementKind): ChildForm | undefined {
  const { child } = familyOf(row.network);
  return kind === 'SpeedUp' && child?.isFor(row) === true ? child : undefined;
}

export const isSpedUpOn = (name: NetworkName): boolean =>
  replacementOf(name) !== undefined || familyOf(name).child?.isTakenAlong(networkOf(name)) === true;

/**
 * The value of `signedTx` until the replacement is sent. The interface requires the member, but the signed bytes stay secret
 * while a freeze may still prevent the broadcast.
 */
const NOT_SENT = '0x';

/** A replacement takes over the claims of the replaced request, or a nonce that an ended request has left unused. */
type Shared = { readonly claimsOf: string; readonly askedNonce: null } | { readonly claimsOf: null; readonly askedNonce: number };

/**
 * Records a transaction that competes with `replaced` for the same claims; either transaction may win. A speed-up makes the
 * same payment. The verdict on `replaced` covers the speed-up while the policies are unchanged and the fee stays within the
 * approved ceiling. If the family speeds `replaced` up by a child, the child competes for nothing and only pays a higher fee
 * (CPFP). A cancellation is judged like any transaction, because a cancellation may undo an approved transaction. Throws
 * `WrongState` if the request cannot be replaced or is already being replaced. Throws `NetworkNotEnabled` if the network does
 * not allow the replacement or the child.
 */
export async function requestReplacement(
  services: Services,
  authority: Authority,
  replaced: OutgoingEntity,
  kind: ReplacementKind,
): Promise<OutgoingEntity> {
  const { id: replacedId, walletId, network } = replaced;
  const { caller } = authority;
  const { orgId } = caller;
  await signingWallet(services.db.read(orgId), caller, walletId);
  if (!childFormOf(replaced, kind) && !formFor(replaced)) throw notReplaced(network);
  const { id, start } = await act(services.db, authority, async (tx, userActionId) => {
    const locked = await outgoingStore.lockBehindRoot(tx, replacedId);
    const { userId: requesterUserId, tokenId: requesterTokenId } = caller;
    return recordReplacement(tx, locked, kind, { requesterUserId, requesterTokenId, userActionId, madeByService: false });
  });
  return startAndWait(services, orgId, id, start);
}

type Sender = Pick<OutgoingEntity, 'walletId' | 'fromAddress' | 'feeSponsorId' | 'sponsorAddress'>;

/**
 * A replacement has the sender and the payer of the replaced request. A nonce that a sponsored request has left unused belongs
 * to the sponsor, so the sponsor's wallet sends and pays.
 */
async function senderOf(tx: Tx, replaced: OutgoingEntity, leftNonce: number | null): Promise<Sender> {
  const { walletId, fromAddress, feeSponsorId, sponsorAddress } = replaced;
  if (leftNonce === null || feeSponsorId === null || sponsorAddress === null)
    return { walletId, fromAddress, feeSponsorId, sponsorAddress };
  const sponsor = await feeSponsorStore.find(tx, feeSponsorId);
  invariant(sponsor, 'a fee sponsor is never deleted');
  return { walletId: sponsor.walletId, fromAddress: sponsorAddress, feeSponsorId: null, sponsorAddress: null };
}

type MadeBy = Pick<OutgoingEntity, 'requesterUserId' | 'requesterTokenId' | 'userActionId' | 'madeByService'>;

/**
 * The caller has first locked the request that owns the claims, and then `replaced`. The returned dispatch is already in the
 * outbox. Throws `WrongState` or `NetworkNotEnabled` before anything is written.
 */
export async function recordReplacement(
  tx: Tx,
  replaced: OutgoingEntity,
  kind: ReplacementKind,
  by: MadeBy,
): Promise<{ readonly id: string; readonly start: Dispatch }> {
  const { id: replacedId, network } = replaced;
  const child = childFormOf(replaced, kind);
  const ties = child ? await childOf(tx, replaced, child) : await rivalOf(tx, replaced, kind, by.madeByService);
  const sender = await senderOf(tx, replaced, 'askedNonce' in ties ? ties.askedNonce : null);
  const isSame = kind === 'SpeedUp' && !child;
  const { assetKind, contract, tokenId, toAddress, amountUnits, terms, options } = isSame ? replaced : nothingToOneself(sender);
  const { id, start } = await recordCompetingRequest(
    tx,
    { id: replacedId, network, txHash: replaced.txHash, kind },
    {
      // Encrypting the amount again would give different bytes, which could not be recognised as the same payment.
      encryptedAmount: isSame ? replaced.encryptedAmount : null,
      ...{ assetKind, contract, tokenId, toAddress, amountUnits, terms, options },
      ...by,
      ...sender,
      assetSymbol: isSame ? replaced.assetSymbol : null,
      assetDecimals: isSame ? replaced.assetDecimals : null,
      assetVerified: isSame && replaced.assetVerified,
      feeCeilingUnits: replaced.feeCeilingUnits,
      ...ties,
    },
  );
  // Only the replacement may use up the nonce, so an unsigned replaced request must never be signed.
  const abort = replaced.state === 'Signing' ? { abortAsked: await tx.clock() } : {};
  await tx.update(OutgoingEntity, { id: replacedId }, { ...(child ? { paidForById: id } : { replacedById: id }), ...abort });
  if (replaced.state === 'Signing') await wakeWherever(tx, replacedId);
  return { id, start };
}

/** The request or signature that the new transaction competes with or pays for. */
type Place = {
  readonly id: string;
  readonly network: NetworkName;
  readonly txHash: string | null;
  readonly kind: ReplacementKind;
};
type Does = Pick<
  OutgoingEntity,
  | 'assetKind'
  | 'contract'
  | 'tokenId'
  | 'toAddress'
  | 'amountUnits'
  | 'terms'
  | 'options'
  | 'assetSymbol'
  | 'assetDecimals'
  | 'assetVerified'
> &
  Pick<OutgoingEntity, 'feeCeilingUnits'> &
  Partial<Pick<OutgoingEntity, 'encryptedAmount'>>;
type Ties = Partial<
  Pick<OutgoingEntity, 'replacementKind' | 'replacesId' | 'claimsOf' | 'askedNonce' | 'paysForId' | 'cancelsSignatureId'>
>;

export async function recordCompetingRequest(
  tx: Tx,
  { id: placeOf, network, txHash, kind }: Place,
  row: Does & Sender & MadeBy & Ties,
): Promise<{ readonly id: string; readonly start: Dispatch }> {
  const { walletId } = row;
  const id = newId('transaction');
  const start: Dispatch = {
    kind: 'start',
    aggregateId: id,
    dedupeKey: `start:${id}`,
    routing: {
      workflow: 'transfer',
      walletId,
      network,
      summary: `${REPLACEMENT_BODIES[kind]} of ${placeOf} on ${network}`,
      ...JUDGED_HERE,
    },
  };
  const body = { kind: REPLACEMENT_BODIES[kind], ...(txHash === null ? {} : { txHash }), signedTx: NOT_SENT };
  await tx.insert(OutgoingEntity, {
    ...row,
    ...{
      orgId: tx.orgId,
      id,
      form: 'Transaction',
      network,
      requestBody: body,
      externalId: null,
      priority: 'Fast',
      state: 'Requested',
    },
    requestDigest: digestOf({ walletId, body, replacedId: placeOf }),
  });
  await emitTransfer(tx, await outgoingStore.lock(tx, id));
  await outboxStore.add(tx, start);
  return { id, start };
}

async function rivalOf(tx: Tx, replaced: OutgoingEntity, kind: ReplacementKind, byService: boolean) {
  const form = formFor(replaced);
  if (!form) throw notReplaced(replaced.network);
  return { replacementKind: kind, replacesId: replaced.id, ...(await claimsFor(tx, replaced, kind, { form, byService })) };
}

const wrongState = ({ state }: OutgoingEntity, message: string, more = {}) =>
  new AppError('WrongState', message, { status: STATUS_OF[state], ...more });

async function underway(tx: Tx, id: string | null): Promise<OutgoingEntity | undefined> {
  const last = id === null ? undefined : await outgoingStore.find(tx, id);
  return last && !TRANSFER_FAILURES.includes(last.state) ? last : undefined;
}

/**
 * The columns that tie a child to its parent. The fees of parent and child together stay within the ceiling that was approved
 * for the parent.
 */
async function childOf(tx: Tx, parent: OutgoingEntity, form: ChildForm) {
  const { id, state, network, feeCeilingUnits } = parent;
  const payload = await payloadStore.of(tx, id);
  if (state !== 'Broadcasted')
    throw wrongState(parent, `Only a Broadcasted request can be sped up: this one is ${STATUS_OF[state]}`);
  invariant(payload, 'a sent request was built');
  if (payload.state === 'Included') throw wrongState(parent, 'It is already in a block and waits for its confirmations');
  const never = form.whyNever(parent, payload);
  if (never !== undefined) throw new AppError('NetworkNotEnabled', never, { network });
  const rival = await underway(tx, parent.replacedById);
  if (rival) throw wrongState(parent, `${rival.id} already replaces it`, { replacementId: rival.id });
  const child = await underway(tx, parent.paidForById);
  const reason = child ? `${child.id} already pays for it: speed that one up` : await form.whoPrevents(tx, parent);
  if (reason !== undefined) throw wrongState(parent, reason);
  const left = BigInt(feeCeilingUnits) - BigInt(payload.maxFeeUnits);
  if (left <= 0n) throw wrongState(parent, 'It already pays the highest fee that was approved for it');
  return { paysForId: id, feeCeilingUnits: left.toString() };
}

async function claimsFor(
  tx: Tx,
  replaced: OutgoingEntity,
  kind: ReplacementKind,
  { form, byService }: { readonly form: ReplacementForm; readonly byService: boolean },
): Promise<Shared> {
  const { id, state, claimsOf, replacedById } = replaced;
  const wrong = (message: string, more = {}) => wrongState(replaced, message, more);
  const last = await underway(tx, replacedById);
  if (last) throw wrong(`${last.id} already replaces it: replace that one`, { replacementId: last.id });
  const payload = await payloadStore.of(tx, id);
  if (
    TRANSFER_FAILURES.includes(state) &&
    kind === 'Cancel' &&
    (claimsOf === null || replaced.feeSponsorId !== null) &&
    payload &&
    payload.rawHex === null &&
    payload.nonce !== null
  ) {
    if (replaced.feeSponsorId !== null && !byService)
      throw wrong('It has left a nonce of its fee sponsor unused, which the service fills automatically');
    const key = { network: replaced.network, address: replaced.laneAddress };
    const { taken } = await laneStore.nonces(tx, key, payload.nonce);
    if (!taken.includes(payload.nonce)) return { claimsOf: null, askedNonce: payload.nonce };
    throw wrong(`The nonce ${payload.nonce} that it left unused now belongs to another transaction`);
  }
  const isSent = state === 'Broadcasted';
  const mayCancel = isSent || state === 'Signed' || (state === 'Signing' && claimsOf === null);
  if (kind === 'SpeedUp' ? !isSent : !mayCancel) {
    const which =
      kind === 'SpeedUp' ? 'is Broadcasted can be sped up' : 'is built, is sent or left a nonce unused can be cancelled';
    throw wrong(`Only a request that ${which}: this one is ${STATUS_OF[state]}`);
  }
  const reason = (payload && form.whyNot?.(replaced, payload, kind)) ?? (await form.whoPrevents?.(tx, replaced));
  if (reason !== undefined) throw wrong(reason);
  if (payload?.state === 'Included') throw wrong('It is already in a block and waits for its confirmations');
  return { claimsOf: claimsOf ?? id, askedNonce: null };
}

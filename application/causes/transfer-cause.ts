import { networkOf } from '../../chains/networks';
import { CAPABILITIES } from '../../domain/capabilities';
import type { CauseId, ServiceCause } from '../../domain/causes';
import type { KeyStoreKind } from '../../domain/key-stores';
import type { TravelRulePayload } from '../../domain/travel-rules';
import type { Reader } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import type { SecretBox } from '../../platform/secret-box';
import { TransactionBody } from '../bodies/transactions';
import { TransferBody } from '../bodies/transfers';
import { storeKindOf } from '../keys/store-kind';
import { payloadDigestOf } from '../travel-rules/payloads';
import { type ActionGrounds, actionGroundsOf, keptBody } from './action-grounds';
import { proven } from './refused';
import { assertPaysNobody, assertSamePayment, assertSaysTransaction, assertSaysTransfer } from './signed-content';
import { isSameRequest } from './signed-text';

/**
 * The highest number of replacements between a row and the first request. Real rows have fewer, because a person requests each
 * replacement, or the service makes a replacement after a pause that grows to an hour.
 */
const CHAIN_MAX = 64;

type Shape = 'Request' | 'SpeedUp' | 'Cancel' | 'CancelSignature' | 'Child';

/** The shape follows from the links of the row to other rows. Throws `UnprovenRequest` if the links fit no shape. */
function shapeOf(row: OutgoingEntity): Shape {
  const { replacementKind, replacesId, claimsOf, cancelsSignatureId, paysForId } = row;
  if (replacementKind === null) {
    proven(replacesId === null && claimsOf === null && cancelsSignatureId === null, 'TiesDiffer');
    return paysForId === null ? 'Request' : 'Child';
  }
  proven(paysForId === null, 'TiesDiffer');
  if (cancelsSignatureId !== null) {
    proven(replacementKind === 'Cancel' && replacesId === null && claimsOf === null, 'TiesDiffer');
    return 'CancelSignature';
  }
  proven(replacesId !== null, 'TiesDiffer');
  return replacementKind;
}

const CAUSES_OF: Readonly<Record<Exclude<Shape, 'Request'>, readonly CauseId[]>> = {
  SpeedUp: ['speedUpTransfer', 'speedUpTransaction'],
  Cancel: ['cancelTransfer', 'cancelTransaction'],
  CancelSignature: ['walletsCancelSignature'],
  Child: ['speedUpTransfer', 'speedUpTransaction'],
};

/** The checks for rows that no person requested. */
const SERVICE: Readonly<Record<ServiceCause, (row: OutgoingEntity) => void>> = {
  SpeedUp: ({ claimsOf }) => proven(claimsOf !== null, 'TiesDiffer'),
  FillNonce: ({ claimsOf, askedNonce }) => proven(claimsOf === null && askedNonce !== null, 'TiesDiffer'),
  LapseSignature: ({ claimsOf, cancelsSignatureId }) => proven(claimsOf === null && cancelsSignatureId !== null, 'TiesDiffer'),
  PayForParent: ({ claimsOf, paysForId }) => proven(claimsOf === null && paysForId !== null, 'TiesDiffer'),
};
const SERVICE_CAUSE_OF: Readonly<Partial<Record<Shape, ServiceCause>>> = {
  SpeedUp: 'SpeedUp',
  Cancel: 'FillNonce',
  CancelSignature: 'LapseSignature',
  Child: 'PayForParent',
};

/**
 * Verifies that a person signed a request with exactly the transfer's content, or that the service itself made the request.
 * `isEarlier`: an earlier release recorded the user action without a witness (`application/user-actions/witnesses.ts`) or with
 * only a digest of the body. Throws `UnprovenRequest`.
 */
export async function assertTransferCaused(
  reader: Reader,
  signedBodies: SecretBox,
  row: OutgoingEntity,
): Promise<{ readonly isEarlier: boolean }> {
  const shape = shapeOf(row);
  const [wallet, grounds] = await Promise.all([
    reader.row(WalletEntity, 'WHERE t.id = $1', [row.walletId]),
    row.madeByService ? undefined : actionGroundsOf(reader, signedBodies, requestedBy(row), causesOf(shape, row)),
  ]);
  proven(wallet && wallet.network === row.network && wallet.address === row.fromAddress, 'WalletDiffers');
  proven(BigInt(row.feeCeilingUnits) <= networkOf(row.network).feeCeilingUnits, 'CeilingDiffers');
  if (!grounds) {
    const cause = SERVICE_CAUSE_OF[shape];
    proven(cause !== undefined, 'NoAction');
    SERVICE[cause](row);
    return assertContent(reader, signedBodies, row, shape, undefined, CHAIN_MAX);
  }
  assertNames(shape, row, grounds.params);
  return assertContent(reader, signedBodies, row, shape, grounds, CHAIN_MAX);
}

const requestedBy = ({ orgId, userActionId, requesterUserId: userId, requesterTokenId: tokenId }: OutgoingEntity) => ({
  ...{ orgId, userActionId, userId, tokenId },
});

const causesOf = (shape: Shape, { form }: OutgoingEntity): readonly CauseId[] => {
  if (shape !== 'Request') return CAUSES_OF[shape];
  return [form === 'Transfer' ? 'transferAsset' : 'broadcastTransaction'];
};

/**
 * The signed path must contain the id of the wallet, and the id of any request or signature that the row replaces, cancels or
 * pays for.
 */
function assertNames(
  shape: Shape,
  row: OutgoingEntity,
  { walletId, transferId, transactionId, signatureId }: ActionGrounds['params'],
) {
  const { replacesId, paysForId, cancelsSignatureId } = row;
  const named = {
    Request: undefined,
    SpeedUp: replacesId,
    Cancel: replacesId,
    Child: paysForId,
    CancelSignature: cancelsSignatureId,
  };
  proven(walletId === row.walletId, 'PathDiffers');
  proven((transferId ?? transactionId ?? signatureId) === (named[shape] ?? undefined), 'PathDiffers');
}

async function assertContent(
  reader: Reader,
  signedBodies: SecretBox,
  row: OutgoingEntity,
  shape: Shape,
  grounds: ActionGrounds | undefined,
  left: number,
): Promise<{ readonly isEarlier: boolean }> {
  if (shape === 'Request') {
    proven(grounds, 'NoAction');
    return { isEarlier: !(await assertSays(reader, row, grounds)) };
  }
  if (shape !== 'SpeedUp') {
    assertPaysNobody(row);
    return { isEarlier: grounds?.action.isEarlier ?? false };
  }
  const first = row.replacesId === null ? undefined : await outgoingStore.find(reader, row.replacesId);
  proven(first && left > 0 && row.claimsOf === (first.claimsOf ?? first.id), 'TiesDiffer');
  // A transaction that creates nonce accounts uses a blockhash instead of a nonce, so no request can replace that transaction.
  proven(first.requestBody['kind'] !== 'CreateSolanaNonceAccounts', 'TiesDiffer');
  assertSamePayment(row, first);
  const of = shapeOf(first);
  if (of !== 'Request') return assertContent(reader, signedBodies, first, of, undefined, left - 1);
  // The requester might have left by now. That does no harm, because the payment is already signed, and a speed-up is the same
  // payment.
  const firstGrounds = await actionGroundsOf(reader, signedBodies, requestedBy(first), causesOf(of, first), { standing: false });
  assertNames(of, first, firstGrounds.params);
  return assertContent(reader, signedBodies, first, of, firstGrounds, left - 1);
}

/** Returns false if only the digest of the signed text is stored. */
async function assertSays(reader: Reader, row: OutgoingEntity, grounds: ActionGrounds): Promise<boolean> {
  if (row.form === 'Transfer') {
    const body = keptBody(grounds, ['transferAsset']);
    if (body === 'Earlier') return false;
    const { travelRule, ...told } = body;
    assertKeeps(row, isSameRequest<unknown>(TransferBody, told, row.requestBody), told, travelRule);
    assertSaysTransfer(row, told, await storeKindFor(reader, row, told));
    return true;
  }
  const body = keptBody(grounds, ['broadcastTransaction']);
  if (body === 'Earlier') return false;
  assertKeeps(row, isSameRequest(TransactionBody, body, row.requestBody), body);
  const key = body.kind === 'Psbt' ? await keyStore.ofWallet(reader, row.walletId) : undefined;
  assertSaysTransaction({ ...row, publicKeyHex: key?.publicKey ?? null }, body);
  return true;
}

/** The kind of the key's store matters only where the body leaves the durable nonce open, and no other transfer needs the read. */
async function storeKindFor(
  reader: Reader,
  { network, walletId }: OutgoingEntity,
  told: object,
): Promise<KeyStoreKind | undefined> {
  const isOpen = !('useDurableNonce' in told) || told.useDurableNonce === undefined;
  if (!isOpen || !CAPABILITIES[networkOf(network).family].options.includes('useDurableNonce')) return undefined;
  const key = await keyStore.ofWallet(reader, walletId);
  proven(key, 'WalletDiffers');
  return storeKindOf(key);
}

function assertKeeps(
  row: OutgoingEntity,
  isSame: boolean,
  { externalId = null }: { readonly externalId?: string | null | undefined },
  travelRule?: TravelRulePayload,
): void {
  proven(isSame, 'BodyDiffers');
  const digest = travelRule === undefined ? null : payloadDigestOf(travelRule);
  proven(digest === row.travelRuleDigest, 'TravelRuleDiffers');
  proven(externalId === row.externalId, 'BodyDiffers');
}

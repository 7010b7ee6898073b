import { networkOf } from '../../chains/networks';
import type { CauseId, ServiceCause } from '../../domain/causes';
import type { Reader } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import { transferStore } from '../../entities/transfers/transfer.store';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { canonical } from '../../platform/canonical';
import type { SecretBox } from '../../platform/secret-box';
import type { TransactionRequest } from '../transactions';
import type { TransferRequest } from '../transfer-forms';
import { payloadDigestOf } from '../travel-rule-payloads';
import { type Grounds, groundsOf, keptBody, requestIn } from './action-grounds';
import { proven } from './refused';
import { assertPaysNobody, assertSamePayment, assertSaysTransaction, assertSaysTransfer } from './signed-content';

/** A replacement of a replacement of …: each was asked for by a person or is an hour after the one before. */
const CHAIN_MAX = 64;

type Shape = 'Request' | 'SpeedUp' | 'Cancel' | 'CancelSignature' | 'Child';

/** Which of the ways in which rows come to be made this one; throws for one that no way makes. */
function shapeOf(row: TransferEntity): Shape {
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

/** How the service justifies what nobody asked for; total over its causes. */
const SERVICE: Readonly<Record<ServiceCause, (row: TransferEntity) => void>> = {
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
 * Checks what is behind a transfer or a raw transaction: the signed request of a person that says exactly this, or one of the causes
 * of the service itself. Returns whether any part was judged by its digest alone. Throws `UnprovenRequest`.
 */
export async function assertTransferCaused(
  reader: Reader,
  signedBodies: SecretBox,
  row: TransferEntity,
): Promise<{ readonly isEarlier: boolean }> {
  const shape = shapeOf(row);
  const [wallet, grounds] = await Promise.all([
    reader.row(WalletEntity, 'WHERE t.id = $1', [row.walletId]),
    row.madeByService ? undefined : groundsOf(reader, signedBodies, requestedBy(row), causesOf(shape, row)),
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

const requestedBy = ({ orgId, userActionId, requesterUserId: userId, requesterTokenId: tokenId }: TransferEntity) => ({
  ...{ orgId, userActionId, userId, tokenId },
});

const causesOf = (shape: Shape, { form }: TransferEntity): readonly CauseId[] => {
  if (shape !== 'Request') return CAUSES_OF[shape];
  return [form === 'Transfer' ? 'transferAsset' : 'broadcastTransaction'];
};

/** The path names the wallet, and what is replaced. */
function assertNames(shape: Shape, row: TransferEntity, { walletId, transferId, transactionId, signatureId }: Grounds['params']) {
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
  row: TransferEntity,
  shape: Shape,
  grounds: Grounds | undefined,
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
  const first = row.replacesId === null ? undefined : await transferStore.find(reader, row.replacesId);
  proven(first && left > 0 && row.claimsOf === (first.claimsOf ?? first.id), 'TiesDiffer');
  assertSamePayment(row, first);
  const of = shapeOf(first);
  if (of !== 'Request') return assertContent(reader, signedBodies, first, of, undefined, left - 1);
  // Who asked for the payment may have left since; its bytes are signed already, and a faster twin is the same payment.
  const firstGrounds = await groundsOf(reader, signedBodies, requestedBy(first), causesOf(of, first), { standing: false });
  assertNames(of, first, firstGrounds.params);
  return assertContent(reader, signedBodies, first, of, firstGrounds, left - 1);
}

/** Whether the signed text says what the row says; false where only its digest is known. */
async function assertSays(reader: Reader, row: TransferEntity, grounds: Grounds): Promise<boolean> {
  const body = keptBody(grounds);
  if (body === 'Earlier') return false;
  const { travelRule, ...told } = body;
  proven(canonical(told as never) === canonical(row.requestBody as never), 'BodyDiffers');
  const digest = travelRule === undefined ? null : payloadDigestOf(travelRule as never);
  proven(digest === row.travelRuleDigest, 'TravelRuleDiffers');
  proven((told['externalId'] ?? null) === row.externalId, 'BodyDiffers');
  if (row.form === 'Transfer') assertSaysTransfer(row, requestIn<TransferRequest>(told));
  else {
    const needsKey = told['kind'] === 'Psbt';
    const key = needsKey ? await keyStore.ofWallet(reader, row.walletId) : undefined;
    assertSaysTransaction({ ...row, publicKeyHex: key?.publicKey ?? null }, requestIn<TransactionRequest>(told));
  }
  return true;
}

import { evaluateWalletSign, type WalletSign } from '../application/evaluate-activity';
import { failSignature } from '../application/signature-ends';
import { signatureView } from '../application/views/signatures';
import { decoderOf } from '../chains/decoders';
import { networkOf } from '../chains/networks';
import { AppError, invariant } from '../domain/errors';
import type { Judgement } from '../domain/judgements';
import type { SignatureRef } from '../domain/signatures';
import type { Database, Reader, Tx } from '../entities/database';
import type { SignatureEntity } from '../entities/signatures/signature.entity';
import { signatureStore } from '../entities/signatures/signature.store';
import { tokenStore } from '../entities/tokens/token.store';
import type { Prices } from '../vendors/prices/port';
import { judgeRecord } from './held-records';
import { signatureRecords } from './signature-records';
import { usdMicroOf } from './worth';

/** Nobody has been asked for a signature in these. */
const UNSIGNED_STATES = ['Requested', 'AwaitingApproval', 'Approved'] as const;

/** What a signature would move. Where nobody can tell, rules about amounts and recipients count as broken. */
type Moved = Pick<WalletSign, 'recipients' | 'amountUsdMicro' | 'movement'>;
const NOT_KNOWN: Moved = { recipients: [], amountUsdMicro: null, movement: null };

type Dependencies = { readonly db: Database; readonly prices: Prices };

/** Activities of the main queue that judge a request for a signature. */
export function createSignatureJudgementActivities({ db, prices }: Dependencies) {
  /** Of a transaction, read from its bytes by the code that did not build them; of everything else nothing is known. */
  const movedBy = async (reader: Reader, { payload, claimNetwork }: SignatureEntity): Promise<Moved> => {
    if (payload.kind !== 'EvmTransaction' || claimNetwork === null) return NOT_KNOWN;
    const { effect, opaque } = decoderOf(claimNetwork).decodeCall(payload.bytesHex);
    if (opaque.length > 0) throw new AppError('EnvelopeMismatch', 'The bytes of the transaction cannot be read back');
    const { asset, recipient, amountUnits } = effect;
    if (asset.kind === 'Call') return NOT_KNOWN;
    const contract = asset.kind === 'Erc20' ? asset.contract : null;
    const decimals = await decimalsOf(reader, claimNetwork, contract);
    // Where there is no such token the contract does what it likes, whatever its data looks like.
    if (decimals === null) return NOT_KNOWN;
    const movement = { network: claimNetwork, contract, recipients: [recipient], amountUnits };
    const amountUsdMicro = await usdMicroOf(prices, { network: claimNetwork, contract, decimals, amountUnits });
    return { recipients: [recipient], amountUsdMicro, movement };
  };

  return {
    /**
     * Judges a request under the policies in force, for every wallet of its key (S3), and moves it on in the same transaction. Run
     * again it answers what the row says by then.
     */
    async evaluateSignature({ orgId, signatureId }: SignatureRef): Promise<Judgement> {
      const reader = db.read(orgId);
      const row = await signatureStore.find(reader, signatureId);
      if (!row) throw new AppError('NotFound', 'signature not found', { signatureId });
      const moved = await movedBy(reader, row);
      return db.withOrg(orgId, (tx) => judgeRecord(tx, signatureRecords, signatureId, (locked) => evaluate(tx, locked, moved)));
    },

    /** Ends a request that cannot go on, if nobody was asked to sign yet; answers where it stands then. */
    async failSignature({ orgId, signatureId }: SignatureRef): Promise<'Signing' | 'Signed' | 'Failed' | 'Rejected'> {
      const reason = 'The service could not go on with this request; nothing was signed';
      const state = await db.withOrg(orgId, (tx) => failSignature(tx, signatureId, UNSIGNED_STATES, reason));
      invariant(state === 'Signing' || state === 'Signed' || state === 'Failed' || state === 'Rejected', 'it waits no more');
      return state;
    },
  };
}

/** Null for a token that neither the network's record lists nor somebody has used: nothing vouches for what it answers. */
async function decimalsOf(
  reader: Reader,
  network: NonNullable<SignatureEntity['claimNetwork']>,
  contract: string | null,
): Promise<number | null> {
  const { nativeAsset, tokens } = networkOf(network);
  if (contract === null) return nativeAsset.decimals;
  const listed = tokens.find((token) => token.contract === contract);
  return (listed ?? (await tokenStore.find(reader, network, contract)))?.decimals ?? null;
}

function evaluate(tx: Tx, row: SignatureEntity, moved: Moved) {
  const { keyId, walletId, network, payload } = row;
  return evaluateWalletSign(tx, {
    activityId: row.id,
    activityVersion: row.version,
    activity: { kind: 'Wallets:Sign', signatureRequest: signatureView(row) },
    walletId,
    keyId,
    initiatorId: row.requesterUserId,
    ...moved,
    network: network ?? '',
    // What the signer is asked to sign, word for word: an approval of it is good for nothing else (S2).
    envelope: { keyId, ...(network === null ? {} : { network }), payload: { ...payload } },
    ...(row.approvalId === null ? {} : { priorApprovalId: row.approvalId }),
  });
}

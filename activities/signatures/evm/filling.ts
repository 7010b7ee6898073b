import { wakeAsking } from '../../../application/outgoing/lanes/wake-lanes';
import { takenBy } from '../../../application/signatures/evm/prepare-transaction';
import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import type { EvmReader } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { AppError, invariant } from '../../../domain/errors';
import { lowestHole } from '../../../domain/nonces';
import type { OpenTransaction, SignaturePayload } from '../../../domain/signatures';
import type { EvmTerms } from '../../../domain/transactions';
import type { Tx } from '../../../entities/database';
import { laneStore } from '../../../entities/outgoing/lane.store';
import type { SignatureEntity } from '../../../entities/signatures/signature.entity';
import { assertInsideTerms } from '../../outgoing/evm/envelope';

type Filled = Pick<SignatureEntity, 'filledHex' | 'nonce' | 'nativeUnits' | 'tokenUnits'>;
/** The caller holds the lock of the sender's lane, which is the queue of the sender on the network. */
export type Fill = (tx: Tx, row: SignatureEntity) => Promise<Filled>;

const nonceKeyOf = ({ call }: EvmTerms): bigint => BigInt(call.nonceKey ?? 0);
const countOf = (reader: EvmReader, from: string, nonceKey: bigint): Promise<number> =>
  nonceKey === 0n ? reader.transactionCount(from, 'latest') : reader.keyedCount(from, nonceKey);

/** Whether the chain has used the nonce, by this or by another transaction. */
export async function isNonceUsed(
  reader: EvmReader,
  from: string,
  { payload, nonce }: Pick<SignatureEntity, 'payload' | 'nonce'>,
): Promise<boolean> {
  invariant(payload.kind === 'OpenEvmTransaction' && nonce !== null, 'the nonce was filled in');
  return nonce < (await countOf(reader, from, nonceKeyOf(payload.terms)));
}

/** Queries the node before the lane is locked. Throws `TransferWouldFail` for a transaction that cannot be sent as requested. */
export async function quoteFilling(reader: EvmReader, open: OpenTransaction, from: string): Promise<Fill> {
  const { network, terms, feeCeilingUnits } = open;
  const nonceKey = nonceKeyOf(terms);
  const count = await countOf(reader, from, nonceKey);
  if (terms.nonce !== null && terms.nonce < count)
    throw new AppError('TransferWouldFail', `The requested nonce ${terms.nonce} has already been used`);
  const fees = await reader.callFees(from, terms);
  return async (tx, { id }) => {
    const nonce = terms.nonce ?? (await freeNonce(tx, id, { network, from, nonceKey, count }));
    const { bytesHex, maxFeeUnits } = evmCodecOf(network).buildCall(terms.call, nonce, fees);
    if (maxFeeUnits > BigInt(feeCeilingUnits))
      throw new AppError(
        'TransferWouldFail',
        `The network asks for a fee of ${maxFeeUnits}, above the ceiling of ${feeCeilingUnits}`,
      );
    const { nativeUnits, tokenUnits } = takenBy(inFamily('evm', networkOf(network)), terms.call, maxFeeUnits);
    const filled = { filledHex: bytesHex, nonce, nativeUnits, tokenUnits };
    assertFilledAsAsked(open, filled);
    return filled;
  };
}

type Lane = {
  readonly network: OpenTransaction['network'];
  readonly from: string;
  readonly nonceKey: bigint;
  readonly count: number;
};

/**
 * The lowest nonce that no request of this service has claimed. In a lane other than the account's own, only the next nonce is
 * possible, and an open transaction in the lane makes this function throw.
 */
async function freeNonce(tx: Tx, id: string, { network, from: address, nonceKey, count }: Lane): Promise<number> {
  const key = { network, address };
  if (nonceKey > 0n) {
    const free = await laneStore.freeKeyed(tx, key, [{ nonceKey, nonce: count }]);
    if (free === undefined) throw new AppError('TransferWouldFail', 'Another transaction is open in the requested lane');
    return free.nonce;
  }
  const { taken, asked } = await laneStore.view(tx, key, { id, contract: null, waitingSince: null }, count);
  const nonce = lowestHole(taken, count);
  if (asked.length > 0) await wakeAsking(tx, key, nonce + 1);
  return nonce;
}

/**
 * Throws unless the decoder finds the approved call and a fee within the approved ceiling (S8). The decoder shares no code with
 * the builder.
 */
function assertFilledAsAsked(
  { network, terms, feeCeilingUnits }: OpenTransaction,
  { filledHex, nonce }: Pick<Filled, 'filledHex' | 'nonce'>,
) {
  invariant(filledHex !== null && nonce !== null, 'a transaction is filled in before it is signed');
  const at = { nonce, nonceKey: nonceKeyOf(terms) };
  const assetKind = evmCodecOf(network).effectOf(terms.call).asset.kind;
  const approved = { terms, askedNonce: terms.nonce, assetKind, feeCeilingUnits };
  assertInsideTerms(evmDecoderOf(network).decodeCall(filledHex), approved, at, inFamily('evm', networkOf(network)).chainId);
}

/** Throws `EnvelopeMismatch` if the bytes are not the transaction that was requested and approved. */
export function payloadToSign({
  payload,
  filledHex,
  nonce,
}: Pick<SignatureEntity, 'payload' | 'filledHex' | 'nonce'>): SignaturePayload {
  if (payload.kind !== 'OpenEvmTransaction') return payload;
  assertFilledAsAsked(payload, { filledHex, nonce });
  return { kind: 'EvmTransaction', bytesHex: filledHex ?? '' };
}

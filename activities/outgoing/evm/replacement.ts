import { evmCodecOf } from '../../../chains/codecs';
import type { EvmReader, FeeTerms } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import type { createReaders } from '../../../chains/readers';
import { AppError, invariant } from '../../../domain/errors';
import type { KeyedNonce } from '../../../domain/nonces';
import type { SignaturePayload } from '../../../domain/signatures';
import { evmTerms } from '../../../domain/transactions';
import type { Tx } from '../../../entities/database';
import { keyedNonceClaim, laneStore, nonceClaim } from '../../../entities/outgoing/lane.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { payloadToSign } from '../../signatures/evm/filling';
import type { BuildOutcome, FamilyReplacement } from '../family-forms';
import { intentOfRow, tokenUnitsOf } from './intent';
import { contextOf, formOfPayload, nonceOfPayload, notedOf } from './keyed-nonces';
import { assertApproved, buildUnsigned, spendOf } from './preparation';
import { higherPrices } from './prices';
import { quoteSponsoredReplacement } from './sponsored-replacement';

/**
 * The older bytes, with which the new bytes compete. Either the service has built the older bytes and may have sent them, or a
 * caller has the signed bytes and may send them at any time.
 */
type Rival = Pick<PayloadEntity, 'id' | 'network' | 'fromAddress' | 'unsignedHex' | 'nonce' | 'context'>;

type Quote = {
  readonly fees: FeeTerms;
  readonly chainCount: number;
  readonly nativeUnits: bigint;
  readonly tokenUnits: bigint;
  readonly currencyUnits: bigint;
};

export async function feesOver(reader: EvmReader, row: OutgoingEntity, rival: Rival): Promise<FeeTerms> {
  const before = feeTermsOf(rival);
  const { terms } = row;
  const market =
    terms === null
      ? await reader.feeTerms(intentOfRow(row), 'Fast', formOfPayload(rival))
      : // The requested price was too low.
        await reader.callFees(row.fromAddress, { ...evmTerms(terms), maxFeePerGas: null, maxPriorityFeePerGas: null });
  return {
    gas: row.replacementKind === 'Cancel' || market.gas > before.gas ? market.gas : before.gas,
    ...higherPrices(before, market),
  };
}

/** EVM: uses the same nonce again. The price is the market's, but at least an eighth above the old price. */
export function createEvmReplacement(readers: ReturnType<typeof createReaders>): FamilyReplacement {
  const quote = async (row: OutgoingEntity, rival: Rival): Promise<Quote> => {
    const reader = inFamily('evm', readers(row.network));
    const { nonceKey } = nonceOfPayload(rival);
    const { feeCurrency } = formOfPayload(rival);
    const chainCount = await (nonceKey === 0n
      ? reader.transactionCount(row.fromAddress, 'latest')
      : reader.keyedCount(row.fromAddress, nonceKey));
    const [fees, nativeUnits, tokenUnits, currencyUnits] = await Promise.all([
      feesOver(reader, row, rival),
      reader.feeBalance(row.fromAddress),
      tokenUnitsOf(reader, row),
      feeCurrency === undefined ? 0n : reader.feeBalance(row.fromAddress, feeCurrency),
    ]);
    return { fees, chainCount, nativeUnits, tokenUnits, currencyUnits };
  };
  return {
    quote: async (asked, rival) => {
      if (asked.feeSponsorId !== null) return quoteSponsoredReplacement(inFamily('evm', readers(asked.network)), asked, rival);
      const quoted = await quote(asked, rival);
      return (tx, row) => place(tx, row, rival, quoted);
    },
    quoteAgainst: async (asked, signature) => {
      const rival = signedRival(asked, payloadToSign(signature));
      const quoted = await quote(asked, rival);
      return (tx, row) => place(tx, row, rival, quoted);
    },
  };
}

function signedRival({ id, network, fromAddress }: OutgoingEntity, signed: SignaturePayload): Rival {
  invariant(signed.kind === 'EvmTransaction', 'a transaction of an EVM network was signed');
  const { call, nonce } = evmCodecOf(network).termsOf(signed.bytesHex, fromAddress, 'payload');
  invariant(nonce !== null, 'bytes that were signed name their nonce');
  const at = { nonceKey: BigInt(call.nonceKey ?? 0), nonce };
  const form = call.feeCurrency === undefined ? {} : { feeCurrency: call.feeCurrency };
  const ownNonce = at.nonceKey === 0n ? nonce : null;
  return { id, network, fromAddress, unsignedHex: signed.bytesHex, nonce: ownNonce, context: contextOf(form, at) };
}

export function feeTermsOf({ network, fromAddress, unsignedHex }: Rival): FeeTerms {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = evmCodecOf(network).termsOf(unsignedHex, fromAddress, 'payload');
  invariant(gas !== null && maxFeePerGas !== null, 'bytes that were built name their gas and price');
  return {
    gas: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? maxFeePerGas),
  };
}

function isShared(tx: Tx, row: OutgoingEntity, at: KeyedNonce): Promise<boolean> {
  const { kind, key } = at.nonceKey === 0n ? nonceClaim(row.fromAddress, at.nonce) : keyedNonceClaim(row.fromAddress, at);
  return laneStore.shares(tx, row, kind, key);
}

async function place(tx: Tx, row: OutgoingEntity, rival: Rival, quoted: Quote): Promise<BuildOutcome> {
  const at = nonceOfPayload(rival);
  const { nonce, nonceKey } = at;
  if (nonce < quoted.chainCount || !(await isShared(tx, row, at)))
    throw new AppError('TransferWouldFail', 'The nonce was used before another transaction could replace this one');
  const form = formOfPayload(rival);
  const unsigned = buildUnsigned(row, nonce, quoted.fees, { ...form, nonceKey });
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };
  const { native, token, currency } = spendOf(row, unsigned.maxFeeUnits, form);
  if (native > quoted.nativeUnits || token > quoted.tokenUnits || currency > quoted.currencyUnits)
    throw new AppError('TransferWouldFail', 'Insufficient funds for the higher fee');
  assertApproved(unsigned, row, at);
  const ownNonce = nonceKey === 0n ? nonce : null;
  return { kind: 'Built', unsigned, nonce: ownNonce, claims: [], context: contextOf(form, at), noted: notedOf(form) };
}

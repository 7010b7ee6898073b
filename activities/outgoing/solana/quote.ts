import { solanaCodecOf } from '../../../chains/codecs';
import type { SolanaBlockhash, SolanaIntent, SolanaLifetime, SolanaReader, SolanaTerms } from '../../../chains/solana/types';
import type { UnsignedBytes } from '../../../chains/types';
import { AppError, invariant } from '../../../domain/errors';
import { assetOfRow } from '../../../entities/outgoing/asset';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { readToken } from './token-terms';

/** The compute limit of one transaction, for the simulation that measures how much compute the transaction uses. */
const COMPUTE_UNITS_MAX = 1_400_000;
/** Adds a margin, because a transaction can use more compute than its simulation used. */
const roomy = (units: number): number => Math.min(Math.ceil(units * 1.2) + 1_000, COMPUTE_UNITS_MAX);

/** Data from the node, read before the lane is locked. `build` returns the bytes for one of the lifetimes. */
export type Quote = {
  readonly latest: SolanaBlockhash;
  /** Several lifetimes if the transaction can use any one of several durable nonces. */
  readonly lifetimes: readonly SolanaLifetime[];
  readonly build: (lifetime: SolanaLifetime) => UnsignedBytes;
  readonly nativeUnits: bigint;
  /** The balance of the account that pays the fee: the sponsor's, or the wallet's own without a sponsor. */
  readonly payerUnits: bigint;
  readonly tokenUnits: bigint;
};

const intentOf = (row: OutgoingEntity): SolanaIntent => ({
  network: row.network,
  from: row.fromAddress,
  to: row.toAddress,
  amountUnits: BigInt(row.amountUnits),
  asset: assetOfRow(row),
  ...(row.sponsorAddress === null ? {} : { feePayer: row.sponsorAddress }),
  ...(row.options.memo === undefined ? {} : { memo: row.options.memo }),
});

/** The accounts that a transfer writes. Other transactions that write these accounts compete with the transfer. */
export const writableOf = ({ laneAddress, fromAddress, toAddress }: OutgoingEntity): readonly string[] => [
  ...new Set([laneAddress, fromAddress, toAddress]),
];

type Asked = Pick<Quote, 'latest' | 'lifetimes'> & {
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
};

/** Reads from the network what a plain transfer needs. Throws `TransferWouldFail` for a transfer that cannot be made. */
export async function quoteTransfer(
  reader: SolanaReader,
  row: OutgoingEntity,
  { latest, lifetimes, price }: Asked,
): Promise<Quote> {
  const [first] = lifetimes;
  invariant(first, 'a transfer has a blockhash or a nonce');
  const [nativeUnits, payerUnits, token] = await Promise.all([
    reader.nativeBalance(row.fromAddress),
    reader.nativeBalance(row.laneAddress),
    readToken(reader, row),
  ]);
  // This check comes before the simulation, whose error does not say who lacks funds.
  if (row.sponsorAddress !== null && payerUnits < solanaCodecOf(row.network).leastFeeUnits(2))
    throw new AppError('TransferWouldFail', 'The fee sponsor cannot pay the fee');
  const codec = solanaCodecOf(row.network);
  const intent = intentOf(row);
  const built = (lifetime: SolanaLifetime, budget: Pick<SolanaTerms, 'computeUnitLimit' | 'microLamportsPerUnit'>) =>
    codec.build(intent, { lifetime, ...budget, ...(token ? { token: token.terms } : {}) });
  const trial = built(first, { computeUnitLimit: COMPUTE_UNITS_MAX, microLamportsPerUnit: 0n });
  const budget = { computeUnitLimit: roomy(await reader.simulate(trial.bytesHex)), microLamportsPerUnit: price };
  return {
    latest,
    lifetimes,
    build: (lifetime) => built(lifetime, budget),
    nativeUnits,
    payerUnits,
    tokenUnits: token?.heldUnits ?? 0n,
  };
}

/** The key of a claim: each value of a nonce account can be used only once. */
export const nonceKeyOf = ({ account, value }: { readonly account: string; readonly value: string }): string =>
  `${account}:${value}`;

/** The lifetime in the form that the row keeps. The lifetime tells a later check whether the bytes may still be executed. */
export const contextOf = (lifetime: SolanaLifetime, { slot }: SolanaBlockhash): PayloadEntity['context'] => ({
  lifetime:
    lifetime.kind === 'blockhash' ? { ...lifetime, lastValidBlockHeight: lifetime.lastValidBlockHeight.toString() } : lifetime,
  slot,
});

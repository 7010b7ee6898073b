import { solanaCodecOf } from '../../../chains/codecs';
import type { SolanaBlockhash, SolanaIntent, SolanaLifetime, SolanaReader, SolanaTerms } from '../../../chains/solana/types';
import type { UnsignedBytes } from '../../../chains/types';
import { AppError, invariant } from '../../../domain/errors';
import { assetOfRow } from '../../../entities/outgoing/asset';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { readToken } from './token-terms';

/** The compute limit of one transaction, used for the simulation. */
const COMPUTE_UNITS_MAX = 1_400_000;
/** A transaction can use more compute than its simulation used. */
const roomy = (units: number): number => Math.min(Math.ceil(units * 1.2) + 1_000, COMPUTE_UNITS_MAX);

export type Quote = {
  readonly latest: SolanaBlockhash;
  /** Several if the transaction can use any one of several durable nonces. */
  readonly lifetimes: readonly SolanaLifetime[];
  readonly build: (lifetime: SolanaLifetime) => UnsignedBytes;
  readonly nativeUnits: bigint;
  /** The balance of the fee payer, which is the sponsor or else the wallet. */
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

/** Other transactions that write these accounts compete with the transfer. */
export const writableOf = ({ laneAddress, fromAddress, toAddress }: OutgoingEntity): readonly string[] => [
  ...new Set([laneAddress, fromAddress, toAddress]),
];

type Asked = Pick<Quote, 'latest' | 'lifetimes'> & {
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
};

/** Throws `TransferWouldFail` for a transfer that cannot be made. */
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
  // The simulation's error does not show which account lacks funds, so this check comes first.
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

/** The key of the claim on one value of a nonce account. Each value can be used only once. */
export const nonceKeyOf = ({ account, value }: { readonly account: string; readonly value: string }): string =>
  `${account}:${value}`;

/** A later check uses the lifetime to find out whether the bytes can still be executed. */
export const contextOf = (lifetime: SolanaLifetime, { slot }: SolanaBlockhash): PayloadEntity['context'] => ({
  lifetime:
    lifetime.kind === 'blockhash' ? { ...lifetime, lastValidBlockHeight: lifetime.lastValidBlockHeight.toString() } : lifetime,
  slot,
});

import { z } from 'zod';
import { AppError } from '../../domain/errors';
import type { FeePriority } from '../../domain/transfers';
import { INTERNAL_FAULT } from '../rpc/internal-faults';
import { type Rpc, RpcError } from '../rpc/rpc';
import { hasExtensions, mintIn, nonceIn, tokenAccountIn } from './accounts';
import { reasonOf } from './broadcast-errors';
import { createHistory } from './history';
import { atSlot, Base58, Count, CountedUnits, neverRefused, TransactionError } from './rpc';
import type { SolanaAccount, SolanaReader } from './types';

const ACCOUNTS_AT_ONCE = 100;
/** The minimum in micro-lamports, even if recent transactions paid less. */
const UNIT_PRICE_FLOOR = 1_000n;
const PERCENTILES: Readonly<Record<FeePriority, number>> = { Slow: 25, Standard: 50, Fast: 90 };
const SIGNATURE_BYTES = 64;
const VERSION_0 = 0x80;

const AccountReply = z
  .object({ lamports: CountedUnits, owner: Base58, data: z.tuple([z.base64(), z.literal('base64')]) })
  .transform(({ lamports, owner, data }): SolanaAccount => ({ lamports, owner, data: Buffer.from(data[0], 'base64') }));
const Epoch = z.object({ epoch: Count });
const BlockhashReply = atSlot(z.object({ blockhash: Base58, lastValidBlockHeight: CountedUnits }));
const SimulationReply = atSlot(
  z.object({ err: TransactionError.nullable(), logs: z.array(z.string()).nullish(), unitsConsumed: Count.nullish() }),
);

/** A supermajority of the stake has voted for this state. The state is reverted only if a third of the stake misbehaves. */
const CONFIRMED = { commitment: 'confirmed' } as const;

function priceAt(lowestFirst: readonly bigint[], priority: FeePriority): bigint {
  const paid = lowestFirst[Math.floor(((lowestFirst.length - 1) * PERCENTILES[priority]) / 100)] ?? 0n;
  return paid > UNIT_PRICE_FLOOR ? paid : UNIT_PRICE_FLOOR;
}

export function createSolanaReader(network: string, rpc: Rpc): SolanaReader {
  const ask = neverRefused(network, rpc);
  const accounts = async (addresses: readonly string[]): Promise<(SolanaAccount | undefined)[]> => {
    const found: (SolanaAccount | undefined)[] = [];
    for (let at = 0; at < addresses.length; at += ACCOUNTS_AT_ONCE) {
      const asked = addresses.slice(at, at + ACCOUNTS_AT_ONCE);
      const params = [asked, { ...CONFIRMED, encoding: 'base64' }];
      const { value } = await ask('getMultipleAccounts', params, atSlot(z.array(AccountReply.nullable()).length(asked.length)));
      found.push(...value.map((account) => account ?? undefined));
    }
    return found;
  };

  /** The lowest price in each recent slot for transactions that wrote to these accounts, in rising order. */
  const prices = async (writable: readonly string[]): Promise<readonly bigint[]> => {
    const fees = await ask('getRecentPrioritizationFees', [writable], z.array(z.object({ prioritizationFee: CountedUnits })));
    return fees.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => (a < b ? -1 : 1));
  };

  return {
    family: 'solana',
    ...createHistory(network, ask),
    chainId: () => ask('getGenesisHash', [], Base58),
    nativeBalance: async (address) => (await ask('getBalance', [address, CONFIRMED], atSlot(CountedUnits))).value,
    accounts,

    async mint(address) {
      const [account] = await accounts([address]);
      if (account === undefined) return undefined;
      return mintIn(account, hasExtensions(account) ? BigInt((await ask('getEpochInfo', [CONFIRMED], Epoch)).epoch) : 0n);
    },
    tokenAccounts: async (addresses) => (await accounts(addresses)).map((account) => account && tokenAccountIn(account)),
    nonces: async (addresses) => (await accounts(addresses)).map((account) => account && nonceIn(account)),

    rentUnits: (bytes) => ask('getMinimumBalanceForRentExemption', [bytes, CONFIRMED], CountedUnits),

    async latestBlockhash() {
      const { context, value } = await ask('getLatestBlockhash', [CONFIRMED], BlockhashReply);
      return { ...value, slot: context.slot };
    },

    isRecent: async (blockhash) => (await ask('isBlockhashValid', [blockhash, CONFIRMED], atSlot(z.boolean()))).value,
    unitPrice: async (priority, writable) => priceAt(await prices(writable), priority),

    async feeEstimates() {
      const [paid, blockNumber] = await Promise.all([prices([]), ask('getSlot', [CONFIRMED], Count)]);
      const tierOf = (priority: FeePriority) => ({ computeUnitPrice: priceAt(paid, priority) });
      const tiers = { Slow: tierOf('Slow'), Standard: tierOf('Standard'), Fast: tierOf('Fast') };
      return { kind: 'Solana', blockNumber, tiers };
    },

    async simulate(messageHex) {
      const message = Buffer.from(messageHex.slice(2), 'hex');
      // The simulation needs room for signatures, but does not check them. The number of signatures is the first byte of a legacy
      // message and the second byte of a versioned message.
      const signatures = message[message[0] === VERSION_0 ? 1 : 0] ?? 1;
      const wire = Buffer.concat([Buffer.from([signatures]), Buffer.alloc(signatures * SIGNATURE_BYTES), message]).toString(
        'base64',
      );
      const options = { ...CONFIRMED, encoding: 'base64', sigVerify: false, replaceRecentBlockhash: false };
      const { err, logs, unitsConsumed } = await simulated(network, rpc, wire, options);
      if (err !== null) {
        const said = reasonOf(err, logs ?? []);
        throw new AppError('TransferWouldFail', `The network reports that this transfer would fail: ${said}`, { network });
      }
      return unitsConsumed ?? 0;
    },
  };
}

/**
 * -32602 is for bytes that a node cannot decode or sanitise (agave, rpc/src/rpc.rs). An internal error arrives here only after
 * several nodes reported the same error.
 */
const OF_TRANSACTION: ReadonlySet<number> = new Set([-32_602, INTERNAL_FAULT]);

async function simulated(network: string, rpc: Rpc, wire: string, options: object) {
  try {
    return (await rpc('simulateTransaction', [wire, options], SimulationReply)).value;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (OF_TRANSACTION.has(error.rpcCode))
      throw new AppError('TransferWouldFail', `The network rejects this transfer: ${error.message}`, { network });
    throw new AppError('NetworkUnavailable', `The node of ${network} could not simulate the transaction`, { network }, error);
  }
}

import { base58 } from '@scure/base';
import { address, type EncodedAccount, type MaybeEncodedAccount } from '@solana/kit';
import { z } from 'zod';
import type { Bank, Processed } from './bank';
import { faucetPayment } from './faucet';
import { TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAMS } from './holdings';
import { exactly } from './long-numbers';
import { type Received, readTransaction } from './message';
import { BLOCKHASH_BLOCKS, blockHeight, type Commitment, isSkipped, withBlock } from './slots';

export class MethodError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

type Method = (params: readonly unknown[]) => unknown;

const FAILED_PREFLIGHT = -32_002;
const NOT_AVAILABLE_YET = -32_004;
const SLOT_SKIPPED = -32_007;
const BAD_PARAMS = -32_602;
const LAMPORTS_PER_SIGNATURE = 5_000;
const BLOCKS_LISTED_MAX = 500_000;

const Options = z
  .looseObject({
    commitment: z.enum(['processed', 'confirmed', 'finalized']).default('finalized'),
    encoding: z.string().optional(),
    skipPreflight: z.boolean().default(false),
    replaceRecentBlockhash: z.boolean().default(false),
    sigVerify: z.boolean().default(false),
    searchTransactionHistory: z.boolean().default(false),
  })
  .default({
    commitment: 'finalized',
    skipPreflight: false,
    replaceRecentBlockhash: false,
    sigVerify: false,
    searchTransactionHistory: false,
  });
const Paged = z.looseObject({
  commitment: z.enum(['confirmed', 'finalized']).default('finalized'),
  limit: z.int().min(1).max(1_000).default(1_000),
  before: z.string().optional(),
});
const Text = z.string().max(2_000);
const Slot = z.int().min(0);

function addressIn(value: unknown) {
  try {
    return address(Text.parse(value));
  } catch {
    throw new MethodError(BAD_PARAMS, 'Invalid param: Invalid');
  }
}

function bytesOf(value: unknown, encoding: string | undefined): Uint8Array {
  const text = Text.parse(value);
  try {
    return encoding === 'base64' ? Buffer.from(text, 'base64') : base58.decode(text);
  } catch {
    throw new MethodError(BAD_PARAMS, 'invalid transaction');
  }
}

function received(wire: Uint8Array): Received {
  try {
    return readTransaction(wire);
  } catch (error) {
    throw new MethodError(BAD_PARAMS, `failed to deserialize the transaction: ${String(error)}`);
  }
}

const wireAccount = (account: EncodedAccount) => ({
  lamports: exactly(account.lamports),
  owner: account.programAddress,
  data: [Buffer.from(account.data).toString('base64'), 'base64'],
  executable: account.executable,
  rentEpoch: 0,
  space: account.data.length,
});
const wireOrNull = (account: MaybeEncodedAccount) => (account.exists && account.lamports > 0n ? wireAccount(account) : null);

/** The methods that a wallet needs. Parameters and results have the published forms. */
export function createMethods(bank: Bank): Readonly<Record<string, Method>> {
  const atSlot = (slot: number, value: unknown) => ({ context: { slot, apiVersion: '3.0.0' }, value });
  const context = (commitment: Commitment, value: unknown) => atSlot(bank.slots.at(commitment), value);
  const levelOf = (slot: number): Commitment => {
    if (slot <= bank.slots.at('finalized')) return 'finalized';
    return slot <= bank.slots.at('confirmed') ? 'confirmed' : 'processed';
  };
  const statusOf = (done: Processed | undefined) =>
    done === undefined
      ? null
      : {
          slot: done.slot,
          confirmations: levelOf(done.slot) === 'finalized' ? null : bank.slots.open() - done.slot,
          err: done.err,
          status: done.err === null ? { Ok: null } : { Err: done.err },
          confirmationStatus: levelOf(done.slot),
        };
  const changesOf = ({ err, fee, preBalances, postBalances, preTokenBalances, postTokenBalances }: Processed) => ({
    err,
    fee,
    ...{ preBalances: preBalances.map(exactly), postBalances: postBalances.map(exactly), preTokenBalances, postTokenBalances },
    status: err === null ? { Ok: null } : { Err: err },
  });
  const metaOf = (done: Processed) => ({ ...changesOf(done), logMessages: done.logs, computeUnitsConsumed: done.units });
  const withAccounts = (done: Processed) => {
    const { accounts, roleOf, signatures } = received(Buffer.from(done.wire, 'base64'));
    const accountKeys = done.accounts.map((pubkey, index) => ({
      ...{ pubkey, ...roleOf(index) },
      source: index < accounts.length ? 'transaction' : 'lookupTable',
    }));
    return { transaction: { signatures, accountKeys }, meta: changesOf(done), version: 0 };
  };
  const blockOf = (slot: number, { commitment, ...options }: z.output<typeof Options>) => {
    if (slot > bank.slots.at(commitment)) throw new MethodError(NOT_AVAILABLE_YET, `Block not available for slot ${slot}`);
    const held = bank.block(slot);
    if (held === undefined) throw new MethodError(SLOT_SKIPPED, `Slot ${slot} was skipped, or missing due to ledger jump`);
    const parentSlot = Math.max(0, withBlock(slot - 1));
    const block = {
      blockhash: bank.blockhash(slot),
      previousBlockhash: bank.blockhash(parentSlot),
      parentSlot,
      blockHeight: blockHeight(slot),
      blockTime: bank.slots.timeOf(slot),
    };
    if (options['transactionDetails'] === 'none') return block;
    if (options['transactionDetails'] === 'accounts') return { ...block, transactions: held.map(withAccounts) };
    return { ...block, signatures: held.map(({ signature }) => signature) };
  };
  const submit = (wire: Uint8Array, { skipPreflight }: { readonly skipPreflight: boolean }) => {
    const one = received(wire);
    const refuse = (err: unknown, logs: readonly string[]): never => {
      throw new MethodError(FAILED_PREFLIGHT, `Transaction simulation failed: ${worded(err)}`, { err, logs });
    };
    if (!skipPreflight) {
      const fault = bank.lifetimeFault(one);
      if (fault !== undefined) refuse(fault, []);
      const tried = bank.simulate(one);
      if ('err' in tried) refuse(tried.err, tried.logs);
    }
    const done = bank.submit(Buffer.from(wire).toString('base64'), one);
    // Without a preflight, a node accepts every transaction that can be parsed, and does not report the outcome.
    if (!('signature' in done) && !skipPreflight) refuse(done.err, done.logs);
    return one.signature;
  };

  return {
    getGenesisHash: () => GENESIS_HASH,
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
    getSlot: ([options]) => bank.slots.at(Options.parse(options).commitment),
    getBlockHeight: ([options]) => blockHeight(bank.slots.at(Options.parse(options).commitment)),
    getEpochInfo: ([options]) => {
      const slot = bank.slots.at(Options.parse(options).commitment);
      return { absoluteSlot: slot, blockHeight: blockHeight(slot), epoch: 0, slotIndex: slot, slotsInEpoch: 432_000 };
    },
    getLatestBlockhash: ([options]) => {
      const { commitment } = Options.parse(options);
      const slot = bank.slots.at(commitment);
      const blockhash = bank.blockhash(slot);
      return atSlot(slot, { blockhash, lastValidBlockHeight: blockHeight(slot) + BLOCKHASH_BLOCKS });
    },
    isBlockhashValid: ([blockhash]) => context('processed', bank.isRecent(Text.parse(blockhash))),
    getBalance: ([account, options]) => {
      const found = bank.account(addressIn(account));
      return context(Options.parse(options).commitment, found.exists ? exactly(found.lamports) : 0);
    },
    getAccountInfo: ([account, options]) =>
      context(Options.parse(options).commitment, wireOrNull(bank.account(addressIn(account)))),
    getMultipleAccounts: ([accounts, options]) =>
      context(
        Options.parse(options).commitment,
        z
          .array(Text)
          .max(100)
          .parse(accounts)
          .map((account) => wireOrNull(bank.account(addressIn(account)))),
      ),
    getTokenAccountsByOwner: ([owner, filter, options]) => {
      const wanted = z.looseObject({ mint: Text.optional(), programId: Text.optional() }).parse(filter);
      const of = base58.decode(addressIn(owner));
      const same = (data: EncodedAccount['data'], at: number, bytes: Uint8Array) =>
        Buffer.from(data.slice(at, at + 32)).equals(bytes);
      const programs = TOKEN_PROGRAMS.filter((program) => wanted.programId === undefined || program === wanted.programId);
      const found = programs
        .flatMap((program) => bank.accountsOf(address(program)))
        .filter(({ data }) => data.length >= TOKEN_ACCOUNT_BYTES && same(data, 32, of))
        .filter(({ data }) => wanted.mint === undefined || same(data, 0, base58.decode(wanted.mint)));
      return context(
        Options.parse(options).commitment,
        found.map((account) => ({ pubkey: account.address, account: wireAccount(account) })),
      );
    },
    getMinimumBalanceForRentExemption: ([bytes]) => bank.rentFor(z.int().min(0).parse(bytes)),
    getFirstAvailableBlock: () => 0,
    getFeeForMessage: ([message, options]) => {
      const bytes = Buffer.from(Text.parse(message), 'base64');
      const signatures = (bytes[0] ?? 0) >= 0x80 ? (bytes[1] ?? 0) : (bytes[0] ?? 0);
      return context(Options.parse(options).commitment, LAMPORTS_PER_SIGNATURE * signatures);
    },
    getRecentPrioritizationFees: () => {
      const last = bank.slots.at('processed');
      return Array.from({ length: 150 }, (_, back) => ({ slot: last - back, prioritizationFee: back % 4 === 0 ? 1_000 : 0 }));
    },
    simulateTransaction: ([wire, options]) => {
      const { commitment, encoding, replaceRecentBlockhash } = Options.parse(options);
      const one = received(bytesOf(wire, encoding));
      const fault = replaceRecentBlockhash ? undefined : bank.lifetimeFault(one);
      if (fault !== undefined) return context(commitment, { err: fault, logs: [], unitsConsumed: 0 });
      const tried = bank.simulate(one);
      const units = 'units' in tried ? tried.units : 0;
      return context(commitment, { err: 'err' in tried ? tried.err : null, logs: tried.logs, unitsConsumed: units });
    },
    sendTransaction: ([wire, options]) => {
      const { encoding, skipPreflight } = Options.parse(options);
      return submit(bytesOf(wire, encoding), { skipPreflight });
    },
    getSignatureStatuses: ([signatures]) =>
      context(
        'processed',
        z
          .array(Text)
          .max(256)
          .parse(signatures)
          .map((signature) => statusOf(bank.processed(signature))),
      ),
    getSignaturesForAddress: ([account, options]) => {
      const { commitment, limit, before } = Paged.parse(options);
      const last = bank.slots.at(commitment);
      const all = bank.naming(addressIn(account)).filter(({ slot }) => slot <= last);
      const from = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
      return all
        .slice(from, from + limit)
        .map(({ signature, slot, err }) => ({ signature, slot, err, memo: null, blockTime: bank.slots.timeOf(slot) }));
    },
    getTransaction: ([signature, options]) => {
      const { commitment } = Options.parse(options);
      const done = bank.processed(Text.parse(signature));
      if (done === undefined || done.slot > bank.slots.at(commitment)) return null;
      return {
        slot: done.slot,
        blockTime: bank.slots.timeOf(done.slot),
        meta: metaOf(done),
        transaction: [done.wire, 'base64'],
        version: 0,
      };
    },
    getBlock: ([slot, options]) => blockOf(Slot.parse(slot), Options.parse(options)),
    getBlocks: ([from, to]) => {
      const first = Slot.parse(from);
      const last = Math.min(to === undefined ? first + BLOCKS_LISTED_MAX : Slot.parse(to), bank.slots.at('finalized'));
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset).filter(
        (slot) => !isSkipped(slot),
      );
    },
    requestAirdrop: ([to, amount]) => {
      const paid = z.int().positive().parse(amount);
      const recent = bank.blockhash(bank.slots.at('processed'));
      const wire = faucetPayment(addressIn(to), BigInt(paid), recent, `airdrop ${bank.size}`);
      return submit(Buffer.from(wire, 'base64'), { skipPreflight: false });
    },
    strongroom_signatureOf: ([wire, options]) => received(bytesOf(wire, Options.parse(options).encoding)).signature,
    strongroom_advanceSlots: ([slots]) => {
      bank.advance(z.int().min(1).max(1_000_000).parse(slots));
      return bank.slots.at('processed');
    },
  };
}

/** The text with which validators describe an error of a program. Any other error keeps its name. */
function worded(err: unknown): string {
  const instruction = z.object({ InstructionError: z.tuple([z.number(), z.object({ Custom: z.number() })]) }).safeParse(err).data;
  if (!instruction) return typeof err === 'string' ? err : JSON.stringify(err);
  const [index, { Custom }] = instruction.InstructionError;
  return `Error processing Instruction ${index}: custom program error: 0x${Custom.toString(16)}`;
}

/** The hash of the real devnet, which the trial imitates. */
const GENESIS_HASH = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

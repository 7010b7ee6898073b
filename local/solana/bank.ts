import { createHash } from 'node:crypto';
import { type Address, address, getBase58Decoder, lamports, type MaybeEncodedAccount } from '@solana/kit';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { errorOf, type TransactionError } from './errors';
import { FAUCET_ADDRESS, FAUCET_LAMPORTS } from './faucet';
import { addressesIn, type TokenBalance, tokenBalances } from './holdings';
import type { Journal, Line } from './journal';
import { type Received, readTransaction } from './message';
import { BLOCKHASH_BLOCKS, blockHeight, isSkipped, Slots, withBlock } from './slots';

export type Processed = {
  readonly slot: number;
  readonly signature: string;
  readonly wire: string;
  readonly err: TransactionError | null;
  readonly logs: readonly string[];
  readonly units: number;
  readonly fee: number;
  /** All accounts of the transaction, including accounts from lookup tables. The balances have the same order. */
  readonly accounts: readonly Address[];
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
};
export type Refused = { readonly err: TransactionError; readonly logs: readonly string[] };

const SYSTEM = address('11111111111111111111111111111111');
const NONCE_VALUE_AT = 40;
const NONCE_ACCOUNT_BYTES = 80;

const base58 = getBase58Decoder();
const sha256 = (...parts: readonly (string | Uint8Array)[]): Uint8Array => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * Executes transactions with the engine that validators run. The clock determines the current slot. A blockhash depends on its
 * slot and on the transactions up to that slot. When the bank starts, it rebuilds its state from the journal.
 */
export class Bank {
  readonly slots: Slots;
  private readonly engine = new LiteSVM().withNativeMints().withBlockhashCheck(false);
  private readonly bySignature = new Map<string, Processed>();
  private readonly bySlot = new Map<number, Processed[]>();
  /** `digest` covers all transactions up to and including this transaction. */
  private readonly digests: { slot: number; digest: Uint8Array }[] = [{ slot: -1, digest: sha256('strongroom') }];

  constructor(private readonly journal: Journal) {
    const [first] = journal.lines;
    const genesisMs = first && 'genesisMs' in first ? first.genesisMs : Date.now();
    if (!first) journal.add({ genesisMs });
    this.slots = new Slots(genesisMs);
    this.engine.setAccount({
      address: FAUCET_ADDRESS,
      lamports: lamports(FAUCET_LAMPORTS),
      data: new Uint8Array(),
      executable: false,
      programAddress: SYSTEM,
      space: 0n,
    });
    for (const line of journal.lines) this.replay(line);
  }

  private replay(line: Line): void {
    if ('advance' in line) this.slots.advance(line.advance);
    if ('wire' in line) this.execute(line.slot, line.wire, readTransaction(Buffer.from(line.wire, 'base64')));
  }

  get size(): number {
    return this.bySignature.size;
  }

  account(address: Address): MaybeEncodedAccount {
    return this.engine.getAccount(address);
  }

  accountsOf(program: Address) {
    return this.engine.getProgramAccounts(program);
  }

  rentFor(bytes: number): number {
    return Number(this.engine.minimumBalanceForRentExemption(BigInt(bytes)));
  }

  processed(signature: string): Processed | undefined {
    return this.bySignature.get(signature);
  }

  /** The transactions that have this account among their static accounts, the newest first. */
  naming(account: Address): readonly Processed[] {
    const names = ({ wire }: Processed) => readTransaction(Buffer.from(wire, 'base64')).accounts.includes(account);
    return [...this.bySignature.values()].filter(names).reverse();
  }

  /** Undefined for a slot without a block. */
  block(slot: number): readonly Processed[] | undefined {
    return slot < 0 || isSkipped(slot) ? undefined : (this.bySlot.get(slot) ?? []);
  }

  blockhash(slot: number): string {
    const held = this.digests.findLast((one) => one.slot <= slot);
    return base58.decode(sha256(String(withBlock(slot)), held?.digest ?? ''));
  }

  isRecent(blockhash: string): boolean {
    const open = this.slots.open();
    for (let slot = open; slot >= 0 && blockHeight(open) - blockHeight(slot) <= BLOCKHASH_BLOCKS; slot -= 1) {
      if (!isSkipped(slot) && this.blockhash(slot) === blockhash) return true;
    }
    return false;
  }

  advance(slots: number): void {
    this.journal.add({ advance: slots });
    this.slots.advance(slots);
  }

  /** Discards all changes. The transaction need not be signed. */
  simulate({ transaction }: Received): Refused | { readonly logs: readonly string[]; readonly units: number } {
    this.engine.withSigverify(false);
    try {
      const result = this.engine.simulateTransaction(transaction);
      const meta = result.meta();
      const told = { logs: meta.logs(), units: Number(meta.computeUnitsConsumed()) };
      return result instanceof FailedTransactionMetadata ? { ...told, err: errorOf(result) } : told;
    } finally {
      this.engine.withSigverify(true);
    }
  }

  /** Executes in the open slot. Refuses a transaction that no block may contain. */
  submit(wire: string, received: Received): Processed | Refused {
    const expired = this.lifetimeFault(received);
    if (expired !== undefined) return { err: expired, logs: [] };
    const slot = this.slots.open();
    // If the engine refuses the transaction, its line in the journal is harmless.
    this.journal.add({ slot, wire });
    return this.execute(slot, wire, received);
  }

  /** The reason why a validator would drop the transaction without running it. */
  lifetimeFault({ signature, lifetime, nonceAccount }: Received): TransactionError | undefined {
    if (this.bySignature.has(signature)) return 'AlreadyProcessed';
    if (nonceAccount !== undefined) return this.nonceValue(nonceAccount) === lifetime ? undefined : 'BlockhashNotFound';
    return this.isRecent(lifetime) ? undefined : 'BlockhashNotFound';
  }

  private nonceValue(address: Address): string | undefined {
    const account = this.engine.getAccount(address);
    if (!account.exists || account.data.length !== NONCE_ACCOUNT_BYTES) return undefined;
    return base58.decode(account.data.slice(NONCE_VALUE_AT, NONCE_VALUE_AT + 32));
  }

  private execute(slot: number, wire: string, received: Received): Processed | Refused {
    const { transaction, signature, nonceAccount } = received;
    const accounts = this.allAccountsOf(received);
    this.engine.warpToSlot(BigInt(slot));
    // The engine derives the next value of a durable nonce from the engine's blockhash, so each transaction needs a new
    // blockhash. A replay of the journal gets the same blockhashes.
    this.engine.expireBlockhash();
    const balances = () => accounts.map((address) => this.engine.getBalance(address) ?? 0n);
    const holdings = () => tokenBalances(accounts, (address) => this.engine.getAccount(address));
    const [before, heldBefore] = [balances(), holdings()];
    const result = this.engine.sendTransaction(transaction);
    const [after, heldAfter] = [balances(), holdings()];
    const sum = (units: readonly bigint[]) => units.reduce((total, one) => total + one, 0n);
    const fee = Number(sum(before) - sum(after));
    const meta = result instanceof FailedTransactionMetadata ? result.meta() : result;
    const err = result instanceof FailedTransactionMetadata ? errorOf(result) : null;
    const logs = meta.logs();
    if (err !== null && fee === 0) return { err, logs };
    if (err !== null && nonceAccount !== undefined) this.advanceNonce(nonceAccount);
    const done: Processed = {
      slot,
      signature,
      wire,
      err,
      logs,
      units: Number(meta.computeUnitsConsumed()),
      fee,
      accounts,
      preBalances: before,
      postBalances: after,
      preTokenBalances: heldBefore,
      postTokenBalances: heldAfter,
    };
    this.bySignature.set(signature, done);
    this.bySlot.set(slot, [...(this.bySlot.get(slot) ?? []), done]);
    this.digests.push({ slot, digest: sha256(this.digests.at(-1)?.digest ?? '', signature) });
    return done;
  }

  /** Accounts from lookup tables follow the accounts of the message. Accounts that may change come first. */
  private allAccountsOf({ accounts, lookups }: Received): readonly Address[] {
    const found = (places: 'writable' | 'readonly') =>
      lookups.flatMap((one) => addressesIn(this.engine.getAccount(one.table), one[places]));
    return [...accounts, ...found('writable'), ...found('readonly')];
  }

  /** Advances the nonce of a failed transaction. The engine has undone the advance, but on a real network the advance stays. */
  private advanceNonce(address: Address): void {
    const account = this.engine.getAccount(address);
    if (!account.exists) return;
    const data = new Uint8Array(account.data);
    data.set(sha256('DURABLE_NONCE', data.slice(NONCE_VALUE_AT, NONCE_VALUE_AT + 32)), NONCE_VALUE_AT);
    this.engine.setAccount({ ...account, data });
  }
}

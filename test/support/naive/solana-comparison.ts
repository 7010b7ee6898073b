import { createNoopSigner, type Instruction, lamports } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { findAssociatedTokenPda, getTransferCheckedInstruction } from '@solana-program/token';
import type { Scanner } from '../../../activities/scans/scanner';
import { createGateways } from '../../../chains/gateways';
import { networkOf } from '../../../chains/networks';
import { createScanSources } from '../../../chains/scan-sources';
import type { Database } from '../../../entities/database';
import { openWatchList } from '../../../entities/scans/watch-list';
import { startBank, type TestBank } from '../../local/solana/bank';
import { type Key, keyOf, makeToken, sendAs, TOKEN_PROGRAM_OF } from '../../local/solana/tokens';
import { createTestDatabase } from '../database';
import { createDice, type Dice, pick } from '../dice';
import { dyingAfter } from '../dying-database';
import { insertWallet } from '../scanned-wallets';
import { scanAll, scannerOver } from '../scanning';
import { COMMITS_MAX, type Comparison, scanUntilKilled } from './comparison';
import { type NaiveMovement, type NaiveSubject, naiveLines } from './naive-movement';
import { naiveSolanaMovements } from './naive-solana';
import { eventFaults, recordedLines } from './recorded';

const NETWORK = networkOf('SolanaDevnet');
const SOL = 1_000_000_000;
const DECIMALS = 6;
const FINAL_SLOTS = 40;
const PARTIES = [1, 2, 3, 4, 5, 6].map(keyOf) as [Key, ...Key[]];
type Token = { readonly program: 'Spl' | 'Spl2022'; readonly mint: Key };

async function prepare(bank: TestBank): Promise<readonly [Token, ...Token[]]> {
  for (const { address } of PARTIES) bank.call('requestAirdrop', address, 10 * SOL);
  const tokens: [Token, Token] = [
    { program: 'Spl', mint: keyOf(41) },
    { program: 'Spl2022', mint: keyOf(42) },
  ];
  const [owner, ...others] = PARTIES;
  for (const { program, mint } of tokens) {
    const extension = program === 'Spl' ? 'plain' : 'fee';
    const given = { owner: owner.address, amount: 1_000_000n, further: others.map(({ address }) => address) };
    await makeToken(bank.call, { program, mint, extension, ...given });
  }
  bank.call('strongroom_advanceSlots', FINAL_SLOTS);
  return tokens;
}

async function payTokens({ program, mint }: Token, from: Key, to: Key, amount: bigint): Promise<Instruction> {
  const programAddress = TOKEN_PROGRAM_OF[program];
  const accountOf = async (owner: Key) =>
    (await findAssociatedTokenPda({ owner: owner.address, mint: mint.address, tokenProgram: programAddress }))[0];
  const [source, destination] = [await accountOf(from), await accountOf(to)];
  const authority = createNoopSigner(from.address);
  const input = { source, mint: mint.address, destination, authority, amount, decimals: DECIMALS };
  return getTransferCheckedInstruction(input, { programAddress });
}

/** Several payments of several parties in one transaction. One in ten transactions wants more than a party has, and fails. */
async function sendSomething(bank: TestBank, roll: Dice, tokens: readonly [Token, ...Token[]]): Promise<void> {
  const signers = new Set<Key>([pick(roll, PARTIES)]);
  const instructions: Instruction[] = [];
  const isTooMuch = roll(10) === 0;
  for (let more = 1 + roll(3); more > 0; more -= 1) {
    const [from, to] = [pick(roll, PARTIES), pick(roll, PARTIES)];
    signers.add(from);
    const amount = isTooMuch ? BigInt(1_000 * SOL) : BigInt(roll(4) === 0 ? 0 : roll(5_000));
    const source = createNoopSigner(from.address);
    const native = getTransferSolInstruction({ source, destination: to.address, amount: lamports(amount) });
    instructions.push(roll(2) === 0 ? native : await payTokens(pick(roll, tokens), from, to, amount));
  }
  await sendAs(bank.call, [...signers] as [Key, ...Key[]], instructions, { skipPreflight: true });
}

async function unexplained(bank: TestBank, before: readonly number[], movements: readonly NaiveMovement[]): Promise<string[]> {
  return PARTIES.flatMap(({ address }, at) => {
    const { value } = bank.call('getBalance', address, { commitment: 'finalized' }) as { value: number };
    const own = movements.filter((one) => one.address === address && one.kind === 'NativeTransfer');
    const said = own.reduce(
      (sum, { direction, amount, fee }) => sum + (direction === 'In' ? 1 : -1) * Number(amount) - Number(fee),
      0,
    );
    return value - (before[at] ?? 0) === said ? [] : [`${address}: ${value - (before[at] ?? 0)} instead of ${said}`];
  });
}

/** Follows random transactions with the real scanner, and asks the bank again about every block at the end. */
export async function compareOnSolana(seed: number, transactions: number): Promise<Comparison> {
  const roll = createDice(seed);
  const bank = await startBank();
  const database = await createTestDatabase();
  const watchList = openWatchList(database.relayUrl);
  try {
    const tokens = await prepare(bank);
    const balances = () => PARTIES.map(({ address }) => (bank.call('getBalance', address) as { value: number }).value);
    const before = balances();
    const start = bank.call('getSlot', { commitment: 'processed' }) as number;
    const urls = { [NETWORK.name]: [bank.url] };
    const scannerWith = (db: Database): Scanner =>
      scannerOver({
        ...{ db, watchList, network: NETWORK, source: createScanSources(urls)(NETWORK.name) },
        gateway: createGateways(urls)(NETWORK.name),
        signer: { wasSigned: async ({ signatures }) => ({ wereSigned: signatures.map(() => true) }) },
      });
    const orgIds = [await database.createOrganization(), await database.createOrganization()] as const;
    const subjects: NaiveSubject[] = [];
    for (const [orgId, party] of [
      [orgIds[0], 0],
      [orgIds[0], 1],
      [orgIds[1], 1],
      [orgIds[1], 2],
    ] as const) {
      const { publicKeyHex: publicKey, address } = PARTIES[party] ?? PARTIES[0];
      const { walletId } = await database.db.withOrg(orgId, (tx) => insertWallet(tx, NETWORK.name, { publicKey, address }));
      subjects.push({ orgId, subjectId: walletId, address, during: [{ from: start + 1, to: Number.POSITIVE_INFINITY }] });
    }
    bank.call('strongroom_advanceSlots', 1);
    let scanner = scannerWith(database.db);
    for (let more = transactions; more > 0; more -= 1) {
      await sendSomething(bank, roll, tokens);
      if (roll(2) === 0) bank.call('strongroom_advanceSlots', 1 + roll(3));
      if (roll(4) === 0) await scanAll(scanner);
      if (roll(10) > 0) continue;
      await scanUntilKilled(scannerWith(dyingAfter(database.db, 1 + roll(COMMITS_MAX))));
      scanner = scannerWith(database.db);
    }
    bank.call('strongroom_advanceSlots', FINAL_SLOTS);
    const slots = bank.call('getBlocks', start + 1) as number[];
    await scanAll(scanner);
    const movements = slots.flatMap((slot) => naiveSolanaMovements(bank.call, slot));
    return {
      naive: naiveLines(subjects, movements, slots.at(-1) ?? start).sort(),
      recorded: (await recordedLines(database, subjects, start + 1)).sort(),
      unexplained: await unexplained(bank, before, movements),
      eventFaults: await eventFaults(database, orgIds),
    };
  } finally {
    await watchList.close();
    await database.close();
    await bank.close();
  }
}

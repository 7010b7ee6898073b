import { randomBytes } from 'node:crypto';
import { encodeAbiParameters, encodeEventTopics, getAddress, type Hex, pad, parseAbi } from 'viem';
import type { Scanner } from '../../../activities/scans/scanner';
import { addressWatchStore } from '../../../entities/address-watches/address-watch.store';
import { ContractEventEntity } from '../../../entities/contract-events/contract-event.entity';
import type { Database } from '../../../entities/database';
import { EventEntity } from '../../../entities/events/event.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { contractSchemaStore } from '../../../entities/registry/contract-schema.store';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { dyingAfter } from '../../support/dying-database';
import { createScannedWallet, newKeyPair } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks, type ScriptedBlocks } from '../../support/scripted-blocks';

const ABI = parseAbi([
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Listed(address seller, string note)',
  'event Counted(uint256 count)',
]);
const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const OTHER_CONTRACT = '0x8464135c8F25Da09e49BC8782676a84730C318bC';
const CONFIRMED = 'address_watch.blockchain_event.misc.confirmed';
const REVERSED = 'address_watch.blockchain_event.misc.reversed';
const STRANGERS_MAX = 100;
const KNOWN_MAX = 1_000;

let database: TestDatabase;
let watchList: WatchList;
let chain: ScriptedBlocks;
let scanner: Scanner;
let orgId: string;
let watched: Watched;

beforeEach(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  chain = createScriptedBlocks();
  orgId = await database.createOrganization();
  scanner = scannerOn(database.db);
  watched = await watch();
  await scan();
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

const scannerOn = (db: Database) => scannerOver({ db, watchList, source: chain.source, gateway: chain.gateway });
const scan = () => scanAll(scanner);

type Watched = { readonly id: string; readonly address: string };
async function watch(address = newKeyPair(NETWORK.name).address, by = orgId): Promise<Watched> {
  const row = { id: newId('addressWatch'), network: 'EthereumSepolia', address, name: null, externalId: null } as const;
  await database.db.withOrg(by, (tx) => addressWatchStore.add(tx, { ...row, tags: [], requestDigest: 'dd' }));
  return row;
}
const register = (contract: string, abi: object = ABI, by = orgId) =>
  database.db.withOrg(by, (tx) =>
    contractSchemaStore.add(tx, { id: newId('contractSchema'), name: 'C', network: NETWORK.name, contract, abi: abi as never }),
  );

type Log = { readonly address: string; readonly topics: string[]; readonly data: string };
const logOf = (eventName: (typeof ABI)[number]['name'], args: object, address = CONTRACT): Log => {
  const { inputs } = ABI.find(({ name }) => name === eventName) ?? { inputs: [] };
  const values = args as Readonly<Record<string, unknown>>;
  const left = (inputs as readonly { readonly name: string; readonly indexed?: boolean }[]).filter(({ indexed }) => !indexed);
  return {
    address: address.toLowerCase(),
    topics: encodeEventTopics({ abi: ABI, eventName, args } as never) as string[],
    data: encodeAbiParameters(left as never, left.map(({ name }) => values[name]) as never),
  };
};
const approval = (owner = watched.address, address = CONTRACT, value = 5n) =>
  logOf('Approval', { owner, spender: STRANGER, value }, address);

const transactionWith = (...logs: readonly Log[]) => {
  const txHash = `0x${randomBytes(32).toString('hex')}`;
  chain.logs.set(txHash, logs);
  return { txHash, amountUnits: 0n };
};
const mineMany = (count: number) => {
  for (let more = count; more > 0; more -= 1) chain.mine();
};
const rowsOf = (by = orgId) =>
  database.db.read(by).rows(ContractEventEntity, 'ORDER BY t.block_height, t.place, t.subject_id, t.id');
const told = (by = orgId) => database.db.read(by).rows(EventEntity, `WHERE t.kind LIKE '%blockchain%' ORDER BY t.id`);
const namesOf = async (by = orgId) => (await rowsOf(by)).map(({ name }) => name);

test('an event of a watched address is included at once, and reported once it is confirmed', async () => {
  const transaction = transactionWith(approval());
  const height = chain.mine([transactionWith(), transaction]);
  await scan();
  expect(await rowsOf()).toEqual([
    expect.objectContaining({
      ...{ subjectId: watched.id, id: expect.stringMatching(/^ce-/), name: 'Approval', status: 'Included', version: 1 },
      ...{ blockHeight: String(height), txHash: transaction.txHash, logIndex: '0', contract: CONTRACT },
    }),
  ]);
  expect(await told()).toEqual([]);
  mineMany(NETWORK.confirmations);
  await scan();
  const [row] = await rowsOf();
  expect(row?.status).toBe('Confirmed');
  expect(await told()).toEqual([
    expect.objectContaining({
      ...{ kind: CONFIRMED, aggregateId: row?.id, aggregateVersion: 2 },
      data: {
        addressWatch: expect.objectContaining({ id: watched.id }),
        blockchainEvent: {
          ...{ id: row?.id, addressWatchId: watched.id, network: NETWORK.name, name: 'Approval', status: 'Confirmed' },
          ...{ blockNumber: height, txHash: transaction.txHash, index: '0', timestamp: expect.any(String) },
          data: {
            ...{ kind: 'ContractEvent', contract: CONTRACT, standard: 'ERC-20' },
            signature: 'Approval(address,address,uint256)',
            args: { owner: watched.address, spender: STRANGER, value: '5' },
          },
        },
      },
    }),
  ]);
  expect(await database.db.read(orgId).rows(MovementEntity, '')).toEqual([]);
});

test('the events of a wallet are listed, and the wallet emits nothing for them', async () => {
  const wallet = await createScannedWallet(database.db, orgId, NETWORK.name);
  await scan();
  chain.mine([transactionWith(approval(wallet.address))]);
  mineMany(NETWORK.confirmations);
  await scan();
  expect(await rowsOf()).toEqual([expect.objectContaining({ subjectId: wallet.walletId, status: 'Confirmed' })]);
  expect(await told()).toEqual([]);
});

test('a log that only a schema decodes is an event only for the organisation that has the schema', async () => {
  const otherOrgId = await database.createOrganization();
  await watch(watched.address, otherOrgId);
  await register(CONTRACT);
  chain.mine([
    transactionWith(
      logOf('Listed', { seller: watched.address, note: 'a\0b' }),
      logOf('Listed', { seller: STRANGER, note: watched.address }),
      logOf('Listed', { seller: watched.address, note: '' }, OTHER_CONTRACT),
      logOf('Counted', { count: BigInt(watched.address) }),
    ),
  ]);
  await scan();
  expect((await rowsOf()).map(({ name, data }) => [name, data])).toEqual([
    [
      'Listed',
      {
        ...{ kind: 'ContractEvent', contract: CONTRACT, signature: 'Listed(address,string)' },
        args: { seller: watched.address, note: 'a\uFFFDb' },
      },
    ],
  ]);
  expect(await rowsOf(otherOrgId)).toEqual([]);
});

test('a watched contract has every log that a schema or a well-known event decodes', async () => {
  const contract = await watch(CONTRACT);
  await scan();
  const logs = [
    logOf('Counted', { count: 1n }),
    approval(STRANGER),
    logOf('Transfer', { from: STRANGER, to: OTHER_CONTRACT, value: 1n }),
    { address: CONTRACT.toLowerCase(), topics: [`0x${'11'.repeat(32)}`], data: '0x' },
  ];
  chain.mine([transactionWith(...logs)]);
  await scan();
  expect(await namesOf()).toEqual(['Approval']);
  await register(CONTRACT);
  chain.mine([transactionWith(...logs)]);
  await scan();
  const rows = await rowsOf();
  expect(rows.map(({ name }) => name)).toEqual(['Approval', 'Counted', 'Approval', 'Transfer']);
  expect(new Set(rows.map(({ subjectId }) => subjectId))).toEqual(new Set([contract.id]));
  expect(rows[2]?.data).not.toHaveProperty('standard');
});

test('a transfer of a watched address is not an event, whatever its amount, with or without a schema', async () => {
  await register(CONTRACT);
  const transfer = (value: bigint, address: string) => logOf('Transfer', { from: watched.address, to: STRANGER, value }, address);
  chain.mine([transactionWith(transfer(1n, CONTRACT), transfer(0n, CONTRACT), transfer(1n, OTHER_CONTRACT))]);
  await scan();
  expect(await rowsOf()).toEqual([]);
});

test('a reorganisation of three blocks withdraws an event before finality, and the same transaction takes the same row', async () => {
  chain.finalHeight = 0;
  const transaction = transactionWith(approval());
  chain.mine([transaction]);
  mineMany(2);
  await scan();
  const [before] = await rowsOf();
  chain.drop(3);
  mineMany(4);
  await scan();
  expect(await rowsOf()).toEqual([expect.objectContaining({ id: before?.id, status: 'Withdrawn', version: 2 })]);
  expect(await told()).toEqual([]);
  const height = chain.mine([transactionWith(approval(STRANGER)), transaction]);
  await scan();
  expect(await rowsOf()).toEqual([
    expect.objectContaining({ id: before?.id, status: 'Included', version: 3, blockHeight: String(height), logIndex: '1' }),
  ]);
});

test('a reorganisation after finality is reported as a reversal', async () => {
  chain.mine([transactionWith(approval())]);
  mineMany(NETWORK.confirmations + 2);
  await scan();
  chain.drop(NETWORK.confirmations + 3);
  mineMany(NETWORK.confirmations + 4);
  await scan();
  expect(await rowsOf()).toEqual([expect.objectContaining({ status: 'Withdrawn', version: 3 })]);
  const events = await told();
  expect(events.map(({ kind, aggregateVersion }) => `${kind} ${aggregateVersion}`)).toEqual([`${CONFIRMED} 2`, `${REVERSED} 3`]);
});

test('more events than one call confirms or withdraws are all confirmed and all withdrawn', async () => {
  await register(CONTRACT);
  chain.mine([transactionWith(...Array.from({ length: 450 }, () => approval()))]);
  mineMany(NETWORK.confirmations);
  await scan();
  expect((await rowsOf()).filter(({ status }) => status === 'Confirmed')).toHaveLength(450);
  expect(await told()).toHaveLength(450);
  chain.drop(NETWORK.confirmations + 1);
  mineMany(NETWORK.confirmations + 2);
  await scan();
  expect((await rowsOf()).filter(({ status }) => status === 'Withdrawn')).toHaveLength(450);
  expect(await told()).toHaveLength(900);
});

test.each([1, 2, 3])('a crash after commit %i neither loses nor doubles an event', async (commit) => {
  const wallet = await createScannedWallet(database.db, orgId, NETWORK.name);
  await scan();
  chain.mine([{ ...transactionWith(approval(), approval(wallet.address)), to: wallet.address, amountUnits: 7n }]);
  scanner = scannerOn(dyingAfter(database.db, commit));
  await expect(scan()).rejects.toThrow('killed');
  scanner = scannerOn(database.db);
  await scan();
  await scan();
  expect((await rowsOf()).map(({ subjectId, version }) => [subjectId, version])).toEqual([
    [watched.id, 1],
    [wallet.walletId, 1],
  ]);
});

test('an archived watch gets no further events', async () => {
  chain.mine([transactionWith(approval())]);
  await scan();
  await database.db.withOrg(orgId, (tx) => addressWatchStore.archive(tx, watched.id));
  chain.mine([transactionWith(approval())]);
  mineMany(NETWORK.confirmations);
  await scan();
  expect(await rowsOf()).toEqual([expect.objectContaining({ status: 'Confirmed' })]);
  expect(await told()).toEqual([]);
});

test.each([
  [STRANGERS_MAX, []],
  [STRANGERS_MAX + 1, [1]],
  [3 * STRANGERS_MAX, [2 * STRANGERS_MAX]],
])(
  'of %i events of unknown contracts in a block, those from the 101st on are only counted, and none displaces a known contract',
  async (count, omitted) => {
    await register(CONTRACT);
    const stranger = () => getAddress(`0x${randomBytes(20).toString('hex')}`);
    const spam = Array.from({ length: count }, () => approval(watched.address, stranger()));
    const transaction = transactionWith(...spam, approval());
    chain.mine([transaction]);
    await scan();
    const rows = await rowsOf();
    const notes = rows.filter(({ name }) => name === 'OmittedEvents');
    expect(rows.filter(({ contract, name }) => contract !== CONTRACT && name === 'Approval')).toHaveLength(
      Math.min(count, STRANGERS_MAX),
    );
    expect(rows.filter(({ contract }) => contract === CONTRACT)).toHaveLength(1);
    expect(notes.map(({ data, logIndex, contract }) => [data, logIndex, contract])).toEqual(
      omitted.map((many) => [{ kind: 'OmittedEvents', omitted: many }, String(STRANGERS_MAX), null]),
    );
    mineMany(NETWORK.confirmations);
    await scan();
    expect(await told()).toHaveLength(rows.length);
  },
);

test('for each subject, at most 1,000 events of a known contract are recorded in a block, and the rest is counted', async () => {
  await register(CONTRACT);
  chain.mine([transactionWith(...Array.from({ length: KNOWN_MAX + 2 }, () => approval()))]);
  await scan();
  const rows = await rowsOf();
  expect(rows).toHaveLength(KNOWN_MAX + 1);
  expect(rows.at(-1)).toMatchObject({
    ...{ name: 'OmittedEvents', contract: CONTRACT, logIndex: String(KNOWN_MAX) },
    data: { contract: CONTRACT, omitted: 2 },
  });
  chain.mine([transactionWith(approval())]);
  await scan();
  expect(await rowsOf()).toHaveLength(KNOWN_MAX + 2);
});

test('arguments of more than 16,384 characters are left out', async () => {
  await register(CONTRACT);
  const note = (chars: number) => logOf('Listed', { seller: watched.address, note: 'x'.repeat(chars) });
  const around = JSON.stringify({ seller: watched.address, note: '' }).length;
  chain.mine([transactionWith(note(16_384 - around), note(16_385 - around))]);
  await scan();
  expect((await rowsOf()).map(({ data }) => 'args' in data)).toEqual([true, false]);
});

test('a log that has the event name of a schema but does not fit the schema is not an event, and does not stop the scan', async () => {
  await register(CONTRACT);
  const short = { ...logOf('Listed', { seller: watched.address, note: '' }), data: pad(watched.address as Hex) };
  chain.mine([transactionWith(short, approval())]);
  await scan();
  expect(await namesOf()).toEqual(['Approval']);
});

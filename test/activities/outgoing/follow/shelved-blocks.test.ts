import { type BlockShelf, createBlockShelves } from '../../../../activities/block-shelves';
import { createFollower, type Follower } from '../../../../activities/outgoing/follow/follower';
import { networkOf } from '../../../../chains/networks';
import type { BlockBody, Gateway, ScanSource } from '../../../../chains/types';
import { AppError } from '../../../../domain/errors';
import { type OpenPayloads, openPayloadsOver } from '../../../../entities/outgoing/open-payloads';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createScriptedBlocks } from '../../../support/scripted-blocks';
import type { ScriptedChain } from '../../../support/scripted-chain';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

const network = { ...networkOf('EthereumSepolia'), watchedBlocks: 10 };
const ON_TOP = network.confirmations - 1;
const BELIEVED_MS = 10_000;

let database: TestDatabase;
let openPayloads: OpenPayloads;
let steps: TransferSteps;
let chain: ScriptedChain;
let shelf: BlockShelf;
let scanner: ReturnType<BlockShelf['feed']>;
let follower: Follower;
/** The heights that were read for the scanner and shared, and the heights that only the follower read. */
let shared: number[];
let own: number[];
/** Changes what the shared reads return. */
let told: (body: BlockBody) => BlockBody;
/** While true, the nodes that must agree on a block do not agree. */
let isDisputed: boolean;
let now: number;

beforeEach(async () => {
  database = await createTestDatabase();
  openPayloads = openPayloadsOver(database.relayUrl);
  steps = await createTransferSteps(database.db, await database.createOrganization());
  chain = steps.chain;
  [shared, own, told, isDisputed, now] = [[], [], (body) => body, false, 50_000];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  shelf = createBlockShelves()(network.name);
  scanner = shelf.feed(source);
  follower = newFollower();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await openPayloads?.close();
  await database?.close();
});

const source: ScanSource = {
  ...createScriptedBlocks().source,
  block: async (height, onBody) => {
    shared.push(height);
    const block = await chain.gateway.block(height);
    if (!block) return undefined;
    const body = told({ ...block, parentHeight: height - 1 });
    onBody?.(body);
    const common = { date: new Date(0), proof: 'Root', sight: 'Traces' } as const;
    return { ...body, ...common, contents: async () => ({ movements: [], signatures: [] }) };
  },
};

function newFollower(): Follower {
  const gateway: Gateway = {
    ...chain.gateway,
    block: async (height) => {
      own.push(height);
      if (isDisputed) throw new AppError('NetworkUnavailable', 'The nodes do not agree on a block');
      return chain.gateway.block(height);
    },
  };
  return createFollower({ db: database.db, gateway, shelf, network, openPayloads });
}
const down = (): never => {
  throw new AppError('NetworkUnavailable', 'The node does not answer');
};
const lie = (change: typeof told): void => {
  told = change;
};
const scan = (height: number) => scanner.source.block(height);
const stateOf = async (id: string) => [(await steps.row(id)).state, (await steps.payload(id)).state];

/** A transfer that both readers wait for. The scanner has read up to the head. */
async function sent(): Promise<{ id: string; txHash: string }> {
  const id = await steps.transfer();
  const txHash = await steps.send(id);
  await scan(chain.mine());
  await follower.step();
  [shared, own] = [[], []];
  return { id, txHash };
}

test.each(['Follower', 'Scanner'])(
  '%s first: each block is read once, and once more before the transfer is confirmed',
  async (first) => {
    const { id, txHash } = await sent();
    const inTurn = async (height: number) => {
      if (first === 'Scanner') await scan(height);
      await follower.step();
      if (first === 'Follower') await scan(height);
    };
    const height = chain.mine([txHash]);
    await inTurn(height);
    expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
    const heights = [height];
    for (let more = ON_TOP; more > 0; more -= 1) {
      expect(own).toEqual([]);
      heights.push(chain.mine());
      await inTurn(heights.at(-1) as number);
    }
    expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
    expect(await steps.events(id)).toEqual(['wallet.transfer.broadcasted 4', 'wallet.transfer.confirmed 5']);
    heights.push(chain.mine());
    await inTurn(heights.at(-1) as number);
    expect([shared, own]).toEqual([heights, [height]]);
  },
);

test.each([
  ['has not started', () => scanner.leave()],
  ['is too far back', () => scan(0)],
  ['reads another branch', () => lie((body) => ({ ...body, hash: `${body.hash}b` }))],
  ['has a node that is down', () => lie(down)],
])('a scanner that %s delays no transfer: the follower reads each block for itself', async (_what, befall) => {
  const { id, txHash } = await sent();
  await befall();
  chain.mine([], { empty: 4 });
  const height = chain.mine([txHash]);
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
  expect(own).toContain(height);
  chain.mine([], { empty: ON_TOP - 1 });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
});

test('a node that reports a block as the parent of the same block does not delay the follower', async () => {
  const { id, txHash } = await sent();
  lie((body) => ({ ...body, parentHash: body.hash, parentHeight: body.height }));
  chain.mine([txHash]);
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
});

test('after the end of a scanner, the follower reads blocks for itself, and the next scanner shares its blocks again', async () => {
  const { id, txHash } = await sent();
  const height = chain.mine([txHash]);
  await follower.step();
  scanner.leave();
  chain.mine();
  await follower.step();
  expect([shared, own]).toEqual([[height], [height + 1]]);
  scanner = shelf.feed(source);
  await scan(height + 1);
  chain.mine([], { empty: ON_TOP - 2 });
  await follower.step();
  expect(own.at(-1)).toBe(height);
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
});

test('a transaction that only the shared block contains is not confirmed, even if its receipt agrees', async () => {
  const { id, txHash } = await sent();
  chain.forget(txHash);
  const height = chain.mine();
  const { hash } = (await chain.gateway.block(height)) ?? { hash: '' };
  told = (body) => (body.height === height ? { ...body, txHashes: [txHash] } : body);
  chain.lie = () => ({ height, blockHash: hash, success: true, feeUnits: 1n });
  await follower.step();
  chain.mine([], { empty: ON_TOP - 1 });
  for (let look = 0; look < 3; look += 1) {
    await expect(follower.step()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    now += 60_000;
  }
  expect((await steps.row(id)).state).toBe('Broadcasted');
  expect(own).toContain(height);
});

test('a transfer is confirmed only once all nodes that must agree report the same block', async () => {
  const { id, txHash } = await sent();
  chain.mine([txHash]);
  await follower.step();
  isDisputed = true;
  chain.mine([], { empty: ON_TOP - 1 });
  for (let look = 0; look < 2; look += 1) await expect(follower.step()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
  isDisputed = false;
  await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
});

test('a shared block that has left the chain is not believed, and its transaction is found in a later block', async () => {
  const { id, txHash } = await sent();
  const height = chain.mine([txHash]);
  await follower.step();
  await scan(height);
  chain.cut(height);
  chain.mine();
  const moved = chain.mine([txHash]);
  await follower.step();
  expect(await steps.payload(id)).toMatchObject({ state: 'Included', includedHeight: moved });
  chain.mine([], { empty: ON_TOP - 1 });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  expect(await steps.payload(id)).toMatchObject({ includedHeight: moved });
});

test('a follower that has just started finds the transaction in the blocks that the scanner has read', async () => {
  const { id, txHash } = await sent();
  for (const height of [chain.mine([txHash]), chain.mine()]) await scan(height);
  follower = newFollower();
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
  expect(own).toEqual([]);
  chain.mine([], { empty: ON_TOP - 2 });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  expect(own).toEqual([(await steps.payload(id)).includedHeight]);
});

test('a reorganisation after finality is accepted only when the nodes that must agree report it', async () => {
  const { id, txHash } = await sent();
  const height = chain.mine([txHash], { empty: ON_TOP });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  chain.cut(height);
  chain.mine([], { empty: ON_TOP + 1 });
  for (let more = height; more <= height + ON_TOP + 1; more += 1) await scan(more);
  isDisputed = true;
  const look = () => follower.step().catch((error: unknown) => expect(error).toMatchObject({ code: 'NetworkUnavailable' }));
  for (let again = 0; again < 2; again += 1, now += BELIEVED_MS) await look();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  isDisputed = false;
  for (let again = 0; again < 2; again += 1, now += BELIEVED_MS) await look();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
});

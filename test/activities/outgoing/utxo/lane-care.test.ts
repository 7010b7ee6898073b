import { createLaneActivities } from '../../../../activities/outgoing/lanes/lanes';
import { explainTransfer } from '../../../../application/explain/records';
import { utxoCodecOf } from '../../../../chains/codecs';
import type { SpendStatus, UtxoIntent, UtxoReader } from '../../../../chains/utxo/types';
import type { LaneLook, LaneMemory } from '../../../../domain/lanes';
import { keyStore } from '../../../../entities/keys/key.store';
import { laneStore } from '../../../../entities/outgoing/lane.store';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';
import { newId } from '../../../../platform/ids';
import { fundedCoins } from '../../../chains/utxo/coins';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

type Name = 'BitcoinSignet' | 'LitecoinTestnet';
const SLOW = 5_000n;

let database: TestDatabase;
let steps: TransferSteps;
let publicKeyHex: string;
/** The status of each transaction at the node. The node has forgotten each transaction that is not listed. */
let waiting: Map<string, SpendStatus>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  publicKeyHex = (await keyStore.ofWallet(database.db.read(steps.orgId), steps.walletId))?.publicKey ?? '';
  waiting = new Map();
});

const rated = (feeUnits: bigint): SpendStatus => {
  const ancestry = { vbytes: 141n, feeUnits };
  return { kind: 'Waiting', dependents: 1, feeUnits, ancestry };
};
const tierOf = (milliUnitsPerVbyte: bigint) => ({ milliUnitsPerVbyte, blockHorizon: 2 });
const never = () => Promise.reject(new Error('this is not requested here'));
const reader: UtxoReader = {
  ...{ family: 'utxo', chainId: never, nativeBalance: never, feeEstimates: never, coins: never },
  ...{ previousTransactions: never, unspent: never, received: never },
  feeRates: async () => ({ Slow: tierOf(SLOW), Standard: tierOf(8_000n), Fast: tierOf(10_000n) }),
  standing: async (txid) => waiting.get(txid) ?? { kind: 'Nowhere' },
};
const broadcast: string[] = [];
function careOn(network: Name, height: number, memory?: LaneMemory): Promise<LaneLook> {
  const gateway = {
    ...steps.chain.gateway,
    head: async () => ({ height, hash: '' }),
    isKnown: async (txHash: string) => waiting.has(txHash),
    broadcast: async (rawHex: string) => {
      broadcast.push(rawHex);
      return 'Accepted' as const;
    },
  };
  const { careForLane } = createLaneActivities({ db: database.db, readers: () => reader, gateways: () => gateway });
  const address = utxoCodecOf(network).addressOf(publicKeyHex);
  return careForLane({ orgId: steps.orgId, network, address, ...(memory ? { memory } : {}) });
}
/** Looks twice, four blocks apart, and returns the second look. */
async function standing(network: Name): Promise<LaneLook> {
  const first = await careOn(network, 10);
  return careOn(network, 14, first.kind === 'Watched' ? first.memory : undefined);
}

let seed = 1n;
async function sent(network: Name, feeUnits = 200n, ceiling = 100_000n) {
  seed += 1n; // each payment has a different amount, so no two payments have the same bytes
  const codec = utxoCodecOf(network);
  const { address: from, coins, previous } = fundedCoins(network, publicKeyHex, undefined, [100_000n + seed]);
  const to = codec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
  const intent: UtxoIntent = { network, from, to, amountUnits: 50_000n, publicKeyHex };
  const changeUnits = 50_000n + seed - feeUnits;
  const { bytesHex: unsignedHex, digestHex } = codec.build(intent, { coins, feeUnits, changeUnits }, previous);
  const psbt = Buffer.from(unsignedHex.slice(2), 'hex');
  const rawHex = psbt.subarray(8, 8 + (psbt[7] ?? 0)).toString('hex');
  const txHash = codec.coinsOf(rawHex, from)[0]?.txid ?? '';
  const asked = {
    network,
    fromAddress: from,
    toAddress: to,
    amountUnits: '50000',
    feeCeilingUnits: String(ceiling),
    assetDecimals: 8,
  };
  const transferId = await steps.transfer({ ...asked, network, txHash, state: 'Broadcasted' });
  await database.db.withOrg(steps.orgId, async (tx) => {
    await laneStore.lock(tx, { network, address: from });
    await tx.insert(PayloadEntity, {
      ...{ orgId: tx.orgId, id: newId('payload'), transferId, network, fromAddress: from, nonce: null },
      ...{ unsignedHex, digestHex, rawHex, txHash, maxFeeUnits: String(feeUnits), state: 'Broadcasted' },
    });
  });
  waiting.set(txHash, rated(feeUnits));
  return { id: transferId, txHash, rawHex };
}
const made = () => database.db.read(steps.orgId).rows(OutgoingEntity, 'WHERE t.made_by_service ORDER BY t.id');
const explained = async (id: string) => explainTransfer(database.db.read(steps.orgId), await steps.row(id));

test('a payment at the lowest market rate is left alone, and a payment that the node has forgotten is sent again', async () => {
  const forgotten = await sent('BitcoinSignet', 705n);
  await sent('BitcoinSignet', 705n);
  waiting.delete(forgotten.txHash);
  expect(await standing('BitcoinSignet')).toEqual({ kind: 'Healthy' });
  expect(broadcast).toEqual([forgotten.rawHex, forgotten.rawHex]);
  expect(await made()).toEqual([]);
});

test('only the first payment that pays too little is reported and sped up, once, with its own coins', async () => {
  const [good, cheap] = [await sent('BitcoinSignet', 705n), await sent('BitcoinSignet')];
  expect(await standing('BitcoinSignet')).toMatchObject({ trouble: 'Underpriced', acted: true });
  expect(await made()).toMatchObject([{ replacementKind: 'SpeedUp', replacesId: cheap.id, claimsOf: cheap.id }]);
  expect(await explained(cheap.id)).toMatchObject({ stage: 'LaneBlocked' });
  expect(await explained(good.id)).toMatchObject({ stage: 'Confirming' });
  expect(await standing('BitcoinSignet')).toMatchObject({ acted: false });
});

test('a child is made where nodes do not replace transactions, and the lane (the queue of the wallet) is then healthy', async () => {
  const cheap = await sent('LitecoinTestnet');
  expect(await standing('LitecoinTestnet')).toMatchObject({ trouble: 'Underpriced', acted: true });
  const [child] = await made();
  expect(child).toMatchObject({ paysForId: cheap.id, replacesId: null, toAddress: child?.fromAddress, amountUnits: '0' });
  expect(await steps.row(cheap.id)).toMatchObject({ paidForById: child?.id, replacedById: null });
  expect(await standing('LitecoinTestnet')).toEqual({ kind: 'Healthy' });
});

test('no speed-up is made above the approved ceiling', async () => {
  const dear = await sent('BitcoinSignet', 200n, 1_000n);
  expect(await standing('BitcoinSignet')).toMatchObject({ trouble: 'FeesAboveCeiling', acted: false });
  expect(await made()).toEqual([]);
  expect((await explained(dear.id)).stage).toBe('LaneBlocked');
});

import type { TransferState } from '../../../domain/transfers';
import { coinClaim, coinStore, keyOfCoin } from '../../../entities/outgoing/coin.store';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase();
  steps = await createTransferSteps(database.db, await database.createOrganization());
});
afterAll(() => database?.close());

const coin = (at: number) => ({ txid: `${at}`.repeat(64), vout: at });
const lane = () => ({ network: 'EthereumSepolia' as const, address: steps.address });
const claim = (orgId: string, id: string, at: number) =>
  database.db.withOrg(orgId, (tx) => laneStore.claim(tx, { id, network: lane().network }, coinClaim(steps.address, coin(at))));

test('a coin is claimed once, a transfer can claim several coins, and coins stay claimed when they are used up', async () => {
  const [first, second] = [await steps.transfer(), await steps.transfer()];
  await claim(steps.orgId, first, 1);
  await claim(steps.orgId, first, 2);
  await expect(claim(steps.orgId, second, 2)).rejects.toMatchObject({ code: '23505' });
  await claim(steps.orgId, second, 3);
  await database.db.withOrg(steps.orgId, (tx) => laneStore.consume(tx, first));

  const keys = [1, 2, 3, 4].map((at) => keyOfCoin(coin(at)));
  const reader = database.db.read(steps.orgId);
  expect([...(await coinStore.claimed(reader, 'EthereumSepolia', keys))].sort()).toEqual(keys.slice(0, 3));
  expect([...(await coinStore.claimed(reader, 'BitcoinSignet', keys))]).toEqual([]);
});

test('the number of open requests in a lane (the queue of a wallet) counts transfers, not the coins that they claim', async () => {
  const [many, asking] = [await steps.transfer(), await steps.transfer()];
  for (const at of [5, 6, 7]) await claim(steps.orgId, many, at);
  const standing = await database.db.withOrg(steps.orgId, async (tx) => coinStore.standing(tx, lane(), await steps.row(asking)));
  expect(standing).toEqual({ open: 2, ahead: 0 });
});

test('the change output of a payment is spendable while no rival competes with the payment, and the spender of this output is known', async () => {
  const { db } = database;
  const first = await steps.transfer({ state: 'Broadcasted' });
  const change = { txid: 'ab'.repeat(32), vout: 1 };
  const payload = {
    orgId: steps.orgId,
    network: lane().network,
    fromAddress: steps.address,
    nonce: null,
    maxFeeUnits: '1',
  } as const;
  const signed = { unsignedHex: '0x', digestHex: '0x', rawHex: '00', state: 'Broadcasted' } as const;
  const sign = (transferId: string, txHash: string) =>
    db.withOrg(steps.orgId, (tx) =>
      tx.insert(PayloadEntity, { ...payload, ...signed, id: newId('payload'), transferId, txHash }),
    );
  await sign(first, change.txid);
  const own = async () => [...(await coinStore.ownTransactions(db.read(steps.orgId), lane(), [change.txid, 'cd'.repeat(32)]))];
  const set = (id: string, state: TransferState) => db.withOrg(steps.orgId, (tx) => tx.update(OutgoingEntity, { id }, { state }));
  expect(await own()).toEqual([change.txid]);

  const rival = await steps.transfer({ claimsOf: first, replacesId: first, replacementKind: 'SpeedUp', form: 'Transaction' });
  expect(await own()).toEqual([]);
  await set(rival, 'Failed'); // the rival has ended with nothing signed
  expect(await own()).toEqual([change.txid]);
  await set(rival, 'Broadcasted');
  await sign(rival, 'cd'.repeat(32));
  expect(await own()).toEqual([]);

  const reader = db.read(steps.orgId);
  expect(await coinStore.spending(reader, 'EthereumSepolia', change.txid)).toEqual([]);
  const spender = await steps.transfer();
  await db.withOrg(steps.orgId, (tx) =>
    laneStore.claim(tx, { id: spender, network: lane().network }, coinClaim(steps.address, change)),
  );
  expect(await coinStore.spending(reader, 'EthereumSepolia', change.txid)).toEqual([spender]);
  expect([...(await coinStore.shared(reader, { claimsOf: spender, cancelsSignatureId: null }))]).toEqual([keyOfCoin(change)]);
  expect([...(await coinStore.shared(reader, { claimsOf: null, cancelsSignatureId: null }))]).toEqual([]);
  await db.withOrg(steps.orgId, (tx) => laneStore.consume(tx, spender));
  expect([...(await coinStore.shared(reader, { claimsOf: spender, cancelsSignatureId: null }))]).toEqual([]);
});

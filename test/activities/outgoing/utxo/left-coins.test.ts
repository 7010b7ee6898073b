import { createTransferPreparation } from '../../../../activities/outgoing/prepare';
import { createSigningActivities } from '../../../../activities/outgoing/sign';
import { endExpired } from '../../../../application/outgoing/end/expired-transfers';
import { failTransfer } from '../../../../application/outgoing/end/fail';
import { utxoCodecOf } from '../../../../chains/codecs';
import { utxoDecoderOf } from '../../../../chains/decoders';
import type { Coin, UtxoReader } from '../../../../chains/utxo/types';
import type { Database } from '../../../../entities/database';
import { KeyEntity } from '../../../../entities/keys/key.entity';
import { keyStore } from '../../../../entities/keys/key.store';
import { OrganizationEntity } from '../../../../entities/organizations/organization.entity';
import { ClaimEntity } from '../../../../entities/outgoing/claim.entity';
import { keyOfCoin } from '../../../../entities/outgoing/coin.store';
import { laneStore } from '../../../../entities/outgoing/lane.store';
import type { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { WalletEntity } from '../../../../entities/wallets/wallet.entity';
import { newId } from '../../../../platform/ids';
import { fundedCoins } from '../../../chains/utxo/coins';
import { APPROVING } from '../../../support/approving';
import { ANY_CAUSE } from '../../../support/causes';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { dyingAfter } from '../../../support/dying-database';
import { startTestSigner, type TestSigner } from '../../../support/signer';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

const NETWORK = 'BitcoinSignet';
const codec = utxoCodecOf(NETWORK);
const TO = codec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
const SPENT = 'the chain has spent a coin of this transaction in another one';

let database: TestDatabase;
let signer: TestSigner;
beforeAll(async () => {
  [database, signer] = await Promise.all([createTestDatabase(), startTestSigner()]);
});
afterAll(async () => {
  await Promise.all([database?.close(), signer?.close()]);
});

type Life = Awaited<ReturnType<typeof live>>;

/** A wallet with a key of the real signer and one coin of each amount, in blocks. */
async function live(amounts: readonly bigint[]) {
  const { db } = database;
  const orgId = await database.createOrganization();
  const steps: TransferSteps = await createTransferSteps(db, orgId);
  const [keyId, walletId] = [newId('key'), newId('wallet')];
  const { publicKeyHex, sealed, dek } = await signer.client.createKey({ orgId, keyId, scheme: 'ECDSA', curve: 'secp256k1' });
  const { address, coins, previous } = fundedCoins(NETWORK, publicKeyHex, undefined, amounts);
  const { requesterUserId: createdBy, userActionId } = await steps.row(await steps.transfer({ state: 'Failed' }));
  await db.withOrg(orgId, async (tx) => {
    await tx.insert(KeyEntity, { orgId, id: keyId, scheme: 'ECDSA', curve: 'secp256k1', status: 'Creating' });
    await keyStore.activate(tx, { keyId: sealed.keyId, publicKeyHex: sealed.publicKeyHex, secret: { sealed, dek } });
    const wallet = { orgId, id: walletId, network: NETWORK, keyId, address, requestDigest: '', createdBy } as const;
    await tx.insert(WalletEntity, { ...wallet, status: 'Active' });
  });
  const node = { coins: coins as readonly Coin[] };
  const tier = { milliUnitsPerVbyte: 1_000n, blockHorizon: 2 };
  const never = () => Promise.reject(new Error('this is not requested here'));
  const reader: UtxoReader = {
    ...{
      family: 'utxo',
      chainId: never,
      nativeBalance: never,
      feeEstimates: never,

      unspent: never,
      received: never,
    },
    standing: async () => ({ kind: 'Nowhere' }),
    coins: async () => node.coins,
    previousTransactions: async () => previous,
    feeRates: async () => ({ Slow: tier, Standard: tier, Fast: tier }),
  };
  const over = (one: Database) => ({
    ...createTransferPreparation({ ...APPROVING, db: one, readers: () => reader, encryptionAccess: () => undefined }),
    ...createSigningActivities({ ...APPROVING, causes: ANY_CAUSE, db: one, signer: signer.client }),
  });
  /** A payment with the policy epoch after this number of further changes. A freeze counts as a change. */
  const pay = async (amountUnits: string, changes = 0, set: Partial<OutgoingEntity> = {}) =>
    steps.transfer({
      policyEpoch: changes + ((await db.read(orgId).row(OrganizationEntity, 'WHERE t.id = $1', [orgId]))?.policyEpoch ?? 0),
      ...{ walletId, network: NETWORK, fromAddress: address, laneAddress: address, toAddress: TO, amountUnits },
      ...{ assetDecimals: 8, feeCeilingUnits: '10000', userActionId: null },
      ...set,
    });
  const sign = async (transferId: string, one: Database = db) => {
    const { prepareTransfer, signTransfer } = over(one);
    return [await prepareTransfer({ orgId, transferId }), await signTransfer({ orgId, transferId })];
  };
  /** A block spends these coins of the transfer in a transaction of another party. */
  const beat = async (transferId: string, taken: readonly Coin[], one: Database = db) => {
    const { id } = await steps.payload(transferId);
    node.coins = node.coins.filter((coin) => !taken.includes(coin));
    const spent = utxoDecoderOf(NETWORK)
      .decode((await steps.payload(transferId)).unsignedHex)
      .inputs.map(keyOfCoin);
    const unspent = spent.filter((key) => node.coins.some((coin) => keyOfCoin(coin) === key));
    return endExpired(one, { orgId, id, transferId }, { reason: SPENT, isForeign: true, unspent });
  };
  const thaw = (one: Database = db) =>
    one.withOrg(orgId, (tx) =>
      tx.query(
        `UPDATE freezes SET date_released = clock_timestamp(), released_by = $3, release_action_id = $4
         WHERE org_id = $1 AND target_id = $2 AND date_released IS NULL`,
        [orgId, keyId, createdBy, userActionId],
      ),
    );
  const inputsOf = async (transferId: string) =>
    utxoDecoderOf(NETWORK)
      .decode((await steps.payload(transferId)).unsignedHex)
      .inputs.map(keyOfCoin)
      .sort();
  const claims = async () =>
    (await db.read(orgId).rows(ClaimEntity, 'ORDER BY t.key')).map(({ key, transferId, state, isLeft, afterId }) => ({
      ...{ key, transferId, state, isLeft, afterId },
    }));
  return { orgId, keyId, steps, coins, node, over, pay, sign, beat, thaw, inputsOf, claims };
}

/** A signed payment of two coins. Each test then lets another party spend the first coin; `left` is the second coin. */
async function beaten(
  amounts: readonly bigint[] = [60_000n, 50_000n, 40_000n],
): Promise<Life & { readonly dead: string; readonly left: Coin }> {
  const life = await live(amounts);
  const dead = await life.pay('100000');
  expect(await life.sign(dead)).toEqual(['Ready', 'Signed']);
  const [taken, left] = life.coins;
  if (!taken || !left) throw new Error('the payment does not have two coins');
  expect(await life.inputsOf(dead)).toEqual([taken, left].map(keyOfCoin).sort());
  return { ...life, dead, left };
}
const first = ({ coins }: Life): Coin => coins[0] as Coin;

test('the key is frozen first; after the release, the real signer signs a second payment with the coin that is left', async () => {
  const life = await beaten();
  const { dead, left, steps, claims } = life;
  expect(await life.beat(dead, [first(life)])).toBe('Foreign');
  expect(await steps.row(dead)).toMatchObject({ state: 'Failed' });
  expect(await claims()).toEqual([
    { key: keyOfCoin(first(life)), transferId: dead, state: 'Consumed', isLeft: false, afterId: null },
    { key: keyOfCoin(left), transferId: dead, state: 'Consumed', isLeft: true, afterId: null },
  ]);
  const next = await life.pay('80000');
  expect(await life.sign(next)).toEqual(['Ready', { frozenBy: expect.any(String) }]);
  await life.thaw();
  expect(await life.sign(next)).toEqual(['Ready', 'Signed']);
  expect(await life.inputsOf(next)).toEqual(life.coins.slice(1).map(keyOfCoin).sort());
  expect(await claims()).toContainEqual({
    key: keyOfCoin(left),
    transferId: next,
    state: 'Signing',
    isLeft: false,
    afterId: dead,
  });
});

test('after a crash at any commit between the end and the new signature, exactly one payment takes over the coin', async () => {
  let isWhole = false;
  for (let commit = 1; !isWhole; commit += 1) {
    const life = await beaten();
    const [next, other] = [await life.pay('80000', 1), await life.pay('45000', 1)];
    const go = async (db: Database) => {
      await life.beat(life.dead, [first(life)], db);
      await life.thaw(db);
      return life.sign(next, db);
    };
    isWhole = await go(dyingAfter(database.db, commit)).then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe('killed');
        return false;
      },
    );
    expect(await go(database.db)).toEqual(['Ready', 'Signed']);
    // No other payment gets the coin, now or after another look at the dead payment.
    expect(await life.beat(life.dead, [])).toBeUndefined();
    expect(await life.over(database.db).prepareTransfer({ orgId: life.orgId, transferId: other })).toBe('Waiting');
    const ours = (await life.claims()).filter(({ key }) => key === keyOfCoin(life.left));
    expect(ours).toEqual([expect.objectContaining({ transferId: next, afterId: life.dead, isLeft: false })]);
    expect(commit).toBeLessThan(12);
  }
});

test('a payment that ends unsigned returns the coin to the dead payment, and the next payment can spend the coin', async () => {
  const life = await beaten();
  await life.beat(life.dead, [first(life)]);
  await life.thaw();
  const aborted = await life.pay('80000');
  await life.over(database.db).prepareTransfer({ orgId: life.orgId, transferId: aborted });
  await database.db.withOrg(life.orgId, (tx) => failTransfer(tx, aborted, ['Signing'], 'aborted'));
  expect(await life.claims()).toContainEqual({
    ...{ key: keyOfCoin(life.left), transferId: life.dead, state: 'Consumed', isLeft: true, afterId: null },
  });
  const next = await life.pay('80000');
  expect(await life.sign(next)).toEqual(['Ready', 'Signed']);
});

test('a coin can be left by two dead payments in turn, and its claim then names the last of them', async () => {
  const life = await beaten([60_000n, 50_000n, 40_000n, 30_000n]);
  await life.beat(life.dead, [first(life)]);
  await life.thaw();
  const second = await life.pay('80000');
  expect(await life.sign(second)).toEqual(['Ready', 'Signed']);
  await life.beat(second, [life.coins[2] as Coin]);
  await life.thaw();
  const third = await life.pay('70000');
  expect(await life.sign(third)).toEqual(['Ready', 'Signed']);
  expect(await life.claims()).toContainEqual(
    expect.objectContaining({ key: keyOfCoin(life.left), transferId: third, afterId: second }),
  );
});

test('a payment takes over coins of one dead payment only, never of two', async () => {
  const life = await live([60_000n, 50_000n, 58_000n, 48_000n]);
  const dead = [await life.pay('90000'), await life.pay('90000')];
  for (const id of dead) expect(await life.sign(id)).toEqual(['Ready', 'Signed']);
  for (const id of dead) {
    const [taken] = await life.inputsOf(id);
    await life.beat(
      id,
      life.coins.filter((coin) => keyOfCoin(coin) === taken),
    );
    await life.thaw();
  }
  expect((await life.claims()).filter(({ isLeft }) => isLeft)).toHaveLength(2);
  const both = await life.pay('90000');
  await life.over(database.db).prepareTransfer({ orgId: life.orgId, transferId: both });
  expect(await life.steps.row(both)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('Insufficient funds') });
  const one = await life.pay('45000');
  expect(await life.sign(one)).toEqual(['Ready', 'Signed']);
});

test.each([
  ['is sent', 'Broadcasted', 0],
  ['is with the signer', 'Signing', 0],
  ['waits for approval and will find the coins used up', 'AwaitingApproval', 1],
] as const)(
  'while a rival with the same coins %s, the expected number of coins is left for new payments',
  async (_what, state, left) => {
    const life = await beaten();
    const rival = { replacementKind: 'Cancel', replacesId: life.dead, claimsOf: life.dead } as const;
    await life.pay('0', 0, { ...rival, form: 'Transaction', state });
    await life.beat(life.dead, [first(life)]);
    expect((await life.claims()).filter(({ isLeft }) => isLeft)).toHaveLength(left);
  },
);

test('a coin that only the speed-up added can pay again once the first transaction has won', async () => {
  const life = await live([60_000n, 50_000n, 40_000n]);
  const won = await life.pay('109700');
  expect(await life.sign(won)).toEqual(['Ready', 'Signed']);
  const faster = { replacementKind: 'SpeedUp', replacesId: won, claimsOf: won } as const;
  const lost = await life.pay('109700', 0, faster);
  expect(await life.sign(lost)).toEqual(['Ready', 'Signed']);
  const added = (await life.inputsOf(lost)).filter((key) => key === keyOfCoin(life.coins[2] as Coin));
  expect(added).toHaveLength(1);
  await database.db.withOrg(life.orgId, (tx) => laneStore.consumeShared(tx, won, won));
  life.node.coins = life.coins.slice(2);
  const next = await life.pay('30000');
  expect(await life.sign(next)).toEqual(['Ready', 'Signed']);
  expect(await life.claims()).toContainEqual(expect.objectContaining({ key: added[0], transferId: next, afterId: lost }));
});

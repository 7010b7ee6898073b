import { createFollower } from '../../../../activities/outgoing/follow/follower';
import { endExpired } from '../../../../application/outgoing/end/expired-transfers';
import { networkOf } from '../../../../chains/networks';
import type { Never } from '../../../../chains/types';
import { FreezeEntity } from '../../../../entities/freezes/freeze.entity';
import { type OpenPayloads, openPayloadsOver } from '../../../../entities/outgoing/open-payloads';
import type { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';
import { WalletEntity } from '../../../../entities/wallets/wallet.entity';
import { startBank, type TestBank } from '../../../local/solana/bank';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { advanceOf, createSolanaSteps, SOL, type SolanaSteps } from '../../../support/solana-steps';

const EXPIRED: Never = { reason: 'expired', isForeign: false };
const FOREIGN: Never = { reason: 'used by another party', isForeign: true };
let database: TestDatabase;
let bank: TestBank;
let openPayloads: OpenPayloads;
let steps: SolanaSteps;
beforeAll(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startBank()]);
  openPayloads = openPayloadsOver(database.relayUrl);
});
afterAll(async () => {
  await openPayloads?.close();
  await Promise.all([database?.close(), bank?.close()]);
});
beforeEach(async () => {
  steps = await createSolanaSteps(database.db, await database.createOrganization(), bank);
  bank.call('requestAirdrop', steps.sponsor.address, Number(SOL));
  await steps.makeNonces(1);
  await steps.drop(true);
});
afterEach(() => steps.drop(false));

const byNonce = { options: { useDurableNonce: true } };
const sent = async (set: Partial<OutgoingEntity> = {}) => {
  const id = await steps.transfer(set);
  await steps.send(id);
  return id;
};
const end = async (transferId: string, never: Never) => {
  const { id } = await steps.payload(transferId);
  return endExpired(database.db, { orgId: steps.orgId, id, transferId }, never);
};
/** The kinds and ids of the frozen targets. */
const frozen = async () =>
  (await database.db.read(steps.orgId).rows(FreezeEntity, 'ORDER BY t.id')).map(
    ({ targetKind, targetId }) => `${targetKind} ${targetId}`,
  );
const keyOfWallet = async () =>
  (await database.db.read(steps.orgId).row(WalletEntity, 'WHERE t.id = $1', [steps.walletId]))?.keyId ?? '';

test('an expired transfer ends once, even when it is ended twice at once, and freezes nothing', async () => {
  const id = await sent();
  expect((await Promise.all([end(id, EXPIRED), end(id, EXPIRED)])).sort()).toEqual(['Ended', undefined]);
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', reason: 'expired' });
  expect((await steps.payload(id)).state).toBe('Final');
  expect(await steps.signals(id)).toEqual(['settled Failed']);
  expect(await frozen()).toEqual([]);
});

test('a durable nonce that foreign bytes have used is consumed, wakes the next transfer, and freezes the key once', async () => {
  const id = await sent(byNonce);
  const next = await steps.transfer(byNonce);
  expect(await steps.prepare(next)).toBe('Waiting');
  expect((await Promise.all([end(id, FOREIGN), end(id, FOREIGN)])).sort()).toEqual(['Foreign', undefined]);
  expect(await steps.claims()).toMatchObject([{ transferId: id, state: 'Consumed' }]);
  expect(await steps.signals(next)).toEqual(['laneChanged']);
  expect(await frozen()).toEqual([`Key ${await keyOfWallet()}`]);
});

test('while a competing request is in a block, nothing is treated as foreign, and a settled request stays as it is', async () => {
  const id = await sent(byNonce);
  const none = { form: 'Transaction', replacementKind: 'Cancel', replacesId: id, claimsOf: id } as const;
  const rival = await sent({ ...none, toAddress: steps.wallet.address, amountUnits: '0' });
  const { id: payloadId } = await steps.payload(rival);
  await database.db.withOrg(steps.orgId, (tx) => tx.update(PayloadEntity, { id: payloadId }, { state: 'Included' }));
  expect(await end(id, FOREIGN)).toBeUndefined();
  expect(await steps.row(id)).toMatchObject({ state: 'Broadcasted' });
  await database.db.withOrg(steps.orgId, (tx) => tx.update(PayloadEntity, { id: payloadId }, { state: 'Final' }));
  expect(await end(rival, FOREIGN)).toBeUndefined();
  expect(await frozen()).toEqual([]);
});

describe('the follower', () => {
  let now: number;
  let alarms: string[];
  const BEHIND_RESEND_MS = 10_001;
  const followerOver = () => {
    const of: OpenPayloads['of'] = async (name) => (await openPayloads.of(name)).filter(({ orgId }) => orgId === steps.orgId);
    const anywhere: OpenPayloads['anywhere'] = async (name) => (await of(name)).length > 0;
    const own = { ...openPayloads, of, anywhere, finalBlocks: async () => [], anyFinal: async () => false };
    const network = networkOf('SolanaDevnet');
    const onAlarm = (kind: string) => void alarms.push(kind);
    return createFollower({ db: database.db, gateway: steps.gateway, network, openPayloads: own, onAlarm });
  };
  beforeEach(() => {
    [now, alarms] = [1_000, []];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  test.each([
    ['of the wallet', () => ({})],
    ['that a sponsor pays for', () => steps.bySponsor],
  ])(
    'S18: a nonce that foreign bytes advanced ends the transfer %s and freezes the wallet’s key, at the second check',
    async (_, more) => {
      const id = await sent({ ...byNonce, ...more() });
      await steps.drop(false);
      await steps.sendBehindOurBack(await advanceOf(steps));
      await steps.drop(true);
      const follower = followerOver();
      for (const slots of [40, 40]) {
        expect([(await steps.row(id)).state, await frozen(), alarms]).toEqual(['Broadcasted', [], []]);
        bank.call('strongroom_advanceSlots', slots);
        now += BEHIND_RESEND_MS;
        await follower.step();
      }
      expect(await steps.row(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('not signed here') });
      expect(await frozen()).toEqual([`Key ${await keyOfWallet()}`]);
      expect(alarms).toEqual(['SpentElsewhere']);
    },
  );
});

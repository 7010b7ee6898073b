import { createFollower, type OnAlarm } from '../../../../activities/outgoing/follow/follower';
import { networkOf } from '../../../../chains/networks';
import type { Gateway } from '../../../../chains/types';
import { feeSponsorStore } from '../../../../entities/fee-sponsors/fee-sponsor.store';
import { FreezeEntity } from '../../../../entities/freezes/freeze.entity';
import { freezeRecordStore } from '../../../../entities/freezes/freeze-record.store';
import { laneStore, nonceClaim } from '../../../../entities/outgoing/lane.store';
import { openPayloadsOver } from '../../../../entities/outgoing/open-payloads';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';
import { WalletEntity } from '../../../../entities/wallets/wallet.entity';
import { newId } from '../../../../platform/ids';
import { createTestDatabase } from '../../../support/database';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

const NETWORK = 'EthereumSepolia' as const;
const BEHIND_RESEND_MS = 10_001;

type World = Awaited<ReturnType<typeof worldOf>>;
let world: World;
beforeEach(async () => {
  world = await worldOf();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
});

/** A sponsor, a wallet, and a network. A test adds a hash to `lost` when other bytes have used the nonce. */
async function worldOf() {
  const database = await createTestDatabase();
  const openPayloads = openPayloadsOver(database.relayUrl);
  const orgId = await database.createOrganization();
  const [sponsor, wallet] = [await createTransferSteps(database.db, orgId), await createTransferSteps(database.db, orgId)];
  const feeSponsorId = newId('feeSponsor');
  const standing = { name: null, walletId: sponsor.walletId, network: NETWORK, allowEndUser: false, userActionId: '' };
  await database.db.withOrg(orgId, (tx) => feeSponsorStore.add(tx, { id: feeSponsorId, ...standing }));
  const lost = new Set<string>();
  const gateway: Gateway = {
    ...sponsor.chain.gateway,
    whyNever: async ({ txHash }) => (lost.has(txHash) ? { reason: 'used elsewhere', isForeign: true } : undefined),
  };
  let now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const alarms: Parameters<OnAlarm>[] = [];
  const onAlarm: OnAlarm = (...alarm) => alarms.push(alarm);
  const network = networkOf(NETWORK);
  const follower = createFollower({ db: database.db, gateway, openPayloads, network, onAlarm });
  const reader = database.db.read(orgId);
  return {
    ...{ database, orgId, sponsor, wallet, feeSponsorId, lost, alarms },
    look: async () => {
      now += BEHIND_RESEND_MS;
      await follower.step();
    },
    keyOf: async ({ walletId }: TransferSteps) => (await reader.row(WalletEntity, 'WHERE t.id = $1', [walletId]))?.keyId,
    freezes: () => reader.rows(FreezeEntity, 'ORDER BY t.id'),
    close: async () => {
      await openPayloads.close();
      await database.close();
    },
  };
}

/** A request from the wallet. The sponsor has sent the operation of the request with this nonce. */
async function sentBySponsor(nonce: number, txHash: string, claimsOf: string | null = null): Promise<string> {
  const { database, orgId, sponsor, wallet, feeSponsorId } = world;
  const replacement = claimsOf === null ? {} : ({ claimsOf, replacesId: claimsOf, replacementKind: 'SpeedUp' } as const);
  const paid = { feeSponsorId, sponsorAddress: sponsor.address, state: 'Broadcasted', txHash, ...replacement } as const;
  const transferId = await wallet.transfer(paid);
  await database.db.withOrg(orgId, async (tx) => {
    const built = { fromAddress: sponsor.address, nonce, maxFeeUnits: '1', unsignedHex: '0x', digestHex: '0x' };
    const sent = { state: 'Broadcasted', rawHex: txHash, txHash, operationHash: '0x0b' } as const;
    await tx.insert(PayloadEntity, { orgId, id: newId('payload'), transferId, network: NETWORK, ...built, ...sent });
    if (claimsOf === null) await laneStore.claim(tx, { id: transferId, network: NETWORK }, nonceClaim(sponsor.address, nonce));
  });
  return transferId;
}

const release = (id: string) =>
  world.database.db.withOrg(world.orgId, (tx) =>
    tx.update(FreezeEntity, { id }, { dateReleased: new Date(), releasedBy: '', releaseActionId: '' }),
  );

test('S18: foreign bytes at a sponsor’s nonce freeze the sponsor’s key once and leave the request open, because its operation may still be executed', async () => {
  const { sponsor, wallet, lost, alarms, look, freezes } = world;
  const id = await sentBySponsor(0, '0xa0');
  await look();
  expect([sponsor.chain.sent, await freezes(), alarms]).toEqual([['0xa0'], [], []]);
  sponsor.chain.forget('0xa0');
  lost.add('0xa0');
  await look();
  const [freeze, ...others] = await freezes();
  expect(freeze).toMatchObject({ targetKind: 'Key', targetId: await world.keyOf(sponsor), createdBy: null, dateReleased: null });
  expect(freeze?.reason).toContain(sponsor.walletId);
  expect([others, alarms]).toEqual([[], [['SpentElsewhere', [id]]]]);
  expect(await wallet.row(id)).toMatchObject({ state: 'Broadcasted', reason: null });
  expect(await wallet.claims()).toEqual(['0 Signing']);

  // After people release the freeze, the same bytes cause no new freeze and are not sent again.
  await release(freeze?.id ?? '');
  await look();
  await look();
  expect([await freezes(), alarms.length, sponsor.chain.sent]).toMatchObject([[{ id: freeze?.id }], 1, ['0xa0']]);
});

test('no key is frozen while other bytes that we signed for this nonce may have been included', async () => {
  const { lost, alarms, look, freezes } = world;
  const slow = await sentBySponsor(0, '0xa1');
  await sentBySponsor(0, '0xb1', slow);
  lost.add('0xa1');
  await look();
  expect([await freezes(), alarms]).toEqual([[], []]);
  lost.add('0xb1');
  await look();
  expect([(await freezes()).length, alarms.length]).toEqual([1, 1]);
});

test('a forgotten transaction is not sent again while wallet or sponsor is frozen, and is sent again after the release', async () => {
  const { database, orgId, sponsor, wallet, look } = world;
  await sentBySponsor(0, '0xa2');
  await look();
  expect(sponsor.chain.sent).toEqual(['0xa2']);
  for (const { walletId: targetId } of [sponsor, wallet]) {
    const id = newId('freeze');
    const before = sponsor.chain.sent.length;
    const freeze = { id, targetKind: 'Wallet', targetId, reason: 'wrong', createdBy: null, userActionId: null } as const;
    await database.db.withOrg(orgId, (tx) => freezeRecordStore.add(tx, freeze));
    sponsor.chain.forget('0xa2');
    await look();
    expect(sponsor.chain.sent).toHaveLength(before);
    await release(id);
    await look();
    expect(sponsor.chain.sent).toHaveLength(before + 1);
  }
});

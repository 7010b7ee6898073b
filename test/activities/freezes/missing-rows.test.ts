import { putFreeze } from '../../../application/freezes/put-freeze';
import type { FreezeTarget } from '../../../domain/freezes';
import { feeSponsorStore } from '../../../entities/fee-sponsors/fee-sponsor.store';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { newId } from '../../../platform/ids';
import type { TestDatabase } from '../../support/database';
import { eachInItsOrganization } from '../../support/own-organization';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;
eachInItsOrganization(async (own, orgId) => {
  database = own;
  steps = await createTransferSteps(database.db, orgId);
});

const keyOf = async (walletId: string) =>
  (await database.db.read(steps.orgId).row(WalletEntity, 'WHERE t.id = $1', [walletId]))?.keyId ?? '';
const freeze = (targetKind: FreezeTarget, targetId: string) =>
  database.db.withOrg(steps.orgId, (tx) =>
    putFreeze(tx, { id: newId('freeze'), targetKind, targetId, reason: 'wrong', createdBy: null, userActionId: null }),
  );
const remove = (table: string, id: string) => database.arrange(`DELETE FROM ${table} WHERE id = $1`, [id]);
const broken = (promise: string) => ({ code: 'Internal', cause: { message: `invariant: ${promise}` } });

test('a frozen transfer is not sent while its wallet or the key of its wallet is missing', async () => {
  const id = await steps.transfer({ state: 'Signed' });
  const keyId = await keyOf(steps.walletId);
  await freeze('Key', keyId);
  await freeze('Network', 'EthereumSepolia');
  for (const [table, rowId] of [['keys', keyId] as const, ['wallets', steps.walletId] as const]) {
    await remove(table, rowId);
    await expect(steps.broadcast(id)).rejects.toMatchObject(broken('the wallets of a request and their keys are never deleted'));
  }
  expect(steps.chain.sent).toEqual([]);
});

test('a transfer with a frozen sponsor is not sent while the sponsor or its wallet is missing', async () => {
  const sponsor = await createTransferSteps(database.db, steps.orgId);
  const feeSponsorId = newId('feeSponsor');
  const paying = { name: null, walletId: sponsor.walletId, network: 'EthereumSepolia', allowEndUser: false } as const;
  await database.db.withOrg(steps.orgId, (tx) => feeSponsorStore.add(tx, { id: feeSponsorId, ...paying, userActionId: '' }));
  const id = await steps.transfer({ feeSponsorId, sponsorAddress: sponsor.address, state: 'Signed' });
  await freeze('Key', await keyOf(sponsor.walletId));
  await remove('wallets', sponsor.walletId);
  await expect(steps.broadcast(id)).rejects.toMatchObject(broken('the wallets of a request and their keys are never deleted'));
  await remove('fee_sponsors', feeSponsorId);
  await expect(steps.broadcast(id)).rejects.toMatchObject(broken('the fee sponsor of a request is never deleted'));
  expect(steps.chain.sent).toEqual([]);
});

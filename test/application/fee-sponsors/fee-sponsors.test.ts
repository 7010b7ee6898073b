import { listSponsoredFees } from '../../../application/fee-sponsors/fee-sponsors';
import { feeSponsorStore } from '../../../entities/fee-sponsors/fee-sponsor.store';
import { newId } from '../../../platform/ids';
import { createTestDatabase } from '../../support/database';
import { createTransferSteps } from '../../support/transfer-steps';

test('the fees of a sponsor are listed for transfers and transactions, newest request first, in pages without a gap', async () => {
  const database = await createTestDatabase();
  try {
    const steps = await createTransferSteps(database.db, await database.createOrganization());
    const id = newId('feeSponsor');
    const sponsor = { name: null, walletId: steps.walletId, allowEndUser: false, userActionId: '' };
    const requestIds = (['transfer', 'transaction', 'transfer', 'transaction', 'transfer'] as const).map((kind) => newId(kind));
    const times = { dateRequested: new Date(), dateConfirmed: new Date() };
    await database.db.withOrg(steps.orgId, async (tx) => {
      await feeSponsorStore.add(tx, { id, network: 'EthereumSepolia', ...sponsor });
      // The order of the inserts differs from the order of the requests.
      for (const requestId of [...requestIds].sort())
        await feeSponsorStore.addFee(tx, { requestId, feeSponsorId: id, sponsoreeId: steps.walletId, feeUnits: '1', ...times });
    });
    const page = async (after?: string) =>
      (await listSponsoredFees(database.db.read(steps.orgId), id, { after, limit: 2 })).map(({ requestId }) => requestId);
    const newest = [...requestIds].reverse();
    expect(await page()).toEqual(newest.slice(0, 3));
    expect(await page(newest[1])).toEqual(newest.slice(2, 5));
    expect(await page(newest[3])).toEqual(newest.slice(4));
  } finally {
    await database.close();
  }
});

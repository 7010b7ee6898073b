import { sponsorFor } from '../../../application/fee-sponsors/sponsoring';
import { feeSponsorStore } from '../../../entities/fee-sponsors/fee-sponsor.store';
import { newId } from '../../../platform/ids';
import { seeCharter } from '../../support/charter-rows';
import { createTestDatabase } from '../../support/database';
import { insertWallet } from '../../support/held-activity';

test('under a charter that serves end users, no sponsor pays for them, because the signer would refuse', async () => {
  const database = await createTestDatabase();
  try {
    const { db } = database;
    const orgId = await database.createOrganization();
    const walletId = await insertWallet(db, orgId);
    const id = newId('feeSponsor');
    const sponsor = { id, network: 'EthereumSepolia', name: null, walletId, allowEndUser: true, userActionId: '' } as const;
    await db.withOrg(orgId, (tx) => feeSponsorStore.add(tx, sponsor));
    const asked = (kind: 'EndUser' | 'CustomerEmployee') =>
      sponsorFor({ db } as never, { kind, orgId } as never, { id: walletId, network: 'EthereumSepolia' } as never, id);
    const passes = { code: 'InvalidRequest', message: expect.stringContaining('must not name the wallet itself') };
    await expect(asked('EndUser')).rejects.toMatchObject(passes);
    await seeCharter(db, orgId, 1, { endUsers: { networks: 'Test' } });
    const message = expect.stringContaining('end users pay their own fees');
    await expect(asked('EndUser')).rejects.toMatchObject({ code: 'InvalidRequest', message });
    await expect(asked('CustomerEmployee')).rejects.toMatchObject(passes);
  } finally {
    await database.close();
  }
});

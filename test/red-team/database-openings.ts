import { newId } from '../../platform/ids';
import { Client } from '../support/client';
import { ok } from '../support/story';
import { waitUntil } from '../support/wait-until';
import type { Installation, Office, Person } from './installation';
import type { Ledger } from './ledger';
import type { Rows } from './rows';

export type Opening = {
  /** The text in SECURITY.md for this opening. */
  readonly named: string;
  /** Whether the opening leaves a row that no role of the service can remove. */
  readonly leaves: 'ARow' | 'Nothing';
  readonly show: (at: Stage) => Promise<void>;
};
type Stage = { readonly installation: Installation; readonly ledger: Ledger; readonly office: Office; readonly rows: Rows };

/** A session of the person, with a key that the attacker has added to the person's credentials. */
async function asThem({ installation, office, rows }: Stage, person: Person): Promise<Person> {
  const { key, privateKey } = await rows.credential(person);
  const token = await installation.signIn(office.orgId, person.username, key);
  return { ...person, key, client: new Client(installation.baseUrl, { token, credId: key.credId, privateKey }) };
}

const permissionCalled = async ({ client }: Person, name: string): Promise<string | undefined> => {
  const { items } = ok(await client.get('/permissions')) as { readonly items: readonly { id: string; name: string }[] };
  return items.find((one) => one.name === name)?.id;
};

/** Everything that an attacker with write access to the database can do. Nothing else is possible with this access. */
export const DATABASE_OPENINGS: readonly Opening[] = [
  {
    named: 'archive a policy by inserting a version',
    leaves: 'ARow',
    show: async ({ ledger, office, rows }) => {
      const wallet = await office.wallet();
      const held = await ledger.ask(office.ada, wallet);
      expect(held.approvalId).toEqual(expect.any(String));
      const latest = `policy_id = (SELECT policy_id FROM policy_versions WHERE filters->'walletId'->'in' ? '${wallet.id}')`;
      await rows.copy('policy_versions', latest, { revision: 2, version: 2, status: 'Archived' });
      // A new epoch makes the workers read the policies again.
      await rows.run('UPDATE organizations SET policy_epoch = policy_epoch + 1');
      await ledger.goesThrough(office.ada, wallet, (to) => ledger.ask(office.ada, wallet, to));
    },
  },
  {
    named: 'insert a credential for a person, and from then on sign in that person’s name',
    leaves: 'ARow',
    show: async (at) => {
      const { ledger, office } = at;
      const wallet = await office.wallet();
      const before = await ledger.ask(office.ada, wallet);
      const [ada, ben, cyd] = [await asThem(at, office.ada), await asThem(at, office.ben), await asThem(at, office.cyd)];
      // An earlier request accepts only votes with keys that existed when the request was made.
      expect(await office.decide(ben, before.approvalId)).toMatchObject({ status: 403 });
      await ledger.goesThrough(ada, wallet, async (to) => {
        const asked = await ledger.ask(ada, wallet, to);
        for (const by of [ben, cyd]) ok(await office.decide(by, asked.approvalId));
        return asked;
      });
    },
  },
  {
    named: 'insert a verdict, which lets a request pass the policies once without approval',
    leaves: 'ARow',
    show: async ({ office, rows }) => {
      const { keyId } = await office.wallet();
      const body = { kind: 'Message', message: '0x48656c6c6f' };
      const { id, approvalId } = ok(await office.ada.client.change('POST', `/keys/${keyId}/signatures`, body)) as {
        readonly id: string;
        readonly approvalId: string;
      };
      const verdict = newId('verdict');
      await rows.copy('verdicts', `activity_id = '${id}'`, { id: verdict, outcome: 'Cleared' });
      await rows.run(
        `UPDATE signatures SET state = 'Signing', approval_id = NULL, verdict_id = $2,
           policy_epoch = (SELECT policy_epoch FROM organizations) WHERE id = $1`,
        [id, verdict],
      );
      await rows.run(`UPDATE approvals SET status = 'Approved' WHERE id = $1`, [approvalId]);
      await rows.dispatch('signal', id, { signal: 'approvalChanged' });
      const read = async () => ok(await office.ada.client.get(`/keys/${keyId}/signatures/${id}`)) as { readonly status: string };
      await waitUntil('the signature', async () => (await read()).status === 'Signed');
    },
  },
  {
    named: 'change the settings of an organisation',
    leaves: 'Nothing',
    show: async ({ office, rows }) => {
      await rows.run(`UPDATE organizations SET settings = settings || '{"keyExport":true,"keyExportWaitHours":0}'`);
      const settings = await office.ada.client.get('/organizations/settings');
      expect(settings.body).toMatchObject({ keyExport: true });
      await rows.run(`UPDATE organizations SET settings = settings - 'keyExport' - 'keyExportWaitHours'`);
    },
  },
  {
    named: 'grant permissions, and reactivate deactivated users',
    leaves: 'Nothing',
    show: async ({ installation, office, rows }) => {
      const { ben, ada } = office;
      const attempt = () => ben.client.change('POST', '/wallets', { network: 'EthereumSepolia' });
      expect(await attempt()).toMatchObject({ status: 403 });
      const id = newId('assignment');
      const permission_id = await permissionCalled(ada, 'ManagedFullAdminAccess');
      await rows.copy('permission_assignments', `user_id = '${ben.userId}'`, { id, permission_id });
      expect(await attempt()).toMatchObject({ status: 200 });
      await rows.run('DELETE FROM permission_assignments WHERE id = $1', [id]);
      ok(await ada.client.change('PUT', `/auth/users/${ben.userId}/deactivate`));
      await expect(installation.signIn(office.orgId, ben.username, ben.key)).rejects.toThrow();
      await rows.run('UPDATE users SET is_active = true WHERE id = $1', [ben.userId]);
      await installation.signIn(office.orgId, ben.username, ben.key);
    },
  },
  {
    named: 'change the inputs of policies',
    leaves: 'Nothing',
    show: async ({ ledger, office, rows }) => {
      const wallet = await office.wallet('free');
      await office.tagged(wallet, 'treasury');
      expect((await ledger.ask(office.ada, wallet)).approvalId).toEqual(expect.any(String));
      await rows.run('DELETE FROM wallet_tags WHERE wallet_id = $1', [wallet.id]);
      await ledger.goesThrough(office.ada, wallet, (to) => ledger.ask(office.ada, wallet, to));
    },
  },
  {
    named: 'delegate a key to an end user, after which no policy judges the requests for signatures of that key',
    leaves: 'Nothing',
    show: async ({ ledger, office, rows }) => {
      const wallet = await office.wallet();
      await rows.run('UPDATE keys SET delegated_to = $2 WHERE id = $1', [wallet.keyId, office.ada.userId]);
      await ledger.goesThrough(office.ada, wallet, (to) => ledger.ask(office.ada, wallet, to));
      await rows.run('UPDATE keys SET delegated_to = NULL WHERE id = $1', [wallet.keyId]);
    },
  },
];

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import { FREEZE_CHANGED } from '../../workflows/freeze.messages';
import { KEY_REQUEST } from '../../workflows/key-request.messages';
import { SIGNATURE } from '../../workflows/signature.messages';
import { TRANSFER_SIGNALS } from '../../workflows/transfer.messages';
import { ok } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { DATABASE_OPENINGS } from './database-openings';
import type { DatabaseRole, Installation, Office } from './installation';
import type { Asked, Ledger } from './ledger';
import { createRows, type Rows } from './rows';
import { REFUSED } from './statements';

export type Scene = { readonly installation: () => Installation; readonly ledger: Ledger };
const SECURITY = readFileSync(join(__dirname, '..', '..', 'SECURITY.md'), 'utf8').replaceAll(/\s+/g, ' ');
const BOTH = ['app', 'worker'] as const;

const Row = z.object({ committed: z.looseObject({ groups: z.array(z.looseObject({})) }) });

/** The two lists of openings in SECURITY.md. Each list ends at its full stop, and semicolons separate the entries. */
const openingsIn = (text: string) => {
  const [, rows = '', without = ''] =
    /with a row as evidence, which they cannot remove: ([^.]+); \* without such a row: ([^.]+)\./.exec(text) ?? [];
  return [rows, without].map((list) => list.split('; '));
};

/** An attacker with the passwords of both roles writes rows, and starts and wakes workflows through the outbox. */
export function databaseRole({ installation, ledger }: Scene): void {
  let office: Office;
  let roles: Readonly<Record<DatabaseRole, Rows>>;
  beforeAll(async () => {
    office = await installation().createOffice('delta');
    roles = { app: createRows(installation(), 'app', office.orgId), worker: createRows(installation(), 'worker', office.orgId) };
    // This approval makes rows of each kind, because a refused change is a proof only if the row exists.
    await ledger.approve(office, await held());
  });

  const held = async (): Promise<Asked> => ledger.ask(office.ada, await office.wallet());
  const wake = (id: string) => roles.app.dispatch('signal', id, { signal: TRANSFER_SIGNALS.approvalChanged });
  const vote = async ({ approvalId }: Asked, by = [office.ben, office.cyd]) => {
    for (const one of by) ok(await office.decide(one, approvalId));
  };
  const fails = async (asked: Asked, reason: RegExp) =>
    expect(await ledger.end(office.ada, asked)).toMatchObject({ status: 'Failed', reason: expect.stringMatching(reason) });

  const heldAnew = (role: DatabaseRole, asked: Asked) =>
    waitUntil('the transfer to be held again', async () => {
      const [row] = await roles[role].run('SELECT state, approval_id FROM transfers WHERE id = $1', [asked.id]);
      return row?.['state'] === 'AwaitingApproval' && row['approval_id'] !== asked.approvalId;
    });

  describe.each(REFUSED)('the server refuses: $title', ({ sql, of }) => {
    test.each([...of])('as %s', async (role) => {
      await expect(installation().as(role, office.orgId, sql)).rejects.toMatchObject({ code: '42501' });
    });
  });

  describe.each(BOTH)('no effect as %s', (role) => {
    const change = (asked: Asked, set: string) => roles[role].run(`UPDATE transfers SET ${set} WHERE id = $1`, [asked.id]);

    test.each([
      ['a different recipient', () => `to_address = '${ledger.thief}'`],
      ['a different amount', () => 'amount_units = amount_units * 9'],
      ['a higher fee', () => 'fee_ceiling_units = fee_ceiling_units * 2'],
    ])('under an approval: %s', async (_what, set) => {
      const asked = await held();
      await change(asked, set());
      await vote(asked);
      await fails(asked, /not what was approved|signed|ContentDiffers|CeilingDiffers/);
    });

    test('an approval with the status Approved but no votes', async () => {
      const asked = await held();
      await roles[role].run(`UPDATE approvals SET status = 'Approved', date_resolved = now() WHERE id = $1`, [asked.approvalId]);
      await wake(asked.id);
      await fails(asked, /lacks the votes/);
    });

    test('groups with a quorum of one vote', async () => {
      const asked = await held();
      await roles[role].run(`UPDATE approvals SET groups = jsonb_set(groups, '{0,quorum}', '1') WHERE id = $1`, [
        asked.approvalId,
      ]);
      await vote(asked, [office.ben]);
      await fails(asked, /lacks the votes/);
    });

    test('a transfer with the state Approved but no approval', async () => {
      const asked = await held();
      await change(
        asked,
        `state = 'Approved', approval_id = NULL, policy_epoch = (SELECT policy_epoch FROM organizations LIMIT 1)`,
      );
      await roles[role].run(`UPDATE approvals SET status = 'Approved' WHERE id = $1`, [asked.approvalId]);
      await wake(asked.id);
      await heldAnew(role, asked);
    });

    test('an approval that was rewritten to require only one vote, which was cast', async () => {
      const asked = await held();
      const [row] = await roles[role].run('SELECT committed FROM approvals WHERE id = $1', [asked.approvalId]);
      const { committed } = Row.parse(row);
      const groups = committed.groups.map((group) => ({ ...group, quorum: 1 }));
      const rewritten = JSON.parse(JSON.stringify({ ...committed, groups }));
      await roles[role].run('UPDATE approvals SET groups = $2, committed = $3, digest = $4 WHERE id = $1', [
        ...[asked.approvalId, JSON.stringify(groups), JSON.stringify(rewritten), digestOf(rewritten)],
      ]);
      await vote(asked, [office.ben]);
      await heldAnew(role, asked);
    });

    test('a freeze whose row states that it was released', async () => {
      const wallet = await office.wallet('free');
      const body = { target: { kind: 'Wallet', id: wallet.id }, reason: 'It looks wrong' };
      const { id } = ok(await office.ada.client.change('POST', '/freezes', body)) as { readonly id: string };
      const at = async () => (await roles[role].run('SELECT * FROM freezes WHERE id = $1', [id]))[0];
      await waitUntil('the signer to apply the freeze', async () => (await at())?.['date_signer_told'] !== null);
      const [earlier] = await roles[role].run(`SELECT id FROM change_requests WHERE status = 'Applied' LIMIT 1`);
      await roles[role].run(
        `UPDATE freezes SET date_released = now(), released_by = $2,
           release_action_id = (SELECT id FROM user_actions WHERE date_consumed IS NOT NULL LIMIT 1) WHERE id = $1`,
        [id, earlier?.['id']],
      );
      await roles[role].dispatch('signal', id, { signal: FREEZE_CHANGED });
      const says = (what: RegExp) => () =>
        installation()
          .service.log()
          .split('\n')
          .some((line) => line.includes(id) && what.test(line));
      await waitUntil('the alarm', says(/another party may be writing to the database/));
      expect(await at()).toMatchObject({ date_signer_released: null });
      // A new transfer from the frozen wallet waits. A test with one role suffices.
      if (role === 'worker') return;
      await ledger.ask(office.ada, wallet, ledger.thief);
      await waitUntil('the signer to refuse', () =>
        /order refused.*Frozen|Frozen.*order refused/.test(installation().service.log()),
      );
    });

    test('a transfer that no user requested', async () => {
      const asked = await held();
      const set = { to_address: ledger.thief, state: 'Requested', approval_id: null, verdict_id: null, external_id: null };
      const id = newId('transfer');
      await roles[role].copy('transfers', `id = '${asked.id}'`, { ...set, id, user_action_id: null });
      await roles[role].dispatch('start', id, { workflow: 'transfer', network: 'EthereumSepolia', walletId: asked.wallet.id });
      await fails({ ...asked, id }, /NoAction/);
    });
  });

  test('no effect as app: a request for a signature, an export or a derivation that no user signed', async () => {
    const { app } = roles;
    const wallet = await office.wallet();
    const body = { kind: 'Message', message: '0x48656c6c6f' };
    const honest = ok(await office.ada.client.change('POST', `/keys/${wallet.keyId}/signatures`, body)) as {
      readonly id: string;
    };
    const id = newId('signature');
    const actions = await app.run(
      `SELECT id FROM user_actions WHERE date_consumed IS NOT NULL AND method = 'POST' AND path IN ('/auth/users', '/wallets', '/v2/policies') LIMIT 4`,
    );
    const set = { id, user_action_id: actions[3]?.['id'], state: 'Requested', approval_id: null, verdict_id: null };
    await app.copy('signatures', `id = '${honest.id}'`, set);
    await app.dispatch('start', id, { workflow: SIGNATURE, network: 'EthereumSepolia', walletId: wallet.id });
    const stateOf = async () => (await app.run('SELECT state, signatures FROM signatures WHERE id = $1', [id]))[0];
    await waitUntil('the failure', async () => (await stateOf())?.['state'] === 'Failed');
    expect(await stateOf()).toMatchObject({ signatures: null });
    for (const [index, kind] of ['Export', 'Derive', 'Import'].entries()) {
      const request = newId('keyRequest');
      await app.run(
        `INSERT INTO key_requests (org_id, id, kind, key_id, user_id, user_action_id, status, sealed_question)
         VALUES ($1, $2, $3, $4, $5, $6, 'Pending', 'AAAA')`,
        [office.orgId, request, kind, wallet.keyId, office.ada.userId, actions[index]?.['id']],
      );
      await app.dispatch('start', request, { workflow: KEY_REQUEST });
      await waitUntil('the attempt', () => installation().service.log().includes(request));
      const found = await app.run('SELECT status, sealed_answer FROM key_requests WHERE id = $1', [request]);
      expect(found).toEqual([{ status: 'Pending', sealed_answer: null }]);
    }
  });

  test('SECURITY.md lists exactly these openings, and lists first those that leave a row', () => {
    const of = (leaves: 'ARow' | 'Nothing') => DATABASE_OPENINGS.filter((one) => one.leaves === leaves).map(({ named }) => named);
    expect(openingsIn(SECURITY)).toEqual([of('ARow'), of('Nothing')]);
  });
  test.each(DATABASE_OPENINGS)('open, as SECURITY.md says: $named', ({ show }) =>
    show({ installation: installation(), ledger, office, rows: roles.app }),
  );
}

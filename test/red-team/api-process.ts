import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sealQuestion } from '../../application/keys/ask-signer';
import { mailContext } from '../../application/mails/mails';
import { openBody, sealBody } from '../../application/user-actions/signed-bodies';
import { witnessOf } from '../../application/user-actions/witnesses';
import { challengeOf } from '../../platform/action-challenge';
import { sha256Hex } from '../../platform/digests';
import { newId } from '../../platform/ids';
import { createSecretBox } from '../../platform/secret-box';
import { createTokenKeys } from '../../platform/token-keys';
import { createTemporalHands, type TemporalHands } from '../../red-team/service/temporal-hands';
import { createSignerClient } from '../../signer/client';
import { openDek } from '../../signer/keys/envelope';
import { createFileKek } from '../../signer/keys/kek';
import { KEY_REQUEST } from '../../workflows/key-request.messages';
import { SEND_MAIL } from '../../workflows/send-mail.messages';
import { programPid } from '../support/canary';
import { Client } from '../support/client';
import { createRecipient } from '../support/keys';
import { ok, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';
import type { Scene } from './database-role';
import type { Office, Person } from './installation';
import { AMOUNT } from './ledger';
import { createRows, type Rows } from './rows';

const Sealed = z.object({ orgId: z.string(), id: z.string(), sealedBody: z.string(), bodySha256: z.string() });
type Witnessed = { readonly first: string; readonly second: string; readonly credentialIds: readonly string[] };
type Forging = { readonly used?: boolean; readonly witnessed?: Witnessed };

const MINUTE_MS = 60_000;
export const environmentOfProcess = (pid: number, entry: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(`/proc/${programPid(pid, entry)}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** An attacker in the API process has its environment, the files in the environment, and all that these files unlock. */
export function apiProcess({ installation, ledger }: Scene): void {
  let office: Office;
  let app: Rows;
  let env: Readonly<Record<string, string>>;
  let dataKey: Buffer;
  let tokens: ReturnType<typeof createTokenKeys>;
  let hands: TemporalHands;
  beforeAll(async () => {
    office = await installation().createOffice('alfa');
    app = createRows(installation(), 'app', office.orgId);
    env = environmentOfProcess(installation().service.pid(), 'api/main.js');
    dataKey = Buffer.from(readFileSync(env['DATA_KEK_FILE'] ?? '', 'utf8').trim(), 'hex');
    tokens = createTokenKeys(readFileSync(env['TOKEN_KEY_FILE'] ?? '', 'utf8'));
    hands = createTemporalHands(env['TEMPORAL_ADDRESS'] ?? '', env['TEMPORAL_NAMESPACE'] ?? '', dataKey);
  });
  afterAll(() => hands?.close());
  const box = (purpose: Parameters<typeof createSecretBox>[1]) => createSecretBox(dataKey, purpose);

  /** A session that its user never opened. */
  const forgedSession = async ({ userId }: Person) => {
    const id = newId('token');
    const until = new Date(Date.now() + 60 * MINUTE_MS);
    const token = await tokens.sign('bearer', { id, userId, orgId: office.orgId }, until);
    const set = { id, token_digest: sha256Hex(token), date_expires: until.toISOString() };
    await app.copy('access_tokens', `user_id = '${userId}' LIMIT 1`, set);
    return { id, token };
  };

  const credentialOf = async ({ userId }: Person): Promise<string> => {
    const [row] = await app.run('SELECT id FROM credentials WHERE user_id = $1 ORDER BY date_created LIMIT 1', [userId]);
    return row?.['id'] ?? '';
  };
  const witnessedBy = ({ first, second }: Witnessed, { id, challenge }: { readonly id: string; readonly challenge: string }) => {
    const nothing = { publicKey: null, clientData: null, signature: null, authenticatorData: null };
    const asserted = { orgId: office.orgId, id, challenge, credentialUuid: first, secondCredentialUuid: second };
    return {
      ...{ public_key: null, client_data: null, signature: null, authenticator_data: null, first_factor_kind: 'Password' },
      second_factor: { kind: 'Totp', credentialUuid: second, ...nothing },
      witness: witnessOf(box('user-actions'), asserted),
    };
  };

  /** A forged user action: its row is complete, but the user's key did not sign it. */
  const forgedAction = async (person: Person, path: string, text: string, { used = false, witnessed }: Forging = {}) => {
    const session = await forgedSession(person);
    const own = { userId: person.userId, uuid: witnessed?.first ?? (await credentialOf(person)) };
    const [credential] = await app.run('SELECT id, credential_id, public_key FROM credentials WHERE id = $1', [own.uuid]);
    const id = newId('userAction');
    const nonce = randomBytes(16);
    const fields = {
      ...{ method: 'POST', path, bodySha256: sha256Hex(text), approvalDigest: null, anchor: null },
      ...{
        credentialIds: witnessed?.credentialIds ?? [credential?.['credential_id'] ?? ''],
        dateExpires: new Date(Date.now() + 5 * MINUTE_MS),
      },
    };
    const challenge = challengeOf(nonce, { orgId: office.orgId, userId: person.userId, ...fields });
    const { privateKey } = generateKeyPairSync('ed25519');
    const client = new Client(installation().baseUrl, { token: session.token, credId: person.key.credId, privateKey });
    const { credentialAssertion } = client.factor(challenge) as { credentialAssertion: Record<string, string> };
    await app.copy('user_actions', `date_signed IS NOT NULL LIMIT 1`, {
      ...{ user_id: person.userId, credential_uuid: credential?.['id'] },
      ...{
        id,
        token_id: session.id,
        method: 'POST',
        path,
        body_sha256: fields.bodySha256,
        approval_digest: null,
        decided: null,
        anchor: null,
      },
      ...{ credential_ids: fields.credentialIds, nonce: nonce.toString('base64url'), challenge },
      ...{ date_created: new Date(), date_expires: fields.dateExpires, date_signed: new Date() },
      ...{ date_consumed: used ? new Date() : null, client_data: credentialAssertion['clientData'] },
      ...{ signature: credentialAssertion['signature'], public_key: credential?.['public_key'] },
      ...(witnessed ? witnessedBy(witnessed, { id, challenge }) : {}),
      ...{ sealed_body: sealBody(box('user-actions'), { orgId: office.orgId, id }, text) },
    });
    const userAction = await tokens.sign('userAction', { id, userId: person.userId, orgId: office.orgId }, fields.dateExpires);
    return { id, client, userAction };
  };

  test('the API process has no key, frame key or socket of the signer, and no other role of the database', () => {
    expect(Object.keys(env).filter((name) => /SIGNER|RELAY|WORKER|OWNER/.test(name))).toEqual([]);
    expect(new URL(env['DATABASE_URL'] ?? '').username).toBe('strongroom_app');
    expect(env['NODE_ENV']).toBe('production');
  });

  test('a known limit of SECURITY.md: with a session in another user’s name, the attacker reads what the user may read', async () => {
    const { token } = await forgedSession(office.ada);
    const client = new Client(installation().baseUrl, { ...office.ada.client.identity, token });
    expect(await client.get('/wallets')).toMatchObject({ status: 200 });
    const body = JSON.stringify({ network: 'EthereumSepolia' });
    expect(await client.send({ method: 'POST', path: '/wallets', text: body })).toMatchObject({ status: 403 });
  });

  test('the API accepts a transfer with a user action that its user never signed, and the worker fails the transfer', async () => {
    const wallet = await office.wallet('free');
    ledger.watch(wallet);
    const path = `/wallets/${wallet.id}/transfers`;
    const text = JSON.stringify({ kind: 'Native', to: ledger.thief, amount: AMOUNT.toString() });
    const { client, userAction } = await forgedAction(office.ada, path, text);
    const taken = ok(
      await client.send({ method: 'POST', path, text, headers: { 'x-svc-useraction': userAction } }),
    ) as TransferBody;
    const ended = await ledger.end(office.ada, { ...taken, wallet });
    expect(ended).toMatchObject({ status: 'Failed', reason: expect.stringContaining('AssertionInvalid') });
  });

  test('open, as SECURITY.md says: a signature by password and one-time code is only as trustworthy as the API', async () => {
    const wallet = await office.wallet('free');
    const [first, second] = [newId('credential'), newId('credential')];
    const credentialIds = [`${first}-id`, `${second}-id`];
    for (const [index, kind] of ['Password', 'Totp'].entries()) {
      // The credentials look as if their user had added them.
      await app.copy('credentials', `user_id = '${office.ada.userId}' LIMIT 1`, {
        ...{ id: [first, second][index], credential_id: credentialIds[index], kind, public_key: '', secret: 'sealed' },
      });
    }
    const path = `/wallets/${wallet.id}/transfers`;
    await ledger.goesThrough(office.ada, wallet, async (to) => {
      const text = JSON.stringify({ kind: 'Native', to, amount: AMOUNT.toString() });
      const { client, userAction } = await forgedAction(office.ada, path, text, { witnessed: { first, second, credentialIds } });
      const sent = await client.send({ method: 'POST', path, text, headers: { 'x-svc-useraction': userAction } });
      return { ...(ok(sent) as TransferBody), wallet };
    });
  });

  test('open, as SECURITY.md says: the service sends mail to any address that the API specifies', async () => {
    const [id, to] = [newId('mail'), 'victim@elsewhere.example'];
    const content = { to, template: 'RecoveryStopped', data: { username: 'victim' } };
    await app.copy('mails', 'true LIMIT 1', {
      ...{
        id,
        template: content.template,
        date_expires: new Date(Date.now() + 60 * MINUTE_MS),
        date_ended: null,
        status: 'Waiting',
      },
      sealed_content: box('mails').seal(JSON.stringify(content), mailContext(office.orgId, id)),
    });
    await app.dispatch('start', id, { workflow: SEND_MAIL });
    await waitUntil('the mail', () => installation().mailedTo().includes(to));
  });

  test('votes that the voters never signed are rejected', async () => {
    const asked = await ledger.ask(office.ada, await office.wallet());
    for (const voter of [office.ben, office.cyd]) {
      const path = `/v2/policy-approvals/${asked.approvalId}/decisions`;
      const { id } = await forgedAction(voter, path, '{"value":"Approved"}', { used: true });
      await app.run(
        `INSERT INTO approval_votes (org_id, approval_id, user_id, value, user_action_id) VALUES ($1, $2, $3, 'Approved', $4)`,
        [office.orgId, asked.approvalId, voter.userId, id],
      );
    }
    await app.run(`UPDATE approvals SET status = 'Approved' WHERE id = $1`, [asked.approvalId]);
    await app.dispatch('signal', asked.id, { signal: 'approvalChanged' });
    expect(await ledger.end(office.ada, asked)).toMatchObject({
      status: 'Failed',
      reason: expect.stringContaining('lacks the votes'),
    });
  });

  test('a correctly sealed but unsigned request to export a key is refused, and its row contains no share', async () => {
    const wallet = await office.wallet();
    const { encryptionKey } = await createRecipient();
    const text = JSON.stringify({ encryptionKey, supportedSchemes: [] });
    const action = await forgedAction(office.ada, `/keys/${wallet.keyId}/export`, text, { used: true });
    await app.run(`UPDATE organizations SET settings = settings || '{"keyExport":true}'`);
    const id = newId('keyRequest');
    await app.run(
      `INSERT INTO key_requests (org_id, id, kind, key_id, user_id, user_action_id, status, sealed_question)
       VALUES ($1, $2, 'Export', $3, $4, $5, 'Pending', $6)`,
      [
        ...[office.orgId, id, wallet.keyId, office.ada.userId, action.id],
        sealQuestion(box('key-requests'), id, { kind: 'Export', recipientKey: encryptionKey }),
      ],
    );
    await app.dispatch('start', id, { workflow: KEY_REQUEST });
    const row = async () => (await app.run('SELECT status, refusal, sealed_answer FROM key_requests WHERE id = $1', [id]))[0];
    await waitUntil('the refusal', async () => (await row())?.['status'] === 'Refused');
    expect(await row()).toMatchObject({ refusal: 'Unproven AssertionInvalid', sealed_answer: null });
    await app.run(`UPDATE organizations SET settings = settings - 'keyExport'`);
  });

  test('the signer serves no client without its frame key', async () => {
    const { SIGNER_SOCKET: path = '' } = environmentOfProcess(installation().service.pid(), 'worker/main.js');
    for (const authKey of [dataKey, randomBytes(32)]) {
      const signer = createSignerClient({ place: { path }, authKey, timeoutMs: 1_000 });
      await expect(signer.health()).rejects.toThrow();
    }
  });

  test('a data key that is sealed for the signer does not open under the data key-encryption key', async () => {
    const [row] = await app.run('SELECT org_id, id, kek_id, wrapped, commitment FROM data_keys LIMIT 1');
    expect(row).toBeDefined();
    const dek = {
      orgId: office.orgId,
      dekId: row?.['id'],
      kekId: row?.['kek_id'],
      wrappedHex: row?.['wrapped'],
      commitHex: row?.['commitment'],
    };
    await expect(openDek(createFileKek(Buffer.from(dataKey)), dek as never, office.orgId)).rejects.toThrow();
  });

  test('open, as SECURITY.md says: content that is sealed under the data key-encryption key is read', async () => {
    const [row] = await app.run(
      `SELECT org_id AS "orgId", id, sealed_body AS "sealedBody", body_sha256 AS "bodySha256" FROM user_actions
       WHERE sealed_body IS NOT NULL LIMIT 1`,
    );
    expect(openBody(box('user-actions'), Sealed.parse(row))).toContain('{');
  });

  test('workers that the attacker instructs through Temporal do not sign waiting requests or release freezes', async () => {
    const { orgId, ada } = office;
    const asked = await ledger.ask(ada, await office.wallet());
    const ref = { orgId, transferId: asked.id };
    const { wallet } = asked;
    const target = { kind: 'Wallet', id: wallet.id };
    const frozen = await ada.client.change('POST', '/freezes', { target, reason: 'It looks wrong' });
    const { id: freezeId } = ok(frozen) as { readonly id: string };
    const [chain, main, signer] = ['chain-EthereumSepolia', 'main', 'signer'];
    const answers = [
      await hands.run(main, 'evaluateTransfer', [ref]),
      await hands.run(main, 'readHold', [ref, asked.approvalId]),
      await hands.run(chain, 'prepareTransfer', [{ ...ref, through: true }]),
      await hands.run(signer, 'signTransfer', [ref]),
      await hands.run(chain, 'broadcastTransfer', [ref]),
      await hands.run(signer, 'applyFreeze', [{ orgId, freezeId }]),
    ];
    // The signing step returns `Signed` for every row without a final state, even if nothing was signed.
    expect(answers).toMatchObject([{ outcome: 'Held' }, { status: 'Pending' }, 'PolicyChanged', 'Signed', undefined, 'Standing']);
    const [sealed] = await app.run('SELECT id FROM payloads WHERE transfer_id = $1', [asked.id]);
    expect(sealed).toBeUndefined();
    const [row] = await app.run('SELECT state FROM transfers WHERE id = $1', [asked.id]);
    expect(row).toEqual({ state: 'AwaitingApproval' });
    ok(await ada.client.change('DELETE', `/freezes/${freezeId}`));
    await ledger.approve(office, asked);
  });
}

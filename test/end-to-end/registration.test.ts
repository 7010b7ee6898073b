import { generateKeyPairSync } from 'node:crypto';
import { Client } from '../support/client';
import { createKeyCredential } from '../support/key-credentials';
import type { StoppableService } from '../support/service';
import { joinService } from '../support/shared-service';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

let service: StoppableService;
beforeAll(async () => {
  service = await joinService();
});
afterAll(() => service?.close());

const USERNAME = 'newcomer@example.com';

/** Waits for the latest mail to the newcomer, and returns its text from the page of the mailbox. */
async function mailTo(mailboxUrl: string, subject: RegExp): Promise<string> {
  return waitUntil('the mail', async () => {
    const list = await (await fetch(mailboxUrl)).text();
    const row = list.split('<tr>').find((one) => one.includes(USERNAME) && subject.test(one));
    const path = row && /href="([^"]+)"/.exec(row)?.[1];
    return path && (await fetch(`${mailboxUrl}${path}`)).text();
  });
}

test('a newcomer is invited, reads the code on the page of the mailbox, registers, logs in and signs', async () => {
  const { baseUrl, mailboxUrl, orgId } = service.firstRun();
  const say = async (path: string, body: unknown, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as never;
  };
  const admin = service.client('admin');
  const created = await admin.change('POST', '/auth/users', { email: USERNAME, kind: 'CustomerEmployee' });
  expect(created.status).toBe(200);

  const mail = await mailTo(mailboxUrl, /registration code/);
  const registrationCode = /Registration code: ([0-9A-Z-]{11})/.exec(mail)?.[1] ?? '';
  expect(mail).toContain(orgId);
  expect(mail).toContain(`${baseUrl}/sign-in`);

  const begun: { challenge: string; temporaryAuthenticationToken: string } = await say('/auth/registration/init', {
    orgId,
    username: USERNAME,
    registrationCode,
  });
  const keys = generateKeyPairSync('ed25519');
  const key = createKeyCredential('Key', keys);
  const firstFactorCredential = key.attest(begun.challenge);
  await say('/auth/registration', { firstFactorCredential }, begun.temporaryAuthenticationToken);
  expect(await mailTo(mailboxUrl, /You are registered/)).toContain(USERNAME);

  const login: { challenge: string; challengeIdentifier: string } = await say('/auth/login/init', { orgId, username: USERNAME });
  const { challengeIdentifier } = login;
  const { token }: { token: string } = await say('/auth/login', {
    challengeIdentifier,
    firstFactor: key.assert(login.challenge),
  });
  const client = new Client(baseUrl, { token, credId: key.credId, privateKey: keys.privateKey });
  expect(await client.userAction('POST', '/wallets', '{}')).toEqual(expect.any(String));

  // Only the mail contains the code. The log does not.
  expect(service.log()).not.toContain(registrationCode);
});

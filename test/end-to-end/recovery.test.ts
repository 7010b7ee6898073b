import { generateKeyPairSync } from 'node:crypto';
import { Client } from '../support/client';
import { createKeyCredential } from '../support/key-credentials';
import { codeMailedTo, mailTo } from '../support/mailbox';
import type { StoppableService } from '../support/service';
import { joinService } from '../support/shared-service';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

let service: StoppableService;
beforeAll(async () => {
  service = await joinService();
});
afterAll(() => service?.close());

const USERNAME = 'forgetful@example.com';

test('a waiting recovery is announced by mail, survives a restart of the service in Temporal, and is stopped with the former credentials', async () => {
  const { baseUrl, orgId } = service.firstRun();
  const say = async (path: string, body: unknown, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as never;
  };
  type Challenge = { readonly challenge: string; readonly temporaryAuthenticationToken: string };
  const admin = service.client('admin');
  expect((await admin.change('PUT', '/organizations/settings', { recoveryWaitHours: 1 })).status).toBe(200);
  await admin.change('POST', '/auth/users', { email: USERNAME, kind: 'CustomerEmployee' });

  const said = { orgId, username: USERNAME };
  const registrationCode = await codeMailedTo(service, USERNAME, 'registration');
  const begun: Challenge = await say('/auth/registration/init', { ...said, registrationCode });
  const keys = generateKeyPairSync('ed25519');
  const [key, recoveryKey] = [createKeyCredential('Key', keys), createKeyCredential('RecoveryKey')];
  const first = { firstFactorCredential: key.attest(begun.challenge), recoveryCredential: recoveryKey.attest(begun.challenge) };
  await say('/auth/registration', first, begun.temporaryAuthenticationToken);

  await say('/auth/recover/user/code', said);
  const verificationCode = await codeMailedTo(service, USERNAME, 'recovery');
  const challenge: Challenge = await say('/auth/recover/user/init', {
    ...said,
    verificationCode,
    credentialId: recoveryKey.credId,
  });
  const newCredentials = { firstFactorCredential: createKeyCredential().attest(challenge.challenge) };
  const recovery = recoveryKey.assert(Buffer.from(JSON.stringify(newCredentials)).toString('base64url'));
  const waiting: { recovery: { id: string } } = await say(
    '/auth/recover/user',
    { recovery, newCredentials },
    challenge.temporaryAuthenticationToken,
  );
  const { id } = waiting.recovery;
  expect(await mailTo(service, USERNAME, /recovery was started/i)).toContain(USERNAME);
  const workflow = async () => {
    const { temporalUiUrl } = service.firstRun();
    const response = await fetch(`${temporalUiUrl}/api/v1/namespaces/default/workflows/${id}`);
    const { workflowExecutionInfo } = (await response.json()) as { workflowExecutionInfo?: { status: string } };
    return workflowExecutionInfo?.status;
  };
  await waitUntil('the workflow', async () => (await workflow()) === 'WORKFLOW_EXECUTION_STATUS_RUNNING');

  await service.stop();
  await service.start();
  const { challenge: text, challengeIdentifier }: { challenge: string; challengeIdentifier: string } = await say(
    '/auth/login/init',
    said,
  );
  const { token }: { token: string } = await say('/auth/login', { challengeIdentifier, firstFactor: key.assert(text) });
  const client = new Client(baseUrl, { token, credId: key.credId, privateKey: keys.privateKey });
  expect((await client.get('/auth/recover/user')).body).toMatchObject({ items: [{ id, status: 'Waiting' }] });
  expect(await client.change('DELETE', `/auth/recover/user/${id}`)).toMatchObject({ status: 200, body: { status: 'Stopped' } });
  await waitUntil('the end of the workflow', async () => (await workflow()) === 'WORKFLOW_EXECUTION_STATUS_COMPLETED');
  expect(await mailTo(service, USERNAME, /recovery was stopped/i)).toContain(USERNAME);
});

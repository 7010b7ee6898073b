import { beginLogin, completeLogin } from '../../../application/login/login';
import { beginRecovery } from '../../../application/recovery/recovery';
import type { Person } from '../../support/api';
import { countedDatabase } from '../../support/counted-database';
import { type RecoveryApi, startRecoveryApi } from '../../support/recovery-api';

let api: RecoveryApi;
let orgId: string;
let person: Person & { readonly recoveryKey: { readonly credId: string } };
let gone: Person;
beforeAll(async () => {
  api = await startRecoveryApi();
  orgId = await api.createOrganization();
  person = await api.createRecoverable(orgId);
  gone = await api.createPerson(orgId);
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [gone.userId]);
});
afterAll(() => api?.close());

const UNKNOWN_ORG = 'or-01abc-01abc-0123456789abcdef';
const PASSWORD = { kind: 'Password', password: 'no such password' } as const;

/** The calls to the database during this work, whether the work succeeds or not. */
async function askedBy(work: (services: Parameters<typeof beginRecovery>[0]) => Promise<unknown>): Promise<string> {
  const { db, asked } = countedDatabase(api.db);
  const nobody = async () => {
    throw new Error('nothing is sent here');
  };
  const dispatcher = { carryOut: nobody, execute: nobody, tryNow: nobody };
  await work({ ...api.services, db, tokens: api.tokens, dispatcher }).catch(() => undefined);
  return asked.join(' ');
}

const everybody = () => [
  { orgId, username: person.username },
  { orgId, username: gone.username },
  { orgId, username: 'nobody@example.com' },
  { orgId: UNKNOWN_ORG, username: person.username },
];
const all = (questions: readonly string[]) => new Set(questions).size;

test('a login makes the same calls to the database for every username', async () => {
  const questions: string[] = [];
  for (const asked of everybody()) questions.push(await askedBy((services) => beginLogin(services, asked)));
  expect(questions[0]).toBe('read.row read.rows begin tx.clock tx.insert');
  expect(all(questions)).toBe(1);
});

test('a login with a wrong code makes the same calls for every username, whether or not there is a code', async () => {
  await api.call('POST', '/auth/login/code', { orgId, username: person.username });
  await api.mailedCode(person, 'LoginCode');
  const questions: string[] = [];
  for (const asked of everybody()) {
    questions.push(await askedBy((services) => beginLogin(services, { ...asked, loginCode: '000-000-000' })));
  }
  expect(questions[0]).toBe('read.row read.rows begin tx.clock tx.insert tx.query tx.query');
  expect(all(questions)).toBe(1);
});

test('the completion of a login with a wrong factor makes the same calls for every username', async () => {
  const questions: string[] = [];
  for (const asked of everybody()) {
    const { challengeIdentifier, challenge } = await api.begin(asked);
    const key = person.client.factor(`${challenge}x`) as { kind: 'Key'; credentialAssertion: never };
    for (const firstFactor of [PASSWORD, key]) {
      questions.push(await askedBy((services) => completeLogin(services, challengeIdentifier, { firstFactor })));
    }
  }
  expect(questions[0]).toBe('read.row read.row read.rows');
  expect(all(questions)).toBe(1);
});

test('a recovery with a wrong code makes the same calls for every username', async () => {
  await api.call('POST', '/auth/recover/user/code', { orgId, username: person.username });
  await api.mailedCode(person, 'RecoveryCode');
  const questions: string[] = [];
  for (const asked of everybody()) {
    const said = { ...asked, verificationCode: '000-000-000', credentialId: person.recoveryKey.credId };
    questions.push(await askedBy((services) => beginRecovery(services, said)));
  }
  expect(questions[0]).toBe('read.row read.rows begin tx.row tx.query tx.query');
  expect(all(questions)).toBe(1);
});

import { randomBytes } from 'node:crypto';
import { createMailActivities } from '../../../activities/mails/mails';
import { queueMail } from '../../../application/mails/mails';
import type { Mail, MailEnd } from '../../../domain/mails';
import { MailEntity } from '../../../entities/mails/mail.entity';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import { createMailer } from '../../../platform/mailer';
import { createSecretBox } from '../../../platform/secret-box';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startMailServer, type TestMailServer } from '../../support/mail-server';

const CODE = 'ABC-DEF-GHJ';
const TO = 'person@example.com';
const FROM = { name: '', address: 'strongroom@example.com' };

let database: TestDatabase;
let server: TestMailServer;
let orgId: string;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  server = await startMailServer();
  orgId = await database.createOrganization();
  userId = newId('user');
  const user = { orgId, id: userId, username: TO, name: TO, kind: 'CustomerEmployee' as const };
  await database.db.withOrg(orgId, (tx) => tx.insert(UserEntity, user));
});
afterEach(() => server.close());
afterAll(() => database?.close());

const mailContents = createSecretBox(randomBytes(32), 'mails');
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

async function queued(mail: Partial<Mail> = {}): Promise<string> {
  const data = { code: CODE, dateExpires: inAnHour() };
  const whole = { userId, to: TO, template: 'LoginCode', data, ...mail } as Mail;
  const { aggregateId } = await database.db.withOrg(orgId, (tx) => queueMail(tx, { mailContents }, whole));
  return aggregateId;
}
const ends: MailEnd[] = [];
const activities = (port = server.port, db = database.db) =>
  createMailActivities({
    db,
    mailer: createMailer(new URL(`smtp://127.0.0.1:${port}`), FROM, false),
    mailContents,
    pageUrl: 'https://strongroom.example/sign-in',
    onMailEnd: (end) => ends.push(end),
  });
const rowOf = (id: string) => database.db.read(orgId).row(MailEntity, 'WHERE t.id = $1', [id]);

test('neither the mail row nor the outbox shows the code or the address of a waiting mail', async () => {
  const id = await queued();
  const row = await rowOf(id);
  expect(row).toMatchObject({ status: 'Waiting', template: 'LoginCode', dateEnded: null });
  const outbox = await database.db.read(orgId).rows(OutboxRowEntity, '');
  expect(outbox).toMatchObject([{ kind: 'start', aggregateId: id, routing: { workflow: 'sendMail' } }]);
  for (const secret of [CODE, TO]) expect(JSON.stringify([row, outbox])).not.toContain(secret);
});

test('a mail is sent with its code, organisation and page, and its content is then deleted', async () => {
  const id = await queued();
  expect(await activities().sendMail({ orgId, mailId: id })).toBe('Sent');
  const [mail] = server.arrived;
  expect(mail).toMatchObject({ to: [{ address: TO }], subject: `Your login code for Organisation ${orgId}` });
  for (const part of [CODE, TO, orgId, 'https://strongroom.example/sign-in']) expect(mail?.text).toContain(part);
  expect(await rowOf(id)).toMatchObject({ status: 'Sent', sealedContent: null, dateEnded: expect.any(Date) });
  expect(ends.splice(0)).toEqual(['Sent']);
});

test('a further attempt for a mail that was sent has no effect', async () => {
  const id = await queued();
  await activities().sendMail({ orgId, mailId: id });
  expect(await activities().sendMail({ orgId, mailId: id })).toBe('Gone');
  expect(server.arrived).toHaveLength(1);
});

test('after a crash before the commit, the mail is sent once more, under the same message id', async () => {
  const id = await queued();
  const dying = { ...database.db, withOrg: () => Promise.reject(new Error('the worker died here')) };
  await expect(activities(server.port, dying).sendMail({ orgId, mailId: id })).rejects.toThrow('died');
  expect(await activities().sendMail({ orgId, mailId: id })).toBe('Sent');
  expect(server.arrived.map(({ messageId }) => messageId)).toEqual([`<${id}@example.com>`, `<${id}@example.com>`]);
});

test('a mail waits, with its content, while no server answers', async () => {
  const id = await queued();
  await expect(activities(1).sendMail({ orgId, mailId: id })).rejects.toMatchObject({ code: 'MailServerUnavailable' });
  expect(await rowOf(id)).toMatchObject({ status: 'Waiting', sealedContent: expect.any(String) });
  expect(await activities().sendMail({ orgId, mailId: id })).toBe('Sent');
});

test('a code that has expired is not mailed, and its content is deleted', async () => {
  const id = await queued({ data: { code: CODE, dateExpires: new Date(Date.now() - 1_000).toISOString() } } as Partial<Mail>);
  expect(await activities().sendMail({ orgId, mailId: id })).toBe('Expired');
  expect(server.arrived).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ status: 'Expired', sealedContent: null });
});

test('a recipient that is not an address is refused, and the content of its mail is deleted', async () => {
  const id = await queued({ to: 'end user, of a customer' });
  expect(await activities().sendMail({ orgId, mailId: id })).toBe('Refused');
  expect(await rowOf(id)).toMatchObject({ status: 'Refused', sealedContent: null });
});

test('a mail decrypts only under its own organisation and id', async () => {
  const [one, other] = [
    await queued(),
    await queued({ data: { code: 'ABC-123-DEF', dateExpires: inAnHour() } } as Partial<Mail>),
  ];
  await database.db.withOrg(orgId, (tx) =>
    tx.query(`UPDATE mails SET sealed_content = (SELECT sealed_content FROM mails WHERE id = $1) WHERE id = $2`, [other, one]),
  );
  await expect(activities().sendMail({ orgId, mailId: one })).rejects.toThrow();
  expect(server.arrived).toEqual([]);
});

test('every mail contains the username and the organisation, and no name can add a line to a mail', async () => {
  await database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE organizations SET name = $2 WHERE id = $1', [orgId, 'Acme\r\n\r\nYour bank asks: click here']),
  );
  const code = { code: CODE, dateExpires: inAnHour() };
  const username = TO;
  const mails: readonly Pick<Mail, 'template' | 'data'>[] = [
    { template: 'RegistrationCode', data: code },
    { template: 'LoginCode', data: code },
    { template: 'RecoveryCode', data: code },
    { template: 'RecoveryStarted', data: { username, dateEffective: inAnHour() } },
    { template: 'ReissueStarted', data: { username, dateEffective: inAnHour(), dateExpires: inAnHour() } },
    { template: 'RecoveryStopped', data: { username } },
    { template: 'RecoveryCompleted', data: { username } },
    { template: 'UserRegistered', data: { username } },
  ];
  for (const mail of mails) {
    const id = await queued(mail as Partial<Mail>);
    expect([mail.template, await activities().sendMail({ orgId, mailId: id })]).toEqual([mail.template, 'Sent']);
  }
  expect(server.arrived).toHaveLength(mails.length);
  for (const { subject, text } of server.arrived) {
    expect(`${subject} ${text}`).toContain(TO);
    expect(subject).toContain('Acme Your bank asks');
    expect(text?.split('\n').filter((line) => line.startsWith('Your bank'))).toEqual([]);
  }
});

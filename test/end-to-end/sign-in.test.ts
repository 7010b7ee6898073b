import type { Browser, Page } from 'playwright-core';
import { type Authenticator, launchBrowser, virtualAuthenticators } from '../support/browser';
import { codeMailedTo } from '../support/mailbox';
import type { StoppableService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, ok, RECIPIENT, type TransferBody, type WalletBody } from '../support/story';

jest.setTimeout(300_000);

const EMAIL = 'anna@strongroom.test';

let service: StoppableService;
let browser: Browser;
let page: Page;
let plugIn: Awaited<ReturnType<typeof virtualAuthenticators>>;
let authenticator: Authenticator;
let anna: string;
let wallet: WalletBody;
beforeAll(async () => {
  [browser, service] = await Promise.all([launchBrowser(), joinService()]);
  page = await browser.newPage();
  plugIn = await virtualAuthenticators(page);
  authenticator = await plugIn();
  const admin = service.client('admin');
  wallet = await fundedWallet(service, admin);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** A passkey belongs to a host name, so the browser opens the page by name and not by address. */
const address = () => service.firstRun().baseUrl.replace('127.0.0.1', 'localhost');
const open = (place: string) => page.goto(`${address()}/sign-in#${place}`);
const heading = (text: string) => page.getByRole('heading', { name: text }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

async function fill(action: string, values: Readonly<Record<string, string>>): Promise<void> {
  const form = page.locator('form', { has: page.getByRole('button', { name: action, exact: true }) });
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value);
  await press(action);
}

const notice = (text: string | RegExp) => page.locator('#notice', { hasText: text }).waitFor();
const logIn = async () => {
  await open('login');
  await page.reload();
  await fill('Log in with a passkey', { Organisation: service.firstRun().orgId, 'E-mail': EMAIL });
  await heading('Waiting for you');
};

const permissionCalled = async (wanted: string) => {
  const { items } = ok(await service.client('admin').get('/permissions')) as { items: { id: string; name: string }[] };
  return items.find(({ name }) => name === wanted)?.id;
};

/** A change that the page's own code signs with the passkey. The code is text, because a compiler would rewrite `import`. */
const change = (method: string, path: string, fields: object): Promise<unknown> =>
  page.evaluate(
    `import('/sign-in/session.js').then(({ change }) => change(${[method, path, fields].map((one) => JSON.stringify(one)).join(', ')}))`,
  );

test('a person who was invited by mail registers a passkey and receives a recovery kit', async () => {
  const admin = service.client('admin');
  const invited = ok(await admin.change('POST', '/auth/users', { email: EMAIL, kind: 'CustomerEmployee' })) as { userId: string };
  anna = invited.userId;
  await open('register');
  await fill('Register with a passkey', {
    Organisation: service.firstRun().orgId,
    'E-mail': EMAIL,
    'Registration code': await codeMailedTo(service, EMAIL, 'registration'),
  });
  await heading('You are registered');
  expect(await page.locator('#recovery-kit-text').textContent()).toMatch(/^\S+\n([0-9A-Z]{4}-){7}[0-9A-Z]{4}$/);
  expect(await authenticator.count()).toBe(1);
});

let kit = '';
test('without a permission the page shows what the user may not see; with the role Approver the page lists the approvals', async () => {
  kit = (await page.locator('#recovery-kit-text').textContent()) ?? '';
  await logIn();
  await page.getByText('You may not see this').waitFor();
  expect(await page.locator('#notice').textContent()).toBe('');
  expect(await page.locator('#credentials tr').count()).toBe(2);
  await page.getByRole('button', { name: 'Log out', exact: true }).waitFor();

  const admin = service.client('admin');
  ok(await admin.change('POST', `/permissions/${await permissionCalled('Approver')}/assignments`, { identityId: anna }));
  await logIn();
  await page.getByText('Nothing waits for you.').waitFor();
});

test('the user logs in with the passkey, starts a transfer and adds a second passkey', async () => {
  const admin = service.client('admin');
  const full = await permissionCalled('ManagedFullAdminAccess');
  ok(await admin.change('POST', `/permissions/${full}/assignments`, { identityId: anna }));

  await logIn();
  const body = { kind: 'Native', to: RECIPIENT, amount: '1000' };
  const sent = (await change('POST', `/wallets/${wallet.id}/transfers`, body)) as TransferBody;
  expect(await ended(admin, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed' });

  // An authenticator that already has a passkey refuses a second one, but the first passkey must sign for the new one.
  await authenticator.unplug();
  const other = await plugIn();
  await page.route('**/auth/action/init', async (route) => {
    expect(await other.count()).toBe(1);
    await other.unplug();
    await authenticator.plugBack();
    await route.continue();
  });
  await press('Add a passkey');
  await notice('The passkey was added.');
  await page.unroute('**/auth/action/init');
  // The page reads the list again after the notice.
  await page.locator('#credentials tr').nth(2).waitFor();
  expect(await page.locator('#credentials tr').count()).toBe(3);
});

/** Requests a transfer as the admin. The transfer then waits for Anna's approval. */
async function held(): Promise<TransferBody> {
  const admin = service.client('admin');
  const body = { kind: 'Native', to: RECIPIENT, amount: '4711' };
  return ok(await admin.change('POST', `/wallets/${wallet.id}/transfers`, body)) as TransferBody;
}

test('an approver sees recipient, amount, fee ceiling and policies, and approves with the passkey', async () => {
  const admin = service.client('admin');
  const group = { name: 'Finance', quorum: 1, approvers: { userId: { in: [anna] } } };
  const action = { kind: 'RequestApproval', approvalGroups: [group] };
  const policy = { name: 'Anna looks', activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' }, action };
  ok(await admin.change('POST', '/v2/policies', policy));
  const transfer = await held();
  expect(transfer.status).toBe('Pending');

  await logIn();
  await page.locator('#waiting a').first().click();
  await heading('You are asked to approve');
  const shown = ((await page.locator('#envelope').textContent()) ?? '').toLowerCase();
  expect(shown).toContain(RECIPIENT.toLowerCase());
  expect(shown).toContain('4711');
  expect(shown).toMatch(/fee/);
  await press('Approve with a passkey');
  await notice('Approved.');
  expect(await ended(admin, wallet.id, transfer.id)).toMatchObject({ status: 'Confirmed' });
});

test('a service that shows a wrong amount, or requests a signature for something else, does not get a signature', async () => {
  const transfer = await held();
  const path = `**/v2/policy-approvals/${transfer.approvalId}/evidence`;
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('4711', '1') });
  });
  await logIn();
  await page.locator('#waiting a').first().click();
  await notice('does not show what a signature on it would cover');
  await page.unroute(path);

  await page.route('**/auth/action/init', async (route) => {
    const asked = JSON.parse(route.request().postData() ?? '{}') as Record<string, string>;
    const response = await route.fetch({ postData: JSON.stringify({ ...asked, userActionPayload: '{"value":"Denied"}' }) });
    await route.fulfill({ response });
  });
  await logIn();
  await page.locator('#waiting a').first().click();
  await press('Approve with a passkey');
  await notice('The challenge is for another request (bodySha256). Nothing was signed.');
  await page.unroute('**/auth/action/init');
  const approval = ok(await service.client('admin').get(`/v2/policy-approvals/${transfer.approvalId}`));
  expect(approval).toMatchObject({ status: 'Pending', decisions: [] });
});

test('a user who has lost every passkey regains access with the recovery kit, and the old passkeys become invalid', async () => {
  await authenticator.forgetAll();
  await open('recover');
  await page.reload();
  const who = { Organisation: service.firstRun().orgId, 'E-mail': EMAIL };
  await fill('Send me a code', who);
  await notice('a code is on its way');
  const recovery = { ...who, Code: await codeMailedTo(service, EMAIL, 'recovery'), 'Recovery kit (both lines)': kit };
  await fill('Recover with a new passkey', recovery);
  await heading('Recovered');
  await logIn();
  expect(await page.locator('#credentials tr').count()).toBe(2);
});

test('a wrong code is refused with a message that does not help an attacker who guesses codes', async () => {
  await open('register');
  await page.reload();
  await fill('Register with a passkey', {
    Organisation: service.firstRun().orgId,
    'E-mail': 'nobody@strongroom.test',
    'Registration code': '000-000-000',
  });
  await notice('Not Authorized.');
});

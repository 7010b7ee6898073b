import type { Browser, Page } from 'playwright-core';
import { digestOf } from '../../../platform/canonical';
import { sha256Hex } from '../../../platform/digests';
import { startApi, type TestApi } from '../../support/api';
import { launchBrowser } from '../../support/browser';
import { enter, openPage, PHONE, widthOf } from '../../support/sign-in-page';

jest.setTimeout(60_000);

const [STORE, GROUP, US, NOON] = ['ks-1', 'fg-1', 'us-1', '2026-11-30T12:00:00.000Z'];
const DIGEST = '0123456789abcdef'.repeat(4);
const GROUP_IN_REVIEW = {
  ...{ groupId: GROUP, storeId: STORE, orgId: 'or-1', status: 'InReview', createdBy: 'us-2', dateCreated: NOON },
  ...{ endsAt: '2026-12-30T12:00:00.000Z', submittedBy: 'us-3', dateSubmitted: NOON },
  operations: [{ operationId: 'fo-1', kind: 'Genesis', status: 'InReview', dateCreated: NOON }],
  proposal: {
    ...{ outputDigest: 'ab'.repeat(32), device: { serial: 'D-1', fingerprint: '0123 4567' }, newKeys: 3 },
    manifest: {
      ...{ digest: DIGEST, n: 0, threshold: 2, devices: [], provisioners: [], operators: [] },
      ...{ numSecp256k1: 2, numEd25519: 1 },
    },
  },
};

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

/** Logs in, and shows this group. The service accepts each approval, and the group stays in review. */
async function openGroup(more: object): Promise<Page> {
  const page = await openPage(browser, api.url, `#group/${STORE}/${GROUP}`);
  const group = { ...GROUP_IN_REVIEW, ...more };
  await page.route(`**/key-stores/${STORE}/**`, (route) => route.fulfill({ json: group }));
  await page.route('**/auth/action/init', (route) => {
    const asked = route.request().postDataJSON() as Record<string, string>;
    const commitment = {
      ...{ org: 'or-1', user: US, method: asked['userActionHttpMethod'], path: asked['userActionHttpPath'] },
      bodySha256: sha256Hex(asked['userActionPayload'] ?? ''),
    };
    const challenge = Buffer.concat([Buffer.alloc(16), Buffer.from(digestOf(commitment as never), 'hex')]).toString('base64url');
    const passkey = { rp: { id: 'localhost' }, allowCredentials: { webauthn: [] }, userVerification: 'required' };
    return route.fulfill({ json: { challenge, challengeIdentifier: 'x', commitment, ...passkey } });
  });
  await page.route('**/auth/action', (route) => route.fulfill({ json: { userAction: 'signed' } }));
  await enter(page, US);
  await page.locator('#next').waitFor();
  expect(await widthOf(page)).toBeLessThanOrEqual(PHONE.width);
  return page;
}

test('the page says how many people must approve, and that the first approval waits for the others', async () => {
  const page = await openGroup({ reviewersMissing: 2 });
  expect(await page.locator('#next').textContent()).toContain('2 people must approve.');
  await page.getByLabel('Fingerprint of the manifest').fill(DIGEST.slice(0, 32));
  await page.getByRole('button', { name: 'Approve with a passkey', exact: true }).click();
  await page.locator('#notice', { hasText: 'Your approval is recorded. Others must approve too.' }).waitFor();
  await page.context().close();
});

test('a person who has approved sees that others must approve, and cannot review again', async () => {
  const page = await openGroup({ reviewersMissing: 1, earlierReviews: [{ reviewedBy: US, dateReviewed: NOON }] });
  const next = await page.locator('#next').textContent();
  expect(next).toContain('one more person must compare');
  expect(next).toContain('You have approved the output.');
  expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
  expect(await page.locator('#about').textContent()).toContain('Approved by');
  await page.context().close();
});

test('a person who made the group sees how many people must still approve', async () => {
  const page = await openGroup({ createdBy: US, reviewersMissing: 2 });
  expect(await page.locator('#next').textContent()).toContain('2 more people must compare');
  await page.context().close();
});

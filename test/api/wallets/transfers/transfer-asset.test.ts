import { newId } from '../../../../platform/ids';
import type { FakeToken } from '../../../support/fake-node';
import { tablesHolding } from '../../../support/tables-holding';
import { RECIPIENT, startTransferApi, type TransferApi, type TransferBody } from '../../../support/transfer-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let transfers: TransferApi;
beforeAll(async () => {
  transfers = await startTransferApi({ own: 'it searches every table' });
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const TRAVEL_RULE = {
  kind: 'TravelRuleVendor',
  originator: { naturalPerson: { name: 'Ana Original' } },
  beneficiary: { naturalPerson: { name: 'Ben Ficiary' } },
  beneficiaryVASPdid: 'did:web:exchange.example',
};
const nested = (depth: number): object => (depth === 0 ? {} : { in: nested(depth - 1) });
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('200: a held transfer is returned as Pending, with its approval and the members that the API describes', async () => {
  const answer = await transfers.ask({ amount: '42', priority: 'Fast' });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      id: expect.stringMatching(/^xfr-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      walletId: transfers.wallet.id,
      network: 'EthereumSepolia',
      requester: { userId: transfers.admin.userId, tokenId: transfers.admin.tokenId },
      requestBody: { kind: 'Native', to: RECIPIENT, amount: '42', priority: 'Fast' },
      metadata: { asset: { symbol: 'ETH', decimals: 18, verified: true } },
      status: 'Pending',
      approvalId: expect.stringMatching(/^ap-/),
      dateRequested: expect.stringMatching(ISO),
    },
  });
  expect(Object.values(answer.body)).not.toContain(null);
});

test('200: a blocked transfer is returned as Rejected, with the policy that blocks it', async () => {
  const wallet = await transfers.createWallet();
  const policy = await transfers.admin.client.change('POST', '/v2/policies', {
    name: 'Nothing leaves',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'AlwaysTrigger' },
    action: { kind: 'Block' },
    filters: { walletId: { in: [wallet.id] } },
  });
  expect(policy.status).toBe(200);
  const answer = await transfers.ask({}, wallet.id);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: 'Rejected',
      reason: expect.stringContaining('Nothing leaves'),
      datePolicyResolved: expect.stringMatching(ISO),
    },
  });
});

test('200: the same request with the same externalId returns the first transfer', async () => {
  const first = await transfers.request({ externalId: 'rent-1' });
  const again = await transfers.request({ externalId: 'rent-1' });
  expect(again.id).toBe(first.id);
});

test('200: while no node answers, a repeated request returns the first transfer from its row', async () => {
  const contract = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
  transfers.node.tokens.set(contract.toLowerCase(), { decimals: 6, symbol: 'TUSD', balanceUnits: 2n ** 200n });
  const asked = { kind: 'Erc20', contract, externalId: 'rent-token' };
  const { id } = await transfers.request(asked);
  transfers.node.isDown = true;
  expect(await transfers.ask(asked)).toMatchObject({ status: 200, body: { id } });
  expect(await transfers.ask({ ...asked, amount: '7' })).toMatchObject(refusal(409, 'Conflict'));
  transfers.node.isDown = false;
});

test('400: the required externalId is missing; a transfer with an externalId is paid once (S16)', async () => {
  const { client } = transfers.admin;
  expect((await client.change('PUT', '/organizations/settings', { externalIdRequired: true })).status).toBe(200);
  const before = await transfers.count();
  expect(await transfers.ask()).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.externalId')));
  expect(await transfers.count()).toBe(before);
  const { id } = await transfers.request({ externalId: 'rent-16' });
  expect((await transfers.request({ externalId: 'rent-16' })).id).toBe(id);
  expect((await client.change('PUT', '/organizations/settings', { externalIdRequired: false })).status).toBe(200);
  expect((await transfers.ask()).status).toBe(200);
});

test('409: a different amount or wallet with the same externalId; the error contains the id of the first transfer', async () => {
  const { id } = await transfers.request({ externalId: 'rent-2' });
  const duplicate = { duplicate: { id, externalId: 'rent-2' } };
  expect(await transfers.ask({ externalId: 'rent-2', amount: '1001' })).toMatchObject(refusal(409, 'Conflict', duplicate));
  const other = await transfers.createWallet();
  expect(await transfers.ask({ externalId: 'rent-2' }, other.id)).toMatchObject(refusal(409, 'Conflict', duplicate));
});

test('200: an ERC-20 transfer describes its token; 400: the decimals of the token differ from those at its first use', async () => {
  transfers.node.tokens.set(CONTRACT.toLowerCase(), { decimals: 6, symbol: 'TST', balanceUnits: 2n ** 200n });
  const answer = await transfers.ask({ kind: 'Erc20', contract: CONTRACT });
  expect(answer).toMatchObject({ status: 200, body: { metadata: { asset: { symbol: 'TST', decimals: 6, verified: false } } } });
  transfers.node.tokens.set(CONTRACT.toLowerCase(), { decimals: 18, symbol: 'TST', balanceUnits: 2n ** 200n });
  expect(await transfers.ask({ kind: 'Erc20', contract: CONTRACT })).toMatchObject(refusal(400, 'AssetNotSupported'));
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['a minus sign', { amount: '-1' }, 'body.amount'],
  ['a plus sign', { amount: '+1' }, 'body.amount'],
  ['a decimal point', { amount: '1.5' }, 'body.amount'],
  ['an exponent', { amount: '1e18' }, 'body.amount'],
  ['a leading zero', { amount: '01' }, 'body.amount'],
  ['79 digits', { amount: '9'.repeat(79) }, 'body.amount'],
  ['an amount that exceeds 256 bits', { amount: (2n ** 256n).toString() }, 'body.amount'],
  ['zero', { amount: '0' }, 'body.amount'],
  ['zero of a token', { kind: 'Erc20', contract: CONTRACT, amount: '0' }, 'body.amount'],
  ['no digits', { amount: '' }, 'body.amount'],
  ['a number in place of a text', { amount: 1000 }, 'body.amount'],
  ['a missing amount', { amount: undefined }, 'body.amount'],
  ['an address of another network', { to: 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw' }, 'body.to'],
  ['a wrong checksum', { to: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' }, 'body.to'],
  ['a short address', { to: '0x1234' }, 'body.to'],
  ['a contract for a native transfer', { contract: CONTRACT }, 'body.contract'],
  ['an ERC-20 transfer without its contract', { kind: 'Erc20' }, 'body.contract'],
  ['an unknown kind', { kind: 'Nft' }, 'body.kind'],
  ['a memo together with an encrypted amount', { kind: 'Erc7984', contract: CONTRACT, memo: 'rent' }, 'body.memo'],
  ['an amount for a non-fungible token', { kind: 'Erc721', contract: CONTRACT, tokenId: '1' }, 'body.amount'],
  [
    'a token number with a leading zero',
    { kind: 'Erc721', contract: CONTRACT, tokenId: '01', amount: undefined },
    'body.tokenId',
  ],
  ['a memo on a network without memos', { memo: 'rent' }, 'body.memo'],
  ['an unknown member', { orgId: 'or-1' }, 'body.orgId'],
  ['an unknown priority', { priority: 'Fastest' }, 'body.priority'],
  ['an external id of 51 characters', { externalId: 'x'.repeat(51) }, 'body.externalId'],
  ['an empty external id', { externalId: '' }, 'body.externalId'],
  ['a travel rule payload that is not an object', { travelRule: 'Ana' }, 'body.travelRule'],
  ['a travel rule payload without its kind', { travelRule: { ...TRAVEL_RULE, kind: undefined } }, 'body.travelRule.kind'],
  ['a travel rule payload for another vendor', { travelRule: { ...TRAVEL_RULE, kind: 'Other' } }, 'body.travelRule.kind'],
  [
    'a travel rule payload without originator',
    { travelRule: { ...TRAVEL_RULE, originator: undefined } },
    'body.travelRule.originator',
  ],
  ['a beneficiary that is a list', { travelRule: { ...TRAVEL_RULE, beneficiary: [] } }, 'body.travelRule.beneficiary'],
  ['a proof that is a text', { travelRule: { ...TRAVEL_RULE, beneficiaryProof: 'signed' } }, 'body.travelRule.beneficiaryProof'],
  [
    'an empty service of the beneficiary',
    { travelRule: { ...TRAVEL_RULE, beneficiaryVASPdid: '' } },
    'body.travelRule.beneficiaryVASPdid',
  ],
  [
    'a service of the beneficiary that is null',
    { travelRule: { ...TRAVEL_RULE, beneficiaryVASPdid: null } },
    'body.travelRule.beneficiaryVASPdid',
  ],
  ['an unknown member of the travel rule payload', { travelRule: { ...TRAVEL_RULE, orgId: 'or-1' } }, 'body.travelRule.orgId'],
  [
    'a travel rule payload of more than 16 KiB',
    { travelRule: { ...TRAVEL_RULE, originator: { name: 'x'.repeat(16_384) } } },
    'body.travelRule',
  ],
  ['a travel rule payload that nests nine deep', { travelRule: { ...TRAVEL_RULE, originator: nested(8) } }, 'body.travelRule'],
])('400: for %s, the error contains the path, and nothing is written', async (_title, body, path) => {
  const before = await transfers.count();
  const answer = await transfers.ask(body);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { status: 400, details: faultAt(path) } });
  expect(await transfers.count()).toBe(before);
});

const HIDDEN = { kind: 'Erc7984', contract: '0x8464135c8F25Da09e49BC8782676a84730C318bC' };
const hides = (handle: string) => ({ decimals: 6, symbol: 'cTST', balanceUnits: 0n, handle });
const HELD = hides(`0x${'ab'.repeat(32)}`);

test('200: an encrypted amount is requested in plain text, and the answer reports that the moved amount is unknown', async () => {
  transfers.node.tokens.set(HIDDEN.contract.toLowerCase(), HELD);
  const answer = await transfers.ask({ ...HIDDEN, amount: (2n ** 64n - 1n).toString() });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: 'Pending',
      requestBody: { ...HIDDEN, amount: '18446744073709551615' },
      metadata: { asset: { symbol: 'cTST', decimals: 6, verified: false } },
      details: { amountMoved: 'Unknown' },
    },
  });
  const sponsored = { ...HIDDEN, feeSponsorId: newId('feeSponsor') };
  expect(await transfers.ask(sponsored)).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.feeSponsorId')));
});

test.each<[string, FakeToken | undefined, Readonly<Record<string, unknown>>, string, string]>([
  ['more than 64 bits', HELD, { amount: (2n ** 64n).toString() }, 'InvalidRequest', 'body.amount'],
  ['an address without a contract', undefined, {}, 'AssetNotSupported', 'body.contract'],
  ['a token that hides nothing', { decimals: 6, symbol: 'TST', balanceUnits: 9n }, {}, 'AssetNotSupported', 'body.contract'],
  ['a wallet that never held the token', hides(`0x${'0'.repeat(64)}`), {}, 'TransferWouldFail', 'body.amount'],
  ['a wallet that cannot pay the fee', HELD, { poor: true }, 'TransferWouldFail', 'body.amount'],
])('400: an encrypted transfer with %s, and nothing is written', async (_what, token, { poor, ...body }, code, path) => {
  const { node } = transfers;
  const { nativeUnits } = node;
  if (token) node.tokens.set(HIDDEN.contract.toLowerCase(), token);
  if (poor) node.nativeUnits = 1n;
  const before = await transfers.count();
  const answer = await transfers.ask({ ...HIDDEN, ...body });
  Object.assign(node, { nativeUnits });
  node.tokens.clear();
  expect(answer).toMatchObject(refusal(400, code, faultAt(path)));
  expect(await transfers.count()).toBe(before);
});

test('200: the balance is unknown while no node answers, and even the largest amount is recorded exactly', async () => {
  const amount = (2n ** 256n - 1n).toString();
  transfers.node.isDown = true;
  const recorded = await transfers.request({ amount });
  transfers.node.isDown = false;
  expect(recorded).toMatchObject({ requestBody: { amount } });
});

/** The minimum fee: the minimum gas at twice the base fee plus the minimum tip. */
const FEE = 21_000n * 4_100_000_000n;

test.each<[string, { readonly native: bigint; readonly token?: bigint }, Readonly<Record<string, unknown>>, boolean]>([
  ['the amount and the minimum fee', { native: 1000n + FEE }, {}, true],
  ['one unit less than the amount and the minimum fee', { native: 999n + FEE }, {}, false],
  ['one unit less than the amount', { native: 999n }, {}, false],
  ['the tokens and the minimum fee', { native: FEE, token: 1000n }, { kind: 'Erc20', contract: CONTRACT }, true],
  ['one token unit less than the amount', { native: FEE, token: 999n }, { kind: 'Erc20', contract: CONTRACT }, false],
  [
    'the tokens and one unit less than the minimum fee',
    { native: FEE - 1n, token: 1000n },
    { kind: 'Erc20', contract: CONTRACT },
    false,
  ],
])(
  '200 or 400: from a wallet that has %s, a transfer is accepted, or is refused and nothing is stored',
  async (_has, { native, token = 0n }, body, fits) => {
    const { node } = transfers;
    const before = await transfers.count();
    const { nativeUnits } = node;
    node.nativeUnits = native;
    node.tokens.set(CONTRACT.toLowerCase(), { decimals: 6, symbol: 'TST', balanceUnits: token });
    const answer = await transfers.ask(body);
    Object.assign(node, { nativeUnits });
    node.tokens.clear();
    if (fits) expect(answer.status).toBe(200);
    else expect(answer).toMatchObject(refusal(400, 'TransferWouldFail', faultAt('body.amount')));
    expect(await transfers.count()).toBe(before + (fits ? 1 : 0));
  },
);

test('200: a repeated request is accepted even if the wallet no longer has the amount', async () => {
  const { node } = transfers;
  const { nativeUnits } = node;
  const { id } = await transfers.request({ externalId: 'rent-spent' });
  node.nativeUnits = 0n;
  const [again, other] = [await transfers.ask({ externalId: 'rent-spent' }), await transfers.ask()];
  Object.assign(node, { nativeUnits });
  expect([again.status, (again.body as TransferBody).id, other.status]).toEqual([200, id, 400]);
});

test('400: the contract is not a token', async () => {
  const nobody = '0x000000000000000000000000000000000000dEaD';
  const noToken = refusal(400, 'AssetNotSupported', faultAt('body.contract'));
  expect(await transfers.ask({ kind: 'Erc20', contract: nobody })).toMatchObject(noToken);
  expect(await transfers.ask({ kind: 'Erc721', contract: nobody, tokenId: '1', amount: undefined })).toMatchObject(noToken);
});

test('404: a wallet that is unknown, belongs to another organisation, or is not the end user’s own', async () => {
  const path = `/wallets/${transfers.wallet.id}/transfers`;
  const body = { kind: 'Native', to: RECIPIENT, amount: '1' };
  expect(await transfers.ask({}, newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await transfers.stranger.client.change('POST', path, body)).toMatchObject(refusal(404, 'NotFound'));
  const endUser = await transfers.api.createPerson(transfers.orgId, { kind: 'EndUser' });
  expect(await endUser.client.change('POST', path, body)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Transfers:Create, without a user action, and with the user action for a different request', async () => {
  const reader = await transfers.api.createPerson(transfers.orgId, { operations: ['Wallets:Transfers:Read', 'Wallets:Read'] });
  const path = `/wallets/${transfers.wallet.id}/transfers`;
  const body = { kind: 'Native', to: RECIPIENT, amount: '1' };
  expect(await reader.client.change('POST', path, body)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await transfers.admin.client.post(path, body)).toMatchObject(refusal(403, 'UserActionInvalid'));
  const text = JSON.stringify(body);
  const forOther = await transfers.admin.client.userAction('POST', path, JSON.stringify({ ...body, amount: '2' }));
  const answer = await transfers.admin.client.send({ method: 'POST', path, text, headers: { 'x-svc-useraction': forOther } });
  expect(answer).toMatchObject(refusal(403, 'UserActionInvalid'));
});

test('400: one user action is used forty times at once, and exactly one use creates a transfer', async () => {
  const { client } = transfers.admin;
  const path = `/wallets/${transfers.wallet.id}/transfers`;
  const text = JSON.stringify({ kind: 'Native', to: RECIPIENT, amount: '777' });
  const userAction = await client.userAction('POST', path, text);
  const before = await transfers.count();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => client.send({ method: 'POST', path, text, headers: { 'x-svc-useraction': userAction } })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(39);
  expect(await transfers.count()).toBe(before + 1);
});

test('404: the request is refused, and its user action stays unused', async () => {
  const { client } = transfers.admin;
  const path = `/wallets/${newId('wallet')}/transfers`;
  const text = JSON.stringify({ kind: 'Native', to: RECIPIENT, amount: '5' });
  const userAction = await client.userAction('POST', path, text);
  const send = () => client.send({ method: 'POST', path, text, headers: { 'x-svc-useraction': userAction } });
  expect(await send()).toMatchObject(refusal(404, 'NotFound'));
  expect(await send()).toMatchObject(refusal(404, 'NotFound'));
});

test('401: without a token', async () => {
  const answer = await fetch(`${transfers.api.url}/wallets/${transfers.wallet.id}/transfers`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
});

test('503: no node answers for an ERC-20 transfer, and nothing is written', async () => {
  transfers.node.isDown = true;
  const before = await transfers.count();
  const answer = await transfers.ask({ kind: 'Erc20', contract: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512' });
  transfers.node.isDown = false;
  expect(answer).toMatchObject(refusal(503, 'NetworkUnavailable'));
  expect(await transfers.count()).toBe(before);
});

test('200: a body with unusual spacing is authorised by its bytes exactly as they were sent', async () => {
  const { client } = transfers.admin;
  const path = `/wallets/${transfers.wallet.id}/transfers`;
  const text = `{ "kind": "Native",\n "to": "${RECIPIENT}", "amount": "3" }`;
  const userAction = await client.userAction('POST', path, text);
  const answer = await client.send({ method: 'POST', path, text, headers: { 'x-svc-useraction': userAction } });
  expect((answer.body as TransferBody).status).toBe('Pending');
});

test('200: travel rule data is shown to permitted readers, and is stored sealed in a single table', async () => {
  const travelRule = { ...TRAVEL_RULE, beneficiaryProof: { kind: 'SelfDeclared', of: ['a', { deep: true }] } };
  const { id, ...asked } = await transfers.request({ travelRule, externalId: 'people-1' });
  expect(asked).toMatchObject({ requestBody: { kind: 'Native', travelRule } });
  const path = `/wallets/${transfers.wallet.id}/transfers`;
  expect((await transfers.admin.client.get(`${path}/${id}`)).body).toMatchObject({ requestBody: { travelRule } });
  const { items } = (await transfers.admin.client.get(path)).body as { readonly items: readonly { readonly id: string }[] };
  expect(items.find((one) => one.id === id)).toMatchObject({ requestBody: { travelRule } });
  // Finding a text that is not sealed shows that the search works.
  expect(await tablesHolding(transfers.api.database.name, 'people-1')).toContain('transfers');
  for (const name of ['Ana Original', 'Ben Ficiary']) {
    expect(await tablesHolding(transfers.api.database.name, name)).toEqual([]);
  }
  // The approval that holds the transfer shows the rest of the body.
  const approval = (await transfers.admin.client.get(`/v2/policy-approvals/${String(Reflect.get(asked, 'approvalId'))}`)).body;
  expect(approval).toMatchObject({ activity: { transferRequest: { requestBody: { kind: 'Native', to: RECIPIENT } } } });
  expect(JSON.stringify(approval)).not.toContain('travelRule');
});

test('409: different travel rule data with the same externalId; 200: the same data with its members in a different order', async () => {
  const { originator, beneficiary, ...rest } = TRAVEL_RULE;
  const first = await transfers.request({ travelRule: TRAVEL_RULE, externalId: 'people-2' });
  const again = await transfers.request({ travelRule: { beneficiary, ...rest, originator }, externalId: 'people-2' });
  expect(again.id).toBe(first.id);
  const others = { ...TRAVEL_RULE, originator: { naturalPerson: { name: 'Cem Other' } } };
  for (const travelRule of [others, undefined]) {
    expect(await transfers.ask({ travelRule, externalId: 'people-2' })).toMatchObject(refusal(409, 'Conflict'));
  }
});

test('200: the approval of a transfer covers its travel rule data', async () => {
  const digestOfApproval = async (travelRule: unknown) => {
    const { approvalId } = await transfers.request({ travelRule });
    const read = transfers.api.database.db.read(transfers.orgId);
    const [row] = await read.select<{ digest: string | null }>(
      `SELECT v.facts->'envelope'->>'travelRuleDigest' AS digest FROM approvals a
       JOIN verdicts v ON v.org_id = a.org_id AND v.activity_id = a.activity_id WHERE a.id = $1`,
      [approvalId ?? ''],
    );
    return row?.digest;
  };
  const [one, other, none] = [
    await digestOfApproval(TRAVEL_RULE),
    await digestOfApproval({ ...TRAVEL_RULE, beneficiary: { name: 'B' } }),
    await digestOfApproval(undefined),
  ];
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(other).not.toBe(one);
  expect(none).toBeNull();
});

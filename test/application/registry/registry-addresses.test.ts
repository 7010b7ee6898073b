import { listedAddresses } from '../../../application/registry/listed-addresses';
import type { Rule } from '../../../domain/policies';
import { insertPolicy, insertWallet, judgeTransfer } from '../../support/held-activity';
import { BLOCK } from '../../support/policies';
import { errorId, firstIssue, policyBody } from '../../support/policy-api';
import { OTHER_PAYEE, PAYEE, type RegistryApi, startRegistryApi } from '../../support/registry-api';

let parts: RegistryApi;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());

const listed = (ids: readonly string[], network = 'EthereumSepolia') => listedAddresses(parts.db.read(parts.orgId), ids, network);
const active = (id: string, fromNow: string) =>
  parts.db.withOrg(parts.orgId, (tx) =>
    tx.query(
      `UPDATE registry_addresses SET date_active = clock_timestamp() + $3::interval WHERE org_id = $1 AND id = $2 RETURNING id`,
      [parts.orgId, id, fromNow],
    ),
  );

test('an entry lists its address only on its own network, from the end of its cooling period until its deletion', async () => {
  const { id } = await parts.enter({ address: PAYEE });
  expect(await listed([id])).toEqual({ [id]: PAYEE });
  expect(await listed([id], 'Ethereum')).toEqual({});
  await active(id, '1 hour');
  expect(await listed([id])).toEqual({});
  await active(id, '-1 millisecond');
  expect(await listed([id])).toEqual({ [id]: PAYEE });
  parts.body(await parts.admin.client.change('DELETE', `/registry/addresses/${id}`));
  expect(await listed([id])).toEqual({});
});

test('a whitelist entry admits its address, but not during the cooling period, nor after a change of address or a deletion', async () => {
  const { db, orgId, admin } = parts;
  const { id } = await parts.enter({ address: PAYEE });
  const walletId = await insertWallet(db, orgId);
  const rule: Rule = { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [], registryAddressIds: [id] } };
  const policyId = await insertPolicy(db, orgId, { rule, action: BLOCK, filters: { walletId: { in: [walletId] } } });
  const outcome = async (recipient = PAYEE) =>
    (await judgeTransfer(db, orgId, { walletId, initiatorId: admin.userId, recipients: [recipient] })).outcome;
  expect([await outcome(), await outcome(OTHER_PAYEE)]).toEqual(['Cleared', 'Blocked']);
  await active(id, '1 minute');
  expect(await outcome()).toBe('Blocked');
  await active(id, '0 seconds');
  expect(await outcome()).toBe('Cleared');
  parts.body(await admin.client.change('PUT', `/registry/addresses/${id}`, { name: 'Moved', address: OTHER_PAYEE }));
  expect([await outcome(), await outcome(OTHER_PAYEE)]).toEqual(['Blocked', 'Cleared']);
  parts.body(await admin.client.change('DELETE', `/registry/addresses/${id}`));
  expect(await outcome(OTHER_PAYEE)).toBe('Blocked');
  await parts.drop(policyId);
});

test('a policy that names an unknown, deleted or foreign entry is refused with the path', async () => {
  const [known, deleted] = [await parts.enter(), await parts.enter()];
  parts.body(await parts.admin.client.change('DELETE', `/registry/addresses/${deleted.id}`));
  const create = (ids: readonly string[], by = parts.admin) =>
    by.client.change(
      'POST',
      '/v2/policies',
      policyBody({
        rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [], registryAddressIds: ids } },
      }),
    );
  for (const id of ['adr-nobody', deleted.id]) {
    const { status, body } = await create([known.id, id]);
    expect([status, errorId(body), firstIssue(body)]).toEqual([
      400,
      'InvalidRequest',
      'body.rule.configuration.registryAddressIds.1',
    ]);
  }
  const stranger = await parts.stranger();
  expect(firstIssue((await create([known.id], stranger)).body)).toBe('body.rule.configuration.registryAddressIds.0');
  const { id } = parts.body<{ id: string }>(await create([known.id]));
  await parts.drop(id);
});

import { z } from 'zod';
import { operations } from '../../api/operations';
import { type Person, startApi, type TestApi } from '../support/api';
import { bodyOf, takesForm } from './body-of';
import { personOf, userActionFor } from './people';
import { snapshotOf } from './snapshot';

jest.setTimeout(240_000);

type Schema = { readonly [member: string]: unknown };
const MINUTE_MS = 60_000;

let api: TestApi;
const people = new Map<string, Person>();
beforeAll(async () => {
  api = await startApi({ own: 'it compares every table before and after' });
  const orgId = await api.createOrganization();
  for (const kind of ['CustomerEmployee', 'EndUser', 'ServiceAccount'] as const)
    people.set(kind, await personOf(api, orgId, kind));
});
afterAll(() => api?.close());

const withBody = operations.filter(({ method, body }) => method !== 'get' && !body.safeParse(undefined).success);

/** The paths of the objects in a schema that allow additional members. */
function openObjects(schema: unknown, place: string): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, at) => openObjects(one, `${place}[${at}]`));
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, additionalProperties } = schema as Schema;
  const own = type === 'object' && additionalProperties !== false ? [place] : [];
  return [...own, ...Object.entries(schema).flatMap(([name, member]) => openObjects(member, `${place}.${name}`))];
}

/** The outputs of a device are keyed by operation id, serial number or position. */
const OUTPUTS = 'body.$defs.FleetOutputBody.properties.outputJson.properties.outputs';
const SIGNED = 'body.$defs.FleetSignOutputBody.properties.outputJson.properties.outputs';

/**
 * Parts of bodies with members that this service does not define: typed data and arguments bring their own types,
 * and data about people, which is for a vendor, is sealed without being read.
 */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  transferAsset: ['originator', 'beneficiary', 'beneficiaryProof'].map(
    (name) => `body.$defs.TravelRulePayload.properties.${name}`,
  ),
  ...Object.fromEntries(
    ['Genesis', 'Clone', 'KeyHarvest', 'AddProvisioner', 'AddMacUser'].map((kind) => [
      `submit${kind}Output`,
      [OUTPUTS, `${OUTPUTS}.additionalProperties.properties.success.oneOf[0].properties.provisioners`],
    ]),
  ),
  ...Object.fromEntries(
    ['OnchainSign', 'ProofOfControl'].map((kind) => [
      `submit${kind}Output`,
      [SIGNED, `${SIGNED}.additionalProperties.oneOf[0].properties.result.anyOf[0].properties.success`],
    ]),
  ),
  createWallet: ['body.$defs.CreateWalletBody.properties.metadata'],
  importWallet: ['body.$defs.ImportWalletBody.properties.metadata'],
  updateWallet: ['body.$defs.UpdateWalletBody.properties.metadata.anyOf[0]'],
  callFunction: ['body.$defs.CallFunctionBody.properties.calldata'],
  broadcastTransaction: ['body.$defs.FunctionCall.properties.calldata'],
  keysGenerateSignature: [
    'body.$defs.SignEip712.properties.message',
    'body.$defs.Eip712Types',
    'body.$defs.SignSvcSmartAccountTransaction.properties.structured.properties.message.properties.message',
  ],
  walletsGenerateSignature: ['body.$defs.SignEip712.properties.message', 'body.$defs.Eip712Types'],
};

test.each(withBody.map(({ id }) => id))('%s allows no additional member at any depth, except in the listed places', (id) => {
  const body = operations.find((one) => one.id === id)?.body ?? z.undefined();
  expect(openObjects(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), 'body')).toEqual(OPEN[id] ?? []);
});

/** Members that an attacker adds in the hope that the API copies fields from the request to the row. */
const HOSTILE = ['{"orgId":"or-00000-00000-0000000000000000","isServiceAccount":true}', '{"__proto__":{"permissions":["*"]}}'];

test.each(withBody.map(({ id }) => id))(
  '400: the body for %s contains an organisation or a prototype, and nothing changes',
  async (id) => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) throw new Error(`no operation ${id}`);
    const path = operation.path.replace(/:\w+/g, 'wa-01jzz-zzzzz-zzzzzzzzzzzzzzzz');
    const method = operation.method.toUpperCase();
    const person = people.get(operation.callers[0] ?? 'CustomerEmployee');
    if (!person) throw new Error('no kind of caller may call the operation');
    const temporary = await api.tokens.sign(
      'temporary',
      { id: 'ch-01jzz-zzzzz-zzzzzzzzzzzzzzzz', userId: person.userId, orgId: person.orgId },
      new Date(Date.now() + MINUTE_MS),
    );
    const bearer = { Public: undefined, Temporary: temporary, Token: person.token }[operation.access ?? 'Token'];
    for (const text of HOSTILE) {
      const userAction = operation.userAction ? await userActionFor(api, person, { method, path, text }) : undefined;
      const before = await snapshotOf(api.database.name);
      const { headers, ...body } = bodyOf(takesForm(operation), text);
      const response = await fetch(`${api.url}${path}`, {
        ...{ method, ...body },
        headers: {
          ...headers,
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
          ...(userAction === undefined ? {} : { 'x-svc-useraction': userAction }),
        },
      });
      expect([id, response.status, await response.json()]).toMatchObject([id, 400, { error: { id: 'InvalidRequest' } }]);
      expect(await snapshotOf(api.database.name)).toEqual(before);
    }
    expect(Object.prototype).not.toHaveProperty('permissions');
  },
);

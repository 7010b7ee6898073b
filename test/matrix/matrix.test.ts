import type { Operation, TokenOperation } from '../../api/http/operation';
import { catalogueOf } from '../../api/http/permissions';
import { operations } from '../../api/operations';
import { CALLER_KINDS, type CallerKind } from '../../domain/callers';
import { ID_PREFIXES } from '../../domain/ids';
import { CATALOGUE } from '../../domain/permission-catalogue';
import { type Person, startApi, type TestApi } from '../support/api';
import { bodyOf, takesForm } from './body-of';
import { personalTokenOf, personOf, type Request, userActionFor } from './people';
import { snapshotOf } from './snapshot';

/** Within this limit every caller calls every operation. */
jest.setTimeout(300_000);

let api: TestApi;
let orgId: string;
let people: Readonly<Record<CallerKind, Person>>;
beforeAll(async () => {
  api = await startApi({ own: 'it compares every table before and after' });
  orgId = await api.createOrganization();
  const [CustomerEmployee, EndUser, ServiceAccount] = await Promise.all(CALLER_KINDS.map((kind) => personOf(api, orgId, kind)));
  if (!CustomerEmployee || !EndUser || !ServiceAccount) throw new Error('a kind of caller has no person');
  people = { CustomerEmployee, EndUser, ServiceAccount };
});
afterAll(() => api?.close());

const isKnown = (operation: Operation): operation is TokenOperation => operation.access === undefined;
const known = operations.filter(isKnown);
const open = operations.filter((operation) => !isKnown(operation));
const acting = known.filter(({ userAction }) => userAction);
const byId = (id: string) => known.find((one) => one.id === id) as TokenOperation;

const ULID = '01jzzzzzzzzzzzzzzzzzzzzzzz';
/** The path with an unused id in the place of each parameter. */
const pathOf = ({ path }: Operation, prefix: string = ID_PREFIXES.wallet): string =>
  path.replace(/:\w+/g, `${prefix}-${ULID.slice(0, 5)}-${ULID.slice(5, 10)}-${ULID.slice(10)}`);
type Sent = Request & { readonly isForm: boolean };
const requestOf = (operation: Operation): Sent => ({
  method: operation.method.toUpperCase(),
  path: pathOf(operation),
  text: operation.method === 'get' ? '' : '{}',
  isForm: takesForm(operation),
});

async function send({ method, path, text, isForm }: Sent, token: string | undefined, userAction?: string) {
  const { headers, ...body } = bodyOf(isForm, text);
  const response = await fetch(`${api.url}${path}`, {
    ...{ method, redirect: 'manual', ...body },
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(userAction === undefined ? {} : { 'x-svc-useraction': userAction }),
    },
  });
  const answer = (await response.json().catch(() => undefined)) as { readonly error?: { readonly id?: string } } | undefined;
  return { status: response.status, error: answer?.error?.id ?? '' };
}

type Call = readonly [request: Sent, token: string | undefined, userAction?: string | undefined];
type Refused = { readonly status: number; readonly error: string };

/** Sends a call for each case. The API must refuse each call in the same way, and no table of the database may change. */
function refuses<Case extends readonly string[]>(
  cases: readonly Case[],
  callOf: (one: Case) => Call | Promise<Call>,
  refused: Refused,
) {
  const answers = new Map<string, Refused>();
  let changed: readonly string[];
  beforeAll(async () => {
    const calls = await abreast(cases, async (one) => ({ name: one.join(' '), call: await callOf(one) }));
    const before = await snapshotOf(api.database.name);
    await abreast(calls, async ({ name, call }) => answers.set(name, await send(...call)));
    const after = await snapshotOf(api.database.name);
    changed = Object.keys(after).filter((table) => after[table] !== before[table] && !AUDIT_LOG.has(table));
  });
  test.each(cases.map((one) => one.join(' ')))(`${refused.status}: %s`, (name) => expect(answers.get(name)).toEqual(refused));
  test('nothing has changed in any table but those of the audit log', () => expect(changed).toEqual([]));
}

/** The audit log records the refusals of authenticated callers in these tables. */
const AUDIT_LOG: ReadonlySet<string> = new Set(['audit_entries', 'audit_pending']);

/** The number of simultaneous calls that the process answers without a long wait. */
const CALLS_ABREAST = 6;
async function abreast<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<readonly R[]> {
  const left = all.entries();
  const results: R[] = [];
  const lane = async () => {
    for (const [at, one] of left) results[at] = await act(one);
  };
  await Promise.all(Array.from({ length: CALLS_ABREAST }, lane));
  return results;
}

/** A person of a kind that may call the operation. */
const callerOf = ({ callers }: TokenOperation): Person => people[callers[0] ?? 'CustomerEmployee'];

/** The call by this person, with a user action if the operation requires one. */
async function callBy(operation: TokenOperation, person: Person): Promise<Call> {
  const request = requestOf(operation);
  return [request, person.token, operation.userAction ? await userActionFor(api, person, request) : undefined];
}

test('every operation specifies who may call it, and no two operations share method and path', () => {
  for (const operation of known) expect([operation.id, operation.callers.length > 0]).toEqual([operation.id, true]);
  for (const operation of open)
    expect([operation.id, operation.userAction, operation.permission]).toEqual([operation.id, false, null]);
  const places = operations.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':id')}`);
  expect(places).toEqual([...new Set(places)]);
});

const idOf = ({ id }: Operation): readonly [string] => [id];

describe('without a token', () => {
  refuses(known.map(idOf), ([id]) => [requestOf(byId(id)), undefined], { status: 401, error: 'Unauthorized' });
});

describe('with a token that has expired', () => {
  let expired: string;
  beforeAll(async () => {
    const { token, userId } = await personOf(api, orgId, 'CustomerEmployee');
    await api.database.db.withOrg(orgId, (tx) =>
      tx.query(`UPDATE access_tokens SET date_expires = clock_timestamp() WHERE org_id = $1 AND user_id = $2`, [orgId, userId]),
    );
    expired = token;
  });
  refuses(known.map(idOf), ([id]) => [requestOf(byId(id)), expired], { status: 401, error: 'Unauthorized' });
});

describe('by a kind of caller that may not call the operation', () => {
  const refused = known.flatMap((operation) =>
    CALLER_KINDS.filter((kind) => !operation.callers.includes(kind)).map((kind): [string, CallerKind] => [operation.id, kind]),
  );
  refuses(refused, ([id, kind]) => callBy(byId(id), people[kind]), { status: 403, error: 'Forbidden' });
});

describe('by a kind of caller that may call the operation', () => {
  const allowed = known.flatMap((operation) => operation.callers.map((kind): [string, CallerKind] => [operation.id, kind]));
  test.each(allowed)('%s by %s is not refused because of the caller’s kind or permissions', async (id, kind) => {
    const operation = byId(id);
    if (operation.method !== 'get' && !operation.userAction) return;
    const { status, error } = await send(requestOf(operation), people[kind].token);
    // The change passes every check up to the one that finds its user action missing.
    if (operation.userAction) expect({ status, error }).toEqual({ status: 403, error: 'UserActionInvalid' });
    // No worker runs workflows here, so an operation that queries a workflow returns 503.
    else expect([400, 404, 200, ...(id === 'listSigners' ? [503] : [])]).toContain(status);
  });
});

describe('with a personal access token on an operation that refuses these tokens', () => {
  const refusing = known.filter(({ refusesPersonalTokens }) => refusesPersonalTokens);
  test('at least one operation refuses these tokens', () => expect(refusing.length).toBeGreaterThan(0));
  const call = async ([id]: readonly [string]): Promise<Call> => [
    requestOf(byId(id)),
    await personalTokenOf(api, callerOf(byId(id))),
  ];
  refuses(refusing.map(idOf), call, { status: 403, error: 'Forbidden' });
});

describe("with every permission except the operation's own", () => {
  const asking = known.filter(({ permission }) => permission !== null);
  const all = catalogueOf(operations);
  const call = async ([id]: readonly [string]) => {
    const operation = byId(id);
    // A renamed permission has several names, and each of them grants the operation.
    const same = CATALOGUE.map(([latest, , formerly = '']) => [latest, ...formerly.split(' ')]).find((spellings) =>
      spellings.includes(operation.permission ?? ''),
    );
    const others = all.filter((name) => name !== operation.permission && !same?.includes(name));
    return callBy(operation, await personOf(api, orgId, operation.callers[0] ?? 'CustomerEmployee', others));
  };
  refuses(asking.map(idOf), call, { status: 403, error: 'Forbidden' });
});

describe('a change without a user action', () => {
  refuses(acting.map(idOf), ([id]) => [requestOf(byId(id)), callerOf(byId(id)).token], {
    status: 403,
    error: 'UserActionInvalid',
  });
});

describe('a change with a used user action', () => {
  const call = async ([id]: readonly [string]): Promise<Call> => {
    const request = requestOf(byId(id));
    const caller = callerOf(byId(id));
    return [request, caller.token, await userActionFor(api, caller, request, true)];
  };
  refuses(acting.map(idOf), call, { status: 400, error: 'UserActionUsed' });
});

describe('a change with a user action for', () => {
  const elsewhere: Readonly<Record<string, (request: Request) => Request>> = {
    'a different path': (request) => ({ ...request, path: `${request.path}x` }),
    'a different body': (request) => ({ ...request, text: '{ }' }),
    'a different method': (request) => ({ ...request, method: request.method === 'POST' ? 'PUT' : 'POST' }),
  };
  const cases = Object.keys(elsewhere).flatMap((name) => acting.map(({ id }): [string, string] => [name, id]));
  const call = async ([name, id]: [string, string]): Promise<Call> => {
    const request = requestOf(byId(id));
    const caller = callerOf(byId(id));
    return [request, caller.token, await userActionFor(api, caller, elsewhere[name]?.(request) ?? request)];
  };
  refuses(cases, call, { status: 403, error: 'UserActionInvalid' });
});

describe('a change with the user action of another user', () => {
  const call = async ([id]: readonly [string]): Promise<Call> => {
    const operation = byId(id);
    const request = requestOf(operation);
    const somebody = await personOf(api, orgId, operation.callers[0] ?? 'CustomerEmployee');
    return [request, callerOf(operation).token, await userActionFor(api, somebody, request)];
  };
  refuses(acting.map(idOf), call, { status: 403, error: 'UserActionInvalid' });
});

describe('with a temporary token', () => {
  const temporary = open.filter(({ access }) => access === 'Temporary');
  const cases = temporary.flatMap(({ id }): [string, string][] => [
    [id, 'without a token'],
    [id, 'with a bearer token in its place'],
  ]);
  const call = ([id, bearer]: [string, string]): Call => [
    requestOf(temporary.find((one) => one.id === id) as Operation),
    bearer === 'without a token' ? undefined : people.CustomerEmployee.token,
  ];
  refuses(cases, call, { status: 401, error: 'Unauthorized' });
});

import { createSignatureJudgementActivities } from '../../../activities/signatures/judge';
import { createSignatureSigningActivities } from '../../../activities/signatures/sign';
import { OrganizationEntity } from '../../../entities/organizations/organization.entity';
import { SignatureEntity } from '../../../entities/signatures/signature.entity';
import type { SignPayloadOrder } from '../../../signer/protocol';
import { createFixedPrices } from '../../../vendors/prices/fixed';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { BLOCK } from '../../support/policies';
import { TEST_PRICES } from '../../support/prices';
import { type SignatureApi, startSignatureApi } from '../../support/signature-api';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { waitUntil } from '../../support/wait-until';
import { START_LIMIT_MS } from '../../support/wallet-api';

/**
 * Two thirds of the requests fit into the lane (the queue) of a wallet. The last third does not need places: the policy stops
 * these requests.
 */
const REQUESTS = 24;

/** The moment relative to the policy: before its write, during its write, or after the write has returned. */
type Moment = 'before' | 'during' | 'after';
/** The result of a step that leads to a signature, and the moment at which the step was called. */
type Step = { readonly id: string; readonly asked: Moment; readonly said: string };

type Life = {
  readonly now: () => Moment;
  /** This pause comes between judging and signing. For every second record it lasts until the policy is in force. */
  readonly pause: () => Promise<unknown>;
  readonly judge: () => Promise<string>;
  readonly sign: () => Promise<string>;
};

/** Judges and tries to sign one record as its workflow does, until the record is signed or has ended. */
async function live(id: string, { now, pause, judge, sign }: Life): Promise<Step[]> {
  const steps: Step[] = [];
  for (;;) {
    const judged = await judge();
    if (judged !== 'Cleared') return [...steps, { id, asked: now(), said: judged }];
    await pause();
    const asked = now();
    const said = await sign();
    steps.push({ id, asked, said });
    if (said !== 'PolicyChanged') return steps;
  }
}

type Steps = { readonly judge: (id: string) => Promise<string>; readonly sign: (id: string) => Promise<string> };

/** Starts a third of the records before the policies are tightened, a third during the write, and a third after it. */
async function race(ids: readonly string[], { judge, sign }: Steps, tighten: () => Promise<unknown>): Promise<Step[]> {
  let moment: Moment = 'before';
  let judged = 0;
  const tightened = waitUntil('the first four requests to be judged', () => judged >= 4).then(async () => {
    moment = 'during';
    await tighten();
    moment = 'after';
  });
  const setOut = (some: readonly string[]) =>
    some.map((id, at) =>
      live(id, {
        now: () => moment,
        pause: () => (at % 2 === 0 ? tightened : Promise.resolve()),
        judge: async () => {
          const said = await judge(id);
          judged += 1;
          return said;
        },
        sign: () => sign(id),
      }),
    );
  const third = REQUESTS / 3;
  const lives = setOut(ids.slice(0, third));
  await waitUntil('the policy to be written', () => moment !== 'before');
  lives.push(...setOut(ids.slice(third, 2 * third)));
  await tightened;
  lives.push(...setOut(ids.slice(2 * third)));
  return (await Promise.all(lives)).flat();
}

const signedIn = (steps: readonly Step[], word: string) => steps.filter(({ said }) => said === word);

describe('transfers', () => {
  let database: TestDatabase;
  let steps: TransferSteps;
  beforeAll(async () => {
    database = await createTestDatabase(24);
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    steps = await createTransferSteps(database.db, await database.createOrganization());
  });

  const judge = async (id: string) => {
    const judged = await steps.evaluate(id);
    return judged.outcome === 'Ended' ? judged.state : judged.outcome;
  };
  const waiting = () =>
    Promise.all(Array.from({ length: REQUESTS }, () => steps.transfer({ state: 'Requested', policyEpoch: null })));

  test('once a caller has the answer that a policy is in force, no nonce is claimed against the policy', async () => {
    const ids = await waiting();
    const tighten = () => insertPolicy(database.db, steps.orgId, { action: BLOCK });
    const told = await race(ids, { judge, sign: (id) => steps.prepare(id) }, tighten);
    const ready = signedIn(told, 'Ready');
    expect(ready.filter(({ asked }) => asked === 'after')).toEqual([]);
    expect(signedIn(told, 'Rejected').length).toBe(REQUESTS - ready.length);
    expect(await steps.claims()).toHaveLength(ready.length);
  });

  test('each transfer that was judged before the policy, and is prepared only afterwards, is judged again and ends', async () => {
    const ids = await waiting();
    for (const id of ids) expect(await judge(id)).toBe('Cleared');
    await insertPolicy(database.db, steps.orgId, { action: BLOCK });
    expect(new Set(await Promise.all(ids.map((id) => steps.prepare(id))))).toEqual(new Set(['PolicyChanged']));
    expect(new Set(await Promise.all(ids.map(judge)))).toEqual(new Set(['Rejected']));
    expect(await steps.claims()).toEqual([]);
  });
});

describe('signature requests', () => {
  let signatures: SignatureApi;
  beforeAll(async () => {
    signatures = await startSignatureApi();
  }, START_LIMIT_MS);
  afterAll(() => signatures?.close());

  /** Requests that people have approved and no workflow has continued. */
  const approvedRequests = async (): Promise<string[]> => {
    await signatures.addPolicy({});
    const approver = await signatures.api.createPerson(signatures.orgId);
    const ids: string[] = [];
    while (ids.length < REQUESTS) {
      const { id, approvalId } = await signatures.request();
      const path = `/v2/policy-approvals/${approvalId}/decisions`;
      expect(await approver.client.change('POST', path, { value: 'Approved' })).toMatchObject({ status: 200 });
      ids.push(id);
    }
    return ids;
  };

  test('once a caller has the answer that a policy is in force, nothing is signed against the policy', async () => {
    const { api, orgId, signer } = signatures;
    const { db } = api.database;
    const orders: SignPayloadOrder[] = [];
    const epoch = async () => (await db.read(orgId).row(OrganizationEntity, 'WHERE t.id = $1', [orgId]))?.policyEpoch ?? 0;
    const recording = {
      ...signer.client,
      signPayload: async (order: SignPayloadOrder) => {
        orders.push(order);
        return signer.client.signPayload(order);
      },
    };
    const { evaluateSignature } = createSignatureJudgementActivities({
      ...APPROVING,
      causes: ANY_CAUSE,
      db,
      prices: createFixedPrices(TEST_PRICES),
    });
    const { signPayload } = createSignatureSigningActivities({ ...APPROVING, causes: ANY_CAUSE, db, signer: recording });
    const ids = await approvedRequests();
    const before = await epoch();

    const judge = async (signatureId: string) => {
      const judged = await evaluateSignature({ orgId, signatureId });
      return judged.outcome === 'Ended' ? judged.state : judged.outcome;
    };
    const sign = async (signatureId: string) => {
      const signed = await signPayload({ orgId, signatureId });
      return typeof signed === 'string' ? signed : 'Frozen';
    };
    const told = await race(ids, { judge, sign }, () => signatures.addPolicy({ action: BLOCK }));

    const signed = signedIn(told, 'Signed');
    expect(signed.filter(({ asked }) => asked === 'after')).toEqual([]);
    expect(signedIn(told, 'Rejected').length).toBe(REQUESTS - signed.length);
    expect(orders.map(({ requestId }) => requestId).sort()).toEqual(signed.map(({ id }) => id).sort());
    expect(new Set(orders.map(({ policyEpoch }) => policyEpoch))).toEqual(new Set(signed.length > 0 ? [before] : []));
    expect(await epoch()).toBe(before + 1);
    const rows = await db.read(orgId).rows(SignatureEntity, 'WHERE t.id = ANY($1)', [ids]);
    expect(rows.filter(({ state }) => state === 'Signed' || state === 'Rejected')).toHaveLength(REQUESTS);
  });
});

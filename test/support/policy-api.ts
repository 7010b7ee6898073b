import { INTEGRATION_KINDS } from '../../domain/integrations';
import { newId } from '../../platform/ids';
import { type Person, startApi } from './api';
import { holdTransfer, insertPolicy, insertWallet } from './held-activity';
import { askFor } from './policies';
import { connectVendor } from './vendors';

export type Issues = {
  readonly error: {
    readonly id: string;
    readonly message: string;
    readonly details: { readonly issues: { readonly path: string }[] };
  };
};

/** The real API with an organisation of two people. The first makes requests, and the second decides about them. */
export async function startPolicyApi() {
  const api = await startApi();
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId, { name: 'admin' });
  const approver = await api.createPerson(orgId, { name: 'approver' });
  const walletId = await insertWallet(api.database.db, orgId);
  for (const kind of INTEGRATION_KINDS) await connectVendor(api.database.db, orgId, kind);
  await insertPolicy(api.database.db, orgId, { action: askFor([{ name: 'Anyone', quorum: 1, approvers: {} }], 60) });
  return {
    api,
    orgId,
    walletId,
    admin,
    approver,
    /** Creates an approval for a transfer of this person, and returns the id of the approval. */
    hold: async (initiator: Person = admin): Promise<string> =>
      (await holdTransfer(api.database.db, orgId, { activityId: newId('transfer'), walletId, initiatorId: initiator.userId }))
        .approvalId,
    stranger: async (): Promise<Person> => api.createPerson(await api.createOrganization()),
    close: () => api.close(),
  };
}

export type PolicyApi = Awaited<ReturnType<typeof startPolicyApi>>;

/** Starts one policy API for the tests of a file, and creates a waiting approval before each test. `begin` receives both. */
export function eachWithApproval(begin: (parts: PolicyApi, approvalId: string) => void): void {
  let parts: PolicyApi;
  beforeAll(async () => {
    parts = await startPolicyApi();
  });
  afterAll(() => parts?.close());
  beforeEach(async () => begin(parts, await parts.hold()));
}

/** The path of the first refused member. */
export const firstIssue = (body: unknown): string | undefined => (body as Issues).error.details.issues[0]?.path;
export const errorId = (body: unknown): string => (body as Issues).error.id;

export const policyBody = (set: Record<string, unknown> = {}) => ({
  name: 'Ask before anything leaves',
  activityKind: 'Wallets:Sign',
  rule: { kind: 'AlwaysTrigger', configuration: {} },
  action: { kind: 'RequestApproval', approvalGroups: [{ name: 'Finance', quorum: 1, approvers: {} }] },
  ...set,
});

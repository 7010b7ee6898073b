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

/** The real API with an organisation of two people, the first of whom makes what the second decides. */
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
    /** The id of an approval for a transfer that this person asked for. */
    hold: async (initiator: Person = admin): Promise<string> =>
      (await holdTransfer(api.database.db, orgId, { activityId: newId('transfer'), walletId, initiatorId: initiator.userId }))
        .approvalId,
    stranger: async (): Promise<Person> => api.createPerson(await api.createOrganization()),
    close: () => api.close(),
  };
}

export type PolicyApi = Awaited<ReturnType<typeof startPolicyApi>>;

/** One of them for the tests of a file, and for each test an approval that waits, which `begin` takes. */
export function eachWithApproval(begin: (parts: PolicyApi, approvalId: string) => void): void {
  let parts: PolicyApi;
  beforeAll(async () => {
    parts = await startPolicyApi();
  });
  afterAll(() => parts?.close());
  beforeEach(async () => begin(parts, await parts.hold()));
}

/** The path of the first member that was refused. */
export const firstIssue = (body: unknown): string | undefined => (body as Issues).error.details.issues[0]?.path;
export const errorId = (body: unknown): string => (body as Issues).error.id;

export const policyBody = (set: Record<string, unknown> = {}) => ({
  name: 'Ask before anything leaves',
  activityKind: 'Wallets:Sign',
  rule: { kind: 'AlwaysTrigger', configuration: {} },
  action: { kind: 'RequestApproval', approvalGroups: [{ name: 'Finance', quorum: 1, approvers: {} }] },
  ...set,
});

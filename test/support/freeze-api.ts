import { reviewChange } from '../../application/change-requests/release';
import { RELEASING } from './releasing';
import { startWalletApi, type WalletApi, type WalletBody } from './wallet-api';

/** A freeze as the API returns it. */
export type FreezeBody = {
  readonly id: string;
  readonly status: string;
  readonly target: { readonly kind: string; readonly id: string };
  readonly dateSignerTold?: string;
};

export type FreezeApi = WalletApi & {
  readonly wallet: WalletBody;
  /** Decides about held releases. */
  readonly approver: WalletApi['admin'];
  /** Requests a freeze of the wallet or of another target, and returns the whole response. */
  readonly ask: (target?: object, by?: WalletApi['admin']) => ReturnType<WalletApi['admin']['client']['change']>;
  readonly freeze: (target?: object) => Promise<FreezeBody>;
  readonly release: (freezeId: string, by?: WalletApi['admin']) => ReturnType<WalletApi['admin']['client']['change']>;
  /** Makes every release wait for the approver's decision. */
  readonly guard: () => Promise<void>;
  readonly decide: (change: { readonly id: string; readonly approvalId: string }, value: 'Approved' | 'Denied') => Promise<void>;
};

/** The wallet API with one wallet, and a second person. */
export async function startFreezeApi(): Promise<FreezeApi> {
  const wallets = await startWalletApi();
  const { admin, api, orgId } = wallets;
  const approver = await api.createPerson(orgId);
  const wallet = await wallets.createWallet();
  const ask: FreezeApi['ask'] = (target = { kind: 'Wallet', id: wallet.id }, by = admin) =>
    by.client.change('POST', '/freezes', { target, reason: 'It looks wrong' });
  return {
    ...wallets,
    wallet,
    approver,
    ask,
    freeze: async (target) => {
      const answer = await ask(target);
      if (answer.status !== 200) throw new Error(`createFreeze returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    release: (freezeId, by = admin) => by.client.change('DELETE', `/freezes/${freezeId}`),
    guard: async () => {
      const policy = {
        name: 'Another person lets go',
        activityKind: 'Policies:Modify',
        rule: { kind: 'AlwaysTrigger', configuration: {} },
        action: { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: { userId: { in: [approver.userId] } } }] },
      };
      const answer = await admin.client.change('POST', '/v2/policies', policy);
      if (answer.status !== 200) throw new Error(`createPolicy returned ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
    decide: async ({ id, approvalId }, value) => {
      await approver.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value });
      await api.database.db.withOrg(orgId, (tx) => reviewChange(tx, id, RELEASING));
    },
  };
}

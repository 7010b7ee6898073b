import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { Own } from './api';
import { startWalletApi, type WalletApi, type WalletBody } from './wallet-api';

export const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** A transfer as the API returns it. */
export type TransferBody = { readonly id: string; readonly status: string; readonly approvalId?: string };

export type TransferApi = WalletApi & {
  readonly wallet: WalletBody;
  /** Requests a transfer from the held wallet, and returns the whole response. */
  readonly ask: (
    body?: Readonly<Record<string, unknown>>,
    walletId?: string,
  ) => ReturnType<WalletApi['admin']['client']['change']>;
  readonly request: (body?: Readonly<Record<string, unknown>>) => Promise<TransferBody>;
  /** Requests a raw transaction from the held wallet, and returns the whole response. */
  readonly broadcast: (
    body: Readonly<Record<string, unknown>>,
    walletId?: string,
  ) => ReturnType<WalletApi['admin']['client']['change']>;
  /** The number of transfers and transactions of the organisation, in any state. */
  readonly count: () => Promise<number>;
};

/** The wallet API with one wallet. Every transfer of the wallet waits for a person, so that nothing is signed here. */
export async function startTransferApi(options: Own = {}): Promise<TransferApi> {
  const wallets = await startWalletApi(options);
  const { client } = wallets.admin;
  const wallet = await wallets.createWallet();
  const policy = await client.change('POST', '/v2/policies', {
    name: 'Hold everything',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'AlwaysTrigger' },
    action: { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] },
  });
  if (policy.status !== 200) throw new Error(`createPolicy returned ${policy.status}: ${JSON.stringify(policy.body)}`);
  const ask: TransferApi['ask'] = (body = {}, walletId = wallet.id) =>
    client.change('POST', `/wallets/${walletId}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '1000', ...body });
  return {
    ...wallets,
    wallet,
    ask,
    request: async (body) => {
      const answer = await ask(body);
      if (answer.status !== 200) throw new Error(`transferAsset returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    broadcast: (body, walletId = wallet.id) => client.change('POST', `/wallets/${walletId}/transactions`, body),
    count: async () => (await wallets.api.database.db.read(wallets.orgId).rows(OutgoingEntity, '')).length,
  };
}

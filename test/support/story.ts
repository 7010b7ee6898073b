import type { Client } from './client';
import type { JoinedService } from './service';
import { waitUntil } from './wait-until';

export const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const TEN_ETHER = '0x8AC7230489E80000';

export type WalletBody = { readonly id: string; readonly address: string };
export type TransferBody = {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
  readonly txHash?: string;
  readonly fee?: string;
  readonly approvalId?: string;
};

/** The body of an answer. Throws unless the status is 200. */
export function ok<T>({ status, body }: { readonly status: number; readonly body: T }): T {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Creates a wallet with ten ether on the local chain. */
export async function fundedWallet(
  service: JoinedService,
  client: Client,
  more: Readonly<Record<string, unknown>> = {},
): Promise<WalletBody> {
  const wallet = ok(await client.change('POST', '/wallets', { network: 'EthereumSepolia', ...more })) as WalletBody;
  await service.rpc('anvil_setBalance', [wallet.address, TEN_ETHER]);
  return wallet;
}

export const send = async (
  client: Client,
  walletId: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<TransferBody> =>
  ok(await client.change('POST', `/wallets/${walletId}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '1000', ...body }));

const ENDS = ['Confirmed', 'Failed', 'Rejected'];

/** Waits for the end of a transfer, and returns the transfer. */
export const ended = (client: Client, walletId: string, transferId: string): Promise<TransferBody> =>
  waitUntil(
    `the end of ${transferId}`,
    async () => {
      const transfer = ok(await client.get(`/wallets/${walletId}/transfers/${transferId}`)) as TransferBody;
      return ENDS.includes(transfer.status) && transfer;
    },
    90_000,
  );

/** The history, newest first, once it has this number of final movements. */
export const confirmedHistory = (client: Client, { id }: WalletBody, movements: number) =>
  waitUntil(
    'the movements to be final',
    async () => {
      const { items } = ok(await client.get(`/wallets/${id}/history`)) as { items: readonly { readonly status: string }[] };
      return items.filter(({ status }) => status === 'Confirmed').length === movements && items;
    },
    60_000,
  );

/** Creates a policy that holds every transfer of one wallet for this group. */
export const holdPolicy = async (
  client: Client,
  walletId: string,
  group: Readonly<Record<string, unknown>>,
  autoRejectTimeout?: number,
) =>
  ok(
    await client.change('POST', '/v2/policies', {
      name: `Hold ${walletId}`,
      activityKind: 'Wallets:Sign',
      rule: { kind: 'AlwaysTrigger', configuration: {} },
      action: {
        kind: 'RequestApproval',
        approvalGroups: [{ name: 'Finance', quorum: 1, approvers: {}, ...group }],
        ...(autoRejectTimeout === undefined ? {} : { autoRejectTimeout }),
      },
      filters: { walletId: { in: [walletId] } },
    }),
  ) as { readonly id: string };

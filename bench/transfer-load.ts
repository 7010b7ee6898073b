import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { startReceiver } from './receiver';
import type { Stack } from './stack';

const NETWORK = 'EthereumSepolia';
const HELD_TAG = 'bench:held';
/** More than all transfers of a bench can spend, in wei. */
const FUNDS_HEX = `0x${(10n ** 24n).toString(16)}`;
const AMOUNT_UNITS = '1000';
const CREATED_AT_ONCE = 8;
const ENDS_WITHIN_MS = 120_000;

const Wallet = z.object({ id: z.string(), address: z.string() });
const Created = z.object({ id: z.string() });
const Transfer = z.object({ id: z.string(), status: z.string(), approvalId: z.string().optional() });

export type Answered = { readonly id: string; readonly answeredMs: number };

export type TransferLoad = {
  readonly network: string;
  readonly walletId: (lane: number) => string;
  /** Requests a transfer, and resolves when the webhook of the confirmation has arrived. */
  readonly transfer: (lane: number) => Promise<Answered>;
  /** Like `transfer`, from a wallet whose transfers a policy holds. The approver approves as soon as the POST returns. */
  readonly heldTransfer: (lane: number) => Promise<Answered>;
  /** Requests a transfer, and does not wait for the end of the transfer. */
  readonly ask: (lane: number) => Promise<string>;
  readonly confirmed: (transferId: string) => Promise<void>;
  readonly deliveries: () => number;
  readonly close: () => Promise<void>;
};

/** Creates two funded wallets per loop (`lane` of `closedLoop`). A policy holds the transfers from one of the two wallets. */
export async function prepareTransferLoad(stack: Stack, lanes: number): Promise<TransferLoad> {
  const admin = stack.client('admin');
  const approver = stack.client('approver');
  const receiver = await startReceiver();
  await admin.change('POST', '/webhooks', { url: receiver.url, events: ['*'], description: 'bench' }, z.unknown());
  const policy = {
    name: 'Held transfers of the bench',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'AlwaysTrigger' },
    filters: { walletTags: { hasAny: [HELD_TAG] } },
    action: {
      kind: 'RequestApproval',
      approvalGroups: [{ name: 'One', quorum: 1, approvers: { userId: { in: [stack.userId('approver')] } } }],
    },
  };
  await admin.change('POST', '/v2/policies', policy, Created);
  const recipient = await admin.change('POST', '/wallets', { network: NETWORK }, Wallet);

  const makeWallets = async (tags: readonly string[]): Promise<readonly string[]> => {
    const ids: string[] = [];
    const make = async () => {
      while (ids.length < lanes) {
        const place = ids.push('') - 1;
        const { id, address } = await admin.change('POST', '/wallets', { network: NETWORK, tags }, Wallet);
        await stack.rpc('anvil_setBalance', [address, FUNDS_HEX]);
        ids[place] = id;
      }
    };
    await Promise.all(Array.from({ length: CREATED_AT_ONCE }, make));
    return ids;
  };
  const free = await makeWallets([]);
  const held = await makeWallets([HELD_TAG]);

  const request = (walletId: string) =>
    admin.change(
      'POST',
      `/wallets/${walletId}/transfers`,
      { kind: 'Native', to: recipient.address, amount: AMOUNT_UNITS },
      Transfer,
    );
  const confirmed = (id: string) => inTime(receiver.confirmed(id), `the transfer ${id} is confirmed`);
  const walletOf = (wallets: readonly string[], lane: number) => wallets[lane % wallets.length] ?? '';
  return {
    network: NETWORK,
    walletId: (lane) => walletOf(free, lane),
    transfer: async (lane) => {
      const asked = performance.now();
      const { id } = await request(walletOf(free, lane));
      const answeredMs = performance.now() - asked;
      await confirmed(id);
      return { id, answeredMs };
    },
    heldTransfer: async (lane) => {
      const asked = performance.now();
      const { id, status, approvalId } = await request(walletOf(held, lane));
      const answeredMs = performance.now() - asked;
      if (approvalId === undefined) throw new Error(`The transfer ${id} is ${status} and not held`);
      const decide = () =>
        approver.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' }, z.unknown());
      await decide();
      await confirmed(id);
      return { id, answeredMs };
    },
    ask: async (lane) => (await request(walletOf(free, lane))).id,
    confirmed,
    deliveries: receiver.count,
    close: receiver.close,
  };
}

async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  const late = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(ENDS_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
        throw new Error(`Waited ${ENDS_WITHIN_MS / 1_000} s, but not until ${what}`);
      }),
    ]);
  } finally {
    late.abort();
  }
}

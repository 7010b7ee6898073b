import { z } from 'zod';
import type { Stack } from './stack';

const WALLETS = 16;
const NETWORK = 'EthereumSepolia';
/** More than all transfers of a bench can spend, in wei. */
const FUNDS_HEX = `0x${(10n ** 24n).toString(16)}`;

const Wallet = z.object({ id: z.string(), address: z.string() });
const Held = z.object({ id: z.string(), status: z.literal('Pending'), approvalId: z.string() });

export type HeldTransfer = z.output<typeof Held>;

/**
 * Funds wallets, and creates a policy that holds every transfer until a user in `userIds` approves. The returned function
 * requests one transfer.
 */
export async function holdEverything(stack: Stack, userIds: readonly string[]): Promise<(lane: number) => Promise<HeldTransfer>> {
  const admin = stack.client('admin');
  const action = {
    kind: 'RequestApproval',
    approvalGroups: [{ name: 'One', quorum: 1, approvers: { userId: { in: userIds } } }],
  };
  const policy = { name: 'Everything waits', activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' }, action };
  const wallets: string[] = [];
  for (let made = 0; made < WALLETS; made += 1) {
    const { id, address } = await admin.change('POST', '/wallets', { network: NETWORK }, Wallet);
    await stack.rpc('anvil_setBalance', [address, FUNDS_HEX]);
    wallets.push(id);
  }
  await admin.change('POST', '/v2/policies', policy, z.unknown());
  const body = { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1000' };
  return (lane) => admin.change('POST', `/wallets/${wallets[lane % wallets.length]}/transfers`, body, Held);
}

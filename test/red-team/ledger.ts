import { randomBytes } from 'node:crypto';
import { ended, ok, type TransferBody, type WalletBody } from '../support/story';
import type { Installation, Office, Person } from './installation';

export const AMOUNT = 1_000n;
const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

/** The amounts that a friend and a thief should have received, and the number of permitted payments of each wallet. */
export type Ledger = ReturnType<typeof createLedger>;
type Sender = Pick<WalletBody, 'id' | 'address'>;
export type Asked = TransferBody & { readonly wallet: Sender };

export function createLedger(installation: () => Installation) {
  const friend = newAddress();
  const thief = newAddress();
  const sent = new Map<string, number>();
  let paid = 0n;

  const count = ({ address }: Sender, payments: number) => sent.set(address, (sent.get(address) ?? 0) + payments);
  const ask = async (by: Person, wallet: Sender, to = friend): Promise<Asked> => {
    count(wallet, 0);
    const body = { kind: 'Native', to, amount: AMOUNT.toString() };
    return { ...(ok(await by.client.change('POST', `/wallets/${wallet.id}/transfers`, body)) as TransferBody), wallet };
  };
  const end = (by: Person, { wallet, id }: Asked) => ended(by.client, wallet.id, id);

  const confirm = async (by: Person, asked: Asked) => {
    expect(await end(by, asked)).toMatchObject({ status: 'Confirmed' });
    count(asked.wallet, 1);
    paid += AMOUNT;
  };

  return {
    /** This address must receive exactly what people approved. */
    friend,
    /** This address must not receive payments. */
    thief,
    ask,
    end,
    watch: (wallet: Sender) => count(wallet, 0),
    /** Lets Ben and Cyd approve the transfer, and expects it to be paid. */
    approve: async ({ ada, ben, cyd, decide }: Office, asked: Asked) => {
      for (const by of [ben, cyd]) ok(await decide(by, asked.approvalId));
      await confirm(ada, asked);
    },
    /** Expects a permitted transfer to be paid, and counts it. */
    confirm,
    /** An unapproved payment goes to a new address, which proves that the opening exists. */
    goesThrough: async (by: Person, wallet: Sender, pay: (to: string) => Promise<Asked>) => {
      const to = newAddress();
      const { status, reason } = await end(by, await pay(to));
      expect([status, reason]).toEqual(['Confirmed', undefined]);
      expect(await installation().balanceOf(to)).toBe(AMOUNT);
      count(wallet, 1);
    },
    /** Compares the chain with the ledger: the sums of both addresses, and the number of payments of each wallet. */
    assertBalanced: async () => {
      expect([await installation().balanceOf(friend), await installation().balanceOf(thief)]).toEqual([paid, 0n]);
      const counts = await Promise.all(
        [...sent.keys()].map(async (address) => [address, await installation().sentBy(address)] as const),
      );
      expect(new Map(counts)).toEqual(sent);
    },
  };
}

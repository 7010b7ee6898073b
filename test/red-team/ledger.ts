import { randomBytes } from 'node:crypto';
import { ended, ok, type TransferBody, type WalletBody } from '../support/story';
import type { Installation, Office, Person } from './installation';

export const AMOUNT = 1_000n;
const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

/** Who is to get something and who is not, and what each wallet has sent as far as it was allowed to. */
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

  return {
    /** Gets what people approved and nothing else. */
    friend,
    /** Gets nothing. */
    thief,
    ask,
    end,
    watch: (wallet: Sender) => count(wallet, 0),
    /** Ben and Cyd agree, and it is paid. */
    approve: async ({ ada, ben, cyd, decide }: Office, asked: Asked) => {
      for (const by of [ben, cyd]) ok(await decide(by, asked.approvalId));
      expect(await end(ada, asked)).toMatchObject({ status: 'Confirmed' });
      count(asked.wallet, 1);
      paid += AMOUNT;
    },
    /** A payment that nobody approved goes out all the same, to an address of its own: what is said to be open is. */
    goesThrough: async (by: Person, wallet: Sender, pay: (to: string) => Promise<Asked>) => {
      const to = newAddress();
      const { status, reason } = await end(by, await pay(to));
      expect([status, reason]).toEqual(['Confirmed', undefined]);
      expect(await installation().balanceOf(to)).toBe(AMOUNT);
      count(wallet, 1);
    },
    /** What the chain says at the end: the sums of the two, and of each wallet how often it has sent. */
    assertBalanced: async () => {
      expect([await installation().balanceOf(friend), await installation().balanceOf(thief)]).toEqual([paid, 0n]);
      const counts = await Promise.all(
        [...sent.keys()].map(async (address) => [address, await installation().sentBy(address)] as const),
      );
      expect(new Map(counts)).toEqual(sent);
    },
  };
}

import type { Charter, Holder } from '../../../signer/charters/charter';
import type { CreatedKey, CreateKeyOrder } from '../../../signer/protocol';
import type { Evidence } from '../../../signer/record/evidence';
import { keyOrder, ORG, orderFor } from '../fixtures';
import { type Action, actionOf, keyHolder, openChartered, type Person, passkeyHolder, type Said } from './chartered';

export const HELD_KEY_ID = 'key-zoe';
export const ZOE_WALLET_ID = 'wa-00000-00zoe-0000000000000000';

/** The credentials as the worker sends them: without their operations. */
export const holderOf = ({ userId, credential: { operations: _operations, ...credential } }: Person): Holder => ({
  userId,
  credentials: [credential],
});

/** A person's request for a wallet with a new key. */
export const walletAsked = (by: Person, body: object = {}, said: Partial<Said> = {}): Action =>
  actionOf('Initiator', by, { path: '/wallets', body: JSON.stringify({ network: 'EthereumSepolia', ...body }), ...said });

type Serving = { readonly endUsers?: Charter['endUsers'] | null };
let count = 0;

/** A signer with a charter that serves end users: Zoe has a key, Yan a passkey. */
export async function openHolding(signingOf?: Parameters<typeof openChartered>[0], changes: Partial<Charter> = {}) {
  const office = await openChartered(signingOf);
  const { signer, anchorAt, charter } = office;
  const zoe: Person = { ...keyHolder('zoe'), anchorAt };
  const yan: Person = { ...passkeyHolder('yan'), anchorAt };
  await office.adopt({ ...charter, endUsers: { networks: 'Test' }, ...changes });

  const keyAsked = (by: Person, evidence: readonly Evidence[], keyId = HELD_KEY_ID): CreateKeyOrder => ({
    ...keyOrder(keyId),
    holder: { ...holderOf(by), evidence: [...evidence] },
  });
  const walletOrder = (walletId: string, keyId: string, evidence: readonly Evidence[]) => {
    count += 1;
    const amendment = { kind: 'createWallet' as const, walletId, keyId };
    return { orgId: ORG, amendmentId: `amd-held-${count}`, amendment, evidence: [...evidence] };
  };
  return {
    ...office,
    /** Puts the next charter into force. */
    async follow({ endUsers = { networks: 'Test' as const }, ...more }: Partial<Omit<Charter, 'endUsers'>> & Serving) {
      const previous = signer.listCharters({}).charters[0]?.digest ?? null;
      const serving = endUsers === null ? {} : { endUsers };
      await office.adopt(office.next({ ...more, ...serving, previous }));
    },
    endUsers: { zoe, yan },
    keyAsked,
    walletOrder,
    /** Makes a key for the end user, with a wallet on Sepolia. One request of the end user covers both. */
    async wallet(by: Person = zoe, walletId = ZOE_WALLET_ID, keyId = HELD_KEY_ID, body: object = {}): Promise<CreatedKey> {
      const evidence = [walletAsked(by, body)];
      const key = await signer.createKey(keyAsked(by, evidence, keyId));
      await signer.amendCharter(walletOrder(walletId, keyId, evidence));
      return key;
    },
    /** An order for a transfer from this wallet, with the request that this person signed. */
    pay(by: Person, key: CreatedKey, walletId = ZOE_WALLET_ID, body: object = {}, said: Partial<Said> = {}) {
      count += 1;
      const order = orderFor(key, `xfr-held-${count}`, { nonce: 500 + count });
      const text = JSON.stringify({ kind: 'Native', to: order.intent.to, amount: order.intent.amountUnits, ...body });
      const evidence = [actionOf('Initiator', by, { path: `/wallets/${walletId}/transfers`, body: text, ...said })];
      return { ...order, evidence };
    },
  };
}
export type Holding = Awaited<ReturnType<typeof openHolding>>;

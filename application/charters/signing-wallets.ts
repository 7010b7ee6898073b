import type { Reader } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import { KeyEntity } from '../../entities/keys/key.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import type { Omission } from './omission';
import type { Allowing } from './signing-credentials';

type SigningWallet = {
  readonly id: string;
  readonly keyId: string;
  readonly network: string;
  readonly address: string;
  readonly tags: readonly string[];
};
type Read = {
  readonly wallets: readonly SigningWallet[];
  readonly feeSponsors: readonly { readonly id: string; readonly walletId: string }[];
  readonly names: ReadonlyMap<string, string>;
  readonly omitted: readonly Omission[];
};

/** No organisation has this many wallets or fee sponsors. A charter with this many entries would be too long anyway. */
const ROWS_MAX = 1_000_000;

/** The wallets that can sign, the fee sponsors among these wallets, and the names of the wallets. */
export async function signingWallets(reader: Reader, { servesEndUsers }: Pick<Allowing, 'servesEndUsers'>): Promise<Read> {
  const records = (await walletStore.list(reader, {}, ROWS_MAX)).reverse();
  const sponsors = (await feeSponsorStore.page(reader, undefined, ROWS_MAX)).reverse();
  const keys = await reader.rows(KeyEntity, `WHERE t.status = 'Active' ORDER BY t.id`);
  const unarchived = records.filter(({ wallet }) => wallet.status !== 'Archived');
  const live = unarchived.filter(({ key }) => !servesEndUsers || key.delegatedTo === null);
  const wallets = live.flatMap(({ wallet: { id, keyId, network, address }, tags }) =>
    address === null ? [] : [{ id, keyId, network, address, tags }],
  );
  const ids = new Set(wallets.map(({ id }) => id));
  const [paying, idle] = [
    sponsors.filter(({ status, walletId }) => status === 'Active' && ids.has(walletId)),
    sponsors.filter(({ status, walletId }) => status !== 'Active' || !ids.has(walletId)),
  ];
  const usedKeys = new Set(wallets.map(({ keyId }) => keyId));
  const omitted = [
    ...live.filter(({ wallet }) => !ids.has(wallet.id)).map(({ wallet: { id } }) => omission(id, 'the wallet has no address')),
    ...counted(records.length - unarchived.length, 'archived wallets', 'they no longer sign'),
    ...counted(unarchived.length - live.length, 'wallets of end users', 'only the holder of a key decides about them'),
    ...idle.map(({ id, status }) => omission(id, `the fee sponsor is ${status.toLowerCase()}, or its wallet is left out`)),
    ...keys
      .filter(({ id, delegatedTo }) => !usedKeys.has(id) && !(servesEndUsers && delegatedTo !== null))
      .map(({ id }) => omission(id, 'the key has no wallet with an address')),
  ];
  const names = new Map(live.map(({ wallet: { id, name } }) => [id, name ?? '']));
  return { wallets, feeSponsors: paying.map(({ id, walletId }) => ({ id, walletId })), names, omitted };
}

const omission = (subject: string, reason: string): Omission => ({ subject, reason });
const counted = (count: number, subject: string, reason: string): Omission[] =>
  count === 0 ? [] : [omission(`${count} ${subject}`, reason)];

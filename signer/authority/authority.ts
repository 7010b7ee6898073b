import type { Charter, CharterCredential, CharterWallet, Member } from './charter';

/** A charter in the form in which orders are judged. */
export interface Authority {
  readonly digest: string;
  readonly charter: Charter;
  member(userId: string): Member | undefined;
  /** The credential of this member only. */
  credential(userId: string, credentialId: string): CharterCredential | undefined;
  wallet(walletId: string): CharterWallet | undefined;
  walletsOfKey(keyId: string): readonly CharterWallet[];
  /** The wallet that pays for this fee sponsor. */
  sponsorWallet(feeSponsorId: string): CharterWallet | undefined;
}

export function authorityOf(charter: Charter, digest: string): Authority {
  const members = new Map(charter.members.map((member) => [member.userId, member]));
  const wallets = new Map(charter.wallets.map((wallet) => [wallet.id, wallet]));
  const byKey = new Map<string, CharterWallet[]>();
  for (const wallet of charter.wallets) byKey.set(wallet.keyId, [...(byKey.get(wallet.keyId) ?? []), wallet]);
  const sponsors = new Map(charter.feeSponsors.map(({ id, walletId }) => [id, walletId]));
  return {
    digest,
    charter,
    member: (userId) => members.get(userId),
    credential: (userId, credentialId) => members.get(userId)?.credentials.find(({ id }) => id === credentialId),
    wallet: (walletId) => wallets.get(walletId),
    walletsOfKey: (keyId) => byKey.get(keyId) ?? [],
    sponsorWallet: (feeSponsorId) => wallets.get(sponsors.get(feeSponsorId) ?? ''),
  };
}

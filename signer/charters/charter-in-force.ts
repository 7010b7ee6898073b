import type { Charter, CharterCredential, CharterLimit, CharterMember, CharterWallet } from './charter';

/** A charter in the form in which orders are judged. */
export interface CharterInForce {
  readonly digest: string;
  readonly content: Charter;
  member(userId: string): CharterMember | undefined;
  /** Undefined if the credential belongs to another member. */
  credential(userId: string, credentialId: string): CharterCredential | undefined;
  wallet(walletId: string): CharterWallet | undefined;
  walletsOfKey(keyId: string): readonly CharterWallet[];
  limitsOf(walletId: string): readonly CharterLimit[];
  /** The wallet from which this fee sponsor pays. */
  sponsorWallet(feeSponsorId: string): CharterWallet | undefined;
}

export function charterInForce(content: Charter, digest: string): CharterInForce {
  const members = new Map(content.members.map((member) => [member.userId, member]));
  const wallets = new Map(content.wallets.map((wallet) => [wallet.id, wallet]));
  const byKey = new Map<string, CharterWallet[]>();
  for (const wallet of content.wallets) byKey.set(wallet.keyId, [...(byKey.get(wallet.keyId) ?? []), wallet]);
  const limits = new Map<string, CharterLimit[]>();
  for (const limit of content.limits) limits.set(limit.walletId, [...(limits.get(limit.walletId) ?? []), limit]);
  const sponsors = new Map(content.feeSponsors.map(({ id, walletId }) => [id, walletId]));
  return {
    digest,
    content,
    member: (userId) => members.get(userId),
    credential: (userId, credentialId) => members.get(userId)?.credentials.find(({ id }) => id === credentialId),
    wallet: (walletId) => wallets.get(walletId),
    walletsOfKey: (keyId) => byKey.get(keyId) ?? [],
    limitsOf: (walletId) => limits.get(walletId) ?? [],
    sponsorWallet: (feeSponsorId) => wallets.get(sponsors.get(feeSponsorId) ?? ''),
  };
}

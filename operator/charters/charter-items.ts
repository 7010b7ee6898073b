import type { CharterOperation } from '../../domain/charters';
import { canonical } from '../../platform/canonical';
import { fingerprintOf } from '../../platform/fingerprint';
import type { Charter, CharterCredential, CharterEndUsers, CharterExports, CharterSeen } from '../../signer/charters/charter';
import { charterPolicies } from '../../signer/charters/charter';
import { plain, quoted } from './plain';
import { type Naming, policyLines } from './policy-words';

export type CharterItem = {
  readonly section:
    | 'Members'
    | 'Wallets'
    | 'Limits'
    | 'Fee sponsors'
    | 'Registry addresses'
    | 'Policies'
    | 'Seen'
    | 'Mainnets'
    | 'Exports'
    | 'End users';
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** Identifies the content of the item in comparisons. Does not depend on `Names`. */
  readonly content: string;
};
export type Names = ReadonlyMap<string, string>;

const OPERATION_WORDS: Readonly<Record<CharterOperation, string>> = {
  transferAsset: 'request transfers',
  broadcastTransaction: 'request transactions',
  walletsGenerateSignature: 'request signatures of wallets',
  keysGenerateSignature: 'request signatures of keys',
  createApprovalDecision: 'approve and deny',
  releaseFreeze: 'release freezes',
  exportKey: 'REQUEST THE EXPORT OF KEYS',
  exportWallet: 'REQUEST THE EXPORT OF KEYS OF WALLETS',
  deriveKey: 'request shared secrets',
  createWallet: 'ADD WALLETS TO THIS CHARTER',
  tagWallet: 'ADD TAGS OF WALLETS IN THIS CHARTER',
  untagWallet: 'REMOVE TAGS OF WALLETS FROM THIS CHARTER',
  createPolicy: 'ADD POLICIES TO THIS CHARTER',
  updatePolicy: 'CHANGE POLICIES OF THIS CHARTER',
  archivePolicy: 'REMOVE POLICIES FROM THIS CHARTER',
  deactivateUser: 'REMOVE MEMBERS FROM THIS CHARTER (deactivation)',
  archiveUser: 'REMOVE MEMBERS FROM THIS CHARTER (archival)',
  deactivateServiceAccount: 'REMOVE SERVICE ACCOUNTS FROM THIS CHARTER (deactivation)',
  archiveServiceAccount: 'REMOVE SERVICE ACCOUNTS FROM THIS CHARTER (archival)',
};

/** Everything that a charter contains, in an order that does not depend on the order in the charter. */
export function charterItems(charter: Charter, names: Names): readonly CharterItem[] {
  const { members, wallets, feeSponsors, registryAddresses, limits, seen, mainnets = [], exports, endUsers } = charter;
  const memberIds = new Set(members.map(({ userId }) => userId));
  const named: Naming = (id) => {
    const name = names.get(id) ?? '';
    return name === '' ? id : `${id} ${quoted(name)}`;
  };
  const userNamed: Naming = (id) => (memberIds.has(id) ? named(id) : `${named(id)} (NO MEMBER)`);
  const policyNamed: Naming = (id) => (id.startsWith('us-') ? userNamed(id) : named(id));
  const items: CharterItem[] = [
    ...members.map((member) => ({
      section: 'Members' as const,
      ...{ id: member.userId, title: named(member.userId), content: canonical(member) },
      lines: [
        member.isServiceAccount ? `a service account, counts as ${named(member.hand)}` : handWords(member, named),
        ...member.credentials.map(credentialWords).sort(),
      ],
    })),
    ...wallets.map((wallet) => ({
      section: 'Wallets' as const,
      ...{ id: wallet.id, title: named(wallet.id), content: canonical(wallet) },
      lines: [
        `${plain(wallet.network)} ${plain(wallet.address)}`,
        `key ${wallet.keyId}`,
        ...(wallet.tags.length === 0 ? [] : [`tags ${wallet.tags.map(quoted).join(', ')}`]),
      ],
    })),
    ...limits.map((limit) => ({
      section: 'Limits' as const,
      ...{ id: `${limit.walletId} ${limit.asset} ${limit.hours}`, title: named(limit.walletId), content: canonical(limit) },
      lines: [`at most ${limit.unitsMax} units of ${plain(limit.asset)} in ${limit.hours} hours, fees included`],
    })),
    ...feeSponsors.map((sponsor) => ({
      section: 'Fee sponsors' as const,
      ...{ id: sponsor.id, title: sponsor.id, content: canonical(sponsor) },
      lines: [`pays from ${named(sponsor.walletId)}`],
    })),
    ...registryAddresses.map((entry) => ({
      section: 'Registry addresses' as const,
      ...{ id: `${entry.id} ${entry.network}`, title: entry.id, content: canonical(entry) },
      lines: [`${plain(entry.network)} ${plain(entry.address)}`],
    })),
    ...charterPolicies(charter).map((policy) => ({
      section: 'Policies' as const,
      ...{ id: policy.id, title: `${policy.id} ${plain(policy.name)}`, content: canonical(policy) },
      lines: policyLines(policy, policyNamed),
    })),
    ...(seen === undefined ? [] : [seenItem(seen)]),
    ...(exports === undefined ? [] : [exportsItem(exports)]),
    ...(endUsers === undefined ? [] : [endUsersItem(endUsers)]),
    ...mainnets.map((name) => ({
      section: 'Mainnets' as const,
      ...{
        id: name,
        title: plain(name),
        content: name,
        lines: ['THE SIGNER SIGNS FOR THIS MAINNET. docs/networks.md says how far its transfers were tested'],
      },
    })),
  ];
  return items.sort((one, other) => (one.id < other.id ? -1 : 1));
}

const seenItem = (seen: CharterSeen): CharterItem => ({
  section: 'Seen',
  ...{ id: 'seen', title: 'people must see in strongroom-verify what they sign, if they', content: canonical(seen) },
  lines: [
    ...seen.operations.map((one) => OPERATION_WORDS[one]).sort(),
    ...seen.origins.map((origin) => `OR WITH A PASSKEY ON ${plain(origin)}`).sort(),
  ],
});

const exportsItem = ({ waitHours }: CharterExports): CharterItem => ({
  section: 'Exports',
  ...{ id: 'exports', title: 'KEYS LEAVE THE SIGNER, encrypted to the requester', content: canonical({ waitHours }) },
  lines: [`with the votes that the policies on Keys:Export demand, ${waitHours} hours after the last of these votes`],
});

const endUsersItem = ({ networks }: CharterEndUsers): CharterItem => ({
  section: 'End users',
  ...{ id: 'end-users', title: 'END USERS SIGN WITH THE KEYS THAT THEY HOLD, and no policy judges them' },
  content: networks,
  lines: [
    networks === 'All' ? 'ALSO ON THE MAINNETS OF THIS CHARTER' : 'only on test networks',
    'this charter does not list end users: the signer trusts the credentials that the service names when it asks for a key',
  ],
});

const handWords = ({ userId, hand }: Charter['members'][number], named: Naming): string =>
  hand === userId ? 'a person' : `COUNTS AS ${named(hand)}`;

function credentialWords(credential: CharterCredential): string {
  const { id, kind, publicKey, operations, tokenId } = credential;
  const token = tokenId === undefined ? '' : ` of the token ${tokenId}`;
  const what = kind === 'Fido2' ? `passkey of ${plain(credential.relyingPartyId)}` : 'key';
  const words =
    operations.length === 0 ? 'only ask for keys of end users' : operations.map((one) => OPERATION_WORDS[one]).join(', ');
  return `${what} ${id}${token}: ${fingerprintOf(publicKey)}; may ${words}`;
}

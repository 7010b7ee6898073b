import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { findNetwork } from '../../chains/networks';
import {
  CHARTER_OPERATION_IDS,
  END_USER_NETWORKS,
  EXPORT_WAIT_HOURS_MAX,
  HELD_CREDENTIALS_MAX,
  HOLDER_OPERATIONS,
  refusedBlindAs,
} from '../../domain/charters';
import { type ActivityKind, POLICY_MODES, type PolicyInForce } from '../../domain/policies';
import { parseCredentialKey } from '../../platform/credential-keys';
import { parseStrictJson } from '../../platform/strict-json';
import { RULE_KINDS, RULES } from '../../policy/rules';
import { Address, hex, Id, Units } from '../wire/schemas';

/** Leaves room for the rest of the journal's line, and for about a thousand members or five thousand wallets. */
export const CHARTER_BYTES_MAX = 1024 * 1024;
/** The operator's key may sign other texts too, so the signed bytes begin with their purpose. */
const PURPOSE = 'strongroom charter v1\n';
/** The DER of an Ed25519 public key up to its 32 bytes (RFC 8410). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_BYTES = 64;

const isKey = (pem: string): boolean => {
  try {
    return parseCredentialKey(pem) !== undefined;
  } catch {
    return false;
  }
};

const common = {
  id: Id,
  /** SPKI in PEM, also for a passkey. */
  publicKey: z.string().max(8_192),
};
const Passkey = z.strictObject({ ...common, kind: z.literal('Fido2'), relyingPartyId: z.string().min(1).max(253) });
const KeyCredential = z.strictObject({ ...common, kind: z.literal('Key') });
const ofMember = {
  /** The token with which this credential signs. Removing the token removes the credential. */
  tokenId: Id.exactOptional(),
  operations: z.array(z.enum(CHARTER_OPERATION_IDS)),
};
const Credential = z.discriminatedUnion('kind', [Passkey.extend(ofMember), KeyCredential.extend(ofMember)]);
export type CharterCredential = z.infer<typeof Credential>;

/** The end user who holds a key, with the credentials that the end user had when the key was made. */
export const Holder = z.strictObject({
  userId: Id,
  credentials: z
    .array(z.discriminatedUnion('kind', [Passkey, KeyCredential]))
    .min(1)
    .max(HELD_CREDENTIALS_MAX)
    .refine((list) => isUnique(idsOf(list)) && list.every(({ publicKey }) => isKey(publicKey))),
});
export type Holder = z.infer<typeof Holder>;

const CharterMember = z.strictObject({
  userId: Id,
  /** The person who acts through this account: the user, or for a service account its creator (S10). */
  hand: Id,
  isServiceAccount: z.boolean(),
  credentials: z.array(Credential).max(64),
});
export type CharterMember = z.infer<typeof CharterMember>;

const Wallet = z.strictObject({
  id: Id,
  keyId: Id,
  network: z.string().min(1).max(64),
  address: Address,
  tags: z.array(z.string().max(256)).max(256),
});
export type CharterWallet = z.infer<typeof Wallet>;

const Ids = z.array(Id);
const Approvers = z.strictObject({ userId: z.strictObject({ in: Ids }).exactOptional() });
const Minutes = z.int().positive();
const Group = z.strictObject({
  id: z.string().min(1).max(64).exactOptional(),
  name: z.string().max(256).exactOptional(),
  quorum: z.int().positive(),
  approvers: Approvers,
  initiatorCanApprove: z.boolean().exactOptional(),
  serviceAccountsCanApprove: z.boolean().exactOptional(),
  escalation: z.strictObject({ afterMinutes: Minutes, approvers: Approvers }).exactOptional(),
});
const Action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Block') }),
  z.strictObject({ kind: z.literal('NoAction') }),
  z.strictObject({
    kind: z.literal('RequestApproval'),
    approvalGroups: z.array(Group).min(1).readonly(),
    autoRejectTimeout: Minutes.nullable().exactOptional(),
    reminderAfterMinutes: Minutes.exactOptional(),
  }),
]);
const Tags = z.array(z.string().max(256));
const SIGNING_RULES = RULE_KINDS.filter((kind) => RULES[kind].activity === 'Wallets:Sign');
const PolicyId = { id: Id, version: z.int().positive() };
const named = { name: z.string().max(256), mode: z.enum(POLICY_MODES) };
/** A policy on signing, in the form that a member requests: the groups have no ids yet. */
export const SigningPolicyContent = z.strictObject({
  ...named,
  activityKind: z.literal('Wallets:Sign' satisfies ActivityKind),
  rule: z.union(SIGNING_RULES.map((kind) => RULES[kind].schema(z))),
  action: Action,
  filters: z
    .strictObject({
      walletId: z.strictObject({ in: Ids }).exactOptional(),
      walletTags: z.strictObject({ hasAny: Tags.exactOptional(), hasAll: Tags.exactOptional() }).exactOptional(),
      storeId: z.strictObject({ in: Ids.exactOptional(), notIn: Ids.exactOptional() }).exactOptional(),
    })
    .nullable(),
});
/** A policy on changes of policies. */
export const ChangePolicyContent = z.strictObject({
  ...named,
  activityKind: z.literal('Policies:Modify' satisfies ActivityKind),
  rule: RULES.AlwaysTrigger.schema(z),
  action: Action,
  filters: z.strictObject({ policyId: z.strictObject({ in: Ids }) }).nullable(),
});
/** To a policy, all exports of keys look alike, so an export policy has neither filters nor conditions. */
const ExportPolicy = z.strictObject({
  ...PolicyId,
  ...named,
  activityKind: z.literal('Keys:Export' satisfies ActivityKind),
  rule: RULES.AlwaysTrigger.schema(z),
  action: Action,
  filters: z.null(),
}) satisfies z.ZodType<PolicyInForce>;
const SigningPolicy = SigningPolicyContent.extend(PolicyId) satisfies z.ZodType<PolicyInForce>;
const ChangePolicy = ChangePolicyContent.extend(PolicyId) satisfies z.ZodType<PolicyInForce>;

/** The longest window. An order sums up one value for each hour of the window. */
const LIMIT_HOURS_MAX = 168;
const Limit = z.strictObject({
  walletId: Id,
  /** `native`, or the address of the token's contract or mint. */
  asset: z.union([z.literal('native'), Address]),
  hours: z.int().min(1).max(LIMIT_HOURS_MAX),
  unitsMax: Units,
});
export type CharterLimit = z.infer<typeof Limit>;
export const CharterLimits = z.array(Limit).refine((list) => isUnique(list.map(limitName)));
const limitName = ({ walletId, asset, hours }: CharterLimit): string => `${walletId} ${asset.toLowerCase()} ${hours}`;

/** An export needs the votes that the policies demand, and each vote must be at least `waitHours` old. */
const CharterExports = z.strictObject({
  waitHours: z.int().min(0).max(EXPORT_WAIT_HOURS_MAX),
  policies: z.array(ExportPolicy).min(1),
});
export type CharterExports = z.infer<typeof CharterExports>;

/** Lets end users sign with keys that they hold. Without this member, the signer does not sign for end users. */
const CharterEndUsers = z.strictObject({ networks: z.enum(END_USER_NETWORKS) });
export type CharterEndUsers = z.infer<typeof CharterEndUsers>;

/** The origin of a page that the service does not serve, in the form in which browsers send origins. */
const Origin = z
  .string()
  .max(2_048)
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).origin === text);
/** The operations that people must sign in a client that shows the signed content. Service accounts are exempt. */
export const CharterSeen = z.strictObject({
  operations: z
    .array(z.enum(CHARTER_OPERATION_IDS))
    .min(1)
    .refine((list) => isUnique(list)),
  /** The pages that show the signed content to users of passkeys. Users of keys sign in `strongroom-verify`. */
  origins: z
    .array(Origin)
    .max(16)
    .refine((list) => isUnique(list)),
});
export type CharterSeen = z.infer<typeof CharterSeen>;

const isUnique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const idsOf = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

type Policies = {
  readonly policies: readonly PolicyInForce[];
  readonly changePolicies: readonly PolicyInForce[];
  readonly exports?: { readonly policies: readonly PolicyInForce[] };
};
/** All policies of a charter, whatever activity they judge. */
export const charterPolicies = ({ policies, changePolicies, exports }: Policies): readonly PolicyInForce[] => [
  ...policies,
  ...changePolicies,
  ...(exports?.policies ?? []),
];

const Mainnets = z
  .array(z.string().min(1).max(64))
  .min(1)
  .refine((list) => isUnique(list));

/** On a mainnet, a person who does not see the signed content must not be able to move money or change who decides. */
function isAllSeen({ members, seen, endUsers }: Seeing): boolean {
  const ofPeople = members.filter(({ isServiceAccount }) => !isServiceAccount).flatMap(({ credentials }) => credentials);
  return [...ofPeople.flatMap(({ operations }) => operations), ...(endUsers?.networks === 'All' ? HOLDER_OPERATIONS : [])].every(
    (one) => refusedBlindAs(one) === 'Nothing' || seen?.operations.includes(one) === true,
  );
}
type Seeing = { readonly members: readonly CharterMember[]; readonly seen?: CharterSeen; readonly endUsers?: CharterEndUsers };

/**
 * The content of the document that the operator signs. The document defines who may decide about an organisation's money, and
 * under which policies. `sequence` counts the charters of the organisation from 1, and `previous` is the digest of the previous
 * charter.
 */
const Charter = z
  .strictObject({
    v: z.literal(1),
    signerId: Id,
    organizationId: Id,
    sequence: z.int().positive(),
    previous: hex(32).nullable(),
    dateIssued: z.iso.datetime(),
    members: z.array(CharterMember).refine((list) => isUnique(list.map(({ userId }) => userId))),
    wallets: z
      .array(Wallet)
      .refine((list) => isUnique(idsOf(list)))
      .refine((list) => isUnique(list.map(({ keyId, network }) => `${keyId} ${network}`))),
    feeSponsors: z.array(z.strictObject({ id: Id, walletId: Id })).refine((list) => isUnique(idsOf(list))),
    registryAddresses: z
      .array(z.strictObject({ id: Id, network: z.string().max(64), address: Address }))
      .refine((list) => isUnique(list.map(({ id, network }) => `${id} ${network}`))),
    policies: z.array(SigningPolicy),
    /** The policies that judge members' changes of policies and tags. */
    changePolicies: z.array(ChangePolicy),
    /**
     * The most that a wallet may send within some hours, fees included. A wallet with limits signs nothing whose effect is
     * unknown.
     */
    limits: CharterLimits,
    seen: CharterSeen.exactOptional(),
    /** The mainnets for which the signer signs. Without this list, the signer does not sign for any mainnet. */
    mainnets: Mainnets.exactOptional(),
    /** How keys leave the signer. Without this member, the signer does not export any key. */
    exports: CharterExports.exactOptional(),
    endUsers: CharterEndUsers.exactOptional(),
  })
  .refine(({ sequence, previous }) => (sequence === 1) === (previous === null))
  .refine((charter) => isUnique(idsOf(charterPolicies(charter))))
  .refine(({ members }) => isUnique(members.flatMap(({ credentials }) => idsOf(credentials))))
  .refine(({ limits, wallets }) => limits.every(({ walletId }) => wallets.some(({ id }) => id === walletId)))
  .refine((charter) => charter.mainnets === undefined || isAllSeen(charter), {
    path: ['mainnets'],
    message: 'needs `seen` with every operation that a person may sign, except those that remove members',
  });
export type Charter = z.infer<typeof Charter>;

/**
 * A charter before it comes into force. All its keys are checked only at this time, because checking a thousand keys takes
 * seconds in the signer.
 */
const NewCharter = Charter.superRefine(({ members, mainnets = [] }, context) => {
  for (const [at, name] of mainnets.entries())
    if (findNetwork(name)?.isMainnet !== true)
      context.addIssue({ code: 'custom', path: ['mainnets', at], message: 'must be a mainnet that this release serves' });
  for (const [at, { credentials }] of members.entries())
    for (const [of, { publicKey }] of credentials.entries())
      if (!isKey(publicKey))
        context.addIssue({ code: 'custom', path: ['members', at, 'credentials', of, 'publicKey'], message: 'Invalid input' });
});

function parseWith(schema: typeof Charter | typeof NewCharter, text: string): Charter | undefined {
  if (Buffer.byteLength(text) > CHARTER_BYTES_MAX) return undefined;
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  return json.ok ? schema.safeParse(json.value).data : undefined;
}

/** Undefined unless the text is a charter of this version. */
export const readCharter = (text: string): Charter | undefined => parseWith(NewCharter, text);

/**
 * Like `readCharter`, for a charter in force. Does not check the keys, which were checked before the charter came into force.
 * Each key is checked again when it is used.
 */
export const readCharterInForce = (text: string): Charter | undefined => parseWith(Charter, text);

/** A terminal may execute these characters as commands, or change the direction of the text. */
const UNPRINTABLE = /\p{C}/gu;

/**
 * Lists the faults of a text for the operator who drafts a charter. The list is empty if the text is a charter of this version.
 */
export function charterFaults(text: string): readonly string[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > CHARTER_BYTES_MAX) return [`it has ${bytes} bytes, and at most ${CHARTER_BYTES_MAX} are allowed`];
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  if (!json.ok) return [`${json.fault.path} ${json.fault.message}`.trim()];
  const faults = NewCharter.safeParse(json.value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  return faults.map((fault) => fault.replace(UNPRINTABLE, '?'));
}

export const charterDigest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The bytes that the operator's key signs. */
export const charterBytes = (text: string): Buffer => Buffer.from(`${PURPOSE}${text}`, 'utf8');

/** `raw` is the 32 bytes of an Ed25519 public key. Throws for a key of small order or outside the group. */
export function operatorKeyOf(raw: Uint8Array): KeyObject {
  const key = createPublicKey({ key: Buffer.concat([ED25519_SPKI, raw]), format: 'der', type: 'spki' });
  return parseCredentialKey(key.export({ format: 'pem', type: 'spki' }).toString());
}

/** The exact text of a charter, and the operator's Ed25519 signature over `charterBytes`, in base64. */
export const SignedCharter = z.strictObject({ charter: z.string().max(CHARTER_BYTES_MAX), signature: z.base64() });
export type SignedCharter = z.infer<typeof SignedCharter>;

export function isSignedBy(key: KeyObject, { charter, signature }: SignedCharter): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.length === SIGNATURE_BYTES && verify(null, charterBytes(charter), key, bytes);
}

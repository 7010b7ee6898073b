import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { ApprovalGroup } from '../../../domain/approvals';
import { CHARTER_OPERATION_IDS } from '../../../domain/charters';
import { challengeOf, NONCE_BYTES } from '../../../platform/action-challenge';
import { digestOf } from '../../../platform/canonical';
import { sha256Hex } from '../../../platform/digests';
import {
  type Charter,
  type CharterCredential,
  charterBytes,
  charterDigest,
  type SignedCharter,
} from '../../../signer/charters/charter';
import { createPortableSigning } from '../../../signer/keys/sealed-signing';
import type { CreatedKey, SignTransferOrder } from '../../../signer/protocol';
import type { Evidence } from '../../../signer/record/evidence';
import { createAuthenticator } from '../../support/authenticator';
import { createKeyCredential } from '../../support/key-credentials';
import { codec, keyOrder, NOW_MS, ORG, openOperations, orderFor, temporaryFolder } from '../fixtures';

type Signed = Pick<Action, 'clientData' | 'authenticatorData' | 'signature'>;
export type Action = Extract<Evidence, { kind: 'Initiator' | 'Approver' }>;
export type Person = {
  readonly userId: string;
  readonly credential: CharterCredential;
  /** `clientData` replaces members of the client data. */
  readonly answer: (challenge: string, clientData?: Readonly<Record<string, unknown>>) => Signed;
  /** Returns the signer's anchor for a time, by default now. A person without this function signs without an anchor. */
  readonly anchorAt?: (timeMs?: number) => string;
};

const idOf = (kind: string, name: string) => `${kind}-00000-${name.padStart(5, '0')}-0000000000000000`;
const MINUTE_MS = 60_000;

export function keyHolder(name: string, keys?: Parameters<typeof createKeyCredential>[1]): Person {
  const key = createKeyCredential('Key', keys);
  return {
    userId: idOf('us', name),
    credential: { id: idOf('cred', name), kind: 'Key', publicKey: key.publicKeyPem, operations: [...CHARTER_OPERATION_IDS] },
    answer(challenge, clientData = {}) {
      const { credentialAssertion } = key.assert(challenge, { clientData }) as { credentialAssertion: Signed };
      return { clientData: credentialAssertion.clientData, signature: credentialAssertion.signature, authenticatorData: null };
    },
  };
}

export function passkeyHolder(name: string): Person {
  const passkey = createAuthenticator();
  const publicKey = createPublicKey(passkey.privateKey).export({ format: 'pem', type: 'spki' }).toString();
  const operations = [...CHARTER_OPERATION_IDS];
  return {
    userId: idOf('us', name),
    credential: { id: idOf('cred', name), kind: 'Fido2', publicKey, relyingPartyId: 'localhost', operations },
    answer(challenge, bent = {}) {
      const { clientData, signature, authenticatorData } = passkey.assert(challenge, { clientData: bent });
      return { clientData, signature, authenticatorData };
    },
  };
}

export type Said = {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly approvalDigest?: string | null;
  readonly orgId?: string;
  readonly expiresMs?: number;
  /** The anchor of the action; null for an action without an anchor. The default is the current anchor. */
  readonly anchor?: string | null;
};

/** Everything that takes documents from the state folder. */
export const takersOf = ({ charters, keyStores }: Pick<Chartered['signer'], 'charters' | 'keyStores'>) => ({
  ...charters,
  ...keyStores,
});

/** The evidence of an action that the person signed, as the worker sends it. */
export function actionOf(kind: 'Initiator' | 'Approver', { userId, credential, answer, anchorAt }: Person, said: Said): Action {
  const { method = 'POST', path, body = '', approvalDigest = null, orgId = ORG, expiresMs = NOW_MS + MINUTE_MS } = said;
  const { anchor = anchorAt?.() ?? null } = said;
  const nonce = randomBytes(NONCE_BYTES);
  const dateExpires = new Date(expiresMs);
  const common = { userId, credentialIds: ['any'], method, path, bodySha256: sha256Hex(body), approvalDigest };
  const challenge = challengeOf(nonce, { ...common, anchor, orgId, dateExpires });
  return {
    ...common,
    ...(anchor === null ? {} : { anchor }),
    kind,
    credentialId: credential.id,
    dateExpires: dateExpires.toISOString(),
    nonce: nonce.toString('base64url'),
    challenge,
    firstFactorKind: credential.kind,
    publicKey: credential.publicKey,
    ...answer(challenge),
    secondFactor: null,
    body,
  };
}

export const POLICY_ID = 'plc-00000-00000-0000000000000001';
export const GROUP_ID = 'grp-1';
/** A policy holds every transfer from a wallet with this tag until two of three people approve. */
export const HELD_TAG = 'treasury';
export const WALLET_ID = idOf('wa', 'free');
export const HELD_WALLET_ID = idOf('wa', 'held');

export type Approved = { readonly approval: Extract<Evidence, { kind: 'Approval' }>; readonly votes: readonly Action[] };

/** A signer in this process, with an organisation whose charter contains four people and two wallets. */
export async function openChartered(signingOf = createPortableSigning) {
  const folder = temporaryFolder();
  const operator = generateKeyPairSync('ed25519');
  const clock = { nowMs: NOW_MS };
  const open = (operatorKey = operator.publicKey) =>
    openOperations(folder.path, () => clock.nowMs, signingOf, undefined, operatorKey);
  const signer = await open();
  const anchorAt = (timeMs = clock.nowMs): string => {
    const { nowMs } = clock;
    clock.nowMs = timeMs;
    const { anchor } = signer.anchor();
    clock.nowMs = nowMs;
    return anchor;
  };
  const [ada, ben, cyd, bot] = [
    { ...keyHolder('ada'), anchorAt },
    { ...passkeyHolder('ben'), anchorAt },
    { ...keyHolder('cyd'), anchorAt },
    { ...keyHolder('bot'), anchorAt },
  ];
  const [free, held] = [await signer.createKey(keyOrder('key-free')), await signer.createKey(keyOrder('key-held'))];
  const approvers = [ben, cyd, bot].map(({ userId }) => userId);
  const memberOf = ({ userId, credential }: Person, hand = userId) => ({
    userId,
    hand,
    isServiceAccount: hand !== userId,
    credentials: [credential],
  });
  const walletOf = (id: string, key: CreatedKey, tags: string[]) => ({
    id,
    keyId: key.sealed.keyId,
    network: 'EthereumSepolia',
    address: codec.addressOf(key.publicKeyHex),
    tags,
  });
  const charter: Charter = {
    v: 1,
    signerId: signer.health().signerId,
    organizationId: ORG,
    sequence: 1,
    previous: null,
    dateIssued: new Date(NOW_MS).toISOString(),
    members: [memberOf(ada), memberOf(ben), memberOf(cyd), memberOf(bot, ben.userId)],
    wallets: [walletOf(WALLET_ID, free, []), walletOf(HELD_WALLET_ID, held, [HELD_TAG])],
    feeSponsors: [],
    registryAddresses: [],
    policies: [
      {
        id: POLICY_ID,
        name: 'Two officers',
        version: 1,
        activityKind: 'Wallets:Sign',
        rule: { kind: 'AlwaysTrigger' },
        action: {
          kind: 'RequestApproval',
          approvalGroups: [
            {
              id: GROUP_ID,
              name: 'Officers',
              quorum: 2,
              approvers: { userId: { in: approvers } },
              serviceAccountsCanApprove: true,
            },
          ],
        },
        filters: { walletTags: { hasAny: [HELD_TAG] } },
        mode: 'Enforce',
      },
    ],
    changePolicies: [],
    limits: [],
  };
  const signedBy = (content: Charter | string, { privateKey } = operator): SignedCharter => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return { charter: text, signature: sign(null, charterBytes(text), privateKey).toString('base64') };
  };
  let count = 0;

  /** An order for the transfer that the person requested with this body. */
  const transfer = (
    by: Person,
    changes: { readonly walletId?: string; readonly body?: object } & Pick<Said, 'expiresMs' | 'anchor'> = {},
  ) => {
    const { walletId = WALLET_ID, body = {}, ...signed } = changes;
    count += 1;
    const order = orderFor(walletId === WALLET_ID ? free : held, `xfr-${count}`, { nonce: 100 + count });
    const text = JSON.stringify({ kind: 'Native', to: order.intent.to, amount: order.intent.amountUnits, ...body });
    const said = { path: `/wallets/${walletId}/transfers`, body: text, ...signed };
    return { ...order, evidence: [actionOf('Initiator', by, said)] };
  };

  /** The approval of an order, and the votes of these people. */
  const approved = (
    order: SignTransferOrder,
    voters: readonly Person[],
    changes: Readonly<Record<string, unknown>> = {},
  ): Approved => {
    const { requestId, network, feeCeilingUnits, intent } = order;
    const group: ApprovalGroup = {
      policyId: POLICY_ID,
      groupId: GROUP_ID,
      name: 'Officers',
      quorum: 2,
      voterIds: approvers,
      denierIds: [],
    };
    const { from, to, amountUnits } = intent;
    const committed = {
      v: 1,
      org: ORG,
      activityKind: 'Wallets:Sign',
      activityId: requestId,
      envelope: { network, from, to, asset: 'native', amountUnits, feeCeilingUnits },
      policies: [{ id: POLICY_ID, version: 1 }],
      groups: [group],
      credentials: [],
      ...changes,
    };
    const text = JSON.stringify(committed);
    const digest = digestOf(JSON.parse(text));
    const approvalId = `ap-${requestId}`;
    return {
      approval: { kind: 'Approval', approvalId, digest, committed: text },
      votes: voters.map((voter) => voteOf(voter, { approvalId, digest })),
    };
  };

  return {
    folder,
    clock,
    operatorKey: operator.publicKey,
    operatorSecret: operator.privateKey,
    open,
    signer,
    charter,
    signedBy,
    operatorKeyHex: operator.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    adopt: (content: Charter = charter) => signer.charters.adopt(signedBy(content)),
    next: (changes: Partial<Charter>): Charter => ({
      ...charter,
      sequence: 2,
      previous: charterDigest(JSON.stringify(charter)),
      ...changes,
    }),
    people: { ada, ben, cyd, bot },
    anchorAt,
    keys: { free, held },
    transfer,
    approved,
    held: (by: Person, voters: readonly Person[]) => {
      const order = transfer(by, { walletId: HELD_WALLET_ID });
      const { approval, votes } = approved(order, voters);
      return { ...order, evidence: [...order.evidence, approval, ...votes] };
    },
    async close() {
      await signer.close();
      folder.remove();
    },
  };
}
export type Chartered = Awaited<ReturnType<typeof openChartered>>;

type OfApproval = { readonly approvalId: string; readonly digest: string };
export const voteOf = (
  voter: Person,
  { approvalId, digest }: OfApproval,
  value = 'Approved',
  signed: Pick<Said, 'expiresMs' | 'anchor'> = {},
): Action =>
  actionOf('Approver', voter, {
    path: `/v2/policy-approvals/${approvalId}/decisions`,
    body: JSON.stringify({ value }),
    approvalDigest: digest,
    ...signed,
  });

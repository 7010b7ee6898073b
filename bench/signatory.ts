import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { CHARTER_OPERATION_IDS } from '../domain/charters';
import { challengeOf, NONCE_BYTES } from '../platform/action-challenge';
import { sha256Hex } from '../platform/digests';
import { newId } from '../platform/ids';
import type { CharterCredential } from '../signer/charters/charter';
import type { Evidence } from '../signer/record/evidence';

type Action = Extract<Evidence, { readonly kind: 'Initiator' | 'Approver' }>;
type Answer = Pick<Action, 'clientData' | 'authenticatorData' | 'signature'>;

/** A person who signs the measured requests with one credential. */
export type Signatory = {
  readonly userId: string;
  readonly credential: CharterCredential;
  /** A passkey ignores `shownSha256` of `place`. A key uses only `origin` and `shownSha256`. */
  readonly answer: (challenge: string, place?: Partial<SigningPlace>) => Answer;
  /** Signs a text other than a challenge. Returns the signature in base64. */
  readonly signText: (text: Buffer) => string;
};

/** Values in the signed client data and authenticator data. */
export type SigningPlace = {
  readonly type: string;
  readonly origin: string;
  readonly relyingPartyId: string;
  readonly crossOrigin: boolean;
  readonly flags: number;
  /** Only `strongroom-verify` writes this member. */
  readonly shownSha256: string;
};

const RELYING_PARTY = 'localhost';
const ORIGIN = 'http://localhost:3000';
/** The flags for a user who is present and verified. */
const FLAGS = 0x05;
const EXPIRES_IN_MS = 5 * 60_000;

const MAKERS = {
  'Ed25519 keys': { kind: 'Key', makeKeys: () => generateKeyPairSync('ed25519') },
  'ES256 passkeys': { kind: 'Fido2', makeKeys: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  'RSA 2048 keys': { kind: 'Key', makeKeys: () => generateKeyPairSync('rsa', { modulusLength: 2048 }) },
  'EdDSA passkeys': { kind: 'Fido2', makeKeys: () => generateKeyPairSync('ed25519') },
} as const;
export type SignatoryForm = keyof typeof MAKERS;
export const SIGNATORY_FORMS = Object.keys(MAKERS) as SignatoryForm[];

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const signed = (key: KeyObject, data: Buffer, encoding: 'base64' | 'base64url' = 'base64url') =>
  sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key).toString(encoding);

function answerOfKey(key: KeyObject, challenge: string, { origin, shownSha256 }: Partial<SigningPlace> = {}): Answer {
  const data = Buffer.from(JSON.stringify({ type: 'key.get', challenge, origin, shownSha256 }));
  return { clientData: data.toString('base64url'), signature: signed(key, data), authenticatorData: null };
}

function answerOfPasskey(key: KeyObject, challenge: string, place: Partial<SigningPlace> = {}): Answer {
  const { type = 'webauthn.get', origin = ORIGIN, crossOrigin = false, relyingPartyId = RELYING_PARTY, flags = FLAGS } = place;
  const client = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  const data = Buffer.concat([sha256(Buffer.from(relyingPartyId)), Buffer.from([flags]), Buffer.alloc(4)]);
  return {
    clientData: client.toString('base64url'),
    signature: signed(key, Buffer.concat([data, sha256(client)])),
    authenticatorData: data.toString('base64url'),
  };
}

export function createSignatory(form: SignatoryForm): Signatory {
  const { kind, makeKeys } = MAKERS[form];
  const { publicKey, privateKey } = makeKeys();
  const common = {
    id: newId('credential'),
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    operations: [...CHARTER_OPERATION_IDS],
  };
  return {
    userId: newId('user'),
    credential: kind === 'Key' ? { ...common, kind } : { ...common, kind, relyingPartyId: RELYING_PARTY },
    answer: (challenge, place) =>
      kind === 'Key' ? answerOfKey(privateKey, challenge, place) : answerOfPasskey(privateKey, challenge, place),
    signText: (text) => signed(privateKey, text, 'base64'),
  };
}

type Said = {
  readonly orgId: string;
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: string;
  readonly approvalDigest: string | null;
  readonly expiresInMs?: number;
  /** An anchor (a signed time) from the signer that judges the action. */
  readonly anchor: string;
};

/** The evidence of a signed request, as the worker sends the evidence to the signer. The default method is POST. */
export function signedRequest(kind: Action['kind'], { userId, credential, answer }: Signatory, said: Said): Action {
  const { orgId, method = 'POST', path, body, approvalDigest, expiresInMs = EXPIRES_IN_MS, anchor } = said;
  const nonce = randomBytes(NONCE_BYTES);
  const dateExpires = new Date(Date.now() + expiresInMs);
  const common = { userId, credentialIds: [credential.id], method, path, bodySha256: sha256Hex(body), approvalDigest, anchor };
  const challenge = challengeOf(nonce, { ...common, orgId, dateExpires });
  return {
    ...common,
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

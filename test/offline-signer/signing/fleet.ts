import { createHash, createPrivateKey, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { FleetCurve } from '../../../domain/fleets';
import type { SigningDevice } from '../../../offline-signer/signing/device';
import type { DeviceRules } from '../../../offline-signer/signing/rules';
import type { SignedGroup } from '../../../offline-signer/signing/sign-requests';
import type { Claim } from '../../../offline-signer/state/claims';
import { canonical } from '../../../platform/canonical';
import { sha256Hex } from '../../../platform/digests';
import type { FleetInput, FleetKey, SignRequest } from '../../../platform/fleets/inputs';
import { type StatementType, statementBytes } from '../../../platform/fleets/statement';
import type { Vouch, VouchOp } from '../../../platform/fleets/vouches';
import type { CharterInForce } from '../../../signer/charters/charter-in-force';
import { ORG } from '../../signer/fixtures';

export const [STORE, FLEET, GROUP, SIGNER] = ['ks-offline', 'fl-offline', 'fg-1', 'sgn-offline'] as const;
export { ORG };
export const VOUCHED_AT = '2026-01-02T03:04:05.000Z';
const KEYS = 4;

type Identity = {
  readonly publicKey: string;
  readonly state: (type: StatementType, body: object) => { by: string; signature: string };
};

/** An Ed25519 identity from a name. */
export function identityOf(name: string): Identity {
  const seed = createHash('sha256').update(name).digest();
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = Buffer.from(ed25519.getPublicKey(seed)).toString('hex');
  return {
    publicKey,
    state: (type, body) => ({
      by: publicKey,
      signature: sign(null, statementBytes(type, body as never), key).toString('base64'),
    }),
  };
}
export const signer = identityOf('signer');

const secretOf = (curve: FleetCurve, index: number): Buffer => createHash('sha256').update(`${curve} ${index}`).digest();
const publicKeyOf = {
  secp256k1: (secret: Buffer) => secp256k1.getPublicKey(secret, true),
  ed25519: (secret: Buffer) => ed25519.getPublicKey(secret),
} as const;

export function keyOf(curve: FleetCurve, index = 0): FleetKey {
  return { curve, index, publicKey: Buffer.from(publicKeyOf[curve](secretOf(curve, index))).toString('hex') };
}

export type Shown = { readonly pages: string[][]; readonly questions: string[] };
type KeptClaims = Map<string, readonly Claim[]>;
type Options = {
  readonly rules?: DeviceRules;
  readonly charter?: CharterInForce;
  readonly accepts?: (question: string) => boolean;
  /** Claims of an earlier run of the same device. */
  readonly claims?: KeptClaims;
};
export type TestDevice = SigningDevice & { readonly shown: Shown; readonly kept: KeptClaims; readonly order: string[] };

/** A device whose secrets follow from their place, with a screen that a test reads. */
export function createDevice({ rules, charter, accepts = () => true, claims: kept = new Map() }: Options = {}): TestDevice {
  const shown: Shown = { pages: [], questions: [] };
  const order: string[] = [];
  return {
    shown,
    kept,
    order,
    signerKey: signer.publicKey,
    manifest: { ranges: { secp256k1: KEYS, ed25519: KEYS } },
    withKeys: async (use) =>
      use({
        derive: (curve, index) => {
          order.push(`derive ${curve} ${index}`);
          return secretOf(curve, index);
        },
      }),
    claims: {
      usesOf: (claim) => kept.get(claim) ?? [],
      ofRequest: (requestId) => [...kept.values()].flat().filter((one) => one.requestId === requestId),
      replacementsOf: (requestId) =>
        [...kept.values()].flat().flatMap((one) => (one.replaces === requestId && !one.takesLeft ? [one.requestId] : [])),
      record(claim) {
        order.push(`claim ${claim.claim}`);
        const uses = kept.get(claim.claim) ?? [];
        if (!uses.some(({ payloadDigest }) => payloadDigest === claim.payloadDigest)) kept.set(claim.claim, [...uses, claim]);
      },
    },
    rules,
    charter,
    screen: {
      say: (lines) => void shown.pages.push([...lines]),
      confirm: async (question) => {
        shown.questions.push(question);
        return accepts(question);
      },
    },
  };
}

/** An order as it travels to the device. `claims` are those that the signer records. */
export type Travelling = {
  readonly op: VouchOp;
  readonly key: FleetKey;
  readonly order: Readonly<Record<string, unknown>> & { readonly requestId: string; readonly publicKeyHex: string };
  readonly claims: readonly string[];
  readonly payloadDigest: string;
};

/** The request with a vouch of the signer, whether or not the order is honest. `changes` replace members of the vouch. */
export function vouched({ op, key, order, claims, payloadDigest }: Travelling, changes: Partial<Vouch> = {}): SignRequest {
  const text = canonical(order as never);
  const vouch: Vouch = {
    ...{ v: 1, signerId: SIGNER, orgId: ORG, storeId: STORE, groupId: GROUP, requestId: order.requestId, op },
    ...{ keyId: String(order['keyId']), publicKey: order.publicKeyHex, orderDigest: sha256Hex(text), payloadDigest },
    ...{ claims: [...claims], dateVouched: VOUCHED_AT },
    ...changes,
  };
  const operationId = `fo-${order.requestId}`;
  return {
    ...{ operationId, requestId: order.requestId, op, key, order: text },
    vouched: { vouch: canonical(vouch), signed: signer.state('vouch', vouch) },
  };
}

export const inputOf = (requests: readonly SignRequest[]): FleetInput => ({
  ...{ type: 'strongroom-fleet-input', v: 1, signerId: SIGNER, orgId: ORG, storeId: STORE, fleetId: FLEET, fleetLabel: 'Test' },
  ...{ groupId: GROUP, manifest: '0'.repeat(64), abandons: [], dateIssued: VOUCHED_AT, notAfter: VOUCHED_AT },
  task: { kind: 'OnchainSign', requests: [...requests] },
});

/** The codes of the failed operations and `signed` for the others, in the order of the requests. */
export const outcomesOf = ({ uses }: SignedGroup): string[] =>
  Object.values(uses).map(({ result }) => ('fail' in result ? result.fail.code : 'signed'));

/** The signatures of one operation, in order. */
export function signaturesOf({ uses }: SignedGroup, requestId: string): string[] {
  const result = uses[`fo-${requestId}`]?.result;
  if (!result || !('success' in result)) throw new Error(`${requestId} is not signed`);
  return Object.values(result.success as Record<string, { signature: string }>).map(({ signature }) => signature);
}

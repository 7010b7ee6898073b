import { judgeOrder } from '../../offline-signer/signing/judge-order';
import { signGroup } from '../../offline-signer/signing/sign-group';
import { canonical } from '../../platform/canonical';
import { sha256Hex } from '../../platform/digests';
import { verifiedSignature } from '../../platform/fleets/fleet-signatures';
import type { FleetInput, FleetKey, SignedVouch, SignRequest } from '../../platform/fleets/inputs';
import { manifestDigest } from '../../platform/fleets/manifests';
import { SignOutputJson } from '../../platform/fleets/outputs';
import { travellingText, type Vouch, type VouchOp } from '../../platform/fleets/vouches';
import { newId } from '../../platform/ids';
import type { Judge } from '../judge';
import type { Order } from '../orders';
import { moment } from '../organization';
import type { Outcome, Wire } from '../wire';
import type { Machine } from './machines';
import { inputOf, type Vault } from './vault';

const VOUCHES = {
  signTransfer: 'vouchTransfer',
  signUtxo: 'vouchUtxo',
  signSolana: 'vouchSolana',
  signPayload: 'vouchPayload',
} as const satisfies Readonly<Record<string, VouchOp>>;
const SIGNS = Object.fromEntries(Object.entries(VOUCHES).map(([signing, vouching]) => [vouching, signing]));

/** An order as the worker sends it for a vouch. Undefined for an order that is not for a device. */
export type VouchMessage = { readonly op: VouchOp; readonly order: Readonly<Record<string, unknown>> };

export function asVouch(order: object, storeId: string, groupId: string): VouchMessage | undefined {
  const { op, sealed, dek: _dek, ...rest } = order as Record<string, unknown>;
  const vouching = Object.hasOwn(VOUCHES, String(op)) ? VOUCHES[op as keyof typeof VOUCHES] : undefined;
  if (vouching === undefined || typeof sealed !== 'object' || sealed === null) return undefined;
  const { scheme, curve, publicKeyHex } = sealed as Record<string, unknown>;
  return {
    op: vouching,
    order: { policyEpoch: 0, ...rest, ...moment(), scheme, curve, publicKeyHex, store: { storeId, groupId } },
  };
}

const textOf = ({ order }: VouchMessage): string => travellingText(order);

/** The request of an archive for this order. */
export const requestOf = (message: VouchMessage, key: FleetKey, vouched: SignedVouch): SignRequest => ({
  ...{ operationId: newId('fleetOperation'), requestId: String(message.order['requestId']), op: message.op, key },
  ...{ order: textOf(message), vouched },
});

export const signingInput = (
  { place, manifest }: Pick<Vault, 'place' | 'manifest'>,
  groupId: string,
  requests: readonly SignRequest[],
): FleetInput => ({
  ...inputOf(place, { kind: 'OnchainSign', requests: [...requests] }),
  ...{ groupId, manifest: manifestDigest(manifest) },
});

/** The vouch of a signer whose key the attacker has. It fits the order as well as the attacker can make it fit. */
export function forgedVouch({ place, thief }: Vault, message: VouchMessage, groupId: string, dateVouched: string): SignedVouch {
  const { orgId, signerId, storeId } = place;
  const { store: _store, issuedAt: _issued, notAfter: _end, policyEpoch: _epoch, ...order } = message.order;
  const { scheme, curve, publicKeyHex, ...rest } = order;
  const sealed = { orgId: order['orgId'], keyId: order['keyId'], scheme, curve, publicKeyHex };
  const asked = { op: SIGNS[message.op], order: { ...rest, sealed, issuedAt: dateVouched, notAfter: dateVouched } };
  let [payloadDigest, claims]: [string, readonly string[]] = ['0'.repeat(64), []];
  try {
    const judged = judgeOrder(asked as never);
    [payloadDigest, claims] = [judged.signed.payloadDigest, judged.claims];
  } catch {
    // The device will not understand the bytes either, and says why.
  }
  const vouch: Vouch = {
    ...{ v: 1, signerId, orgId, storeId, groupId, requestId: String(order['requestId']), op: message.op },
    ...{ keyId: String(order['keyId']), publicKey: String(publicKeyHex), orderDigest: sha256Hex(textOf(message)) },
    ...{ payloadDigest, claims: [...claims], dateVouched },
  };
  return { vouch: canonical(vouch), signed: thief.state('vouch', vouch) };
}

export const signedByThief = ({ thief }: Vault, input: FleetInput): string =>
  canonical({ input, signed: thief.state('input', input) } as never);

/** The signer's answer to the order for a vouch. */
export const askVouch = (wire: Wire, { op, order }: VouchMessage): Promise<Outcome> => wire.send({ op, ...order });

export const askSeal = (wire: Wire, input: FleetInput, evidence: readonly unknown[] = []): Promise<Outcome> => {
  const { groupId: requestId, orgId } = input;
  return wire.send({ op: 'sealFleetInput', requestId, orgId, input: canonical(input as never), evidence, ...moment() });
};

/** What came out of the device: a refusal of the whole archive or of each request, or a gain, or signatures without a gain. */
export type Carried = { readonly refused: string } | { readonly signed: number; readonly gain?: string };

const wordOfRefusal = (error: unknown): string => {
  const { message } = error as Error;
  return `device: ${message.replace(/[0-9a-f]{4}(?: [0-9a-f]{4})+|"[^"]*"|fo-\S+/g, '…').slice(0, 60)}`;
};

/** People carry the archive to the machine, and agree to everything that the screen shows. */
export async function carry(machine: Machine, text: string, judge: Judge, now?: () => Date): Promise<Carried> {
  let files: Awaited<ReturnType<typeof signGroup>>;
  try {
    files = await signGroup(machine.session(now), { input: text });
  } catch (error) {
    return { refused: wordOfRefusal(error) };
  }
  return judgeFiles(files['output.json'] ?? '', text, judge);
}

function judgeFiles(outputText: string, text: string, judge: Judge): Carried {
  const { outputs } = SignOutputJson.parse(JSON.parse(outputText));
  const { input } = JSON.parse(text) as { input: FleetInput };
  const requests = input.task.kind === 'OnchainSign' ? input.task.requests : [];
  const [codes, gains]: [string[], string[]] = [[], []];
  let signed = 0;
  for (const { operationId, op, order, key } of requests) {
    const result = outputs[operationId]?.result;
    if (result === undefined || 'fail' in result) {
      codes.push(result?.fail.code ?? 'unanswered');
      continue;
    }
    signed += 1;
    const { success } = result as { success: Record<string, { exact_bytes_signed: string; signature: string }> };
    const signatures = Object.values(success).map(({ exact_bytes_signed: exact, signature }) =>
      verifiedSignature(key, Buffer.from(exact, 'hex'), signature),
    );
    const whole = { ...(JSON.parse(order) as object), op: SIGNS[op], sealed: { publicKeyHex: key.publicKey } };
    const { gain } = judge.judgeSignatures(whole, { signatures });
    if (gain !== undefined) gains.push(gain);
  }
  const [gain] = gains;
  if (gain !== undefined) return { signed, gain };
  return signed > 0 ? { signed } : { refused: `device: ${codes[0] ?? 'nothing asked'}` };
}

export const poolKeyOf = ({ keys }: Vault, order: Order | object): FleetKey | undefined => {
  const { sealed } = order as { sealed?: { publicKeyHex?: string } };
  return keys.find(({ publicKey }) => publicKey === sealed?.publicKeyHex);
};

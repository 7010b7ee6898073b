import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import type { Card, CardRole } from '../../platform/fleets/cards';
import { type BySigner, type StatementType, statementBytes } from '../../platform/fleets/statement';
import { createSealingPair } from './sealed-box';

/** The bytes before a key in PKCS 8 and SubjectPublicKeyInfo (RFC 8410, sections 7 and 4). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_BYTES = 32;

const privateKeyOf = (secretHex: string) =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, Buffer.from(secretHex, 'hex')]), format: 'der', type: 'pkcs8' });

const publicHexOf = (secretHex: string): string =>
  createPublicKey(privateKeyOf(secretHex)).export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_BYTES).toString('hex');

/** Signs a statement with an identity key. */
export function stateBy(secretHex: string, type: StatementType, body: Parameters<typeof statementBytes>[1]): BySigner {
  const signature = sign(null, statementBytes(type, body), privateKeyOf(secretHex)).toString('base64');
  return { by: publicHexOf(secretHex), signature };
}

export type MachineIdentity = { readonly card: Card; readonly signingSecret: string; readonly sealingSecret: string };

/** New keys, and the card that binds them to the role and the serial number. */
export async function createIdentity(role: CardRole, serial: string): Promise<MachineIdentity> {
  const signingSecret = randomBytes(PUBLIC_BYTES).toString('hex');
  const { secret, publicKey } = await createSealingPair();
  const body = { v: 1, role, serial, signingKey: publicHexOf(signingSecret), sealingKey: publicKey } as const;
  const { signature } = stateBy(signingSecret, 'card', body);
  return { card: { ...body, signature }, signingSecret, sealingSecret: secret };
}

import { createSign, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createDek, openDek, sealKey } from '../signer/keys/envelope';
import { createFileKek } from '../signer/keys/kek';
import type { SigningKey } from '../signer/keys/sealed-signing';
import { openAddon, openSigning } from '../signer/native/open-signing';
import type { Arithmetic } from '../signer/protocol';
import { schemeOf } from '../signer/schemes/scheme';
import { serveParent } from './program';

/** The service does not have P-256 keys: `P-256` measures Node's own calls of OpenSSL, for comparison. */
export type ArithmeticForm = 'ECDSA' | 'Schnorr' | 'EdDSA' | 'P-256';
export type ArithmeticOrder = {
  readonly arithmetic: Arithmetic;
  readonly nativeFile: string;
  readonly form: ArithmeticForm;
  readonly count: number;
};
export type ArithmeticAnswer = { readonly cpuMs: number };

const FORMS = {
  ECDSA: { scheme: 'ECDSA', curve: 'secp256k1' },
  Schnorr: { scheme: 'Schnorr', curve: 'secp256k1' },
  EdDSA: { scheme: 'EdDSA', curve: 'ed25519' },
} as const;
const DIGESTS = 256;
const digests = Array.from({ length: DIGESTS }, () => randomBytes(32));

async function openSealedKey({
  arithmetic,
  nativeFile,
  form,
}: ArithmeticOrder & { form: keyof typeof FORMS }): Promise<SigningKey> {
  const kek = createFileKek(randomBytes(32));
  const [orgId, keyId] = ['or-bench', 'key-bench'];
  const dek = await createDek(kek, orgId);
  const code = schemeOf(FORMS[form]);
  const secret = code.createSecret();
  const place = { orgId, keyId, ...FORMS[form], publicKeyHex: code.publicKeyHexOf(secret), dekId: dek.dekId };
  const sealed = sealKey(await openDek(kek, dek, orgId), place, secret);
  return openSigning(openAddon({ arithmetic, nativeFile }), kek).open({ orgId, keyId, sealed, dek });
}

function p256(): (digest: Buffer) => void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return (digest) => {
    const signature = createSign('sha256').update(digest).sign(privateKey);
    if (!createVerify('sha256').update(digest).verify(publicKey, signature)) throw new Error('P-256 does not verify');
  };
}

const kept = new Map<string, (digest: Buffer) => void>();

async function signerOf(order: ArithmeticOrder): Promise<(digest: Buffer) => void> {
  const name = `${order.arithmetic} ${order.form}`;
  const known = kept.get(name);
  if (known) return known;
  const { form } = order;
  const key = form === 'P-256' ? undefined : await openSealedKey({ ...order, form });
  const sign = key ? (digest: Buffer) => void key.sign(digest) : p256();
  kept.set(name, sign);
  return sign;
}

serveParent<ArithmeticOrder, ArithmeticAnswer>(async (order) => {
  const sign = await signerOf(order);
  const before = process.cpuUsage();
  for (let at = 0; at < order.count; at += 1) sign(digests[at % DIGESTS] ?? randomBytes(32));
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000 };
});

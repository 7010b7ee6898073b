import type { KeyForm } from '../../domain/keys';
import type { FleetKey } from '../../platform/fleets/inputs';
import { ecdsaSecp256k1 } from '../../signer/schemes/ecdsa-secp256k1';
import { ed25519 } from '../../signer/schemes/ed25519';
import type { SchemeCode } from '../../signer/schemes/key-signature';
import { DeviceRefusal } from './device-refusal';
import type { JudgedRequest } from './judged-request';

type Form = KeyForm & { readonly publicKeyHex: string };

const SCHEMES: readonly (readonly [KeyForm, SchemeCode])[] = [
  [{ scheme: 'ECDSA', curve: 'secp256k1' }, ecdsaSecp256k1],
  [{ scheme: 'EdDSA', curve: 'ed25519' }, ed25519],
];

/** Throws a `DeviceRefusal` for a key that an offline device does not have. */
export function deviceScheme({ scheme, curve }: KeyForm): SchemeCode {
  const found = SCHEMES.find(([form]) => form.scheme === scheme && form.curve === curve);
  if (!found) throw new DeviceRefusal('KeyMismatch');
  return found[1];
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** One signature of an operation, as `outputJson` contains it. */
export type SignedMessage = {
  readonly signer_public_key: string;
  readonly exact_bytes_signed: string;
  readonly signature: string;
};

/** The position of the message in the transaction, from `0`. */
export type SignedMessages = Readonly<Record<string, SignedMessage>>;

/**
 * Signs each message. The schemes are deterministic and verify each signature, because a faulty signature can reveal the key.
 * The caller wipes the secret.
 */
export function signMessages(
  form: Form,
  secret: Buffer,
  { messages }: Pick<JudgedRequest, 'messages'>,
  key: FleetKey,
): SignedMessages {
  const scheme = deviceScheme(form);
  const signed = messages.map(({ message, options }, at) => {
    const { r, s } = scheme.sign(message, secret, form.publicKeyHex, options);
    return [
      String(at),
      { signer_public_key: key.publicKey, exact_bytes_signed: hexOf(message), signature: `${r.slice(2)}${s.slice(2)}` },
    ] as const;
  });
  return Object.fromEntries(signed);
}

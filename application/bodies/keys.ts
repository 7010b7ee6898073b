import { z } from 'zod';
import { Curve, KeyName, Protocol, Scheme, WalletExternalId, WalletName, WalletNetwork } from './key-members';

const SIGNERS_NAMED_MAX = 32;
const DOMAIN_BYTES_MAX = 255;
const SEED_BYTES_MAX = 4_096;
const SHARE_CHARS_MAX = 1_024;

const KeyShareMembers = {
  name: KeyName.optional(),
  curve: Curve,
  scheme: Scheme.optional().meta({ description: 'Where the curve has several: ECDSA, DH or Schnorr on secp256k1' }),
  protocol: Protocol,
  minSigners: z.int().positive(),
  encryptedKeyShares: z
    .array(z.strictObject({ signerId: z.string().min(1).max(64), encryptedKeyShare: z.string().min(1).max(SHARE_CHARS_MAX) }))
    .min(1)
    .max(SIGNERS_NAMED_MAX),
} as const;

export const ImportKeyBody = z
  .strictObject({ ...KeyShareMembers, masterKey: z.boolean().optional() })
  .meta({ id: 'ImportKeyBody' });

export const ImportWalletBody = z
  .strictObject({
    ...KeyShareMembers,
    name: WalletName.optional(),
    network: WalletNetwork,
    externalId: WalletExternalId.optional(),
  })
  .meta({ id: 'ImportWalletBody' });

export const KeyExportBody = z
  .strictObject({
    encryptionKey: z.string().min(1).max(SHARE_CHARS_MAX).meta({ description: 'An X25519 public key in base64' }),
    supportedSchemes: z.array(z.strictObject({ protocol: Protocol, curve: Curve })).max(SIGNERS_NAMED_MAX),
  })
  .meta({ id: 'KeyExportBody' });

const hex = (bytesMax: number) =>
  z
    .string()
    .max(2 + 2 * bytesMax)
    .regex(/^(0x)?([0-9a-fA-F][0-9a-fA-F])*$/, 'must be hex, two digits a byte');

export const DeriveKeyBody = z.strictObject({
  domain: hex(DOMAIN_BYTES_MAX)
    .refine((text) => text !== '' && text !== '0x' && text.replace(/^0x/, '').length <= 2 * DOMAIN_BYTES_MAX, {
      error: `must have 1 to ${DOMAIN_BYTES_MAX} bytes (RFC 9380, section 3.1)`,
    })
    .meta({ description: 'The domain separation tag' }),
  seed: hex(SEED_BYTES_MAX).refine((text) => text.replace(/^0x/, '').length <= 2 * SEED_BYTES_MAX, {
    error: `must have at most ${SEED_BYTES_MAX} bytes`,
  }),
});

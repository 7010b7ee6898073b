import { z } from 'zod';
import { Curve, KeyName, Protocol, Scheme, WalletExternalId, WalletMetadata, WalletName, WalletNetwork } from './key-members';

const SIGNERS_NAMED_MAX = 32;
const DOMAIN_BYTES_MAX = 255;
const SEED_BYTES_MAX = 4_096;
const SHARE_CHARS_MAX = 1_024;

const EncryptedKeyShare = z
  .strictObject({
    signerId: z.string().min(1).max(64).describe('ID of a signer that `listSigners` returns'),
    encryptedKeyShare: z
      .string()
      .min(1)
      .max(SHARE_CHARS_MAX)
      .describe(
        'Exactly 80 bytes in base64 with padding: the 32-byte secret, encrypted to the `encryptionKey` of the signer as ' +
          'docs/key-shares.md describes',
      ),
  })
  .meta({ id: 'EncryptedKeyShare' });

const KeyShareMembers = {
  name: KeyName.optional(),
  curve: Curve,
  scheme: Scheme.optional().meta({
    description: 'ECDSA (the default), DH or Schnorr on secp256k1; the other curves have only one scheme',
  }),
  protocol: Protocol.describe('Must be `Software`: the store holds whole keys'),
  minSigners: z.int().positive().describe('Must be 1'),
  encryptedKeyShares: z
    .array(EncryptedKeyShare)
    .min(1)
    .max(SIGNERS_NAMED_MAX)
    .describe('Exactly one share, because `minSigners` is 1'),
} as const;

export const ImportKeyBody = z
  .strictObject({
    ...KeyShareMembers,
    masterKey: z
      .boolean()
      .optional()
      .describe('Allows other keys to be derived from this key; false by default. Not for `DH` and not on stark'),
  })
  .meta({ id: 'ImportKeyBody' });

export const ImportWalletBody = z
  .strictObject({
    ...KeyShareMembers,
    name: WalletName.optional().describe('Name of the wallet; its key has no name'),
    network: WalletNetwork.describe('The network of the wallet; the network must accept the curve and the scheme'),
    externalId: WalletExternalId.optional().describe('Unique among the wallets of the organisation'),
    metadata: WalletMetadata.optional(),
  })
  .meta({ id: 'ImportWalletBody' });

export const KeyExportBody = z
  .strictObject({
    encryptionKey: z
      .string()
      .min(1)
      .max(SHARE_CHARS_MAX)
      .meta({ description: 'An X25519 public key of the caller: exactly 32 bytes in base64 with padding' }),
    supportedSchemes: z
      .array(z.strictObject({ protocol: Protocol, curve: Curve }))
      .max(SIGNERS_NAMED_MAX)
      .describe('The combinations that the caller supports; one of them must be `Software` on the curve of the key'),
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
    .meta({ description: 'The domain separation tag: 1 to 255 bytes as hexadecimal digits, with or without 0x' }),
  seed: hex(SEED_BYTES_MAX)
    .refine((text) => text.replace(/^0x/, '').length <= 2 * SEED_BYTES_MAX, {
      error: `must have at most ${SEED_BYTES_MAX} bytes`,
    })
    .meta({ description: 'The message that is mapped to a point: at most 4096 bytes as hexadecimal digits, with or without 0x' }),
});

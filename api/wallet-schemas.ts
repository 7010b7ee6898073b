import { z } from 'zod';
import { INTERFACE_NETWORK_NAMES } from '../domain/networks';

const NAME_CHARS_MAX = 100;

export const WalletNetwork = z.enum(INTERFACE_NETWORK_NAMES);
export const WalletName = z.string().max(NAME_CHARS_MAX);
export const Scheme = z.enum(['DH', 'ECDSA', 'EdDSA', 'Schnorr']);
export const Curve = z.enum(['ed25519', 'secp256k1', 'stark']);
const IsoDate = z.string().meta({ format: 'date-time' });

/** A wallet as several areas answer it. */
export const Wallet = z
  .object({
    id: z.string(),
    network: WalletNetwork,
    address: z.string().optional(),
    signingKey: z.object({
      id: z.string(),
      scheme: Scheme,
      curve: Curve,
      publicKey: z.string(),
      delegatedTo: z.string().optional(),
    }),
    status: z.enum(['Active', 'Inactive', 'Archived']),
    dateCreated: IsoDate,
    dateDeleted: IsoDate.optional(),
    name: z.string().optional(),
    custodial: z.boolean(),
    externalId: z.string().optional(),
    tags: z.array(z.string()),
  })
  .meta({ id: 'Wallet' });

import { z } from 'zod';
import { INTERFACE_NETWORK_NAMES } from '../../domain/networks';

const NAME_CHARS_MAX = 100;
const EXTERNAL_ID_CHARS_MAX = 100;
const METADATA_KEY = /^[a-zA-Z0-9_.-]{1,40}$/;
const METADATA_VALUE_CHARS_MAX = 500;
const METADATA_MEMBERS_MAX = 50;

export const WalletNetwork = z.enum(INTERFACE_NETWORK_NAMES);
export const WalletName = z.string().max(NAME_CHARS_MAX);
export const KeyName = z.string().max(NAME_CHARS_MAX);
export const Scheme = z.enum(['DH', 'ECDSA', 'EdDSA', 'Schnorr']);
export const Curve = z.enum(['ed25519', 'secp256k1', 'stark']);

/** An empty id is refused. Otherwise two clients that forgot to fill in the id would get the same wallet. */
export const WalletExternalId = z.string().min(1).max(EXTERNAL_ID_CHARS_MAX);

export const MetadataKey = z.string().regex(METADATA_KEY, 'must be 1 to 40 letters, digits or _ . -');
export const MetadataValue = z.string().min(1).max(METADATA_VALUE_CHARS_MAX);

export const WalletMetadata = z
  .record(MetadataKey, MetadataValue)
  .refine((members) => Object.keys(members).length <= METADATA_MEMBERS_MAX, `must have at most ${METADATA_MEMBERS_MAX} members`)
  .meta({
    description: `At most ${METADATA_MEMBERS_MAX} texts by key, for the caller's own use: a key of 1 to 40 letters, digits or _ . -, a text of 1 to ${METADATA_VALUE_CHARS_MAX} characters`,
  });

/**
 * The schema accepts every protocol of the published interface. The operation refuses an unsupported protocol and states the
 * reason.
 */
export const Protocol = z.enum(['CGGMP24', 'FROST', 'FROST_BITCOIN', 'GLOW20_DH', 'KU23', 'CGGMP21', 'Software']);

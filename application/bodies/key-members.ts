import { z } from 'zod';
import { INTERFACE_NETWORK_NAMES } from '../../domain/networks';

const NAME_CHARS_MAX = 100;
const EXTERNAL_ID_CHARS_MAX = 100;

export const WalletNetwork = z.enum(INTERFACE_NETWORK_NAMES);
export const WalletName = z.string().max(NAME_CHARS_MAX);
export const KeyName = z.string().max(NAME_CHARS_MAX);
export const Scheme = z.enum(['DH', 'ECDSA', 'EdDSA', 'Schnorr']);
export const Curve = z.enum(['ed25519', 'secp256k1', 'stark']);

/** An empty id is refused. Otherwise two clients that forgot to fill in the id would get the same wallet. */
export const WalletExternalId = z.string().min(1).max(EXTERNAL_ID_CHARS_MAX);

/** The schema accepts every protocol of the published interface. The operation refuses an unsupported protocol and says why. */
export const Protocol = z.enum(['CGGMP24', 'FROST', 'FROST_BITCOIN', 'GLOW20_DH', 'KU23', 'CGGMP21', 'Software']);

import { z } from 'zod';
import { DeriveKeyBody } from '../../application/bodies/keys';
import { deriveKey as derive } from '../../application/keys/derive-key';
import { operation } from '../http/operation';
import { KeyParams } from '../key-schemas';

export const deriveKey = operation({
  id: 'deriveKey',
  method: 'post',
  path: '/keys/:keyId/derive',
  tag: 'keys',
  summary: 'Derive a value from a DH key',
  description:
    'Multiplies the secret of a `DH` key on secp256k1 by the point that `seed` maps to under the tag `domain` (RFC 9380, ' +
    '`secp256k1_XMD:SHA-256_SSWU_RO_`) and returns the product; equal inputs always return the same output. The workflow ' +
    '`keyRequest` sends the request to the signer; no policy judges the call, and the call does not emit an event. The call ' +
    'returns 503 `NotReady` if the signer does not respond within 25 seconds, 409 `WrongState` if the key has a different ' +
    'scheme, is deleted or is exported, and 403 `Forbidden` if the key is delegated to another user. If the key is frozen, it ' +
    'returns 409 `TargetFrozen`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Derive',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: DeriveKeyBody,
  response: z.object({ output: z.string().describe('A point of secp256k1 in compressed form, 33 bytes as 0x-hex') }),
  handle: async ({ params, body, authority }, services) => ({ output: await derive(services, authority, params.keyId, body) }),
});

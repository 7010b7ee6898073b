import { z } from 'zod';
import { Data, Hash } from '../../rpc/rpc';
import { AddressText, HexText } from './block-schemas';

const Words = { r: HexText, s: HexText };
const Point = { pubKeyX: Hash, pubKeyY: Hash };
const Secp256k1 = z.object({ type: z.literal('secp256k1'), ...Words, yParity: HexText });
const PrimitiveSignature = z.discriminatedUnion('type', [
  Secp256k1,
  z.object({ type: z.literal('p256'), ...Words, ...Point, preHash: z.boolean() }),
  z.object({ type: z.literal('webAuthn'), ...Words, ...Point, webauthnData: Data }),
]);
export type PrimitiveSignature = z.output<typeof PrimitiveSignature>;

/** A key that `userAddress` has authorised signs for this account. `keyId` is the address of the key. */
const KeychainSignature = z.object({
  userAddress: AddressText,
  signature: PrimitiveSignature,
  version: z.enum(['v1', 'v2']).default('v1'),
  keyId: AddressText.nullish(),
});
export const TempoSignature = z.union([KeychainSignature, PrimitiveSignature]);
export type TempoSignature = z.output<typeof TempoSignature>;

export const TempoAuthorizations = z.array(
  z.object({ chainId: HexText, address: AddressText, nonce: HexText, signature: TempoSignature }),
);
export type TempoAuthorizations = z.output<typeof TempoAuthorizations>;

const Limit = z.object({ token: AddressText, limit: HexText, period: HexText.nullish() });
const Rule = z.object({ selector: Data, recipients: z.array(AddressText).default([]) });
const Scope = z.object({ target: AddressText, selectorRules: z.array(Rule).default([]) });
/** Strict, because an additional member would be a part of the signed bytes. */
export const KeyAuthorization = z.strictObject({
  chainId: HexText,
  keyType: z.enum(['secp256k1', 'p256', 'webAuthn']),
  keyId: AddressText,
  expiry: HexText.nullish(),
  limits: z.array(Limit).nullish(),
  allowedCalls: z.array(Scope).nullish(),
  witness: Hash.nullish(),
  isAdmin: z.boolean().nullish(),
  account: AddressText.nullish(),
  signature: PrimitiveSignature,
});
export type KeyAuthorization = z.output<typeof KeyAuthorization>;

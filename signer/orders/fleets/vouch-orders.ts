import { z } from 'zod';
import { INPUTS_MAX } from '../../../domain/transfers';
import { SignedVouch } from '../../../platform/fleets/inputs';
import { Id, PublicKey, word } from '../../wire/schemas';
import { KeyForms } from '../key-rows';
import { PayloadOrder, SignSolanaOrder, SignTransferOrder, SignUtxoOrder } from '../transfer-orders';
import { MessageHex } from './fleet-orders';

/** A key of an offline store has no sealed form, so the order contains the key's public form and the group that will carry it. */
const OfflineKey = {
  publicKeyHex: PublicKey,
  ...KeyForms,
  store: z.strictObject({ storeId: Id, groupId: Id }),
};
const SEALED = { sealed: true, dek: true } as const;

/** Like `SignTransferOrder`, for a key of an offline store. */
export const VouchTransferOrder = SignTransferOrder.omit(SEALED).extend(OfflineKey);
export type VouchTransferOrder = z.infer<typeof VouchTransferOrder>;
/** Like `SignUtxoOrder`, for a key of an offline store. */
export const VouchUtxoOrder = SignUtxoOrder.omit(SEALED).extend(OfflineKey);
export type VouchUtxoOrder = z.infer<typeof VouchUtxoOrder>;
/** Like `SignSolanaOrder`, for a key of an offline store. Only messages with a durable nonce and without a sponsor are accepted. */
export const VouchSolanaOrder = SignSolanaOrder.omit(SEALED).extend(OfflineKey);
export type VouchSolanaOrder = z.infer<typeof VouchSolanaOrder>;
/** Like `SignPayloadOrder`, for a key of an offline store. */
export const VouchPayloadOrder = PayloadOrder.omit(SEALED).extend(OfflineKey);
export type VouchPayloadOrder = z.infer<typeof VouchPayloadOrder>;

/**
 * `digestHex` is as in `PayloadSignature`. `messages` are the exact bytes that the device has to sign, in the order of the
 * expected signatures: 32 bytes for ECDSA and Schnorr, and the whole message for EdDSA.
 */
export const Vouched = z.strictObject({
  vouched: SignedVouch,
  digestHex: word,
  messages: z.array(MessageHex).min(1).max(INPUTS_MAX),
});
export type Vouched = z.infer<typeof Vouched>;

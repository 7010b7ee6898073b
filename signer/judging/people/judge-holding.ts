import { z } from 'zod';
import { ACTION_AGE_MS_MAX } from '../../../domain/anchors';
import { paramsOf } from '../../../domain/causes';
import { KEY_CURVES, KEY_SCHEMES, type KeyForm } from '../../../domain/keys';
import type { Holder } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import { heldAuthority } from '../../charters/held-authority';
import type { Evidence } from '../../record/evidence';
import type { Held } from '../../record/key-log';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { readSignedBody } from '../requests/signed-body';
import { assertNotOlder, type Judging } from './action-age';
import { initiatingActionOf, type SignedAction } from './signed-action';

const Form = { scheme: z.enum(KEY_SCHEMES).optional(), curve: z.enum(KEY_CURVES).optional() };
/** A request with `delayDelegation: true` leaves the key without a holder, so this schema does not accept such a request. */
const Owner = { delegateTo: z.string().optional(), delayDelegation: z.literal(false).optional() };
const Unused = { groupSize: z.unknown().optional(), groupThreshold: z.unknown().optional() };

const HeldKeyBody = z.strictObject({
  ...Form,
  ...Owner,
  ...Unused,
  name: z.string().optional(),
  masterKey: z.boolean().optional(),
  storeId: z.string().optional(),
});
const HeldWalletBody = z.strictObject({
  ...Owner,
  network: z.string().min(1).max(64),
  name: z.string().optional(),
  externalId: z.string().optional(),
  signingKey: z
    .strictObject({
      ...Form,
      id: z.string().optional(),
      deriveFrom: z.strictObject({ keyId: z.string(), path: z.string().optional() }).optional(),
      storeId: z.string().optional(),
    })
    .optional(),
  ...Unused,
  tags: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

const RegistrationBody = z.strictObject({ email: z.string(), kind: z.literal('EndUser'), externalId: z.string().optional() });

/**
 * Returns the one signed action in the evidence. `isOwn` is true if the holder signed the action. Throws a `Refusal` unless the
 * holder or a member of the charter signed the action within the last day.
 */
export function holderOrMember(
  charter: CharterInForce,
  holder: Holder,
  evidence: readonly Evidence[],
  judging: Judging,
): SignedAction & { readonly isOwn: boolean } {
  const isOwn = evidence.some((one) => one.kind === 'Initiator' && one.userId === holder.userId);
  const action = initiatingActionOf(isOwn ? heldAuthority(charter, holder, []) : charter, evidence, judging);
  assertNotOlder(action, ACTION_AGE_MS_MAX.unapproved, judging);
  return { ...action, isOwn };
}

/** Throws a `Refusal` unless `delegateTo` names the holder. Only the holder may omit `delegateTo`. */
export function assertFor(holder: Holder, isOwn: boolean, delegateTo: string | undefined): void {
  refuseUnless(delegateTo === holder.userId || (isOwn && delegateTo === undefined), 'RequestMismatch');
}

const isAt = ({ method, path }: SignedAction, place: string): boolean => method === 'POST' && paramsOf(place, path) !== undefined;

/**
 * Whether the action began the registration of an end user. Such an action names neither the id of the end user nor the networks
 * of the first wallets. The signer has to trust the service for these values. Throws a `Refusal` for a malformed body.
 */
export function isRegistration(action: SignedAction): boolean {
  if (!isAt(action, '/auth/registration/delegated')) return false;
  readSignedBody(RegistrationBody, action);
  return true;
}

/** The request for a wallet. Throws a `Refusal` for any other action. */
export function walletAskedIn(action: SignedAction): z.infer<typeof HeldWalletBody> {
  refuseUnless(isAt(action, '/wallets'), 'RequestMismatch');
  return readSignedBody(HeldWalletBody, action);
}

type Asked = KeyForm & { readonly holder: Holder & { readonly evidence: readonly Evidence[] } };

/**
 * The holder of a new random key. The credentials are trusted on first use, because the signer cannot know who registered them.
 * Throws a `Refusal` unless the end user signed a request for the key with one of these credentials, or a member of the charter
 * signed the request. A member may instead have begun the registration of an end user. A member gains nothing from such a key, so
 * the member's credential needs no permission.
 */
export function judgeHolding(charter: CharterInForce | undefined, { scheme, curve, holder }: Asked, judging: Judging): Held {
  const { evidence, userId, credentials } = holder;
  if (charter?.content.endUsers === undefined) throw new Refusal('NotWithCharter');
  refuseUnless(charter.member(userId) === undefined, 'RequestMismatch');
  const action = holderOrMember(charter, holder, evidence, judging);
  const holding = { userId, credentials, action: action.digest };
  if (!action.isOwn && isRegistration(action)) return { holding: { ...holding, isRegistered: true }, evidence };
  const { delegateTo, ...form } = isAt(action, '/keys') ? readSignedBody(HeldKeyBody, action) : newKeyIn(action);
  assertFor(holder, action.isOwn, delegateTo);
  refuseUnless([undefined, scheme].includes(form.scheme) && [undefined, curve].includes(form.curve), 'RequestMismatch');
  return { holding, evidence };
}

function newKeyIn(action: SignedAction): Pick<z.infer<typeof HeldKeyBody>, 'delegateTo' | 'scheme' | 'curve'> {
  const { signingKey: { id, deriveFrom, ...form } = {}, delegateTo } = walletAskedIn(action);
  refuseUnless(id === undefined && deriveFrom === undefined, 'RequestMismatch');
  return { ...form, delegateTo };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { TravelRuleStatus } from '../../domain/travel-rules';
import { travelRuleStore } from '../../entities/travel-rules/travel-rule.store';
import { credentialsOf } from '../integrations/integrations';
import type { Services } from '../services';
import { noteStatus, wakeTransfer } from './progress';

/** The allowed difference between the vendor's clock and the clock of this process, in either direction. */
const AGE_MAX_MS = 300_000;
const SECONDS = /^[0-9]{10}$/;
const HMAC = /^[0-9a-f]{64}$/;

/** `bytes` is the body before any parsing; a missing header is undefined. */
export type SignedCallback = {
  readonly orgId: string;
  readonly bytes: Buffer;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
};

/** The vendor's report about one message. A second callback with the same `id` is refused. */
export type TravelRuleCallback = { readonly id: string; readonly reference: string; readonly status: TravelRuleStatus };

type Parts = Pick<Services, 'db' | 'dispatcher' | 'integrationSecrets'>;

/**
 * Returns whether the report changed the message's state; a change wakes the transfer that waits for the message. Throws
 * `Unauthorized` for a callback that the organisation's vendor has not signed or whose timestamp is too far from the present.
 * Throws `Conflict` for a callback that was already received, and `NotFound` for a message that the organisation does not have.
 */
export async function receiveCallback(
  services: Parts,
  sent: SignedCallback,
  { id: callbackId, reference: messageId, status }: TravelRuleCallback,
): Promise<boolean> {
  await assertSigned(services, sent);
  const { changed, wake } = await services.db.withOrg(sent.orgId, async (tx) => {
    const message = await travelRuleStore.find(tx, messageId);
    if (!message) throw new AppError('NotFound', 'travel rule message not found', { messageId });
    if (!(await travelRuleStore.hear(tx, callbackId, messageId))) {
      throw new AppError('Conflict', 'this callback was received before', { callbackId });
    }
    const noted = await noteStatus(tx, messageId, status);
    return { changed: noted.changed, wake: noted.changed ? await wakeTransfer(tx, noted.transferId, callbackId) : undefined };
  });
  if (wake) void services.dispatcher.tryNow(sent.orgId, wake);
  return changed;
}

/** Throws the same error for every fault and for an organisation that does not exist, so that a stranger learns nothing. */
async function assertSigned({ db, integrationSecrets }: Parts, { orgId, bytes, timestamp, signature }: SignedCallback) {
  const refused = new AppError('Unauthorized', 'The callback is not signed by the vendor of this organization');
  if (timestamp === undefined || !SECONDS.test(timestamp) || signature === undefined || !HMAC.test(signature)) throw refused;
  if (Math.abs(Date.now() - Number(timestamp) * 1_000) > AGE_MAX_MS) throw refused;
  if (!isId('organization', orgId)) throw refused;
  const credentials = await credentialsOf(db.read(orgId), integrationSecrets, { orgId, kind: 'TravelRule' });
  if (credentials?.webhookSecret === undefined) throw refused;
  const expected = createHmac('sha256', credentials.webhookSecret).update(`${timestamp}.`).update(bytes).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw refused;
}

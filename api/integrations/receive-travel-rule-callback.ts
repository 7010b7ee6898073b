import { z } from 'zod';
import { receiveCallback } from '../../application/travel-rules/callbacks';
import { TRAVEL_RULE_STATUSES } from '../../domain/travel-rules';
import { publicOperation } from '../http/operation';

const one = (header: string | string[] | undefined): string | undefined => (typeof header === 'string' ? header : undefined);

export const receiveTravelRuleCallback = publicOperation({
  id: 'receiveTravelRuleCallback',
  method: 'post',
  path: '/integrations/travel-rule/callbacks/:orgId',
  tag: 'integrations',
  summary: 'Receive the status of a message from the travel rule vendor',
  description:
    'The vendor calls this operation without a token: `x-travel-rule-timestamp` holds the Unix seconds, at most 5 minutes off, ' +
    'and `x-travel-rule-signature` holds the lower-case hex HMAC-SHA256 of `<timestamp>.<body as sent>` under the ' +
    "organisation's `webhookSecret`; anything else causes 401 `Unauthorized`. A status that advances the " +
    'message wakes its transfer; an earlier status, or any status after a final one, changes nothing. A callback `id` ' +
    'that was received before causes 409 `Conflict`, and an unknown `reference` causes 404 `NotFound`.',
  params: z.object({ orgId: z.string().min(1).max(64) }),
  query: z.object({}),
  body: z
    .strictObject({
      id: z
        .string()
        .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens and underscores')
        .describe('The vendor’s ID of this callback, which is processed once'),
      reference: z.string().min(1).max(64).describe('The ID under which the message was submitted'),
      status: z
        .enum(TRAVEL_RULE_STATUSES)
        .describe('Submitted: the vendor has the message; Delivered: the counterparty has the message; the others are final'),
    })
    .meta({ id: 'TravelRuleCallback' }),
  response: z.object({ changed: z.boolean().meta({ description: 'False if the message already had this status or has ended' }) }),
  handle: async ({ params: { orgId }, body, sent: { bytes, headers } }, services) => {
    const signed = {
      orgId,
      bytes,
      timestamp: one(headers['x-travel-rule-timestamp']),
      signature: one(headers['x-travel-rule-signature']),
    };
    return { changed: await receiveCallback(services, signed, body) };
  },
});

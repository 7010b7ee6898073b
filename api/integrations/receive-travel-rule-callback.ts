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
    'The vendor calls this operation without a token. The header `x-travel-rule-timestamp` contains the time in Unix seconds, ' +
    'at most 5 minutes off, and `x-travel-rule-signature` contains the lower-case hex HMAC-SHA256 of `<timestamp>.<body as ' +
    "sent>` under the organisation's `webhookSecret`; otherwise the call returns 401 `Unauthorized`. A status that advances " +
    'the message wakes its transfer; an earlier status, or any status after a final one, changes nothing. The call returns 409 ' +
    '`Conflict` if the callback `id` was received before, and 404 `NotFound` if the `reference` is unknown.',
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
  response: z.object({
    changed: z.boolean().meta({ description: 'False if the message already had this status or had already ended' }),
  }),
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

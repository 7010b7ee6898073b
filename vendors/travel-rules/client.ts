import { z } from 'zod';
import { TRAVEL_RULE_STATUSES } from '../../domain/travel-rules';
import { callVendor, type VendorAccess } from '../call';
import type { TravelRuleMessage, TravelRuleVendor } from './port';

const Status = z.enum(TRAVEL_RULE_STATUSES);
const Validation = z.object({ valid: z.boolean() });
const Submission = z.object({ id: z.string().min(1).max(128), status: Status });
const Standing = z.object({ status: Status });

const pathOf = (messageId: string): string => `/v1/messages/${encodeURIComponent(messageId)}`;

/** docs/travel-rule.md defines the request body. Our id is the `reference`. */
function bodyOf({ id, payload: { kind: _ours, ...people }, ...transfer }: TravelRuleMessage) {
  return { reference: id, ...transfer, ...people };
}

/** docs/travel-rule.md defines the wire format. */
export function createTravelRuleVendor(access: VendorAccess): TravelRuleVendor {
  return {
    validate: async (message) => {
      const call = { method: 'POST', path: '/v1/messages/validate', body: bodyOf(message), reply: Validation } as const;
      return (await callVendor(access, call)).value.valid;
    },
    submit: async (message) => {
      const call = { method: 'PUT', path: pathOf(message.id), body: bodyOf(message), reply: Submission } as const;
      const { id: vendorMessageId, status } = (await callVendor(access, call)).value;
      return { vendorMessageId, status };
    },
    status: async (messageId) =>
      (await callVendor(access, { method: 'GET', path: pathOf(messageId), reply: Standing })).value.status,
  };
}

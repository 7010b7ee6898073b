import { z } from 'zod';
import { ALERT_LEVELS, type Screening } from '../../../domain/screenings';
import { TRAVEL_RULE_STATES, type TravelRuleEnd, type TravelRuleStanding } from '../../../domain/travel-rules';
import type { WindowUsage } from '../../../policy/types';
import { Id } from '../../wire/schemas';

/** An exact decimal number that may have a fraction. */
const Decimal = z.string().regex(/^(?:0|[1-9][0-9]{0,95})(?:\.[0-9]{1,96})?$/);
const Amount = Decimal.nullable();

const Usage = z.strictObject({
  walletId: Id,
  timeframeMinutes: z.int().positive(),
  count: z.int().nonnegative(),
  amountUsdMicro: Amount,
}) satisfies z.ZodType<WindowUsage>;

const Rated = z.strictObject({ categoryId: z.int().nullable() });
const NotScreened = [
  z.strictObject({ kind: z.literal('Unscreenable') }),
  z.strictObject({ kind: z.literal('UnsupportedNetwork') }),
  z.strictObject({ kind: z.literal('UnsupportedAsset') }),
  z.strictObject({ kind: z.literal('VendorFailed'), failure: z.string().max(1_024) }),
] as const;
const KytA = z.strictObject({
  kind: z.literal('Screened'),
  alerts: z
    .array(z.strictObject({ level: z.enum(ALERT_LEVELS), categoryId: z.int().nullable() }))
    .max(1_000)
    .readonly(),
  directExposures: z.array(Rated).max(1_000).readonly(),
  addresses: z.array(Rated).max(1_000).readonly(),
});
const KytB = z.strictObject({ kind: z.literal('Screened'), riskScore: z.number() });
const AnyScreening = z.discriminatedUnion('vendor', [
  z.strictObject({ vendor: z.literal('KytA'), result: z.discriminatedUnion('kind', [KytA, ...NotScreened]) }),
  z.strictObject({ vendor: z.literal('KytB'), result: z.discriminatedUnion('kind', [KytB, ...NotScreened]) }),
]) satisfies z.ZodType<Screening>;

const ENDS = TRAVEL_RULE_STATES.filter(
  (state): state is TravelRuleEnd => !['Requested', 'Submitted', 'Delivered'].includes(state),
);
const TravelRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('NotApplicable') }),
  z.strictObject({ kind: z.literal('NotCarried') }),
  z.strictObject({ kind: z.literal('NotSent') }),
  z.strictObject({ kind: z.literal('Ended'), state: z.enum(ENDS) }),
]) satisfies z.ZodType<TravelRuleStanding>;

/**
 * Facts that the worker gathered for the policies and that the signer cannot know: prices, values in windows and replies from
 * vendors. These facts protect against mistakes, but not against a hostile worker. If the signer's own count of a window is
 * higher, the signer's count applies. A rule treats an absent fact as unknown.
 */
export const AttestedFacts = z.strictObject({
  amountUsdMicro: Amount,
  /** The value of the highest fee that a sponsor may pay. */
  sponsorAmountUsdMicro: Amount.optional(),
  usage: z.array(Usage).max(1_000).readonly().exactOptional(),
  screenings: z.array(AnyScreening).max(8).readonly().exactOptional(),
  travelRule: TravelRule.exactOptional(),
});
export type AttestedFacts = z.infer<typeof AttestedFacts>;

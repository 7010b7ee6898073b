import { z } from 'zod';
import { ALERT_LEVELS } from '../../../domain/screenings';

const WHITELIST_ADDRESSES_MAX = 10_000;
const REGISTRY_ADDRESSES_MAX = 1_000;
const ADDRESS_LENGTH_MAX = 256;
const CATEGORIES_MAX = 100;
const USER_ID_TEMPLATE_LENGTH_MAX = 200;
/** Thirty days. */
const TIMEFRAME_MINUTES_MAX = 43_200;
/** A year. */
const TRAVEL_RULE_SECONDS_MAX = 31_536_000;
const RISK_SCORE_MAX = 100;

const amount = { limit: z.int().positive(), currency: z.literal('USD') };
const timeframe = z.int().min(1).max(TIMEFRAME_MINUTES_MAX).describe('Minutes');

export const AlwaysTrigger = z.strictObject({
  kind: z.literal('AlwaysTrigger'),
  configuration: z.strictObject({}).exactOptional(),
});

const TransactionAmountLimit = z.strictObject({
  kind: z.literal('TransactionAmountLimit'),
  configuration: z.strictObject(amount),
});

const TransactionAmountVelocity = z.strictObject({
  kind: z.literal('TransactionAmountVelocity'),
  configuration: z.strictObject({ ...amount, timeframe }),
});

const TransactionCountVelocity = z.strictObject({
  kind: z.literal('TransactionCountVelocity'),
  configuration: z.strictObject({ limit: z.int().positive(), timeframe }),
});

const TransactionRecipientWhitelist = z.strictObject({
  kind: z.literal('TransactionRecipientWhitelist'),
  configuration: z.strictObject({
    addresses: z.array(z.string().min(1).max(ADDRESS_LENGTH_MAX)).max(WHITELIST_ADDRESSES_MAX),
    registryAddressIds: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(REGISTRY_ADDRESSES_MAX)
      .exactOptional()
      .describe('Entries of the address registry that are listed as well, each with its address of the moment'),
  }),
});

const categoryIds = z.array(z.int().positive()).max(CATEGORIES_MAX).describe('Empty means any category');
const fallbacks = {
  skipUnscreenableTransaction: z.boolean(),
  skipUnsupportedNetwork: z.boolean(),
  skipUnsupportedAsset: z.boolean(),
};
const screeningByKytA = {
  alerts: z.strictObject({ alertLevel: z.enum(ALERT_LEVELS), categoryIds }),
  exposures: z.strictObject({ direct: z.strictObject({ categoryIds }) }),
  fallbackBehaviours: z.strictObject({ ...fallbacks, skipKytAFailure: z.boolean() }),
  userIdTemplate: z.string().min(1).max(USER_ID_TEMPLATE_LENGTH_MAX).exactOptional(),
};

const KytAPrescreening = z.strictObject({
  kind: z.literal('KytATransactionPrescreening'),
  configuration: z.strictObject({ ...screeningByKytA, addresses: z.strictObject({ categoryIds }) }),
});

export const KytAScreening = z.strictObject({
  kind: z.literal('KytATransactionScreening'),
  configuration: z.strictObject(screeningByKytA),
});

const KytBPrescreening = z.strictObject({
  kind: z.literal('KytBTransactionPrescreening'),
  configuration: z.strictObject({
    riskScoreThreshold: z.int().min(0).max(RISK_SCORE_MAX),
    fallbackBehaviours: z.strictObject({ ...fallbacks, skipKytBFailure: z.boolean() }),
  }),
});

const TravelRule = z.strictObject({
  kind: z.literal('TravelRuleTransactionPrescreening'),
  configuration: z.strictObject({
    vendor: z.literal('TravelRuleVendor'),
    autoTriggerTimeoutSeconds: z.int().min(1).max(TRAVEL_RULE_SECONDS_MAX),
    autoClearAfterDeliveredTimeoutSeconds: z.int().min(1).max(TRAVEL_RULE_SECONDS_MAX).exactOptional(),
  }),
});

/** Rules of activities that sign with a wallet. */
export const SignRule = z.discriminatedUnion('kind', [
  AlwaysTrigger,
  TransactionAmountLimit,
  TransactionAmountVelocity,
  TransactionCountVelocity,
  TransactionRecipientWhitelist,
  KytAPrescreening,
  KytBPrescreening,
  TravelRule,
]);

import { ALERT_LEVELS, type KytAFindings, type KytAIncomingConfiguration } from '../../domain/screenings';
import type { Facts, RuleOutcome } from '../types';
import { reportsOnly, stopsOrReports } from './parts/actions';
import { categoryIds, fallbacks, once } from './parts/members';
import { notScreened } from './parts/not-screened';
import type { PolicyRule, RuleNeeds, RuleOf } from './rule';

const USER_ID_TEMPLATE_LENGTH_MAX = 200;

type KytA = RuleOf<'KytATransactionPrescreening' | 'KytATransactionScreening'>;

/**
 * Triggers on an alert of the configured level or above, a direct exposure, or an identified address. Each finding must have a
 * configured category. Addresses are taken into account only for a transaction that is not sent yet.
 */
function judge({ configuration }: KytA, { screenings = [] }: Facts): RuleOutcome {
  const result = screenings.find((one) => one.vendor === 'KytA')?.result ?? { kind: 'VendorFailed', failure: 'no answer' };
  if (result.kind !== 'Screened') {
    const { skipKytAFailure: skipVendorFailure, ...fallbacks } = configuration.fallbackBehaviours;
    return notScreened(result, { ...fallbacks, skipVendorFailure });
  }
  const found = alertIn(configuration, result) ?? exposureIn(configuration, result) ?? addressIn(configuration, result);
  return found === undefined
    ? { triggered: false, reason: 'The screening found nothing that triggers this policy' }
    : { triggered: true, reason: found };
}

/** An empty list accepts every finding, even a finding without a category. */
const takes = (categoryIds: readonly number[], categoryId: number | null): boolean =>
  categoryIds.length === 0 || (categoryId !== null && categoryIds.includes(categoryId));

function alertIn({ alerts }: KytAIncomingConfiguration, found: KytAFindings): string | undefined {
  // An unknown level is treated as at least the configured level.
  const below = ALERT_LEVELS.slice(0, ALERT_LEVELS.indexOf(alerts.alertLevel));
  const alert = found.alerts.find(({ level, categoryId }) => !below.includes(level) && takes(alerts.categoryIds, categoryId));
  return alert && `The screening raised an alert of level ${alert.level}`;
}

function exposureIn({ exposures }: KytAIncomingConfiguration, found: KytAFindings): string | undefined {
  const one = found.directExposures.find(({ categoryId }) => takes(exposures.direct.categoryIds, categoryId));
  return one && `The screening found a direct exposure${ofCategory(one.categoryId)}`;
}

function addressIn(configuration: KytA['configuration'], found: KytAFindings): string | undefined {
  if (!('addresses' in configuration)) return undefined;
  const one = found.addresses.find(({ categoryId }) => takes(configuration.addresses.categoryIds, categoryId));
  return one && `The screening identified the address${ofCategory(one.categoryId)}`;
}

const ofCategory = (categoryId: number | null): string => (categoryId === null ? '' : ` of category ${categoryId}`);

const screened = once((z) => ({
  alerts: z
    .strictObject({
      alertLevel: z.enum(ALERT_LEVELS).describe('The lowest alert level that triggers, from `LOW` to `SEVERE`'),
      categoryIds: categoryIds(z),
    })
    .meta({ id: 'KytAAlerts', description: 'Alerts that trigger' }),
  exposures: z
    .strictObject({ direct: z.strictObject({ categoryIds: categoryIds(z) }) })
    .meta({ id: 'KytAExposures', description: 'Direct exposures that trigger' }),
  fallbackBehaviours: z
    .strictObject({
      ...fallbacks(z),
      skipKytAFailure: z
        .boolean()
        .describe('If true, the rule skips an activity for which the call to the vendor failed; if false, the rule triggers'),
    })
    .meta({ id: 'KytAFallbackBehaviours', description: 'Cases without a finding' }),
  userIdTemplate: z
    .string()
    .min(1)
    .max(USER_ID_TEMPLATE_LENGTH_MAX)
    .exactOptional()
    .describe(
      'The id of the user at the vendor; `{{walletId}}`, `{{walletTags}}` and `{{initiatorId}}` are replaced. Defaults to `{{walletId}}`',
    ),
}));

const needs = ({ configuration: { userIdTemplate } }: KytA): RuleNeeds => ({ screening: 'KytA', userIdTemplate });

export const kytAPrescreening = {
  schema: once((z) =>
    z
      .strictObject({
        kind: z.literal('KytATransactionPrescreening'),
        configuration: z.strictObject({
          ...screened(z),
          addresses: z.strictObject({ categoryIds: categoryIds(z) }).describe('Identified addresses that trigger'),
        }),
      })
      .meta({
        id: 'PolicyRuleKytATransactionPrescreening',
        description:
          'Triggers if the vendor KytA raises an alert, finds a direct exposure or identifies an address that the rule names',
      }),
  ),
  activity: 'Wallets:Sign',
  actionFault: stopsOrReports,
  judgesFees: false,
  needs,
  judge,
  judgeChange: null,
} as const satisfies PolicyRule<RuleOf<'KytATransactionPrescreening'>>;

export const kytAScreening = {
  schema: once((z) =>
    z.strictObject({ kind: z.literal('KytATransactionScreening'), configuration: z.strictObject(screened(z)) }).meta({
      id: 'PolicyRuleKytATransactionScreening',
      description:
        'Triggers if the vendor KytA raises an alert about an incoming transaction or finds a direct exposure that the rule names',
    }),
  ),
  activity: 'Wallets:IncomingTransaction',
  actionFault: reportsOnly,
  judgesFees: false,
  needs,
  judge,
  judgeChange: null,
} as const satisfies PolicyRule<RuleOf<'KytATransactionScreening'>>;

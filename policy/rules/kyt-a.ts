import type { Rule } from '../../domain/policies';
import { ALERT_LEVELS, type KytAFindings, type KytAIncomingConfiguration } from '../../domain/screenings';
import type { Facts, RuleOutcome } from '../types';
import { notScreened } from './not-screened';

type KytA = Extract<Rule, { kind: 'KytATransactionPrescreening' | 'KytATransactionScreening' }>;

/** Triggers on an alert of the level and above, a direct exposure or, before sending, an address of the configured categories. */
export function kytA({ configuration }: KytA, { screenings = [] }: Facts): RuleOutcome {
  const result = screenings.find((one) => one.vendor === 'KytA')?.result ?? { kind: 'VendorFailed', failure: 'no answer' };
  if (result.kind !== 'Screened') {
    const { skipKytAFailure: skipVendorFailure, ...fallbacks } = configuration.fallbackBehaviours;
    return notScreened(result, { ...fallbacks, skipVendorFailure });
  }
  const found = alertIn(configuration, result) ?? exposureIn(configuration, result) ?? addressIn(configuration, result);
  return found === undefined
    ? { triggered: false, reason: 'The screening found nothing that this policy looks for' }
    : { triggered: true, reason: found };
}

/** An empty list takes everything that was found, also where the vendor names no category; any other list takes what it names. */
const takes = (categoryIds: readonly number[], categoryId: number | null): boolean =>
  categoryIds.length === 0 || (categoryId !== null && categoryIds.includes(categoryId));

function alertIn({ alerts }: KytAIncomingConfiguration, found: KytAFindings): string | undefined {
  // What is not known to be below the level counts as reaching it.
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

import type { CommonFallbacks, NotScreened } from '../../../domain/screenings';
import type { RuleOutcome } from '../../types';

type Fallbacks = CommonFallbacks & { readonly skipVendorFailure: boolean };

const CASES: Readonly<Record<NotScreened['kind'], { readonly skippedBy: keyof Fallbacks; readonly words: string }>> = {
  Unscreenable: { skippedBy: 'skipUnscreenableTransaction', words: 'The activity cannot be screened' },
  UnsupportedNetwork: { skippedBy: 'skipUnsupportedNetwork', words: 'The vendor does not screen this network' },
  UnsupportedAsset: { skippedBy: 'skipUnsupportedAsset', words: 'The vendor does not screen this asset' },
  VendorFailed: { skippedBy: 'skipVendorFailure', words: 'The vendor could not be asked' },
};

/** The rule triggers, unless `fallbacks` skip this reason. */
export function notScreened(result: NotScreened, fallbacks: Fallbacks): RuleOutcome {
  const { skippedBy, words } = CASES[result.kind];
  const why = result.kind === 'VendorFailed' ? `${words}: ${result.failure}` : words;
  return fallbacks[skippedBy]
    ? { triggered: false, reason: `${why}, which this policy skips` }
    : { triggered: true, reason: why };
}

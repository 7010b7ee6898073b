import type { SweepObserver } from '../activities/housekeeping/sweep-balances';
import type { ScanObserver } from '../activities/scans/scan-networks';
import { DIFFERENCE_CAUSES } from '../domain/balance-differences';
import { type Metrics, sampleOf } from '../platform/metrics';

export function observeScanning(metrics: Metrics): ScanObserver {
  const scanned = new Map<string, { readonly at: number; readonly behind: number }>();
  metrics.addSource({
    name: 'scanner',
    metrics: ['strongroom_scan_behind_blocks', 'strongroom_scan_lag_seconds'],
    read: () =>
      [...scanned].flatMap(([network, { at, behind }]) => [
        sampleOf('strongroom_scan_behind_blocks', { network }, behind),
        sampleOf('strongroom_scan_lag_seconds', { network }, (performance.now() - at) / 1_000),
      ]),
  });
  return {
    scanned: (network, behind) => {
      if (!scanned.has(network)) metrics.begin('strongroom_chain_alarms_total', { network, kind: 'SpentElsewhere' });
      scanned.set(network, { at: performance.now(), behind });
    },
    foreign: (network) => metrics.count('strongroom_chain_alarms_total', { network, kind: 'SpentElsewhere' }),
    left: (network) => scanned.delete(network),
  };
}

export function observeSweeping(metrics: Metrics): SweepObserver {
  const seen = new Set<string>();
  return {
    swept: (network, outcome) => {
      // A counter begins at zero before its first event, so that an alert notices the first event.
      if (!seen.has(network))
        for (const kind of DIFFERENCE_CAUSES) metrics.begin('strongroom_unexplained_balances_total', { network, kind });
      seen.add(network);
      metrics.count('strongroom_balance_sweeps_total', { network, outcome });
    },
    unexplained: (network, kind) => metrics.count('strongroom_unexplained_balances_total', { network, kind }),
  };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RestoreLockStatus } from '../application/deployment/restore-lock';
import { networkOf } from '../chains/networks';
import { FREEZE_KINDS } from '../domain/deployment-freeze';
import { LANE_TROUBLES } from '../domain/lanes';
import type { NetworkName } from '../domain/networks';
import type { BacklogRow, BacklogStore } from '../entities/housekeeping/backlog.store';
import { authorityValidity, leafValidity } from '../platform/certificates';
import { type Sample, type Source, sampleOf } from '../platform/metrics';
import { certificateSamples, certificatesSource, temporalCertificate } from '../platform/metrics-sources';
import type { SignerPlace } from '../platform/signer-place';
import type { TemporalConfig } from '../platform/temporal-config';
import type { SignerClient } from '../signer/protocol';
import { within } from './relay/pace';

/** How long one reading of the database is reused, however often metrics are scraped. */
const BACKLOG_KEPT_MS = 5_000;
/** A signer that hangs is reported as down. The scrape must report this before the scrape itself times out. */
const SIGNER_LIMIT_MS = 1_500;

/** The backlog in the database. A failed reading is not cached, so the next scrape queries the database again. */
export function backlogSource(
  store: Pick<BacklogStore, 'read'>,
  networks: readonly NetworkName[],
  keptMs = BACKLOG_KEPT_MS,
): Source {
  let kept: { readonly samples: readonly Sample[]; readonly until: number } | undefined;
  return {
    name: 'database',
    metrics: [
      'strongroom_transfers_open',
      'strongroom_wallets_creating',
      'strongroom_approvals_waiting',
      'strongroom_approvals_oldest_age_seconds',
      'strongroom_mails_waiting',
      'strongroom_mails_oldest_age_seconds',
      'strongroom_outbox_waiting_rows',
      'strongroom_outbox_oldest_age_seconds',
      'strongroom_lane_claims',
      'strongroom_lanes_active',
      'strongroom_lanes_full',
      'strongroom_lanes_blocked',
      'strongroom_operations_open',
    ],
    read: async () => {
      if (kept && performance.now() < kept.until) return kept.samples;
      const samples = samplesOf(await store.read(), networks);
      kept = { samples, until: performance.now() + keptMs };
      return samples;
    },
  };
}

/** An outbox kind without waiting rows gets a zero sample, so that a panel shows a line and not a gap. */
function samplesOf(rows: readonly BacklogRow[], networks: readonly NetworkName[]): Sample[] {
  const of = (what: BacklogRow['what']) => rows.filter((row) => row.what === what);
  const total = (what: BacklogRow['what']) => of(what).reduce((sum, { count }) => sum + count, 0);
  const ages = (
    name: 'strongroom_approvals_oldest_age_seconds' | 'strongroom_mails_oldest_age_seconds',
    what: BacklogRow['what'],
  ) => of(what).flatMap(({ oldestSeconds }) => (oldestSeconds === null ? [] : [sampleOf(name, {}, oldestSeconds)]));
  const lanes = (network: string, isCounted: (active: number) => boolean) =>
    of('lanes')
      .filter(({ first, second }) => first === network && isCounted(Number(second)))
      .reduce((sum, { count }) => sum + count, 0);

  return [
    ...of('transfers').map(({ first: network, second: state, count }) =>
      sampleOf('strongroom_transfers_open', { network, state }, count),
    ),
    sampleOf('strongroom_wallets_creating', {}, total('wallets')),
    sampleOf('strongroom_approvals_waiting', {}, total('approvals')),
    ...ages('strongroom_approvals_oldest_age_seconds', 'approvals'),
    sampleOf('strongroom_mails_waiting', {}, total('mails')),
    ...ages('strongroom_mails_oldest_age_seconds', 'mails'),
    ...['start', 'signal', 'event'].flatMap((kind) => {
      const waiting = of('outbox').find(({ first }) => first === kind);
      const age = waiting?.oldestSeconds ?? undefined;
      return [
        sampleOf('strongroom_outbox_waiting_rows', { kind }, waiting?.count ?? 0),
        ...(age === undefined ? [] : [sampleOf('strongroom_outbox_oldest_age_seconds', { kind }, age)]),
      ];
    }),
    ...of('claims').map(({ first: network, second: state, count }) =>
      sampleOf('strongroom_lane_claims', { network, state }, count),
    ),
    ...networks.flatMap((network) => [
      sampleOf(
        'strongroom_lanes_active',
        { network },
        lanes(network, () => true),
      ),
      sampleOf(
        'strongroom_lanes_full',
        { network },
        lanes(network, (active) => active >= networkOf(network).inFlightMax),
      ),
      ...LANE_TROUBLES.map((kind) => {
        const blocked = of('troubles').find(({ first, second }) => first === network && second === kind);
        return sampleOf('strongroom_lanes_blocked', { network, kind }, blocked?.count ?? 0);
      }),
      sampleOf('strongroom_operations_open', { network }, of('operations').find(({ first }) => first === network)?.count ?? 0),
    ]),
  ];
}

/** The reason of a freeze is free text, so only `/health/ready` shows the reason. */
export const freezeSource = ({ standing }: RestoreLockStatus): Source => ({
  name: 'freeze',
  metrics: ['strongroom_deployment_frozen'],
  read: async () => {
    const frozen = await standing();
    return FREEZE_KINDS.map((kind) => sampleOf('strongroom_deployment_frozen', { kind }, frozen?.kind === kind ? 1 : 0));
  },
});

export const backupSource = (ageSeconds: () => Promise<number>): Source => ({
  name: 'backup',
  metrics: ['strongroom_backup_age_seconds'],
  read: async () => [sampleOf('strongroom_backup_age_seconds', {}, await ageSeconds())],
});

export const witnessSource = (waitingSeconds: () => Promise<number>): Source => ({
  name: 'witness',
  metrics: ['strongroom_checkpoints_unwitnessed_seconds'],
  read: async () => [sampleOf('strongroom_checkpoints_unwitnessed_seconds', {}, await waitingSeconds())],
});

/** A signer that does not respond is reported as down, and the other figures are absent. */
export function signerSource(signer: Pick<SignerClient, 'stats' | 'replica'>): Source {
  return {
    name: 'signer',
    metrics: [
      'strongroom_signer_up',
      'strongroom_signer_native',
      'strongroom_signer_replica_up',
      'strongroom_signer_orders_total',
      'strongroom_signer_order_seconds_total',
      'strongroom_signer_journal_entries',
      'strongroom_signer_log_entries',
      'strongroom_signer_orders_waiting',
      'strongroom_signer_orders_running',
      'strongroom_signer_waited_seconds_total',
    ],
    read: async () => {
      const unknown = () => undefined;
      const asked = [signer.stats().catch(unknown), signer.replica().catch(unknown)] as const;
      const [stats, state] = await within(SIGNER_LIMIT_MS, Promise.all(asked)).catch(() => []);
      if (!stats) return [sampleOf('strongroom_signer_up', {}, 0)];
      return [
        sampleOf('strongroom_signer_up', {}, 1),
        sampleOf('strongroom_signer_native', {}, stats.arithmetic === 'native' ? 1 : 0),
        ...(state === undefined || state.replica === 'None'
          ? []
          : [sampleOf('strongroom_signer_replica_up', {}, state.replica === 'Here' ? 1 : 0)]),
        sampleOf('strongroom_signer_journal_entries', {}, stats.journalEntries),
        sampleOf('strongroom_signer_log_entries', {}, stats.logEntries),
        sampleOf('strongroom_signer_orders_waiting', {}, stats.waiting),
        sampleOf('strongroom_signer_orders_running', {}, stats.running),
        sampleOf('strongroom_signer_waited_seconds_total', {}, stats.waitedSeconds),
        ...stats.orders.flatMap(({ op, outcome, count, seconds }) => [
          sampleOf('strongroom_signer_orders_total', { op, outcome }, count),
          sampleOf('strongroom_signer_order_seconds_total', { op, outcome }, seconds),
        ]),
      ];
    },
  };
}

/**
 * The disk with the signer's state folder. If the signer does not reply, the scrape is reported as incomplete, so that an alert
 * fires even while the free space is unknown.
 */
export const diskSource = (signer: Pick<SignerClient, 'resources'>): Source => ({
  name: 'disk',
  metrics: ['strongroom_signer_disk_free_bytes', 'strongroom_signer_disk_bytes'],
  read: async () => {
    const { stateFreeBytes, stateBytes } = await within(SIGNER_LIMIT_MS, signer.resources());
    return [
      sampleOf('strongroom_signer_disk_free_bytes', {}, stateFreeBytes),
      sampleOf('strongroom_signer_disk_bytes', {}, stateBytes),
    ];
  },
});

/**
 * The certificate for Temporal and, if the signer is reached over TLS, the certificates of that connection. The worker's own
 * certificates are reported even if the signer is unreachable, because an expired certificate may be the cause.
 */
export const workerCertificates = (
  signer: Pick<SignerClient, 'resources'>,
  place: SignerPlace,
  temporal: TemporalConfig,
): Source =>
  certificatesSource(async () => {
    const own = temporalCertificate(temporal);
    if (!('host' in place)) return own;
    const read = (name: string) => readFile(join(place.tls.folder, name));
    const resources = await within(SIGNER_LIMIT_MS, signer.resources()).catch(() => undefined);
    return [
      ...own,
      ...certificateSamples('worker', leafValidity(await read('certificate.pem'))),
      ...certificateSamples('authority', authorityValidity(await read('ca.pem'))),
      ...(resources?.certificate ? certificateSamples('signer', resources.certificate) : []),
    ];
  });

export const relaySource = (relay: { readonly shardsHeld: () => number }): Source => ({
  name: 'relay',
  metrics: ['strongroom_outbox_shards_held'],
  read: () => [sampleOf('strongroom_outbox_shards_held', {}, relay.shardsHeld())],
});

import type { CertificateHolder } from '../domain/metrics';
import { type CertificateLife, leafValidity } from './certificates';
import { type Metrics, type Sample, type Source, sampleOf } from './metrics';
import type { TemporalConfig } from './temporal-config';

type PoolState = { readonly inUse: number; readonly idle: number; readonly waiting: number };
type RpcCall = { readonly network: string; readonly method: string; readonly outcome: string; readonly seconds: number };

export const poolsSource = (pools: () => Readonly<Record<string, PoolState>>): Source => ({
  name: 'pools',
  metrics: ['strongroom_db_connections', 'strongroom_db_waiting'],
  read: () =>
    Object.entries(pools()).flatMap(([pool, { inUse, idle, waiting }]) => [
      sampleOf('strongroom_db_connections', { pool, state: 'in_use' }, inUse),
      sampleOf('strongroom_db_connections', { pool, state: 'idle' }, idle),
      sampleOf('strongroom_db_waiting', { pool }, waiting),
    ]),
});

export const certificateSamples = (holder: CertificateHolder, { fromMs, untilMs }: CertificateLife): readonly Sample[] => [
  sampleOf('strongroom_certificate_left_seconds', { holder }, (untilMs - Date.now()) / 1_000),
  sampleOf('strongroom_certificate_life_seconds', { holder }, (untilMs - fromMs) / 1_000),
];

/** The validity of the certificate that this process presents to Temporal. A newer file takes effect only after a restart. */
export function temporalCertificate({ connectionOptions: { tls } }: TemporalConfig): readonly Sample[] {
  const pair = typeof tls === 'object' ? tls?.clientCertPair : undefined;
  return pair ? certificateSamples('temporal', leafValidity(pair.crt)) : [];
}

export const certificatesSource = (read: Source['read']): Source => ({
  name: 'certificates',
  metrics: ['strongroom_certificate_left_seconds', 'strongroom_certificate_life_seconds'],
  read,
});

export const rpcCallsInto =
  (metrics: Metrics) =>
  ({ network, method, outcome, seconds }: RpcCall): void =>
    metrics.observe('strongroom_rpc_request_duration_seconds', { network, method, outcome }, seconds);

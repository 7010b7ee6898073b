import { createHash } from 'node:crypto';
import type { Addon } from '../../native/addon';
import { createLockedKek } from '../../native/locked-kek';
import { createFileKek, createKekRing, type KekProvider } from '../kek';
import { createAwsKek } from './aws-kms';
import type { KekConfig, KmsPlace } from './config';
import { type KekSource, regionOf } from './sources';

/** With `addon`, the local keys are kept in locked memory. Wipes the buffers that contain the local keys. */
export async function openKeks({ active, old, kms }: KekConfig, addon?: Addon): Promise<KekProvider> {
  const [first, ...others] = await Promise.all([active, ...old].map((source) => open(source, kms, addon)));
  if (!first) throw new Error('there is no active key-encryption key');
  return createKekRing(first, others);
}

async function open(source: KekSource, kms: KmsPlace | undefined, addon: Addon | undefined): Promise<KekProvider> {
  if (source.kind === 'local') return addon ? createLockedKek(addon, source.secret) : createFileKek(source.secret);
  if (!kms) throw new Error('a key in a service needs a connection to the service');
  const id = `kek-aws-${createHash('sha256').update(source.arn).digest('hex').slice(0, 16)}`;
  return createAwsKek({ id, arn: source.arn, region: regionOf(source.arn), ...kms });
}

import { invariant } from '../../domain/errors';
import type { FleetEntity } from '../../entities/fleets/fleet.entity';
import { type FleetManifest, manifestDigest, SignedManifest } from '../../platform/fleets/manifests';

/** The newest manifest of the fleet; null before the genesis. */
export function headOf({
  manifest,
  manifestDigest: digest,
}: Pick<FleetEntity, 'manifest' | 'manifestDigest'>): FleetManifest | null {
  if (manifest === null) return null;
  const signed = SignedManifest.parse(JSON.parse(manifest));
  invariant(manifestDigest(signed.manifest) === digest, 'the digest of a fleet is that of its manifest');
  return signed.manifest;
}

import { cardsDigest } from '../../platform/fleets/cards';
import { manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import { shortDigest } from '../../platform/fleets/statement';
import { cardFingerprint } from '../archives/forms';
import { line } from '../ceremonies/input-words';
import { assertAllowed } from '../refused';
import type { Session } from '../session';
import { assertAgreed, assertTyped } from '../typed';
import { identityWords } from './identity';

const manifestWords = (name: string, { manifest }: SignedManifest): readonly string[] => [
  '',
  line(name, shortDigest(manifestDigest(manifest))),
  line('Number', manifest.n),
  line('Key store', `${manifest.storeId} of ${manifest.orgId}`),
  line('Threshold', `${manifest.threshold} of ${manifest.provisioners.length}`),
  line('Keys', `${manifest.ranges.secp256k1} on secp256k1, ${manifest.ranges.ed25519} on Ed25519`),
  ...[...manifest.devices, ...manifest.provisioners, ...manifest.operators].map((card) =>
    line(card.role, `${card.serial}, ${cardFingerprint(card)}`),
  ),
  line('Provisioners', shortDigest(cardsDigest(manifest.provisioners))),
];

/** The identity, both manifests and the state of this machine, without any secret. */
export function show({ open, screen, now }: Session): void {
  const state = open.state();
  const { committed, pending, signerKey, shares, done, master, claims } = state;
  screen.say([
    ...identityWords(state),
    line('Clock', now().toISOString()),
    line('Signer', signerKey ? shortDigest(signerKey) : 'not compared yet'),
    line('Master secret', master ? 'here' : 'not here'),
    line('Shares', shares.length),
    line('Operations', `${done.length} done, ${claims.count} claims`),
    ...(committed ? manifestWords('Committed', committed) : ['', 'No committed manifest.']),
    ...(pending ? manifestWords('Pending', pending) : []),
  ]);
}

/** Leaves a pending manifest whose output was lost on its way, so that the service never saw it. */
export async function discard({ open, screen }: Session): Promise<void> {
  const { pending, committed, shares } = open.state();
  assertAllowed(pending !== null, 'There is no pending manifest.');
  const digest = manifestDigest(pending.manifest);
  screen.say([
    line('Pending', shortDigest(digest)),
    ...(committed === null ? ['The master secret of this machine is destroyed as well.'] : []),
    'Discard it only if the service shows that its group was canceled or rejected. If the group was approved, the fleet splits.',
  ]);
  await assertTyped(screen, 'the pending manifest', digest);
  await assertAgreed(screen, 'Discard the pending manifest?');
  const kept = shares.filter(({ dividedAt }) => dividedAt !== digest);
  open.save({ pending: null, last: null, shares: kept, ...(committed === null ? { master: null } : {}) });
}

import { cardsDigest } from '../../platform/fleets/cards';
import { manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import { shortDigest } from '../../platform/fleets/statement';
import { cardFingerprint } from '../archives/forms';
import { labelled } from '../ceremonies/input-words';
import { refuseUnlessAllowed } from '../refused';
import type { Session } from '../session';
import { assertAgreed, assertTyped } from '../typed';
import { identityWords } from './identity';

const manifestWords = (name: string, { manifest }: SignedManifest): readonly string[] => [
  '',
  labelled(name, shortDigest(manifestDigest(manifest))),
  labelled('Number', manifest.n),
  labelled('Key store', `${manifest.storeId} of ${manifest.orgId}`),
  labelled('Threshold', `${manifest.threshold} of ${manifest.provisioners.length}`),
  labelled('Keys', `${manifest.ranges.secp256k1} on secp256k1, ${manifest.ranges.ed25519} on Ed25519`),
  ...[...manifest.devices, ...manifest.provisioners, ...manifest.operators].map((card) =>
    labelled(card.role, `${card.serial}, ${cardFingerprint(card)}`),
  ),
  labelled('Provisioners', shortDigest(cardsDigest(manifest.provisioners))),
];

/** The identity, both manifests and the state of this machine, without any secret. */
export function show({ open, screen, now }: Session): void {
  const state = open.state();
  const { committed, pending, signerKey, shares, done, master, claims } = state;
  screen.say([
    ...identityWords(state),
    labelled('Clock', now().toISOString()),
    labelled('Signer', signerKey ? shortDigest(signerKey) : 'not compared yet'),
    labelled('Master secret', master ? 'here' : 'not here'),
    labelled('Shares', shares.length),
    labelled('Operations', `${done.length} done, ${claims.count} claims`),
    ...(committed ? manifestWords('Committed', committed) : ['', 'No committed manifest.']),
    ...(pending ? manifestWords('Pending', pending) : []),
  ]);
}

/** Leaves a pending manifest whose output was lost on its way, so that the service never saw it. */
export async function discard({ open, screen }: Session): Promise<void> {
  const { pending, committed, shares } = open.state();
  refuseUnlessAllowed(pending !== null, 'There is no pending manifest.');
  const digest = manifestDigest(pending.manifest);
  screen.say([
    labelled('Pending', shortDigest(digest)),
    ...(committed === null ? ['The master secret of this machine is destroyed as well.'] : []),
    'Discard it only if the service shows that its group was canceled or rejected. If the group was approved, the fleet splits.',
  ]);
  await assertTyped(screen, 'the pending manifest', digest);
  await assertAgreed(screen, 'Discard the pending manifest?');
  const kept = shares.filter(({ dividedAt }) => dividedAt !== digest);
  open.save({ pending: null, last: null, shares: kept, ...(committed === null ? { master: null } : {}) });
}

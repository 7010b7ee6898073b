import { manifestDigest } from '../../platform/fleets/manifests';
import { Refused, refuseUnlessAllowed } from '../refused';
import { shareDigestOf } from '../secrets/master-secret';
import { openBox } from '../secrets/sealed-box';
import type { Session } from '../session';
import { SHARES_MAX } from '../state/state';
import { manifestIn, slotsFollowing } from './follow';

/** A provisioner opens and keeps the share of an output. Earlier shares are kept as well. */
export async function takeShare(session: Session, { file }: { readonly file: string }): Promise<void> {
  const { output, manifest } = manifestIn(file);
  const { card, sealingSecret, shares } = session.open.state();
  refuseUnlessAllowed(card.role === 'Provisioner', 'Only a provisioner keeps a share.');
  const own = output.boxes.find(({ provisioner }) => provisioner === card.signingKey);
  if (!own) throw new Refused('The file has no share for this provisioner.');
  const dividedAt = manifestDigest(manifest.manifest);
  const slots = await slotsFollowing(session, manifest);
  const { enc, sealed } = own;
  const share = await openBox('share', sealingSecret, dividedAt, { enc, sealed });
  try {
    refuseUnlessAllowed(shareDigestOf(share) === own.shareDigest, 'The share is not the one that the device has registered.');
    const others = shares.filter((one) => one.dividedAt !== dividedAt);
    refuseUnlessAllowed(others.length < SHARES_MAX, 'Too many shares are kept. Discard rejected manifests first.');
    session.open.save({ ...slots, shares: [...others, { dividedAt, share: share.toString('hex') }] });
  } finally {
    share.fill(0);
  }
  session.screen.say(['The share is kept. The master secret cannot be recovered without enough shares.']);
}

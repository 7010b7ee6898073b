import { canonical } from '../../platform/canonical';
import { cardDigest } from '../../platform/fleets/cards';
import { type FleetManifest, manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import { nextManifest, type TaskOf } from '../../platform/fleets/next-manifest';
import { shortDigest } from '../../platform/fleets/statement';
import { type Contribution, cardIn, contributionBody, Proposal } from '../archives/forms';
import { archiveIn } from '../archives/read-archive';
import { labelled } from '../ceremonies/input-words';
import { changeBetween, changeWords } from '../ceremonies/manifest-change';
import { Refused, refuseUnlessAllowed } from '../refused';
import { sealBox } from '../secrets/sealed-box';
import type { Files, Session } from '../session';
import { assertAgreed, assertTyped } from '../typed';

/** The manifest of this machine with this digest. Throws `Refused` for a manifest that this machine does not know. */
function knownHead({ open }: Session, digest: string): SignedManifest {
  const { committed, pending } = open.state();
  const known = [committed, pending].find((one) => one && manifestDigest(one.manifest) === digest);
  if (!known) throw new Refused('The proposal continues a manifest that this machine does not know. Use the command "follow".');
  return known;
}

/** A provisioner or an operator signs the next manifest, after comparing the new member and the fingerprint. */
export async function approve(session: Session, { proposal: text }: { readonly proposal: string }): Promise<Files> {
  const { open, screen } = session;
  refuseUnlessAllowed(open.state().card.role !== 'Device', 'A device does not approve its own manifests.');
  const { head, next } = archiveIn(text, Proposal, 'a proposal');
  knownHead(session, manifestDigest(head));
  const change = changeBetween(head, next);
  const digest = manifestDigest(next);
  screen.say([...changeWords(head, next, change), labelled('Next manifest', shortDigest(digest))]);
  if (change.added) await assertTyped(screen, `the new member ${change.added.serial}`, cardDigest(change.added));
  await assertAgreed(screen, 'Does the device show the same fingerprint of the next manifest, and do you approve?');
  const approval = { type: 'strongroom-fleet-approval', v: 1, manifest: digest, signed: open.sign('manifest', next) } as const;
  return { [`approval-${open.state().card.serial}.json`]: canonical(approval) };
}

const cloneOf = (targetSerial: string): TaskOf<'Clone'> => ({
  ...{ kind: 'Clone', operationId: 'recovery', deviceSerial: '', targetSerial, challenge: [] },
});

const newestManifest = ({ open }: Session): FleetManifest => {
  const { committed, pending } = open.state();
  const newest = pending ?? committed;
  if (!newest) throw new Refused('This machine has no manifest.');
  return newest.manifest;
};

type Contributing = { readonly card: string; readonly committed: boolean };

/**
 * A provisioner encrypts the shares to a new device, because the devices are lost. `committed` continues the last manifest that is
 * known to be approved, if the newest one was rejected.
 */
export async function contribute(session: Session, { card: text, committed }: Contributing): Promise<Files> {
  const { open, screen } = session;
  const { shares, card: own, committed: known } = open.state();
  refuseUnlessAllowed(shares.length > 0, 'This machine keeps no share.');
  const target = cardIn(text, 'Device');
  const head = committed ? known?.manifest : newestManifest(session);
  if (!head) throw new Refused('This machine has no manifest.');
  const next = nextManifest(head, cloneOf(target.serial), target);
  changeBetween(head, next);
  const digest = manifestDigest(next);
  screen.say([
    'THE NEW DEVICE GETS YOUR SHARE. Together with the other shares it has the master secret.',
    labelled('Manifest', shortDigest(manifestDigest(head))),
    labelled('Next manifest', shortDigest(digest)),
  ]);
  await assertTyped(screen, `the new device ${target.serial}`, cardDigest(target));
  await assertAgreed(screen, 'Are the devices of the fleet lost, and do you give your share to the new device?');
  const sealed: Contribution['shares'] = [];
  for (const { dividedAt, share } of shares) {
    sealed.push({ dividedAt, ...(await sealBox('recovery', target.sealingKey, digest, Buffer.from(share, 'hex'))) });
  }
  const approval = open.sign('manifest', next);
  const signed = open.sign('share', contributionBody(target, digest, { shares: sealed }));
  const contribution = { type: 'strongroom-fleet-contribution', v: 1, head, approval, shares: sealed, signed };
  return { [`contribution-${own.serial}.json`]: canonical(contribution as never) };
}

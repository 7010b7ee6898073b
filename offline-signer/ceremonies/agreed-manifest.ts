import { canonical } from '../../platform/canonical';
import { type Card, cardDigest } from '../../platform/fleets/cards';
import { type FleetManifest, manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import { type ManifestChangeKind, nextManifest, type TaskOf } from '../../platform/fleets/next-manifest';
import { shortDigest } from '../../platform/fleets/statement';
import { ManifestApproval } from '../archives/forms';
import { archiveIn } from '../archives/read-archive';
import { Refused, refuseUnlessAllowed } from '../refused';
import type { Files, Session } from '../session';
import { assertTyped } from '../typed';
import type { Accepted } from './accept-input';
import { inputWords, labelled } from './input-words';
import { assertConsented, changeBetween, changeWords } from './manifest-change';

type Asked<K extends ManifestChangeKind> = {
  readonly accepted: Accepted<K>;
  /** The card that joins. */
  readonly added: Card | undefined;
  /** The texts of the approvals; without any, the device only shows the proposal. */
  readonly approvals: readonly string[];
};

/** The next manifest with the signatures of this device and of the people who agreed, or the proposal for these people. */
type Agreed = { readonly head: FleetManifest; readonly signed: SignedManifest } | { readonly proposal: Files };

function approvalIn(text: string, digest: string) {
  const approval = archiveIn(text, ManifestApproval, 'an approval');
  refuseUnlessAllowed(approval.manifest === digest, 'An approval is for another manifest.');
  return approval.signed;
}

/** Throws `Refused` unless the people of the committed manifest agreed to the next one, and the operator typed the new card. */
export async function agreedManifest<K extends ManifestChangeKind>(session: Session, asked: Asked<K>): Promise<Agreed> {
  const { open, screen } = session;
  const { accepted, added, approvals } = asked;
  const { input, digest, task, head } = accepted;
  if (head === null) throw new Refused('This device does not belong to a fleet yet.');
  const device = open.state().card;
  const isMember = head.manifest.devices.some(({ signingKey }) => signingKey === device.signingKey);
  refuseUnlessAllowed(isMember, 'This device does not belong to the fleet of the input.');
  const next = nextManifest(head.manifest, task, added ?? device);
  const change = changeBetween(head.manifest, next);
  screen.say([
    ...inputWords(input, digest),
    ...changeWords(head.manifest, next, change),
    labelled('Next manifest', shortDigest(manifestDigest(next))),
  ]);
  if (approvals.length === 0) {
    const proposal = { type: 'strongroom-fleet-proposal', v: 1, head: head.manifest, next } as const;
    screen.say(['Carry the proposal to the people who must approve it, and come back with their approvals.']);
    return { proposal: { 'proposal.json': canonical(proposal) } };
  }
  if (added) await assertTyped(screen, `the new member ${added.serial}`, cardDigest(added));
  const signatures = approvals.map((text) => approvalIn(text, manifestDigest(next)));
  const signed = { manifest: next, signatures: [open.sign('manifest', next), ...signatures] };
  assertConsented(head.manifest, task as TaskOf<ManifestChangeKind>, signed);
  return { head: head.manifest, signed };
}

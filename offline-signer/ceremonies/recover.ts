import { type FleetManifest, manifestDigest } from '../../platform/fleets/manifests';
import { nextManifest } from '../../platform/fleets/next-manifest';
import { isStated, shortDigest } from '../../platform/fleets/statement';
import { Contribution, contributionBody } from '../archives/forms';
import { archiveIn } from '../archives/read-archive';
import { Refused, refuseUnlessAllowed } from '../refused';
import { recombine } from '../secrets/master-secret';
import { openBox } from '../secrets/sealed-box';
import type { Files, Session } from '../session';
import { assertTyped } from '../typed';
import { acceptCloneTarget, registerClone } from './clone';
import { inputWords, labelled } from './input-words';
import { assertConsented } from './manifest-change';

type Given = { readonly input: string; readonly contributions: readonly string[] };

/** Throws `Refused` unless each contribution is by a different provisioner, for this device and this manifest. */
function assertContributed(session: Session, head: FleetManifest, next: string, contributions: readonly Contribution[]): void {
  const { card } = session.open.state();
  const known = new Set(head.provisioners.map(({ signingKey }) => signingKey));
  for (const contribution of contributions) {
    const { signed, approval } = contribution;
    const isOwn = known.has(signed.by) && approval.by === signed.by;
    refuseUnlessAllowed(
      isOwn && isStated('share', contributionBody(card, next, contribution), signed),
      'A contribution is not by a provisioner for this device.',
    );
    refuseUnlessAllowed(
      manifestDigest(contribution.head) === manifestDigest(head),
      'The contributions continue different manifests.',
    );
  }
  const givers = new Set(contributions.map(({ signed }) => signed.by));
  refuseUnlessAllowed(givers.size === contributions.length, 'One provisioner has contributed twice.');
}

/** Shares of different divisions do not fit together, so each division is tried by itself. */
async function masterFrom(
  session: Session,
  head: FleetManifest,
  next: string,
  contributions: readonly Contribution[],
): Promise<Buffer> {
  const { sealingSecret } = session.open.state();
  const divisions = new Map<string, Buffer[]>();
  try {
    for (const { dividedAt, ...box } of contributions.flatMap(({ shares }) => shares)) {
      const share = await openBox('recovery', sealingSecret, next, box);
      divisions.set(dividedAt, [...(divisions.get(dividedAt) ?? []), share]);
    }
    for (const shares of divisions.values()) {
      const master = await recombine(shares, head.masterCommitment);
      if (master) return master;
    }
  } finally {
    for (const share of [...divisions.values()].flat()) share.fill(0);
  }
  throw new Refused('These shares do not give the master secret of the fleet: too few, or one is wrong.');
}

/**
 * A new device gets the master secret from the provisioners, and joins the fleet as a clone of the lost one. Who the provisioners
 * are follows from the fingerprint that people type, and not from the files.
 */
export async function recover(session: Session, { input: text, contributions: texts }: Given): Promise<Files> {
  const { open, screen } = session;
  const accepted = await acceptCloneTarget(session, text);
  if ('again' in accepted) return accepted.again;
  const { input, digest, task } = accepted;
  const contributions = texts.map((one) => archiveIn(one, Contribution, 'a contribution'));
  const head = contributions[0]?.head;
  if (head === undefined) throw new Refused('There is no contribution.');
  refuseUnlessAllowed(manifestDigest(head) === input.manifest, 'The contributions continue another manifest than the input.');
  const manifest = nextManifest(head, task, open.state().card);
  const next = manifestDigest(manifest);
  assertContributed(session, head, next, contributions);
  const signatures = [open.sign('manifest', manifest), ...contributions.map(({ approval }) => approval)];
  const signed = { manifest, signatures };
  assertConsented(head, task, signed);
  screen.say([...inputWords(input, digest), labelled('Next manifest', shortDigest(next))]);
  await assertTyped(screen, 'the newest manifest of the fleet', manifestDigest(head));
  const master = await masterFrom(session, head, next, contributions);
  try {
    return await registerClone(session, { accepted, head, signed, master });
  } finally {
    master.fill(0);
  }
}

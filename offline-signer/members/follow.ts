import { isSoundCard } from '../../platform/fleets/cards';
import { areSoundMembers, isSignedByDevice, manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import { isStated, shortDigest } from '../../platform/fleets/statement';
import { outputFileIn } from '../archives/forms';
import { labelled } from '../ceremonies/input-words';
import { assertFollows, changeWords } from '../ceremonies/manifest-change';
import { Refused, refuseUnlessAllowed } from '../refused';
import type { Session } from '../session';
import type { State } from '../state/state';
import { assertTyped } from '../typed';

/** The manifest in a signed file of an output. Throws `Refused` unless the device in the file has signed the file. */
export function manifestIn(text: string) {
  const { output, signed } = outputFileIn(text);
  const { device } = output;
  const isSigned = isSoundCard(device) && signed.by === device.signingKey && isStated('output', output, signed);
  refuseUnlessAllowed(isSigned, 'The file is not signed by its device.');
  if (output.manifest === null) throw new Refused('The file has no manifest.');
  return { output, manifest: output.manifest };
}

/** The first manifest of a machine: people compare it with the device's screen, and the machine must be a member. */
async function firstManifest({ open, screen }: Session, signed: SignedManifest): Promise<Partial<State>> {
  const { manifest } = signed;
  const { signingKey } = open.state().card;
  const members = [...manifest.provisioners, ...manifest.operators, ...manifest.devices];
  refuseUnlessAllowed(
    members.some((card) => card.signingKey === signingKey),
    'The manifest does not contain this machine.',
  );
  const isSound = areSoundMembers(manifest) && manifest.devices.some((card) => isSignedByDevice(signed, card.signingKey));
  refuseUnlessAllowed(isSound, 'The manifest is not sound.');
  await assertTyped(screen, 'the manifest, from the screen of the device,', manifestDigest(manifest));
  return { pending: signed };
}

const isManifest = (signed: SignedManifest | undefined | null, digest: string | null): boolean =>
  signed !== null && signed !== undefined && manifestDigest(signed.manifest) === digest;

/** The slots of a machine that learns of a manifest made by another machine. The first manifest is compared by people. */
export async function slotsFollowing(session: Session, signed: SignedManifest): Promise<Partial<State>> {
  const { committed, pending } = session.open.state();
  const digest = manifestDigest(signed.manifest);
  if (isManifest(committed, digest) || isManifest(pending, digest)) return {};
  if (committed === null && pending === null) return firstManifest(session, signed);
  const { previous } = signed.manifest;
  const before = [pending, committed].find((one) => isManifest(one, previous));
  if (!before)
    throw new Refused('The manifest does not follow the manifest of this machine. Follow the manifests in between first.');
  const change = assertFollows(before.manifest, signed);
  session.screen.say([...changeWords(before.manifest, signed.manifest, change), labelled('Manifest', shortDigest(digest))]);
  return { committed: before, pending: signed };
}

/** Learns the manifest that another machine of the fleet has made. */
export async function follow(session: Session, { file }: { readonly file: string }): Promise<void> {
  const { manifest } = manifestIn(file);
  session.open.save(await slotsFollowing(session, manifest));
}

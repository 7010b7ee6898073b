import { canonical } from '../../platform/canonical';
import { type FleetManifest, manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import { CEREMONY_MODE } from '../../platform/fleets/outputs';
import { shortDigest } from '../../platform/fleets/statement';
import { ClonePackage, cardIn } from '../archives/forms';
import { archiveIn } from '../archives/read-archive';
import { refuseUnlessAllowed } from '../refused';
import { proveKey } from '../secrets/fleet-keys';
import { masterCommitmentOf } from '../secrets/master-secret';
import { openBox, sealBox } from '../secrets/sealed-box';
import type { Files, Session } from '../session';
import { assertTyped } from '../typed';
import { type Accepted, acceptInput } from './accept-input';
import { agreedManifest } from './agreed-manifest';
import { inputWords, labelled } from './input-words';
import { makeCeremonyOutput } from './make-output';
import { assertConsented } from './manifest-change';
import { useMaster } from './use-master';

type ExportGiven = { readonly input: string; readonly card: string; readonly approvals: readonly string[] };

/** The source encrypts the master secret to the target, after a quorum has agreed to the manifest that names the target. */
export async function cloneExport(session: Session, { input, card, approvals }: ExportGiven): Promise<Files> {
  const accepted = await acceptInput(session, input, { kind: 'Clone', serialOf: ({ deviceSerial }) => deviceSerial });
  if ('again' in accepted) return accepted.again;
  const added = cardIn(card, 'Device');
  const { targetSerial } = accepted.task;
  refuseUnlessAllowed(added.serial === targetSerial, `The input is for the new device ${targetSerial}.`);
  const agreed = await agreedManifest(session, { accepted, added, approvals });
  if ('proposal' in agreed) return agreed.proposal;
  const { head, signed } = agreed;
  const digest = manifestDigest(signed.manifest);
  const box = await useMaster(session, (master) => sealBox('clone', added.sealingKey, digest, master));
  const files = { 'clone.json': canonical({ type: 'strongroom-fleet-clone', v: 1, head, manifest: signed, box }) };
  session.open.save({ ...accepted.change, pending: signed, last: { inputDigest: accepted.digest, files } });
  session.screen.say([labelled('Manifest', shortDigest(digest)), 'Write the fingerprint on paper for the new device.']);
  return files;
}

type Received = {
  readonly accepted: Accepted<'Clone'>;
  readonly head: FleetManifest;
  readonly signed: SignedManifest;
  readonly master: Buffer;
};

/** The new device shows with the challenged keys that it has the master secret of the fleet. */
export async function registerClone(session: Session, { accepted, head, signed, master }: Received): Promise<Files> {
  const { input, task, digest, change } = accepted;
  const { card } = session.open.state();
  refuseUnlessAllowed(masterCommitmentOf(master) === head.masterCommitment, 'This is not the master secret of the fleet.');
  const keys = task.challenge.map(({ curve, index }) => proveKey(master, curve, index, input));
  const operator = head.operators[0];
  const registration = {
    ...{ type: 'clone-registration' as const, ceremony_mode: CEREMONY_MODE },
    ...{ hsm_target_serial: card.serial, hsm_identity_key: card.signingKey },
    ...{ mac_target_serial: operator?.serial ?? '', mac_se_wrap_key_pub_key: operator?.sealingKey ?? '' },
  };
  const made = { input, digest, operationId: task.operationId, head, manifest: signed, keys, registration };
  const files = await makeCeremonyOutput(session, made);
  const last = { inputDigest: digest, files };
  session.open.save({ ...change, master: master.toString('hex'), committed: null, pending: signed, last });
  return files;
}

/** The input of a clone, on the new device, which has no manifest yet. */
export const acceptCloneTarget = (session: Session, text: string) =>
  acceptInput(session, text, { kind: 'Clone', serialOf: ({ targetSerial }) => targetSerial, isJoining: true });

type ImportGiven = { readonly input: string; readonly package: string };

/** The target opens the master secret of the source. */
export async function cloneImport(session: Session, { input: text, package: packed }: ImportGiven): Promise<Files> {
  const { open, screen } = session;
  const accepted = await acceptCloneTarget(session, text);
  if ('again' in accepted) return accepted.again;
  const { input, digest, task } = accepted;
  const { head, manifest: signed, box } = archiveIn(packed, ClonePackage, 'the package of a clone');
  refuseUnlessAllowed(manifestDigest(head) === input.manifest, 'The package continues another manifest than the input.');
  const { card, sealingSecret } = open.state();
  refuseUnlessAllowed(signed.manifest.devices.at(-1)?.signingKey === card.signingKey, 'The package is for another device.');
  assertConsented(head, task, signed);
  screen.say(inputWords(input, digest));
  const next = manifestDigest(signed.manifest);
  await assertTyped(screen, 'the manifest, from the screen of the source,', next);
  const master = await openBox('clone', sealingSecret, next, box);
  try {
    return await registerClone(session, { accepted, head, signed, master });
  } finally {
    master.fill(0);
  }
}

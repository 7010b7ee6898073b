import { fleetKeyPath } from '../../domain/fleets';
import { type Card, cardDigest, cardsDigest } from '../../platform/fleets/cards';
import { areSoundMembers, manifestDigest } from '../../platform/fleets/manifests';
import { genesisManifest, type TaskOf } from '../../platform/fleets/next-manifest';
import { CEREMONY_MODE, type ShareBox } from '../../platform/fleets/outputs';
import { shortDigest } from '../../platform/fleets/statement';
import { cardFingerprint, cardIn } from '../archives/forms';
import { refuseUnlessAllowed } from '../refused';
import { proveNextKeys } from '../secrets/fleet-keys';
import { createMaster, DICE_ROLLS_MIN, diceIn, divide, masterCommitmentOf, shareDigestOf } from '../secrets/master-secret';
import { sealBox } from '../secrets/sealed-box';
import type { Files, Session } from '../session';
import { assertAgreed, assertTyped } from '../typed';
import { acceptInput } from './accept-input';
import { inputWords, labelled } from './input-words';
import { makeCeremonyOutput } from './make-output';

type Given = {
  readonly input: string;
  readonly provisioners: readonly string[];
  readonly operator: string;
  /** The randomness of the device alone, which the record states. */
  readonly noDice: boolean;
};

/** One share of a new division for each provisioner, in the order of the provisioners. */
export async function sealShares(
  master: Buffer,
  provisioners: readonly Card[],
  threshold: number,
  boundTo: string,
): Promise<ShareBox[]> {
  const shares = await divide(master, provisioners.length, threshold);
  const boxes: ShareBox[] = [];
  for (const [at, { signingKey, sealingKey }] of provisioners.entries()) {
    const share = shares[at] as Buffer;
    const box = await sealBox('share', sealingKey, boundTo, share);
    boxes.push({ provisioner: signingKey, ...box, shareDigest: shareDigestOf(share) });
    share.fill(0);
  }
  return boxes;
}

async function masterFrom({ screen }: Session, noDice: boolean): Promise<Buffer> {
  if (!noDice) return createMaster(diceIn(await screen.askSecret(`Type at least ${DICE_ROLLS_MIN} rolls of dice: `)));
  screen.say(['WITHOUT DICE: the master secret is only as good as the random numbers of this machine.']);
  await assertAgreed(screen, 'Make the master secret without dice?');
  return createMaster('');
}

const START = { secp256k1: 0, ed25519: 0 } as const;
const KEYS_PATH = `${fleetKeyPath('secp256k1', 0)} and ${fleetKeyPath('ed25519', 0)}, then the next indices (SLIP-10)`;

const registrationOf = (task: TaskOf<'Genesis'>, device: Card, operator: Card, provisioners: readonly Card[]) => ({
  ...{ type: 'genesis-registration' as const, ceremony_mode: CEREMONY_MODE },
  ...{ hsm_serial: device.serial, hsm_identity_key: device.signingKey },
  ...{ mac_serial: operator.serial, mac_se_wrap_key_pub_key: operator.sealingKey },
  provisioners: Object.fromEntries(provisioners.map(({ serial, signingKey }) => [serial, signingKey])),
  key_harvest: {
    ...{ 'ed25519-start': START.ed25519, ed25519: task.keys.ed25519 },
    ...{ 'secp256k1-start': START.secp256k1, secp256k1: task.keys.secp256k1, error: null },
  },
});

/** Makes the master secret, divides it among the provisioners, and derives the first keys. */
export async function genesis(session: Session, { input: text, noDice, ...cards }: Given): Promise<Files> {
  const { open, screen } = session;
  const accepted = await acceptInput(session, text, { kind: 'Genesis', serialOf: ({ deviceSerial }) => deviceSerial });
  if ('again' in accepted) return accepted.again;
  const { input, task, digest, change } = accepted;
  refuseUnlessAllowed(input.manifest === null, 'A genesis does not continue a manifest.');
  const provisioners = cards.provisioners.map((card) => cardIn(card, 'Provisioner'));
  const operator = cardIn(cards.operator, 'Operator');
  refuseUnlessAllowed(provisioners.length === task.provisioners, `The input asks for ${task.provisioners} provisioners.`);
  const device = open.state().card;
  const founders = { provisioners, devices: [device], operators: [operator] };
  const draft = genesisManifest(input, task, { ...founders, masterCommitment: '0'.repeat(64) });
  refuseUnlessAllowed(areSoundMembers(draft), 'Two cards share a key or a serial number, or the threshold is too high.');
  screen.say([
    ...inputWords(input, digest),
    labelled('Threshold', `${task.threshold} of ${task.provisioners} provisioners recover the master secret`),
    labelled('Keys', `${task.keys.secp256k1} on secp256k1, ${task.keys.ed25519} on Ed25519`),
    labelled('Paths', KEYS_PATH),
    labelled('This device', `${device.serial}, ${cardFingerprint(device)}`),
  ]);
  for (const card of provisioners) await assertTyped(screen, `the provisioner ${card.serial}`, cardDigest(card));
  await assertTyped(screen, `the operator ${operator.serial}`, cardDigest(operator));
  const master = await masterFrom(session, noDice);
  try {
    const manifest = genesisManifest(input, task, { ...founders, masterCommitment: masterCommitmentOf(master) });
    const boxes = await sealShares(master, provisioners, task.threshold, manifestDigest(manifest));
    const signed = { manifest, signatures: [open.sign('manifest', manifest)] };
    const keys = [...proveNextKeys(master, START, task.keys, input)];
    const registration = registrationOf(task, device, operator, provisioners);
    const made = { input, digest, operationId: task.operationId, head: null, manifest: signed, keys, boxes, registration };
    const files = await makeCeremonyOutput(session, made);
    open.save({ ...change, master: master.toString('hex'), pending: signed, last: { inputDigest: digest, files } });
    screen.say([
      labelled('Manifest', shortDigest(manifestDigest(manifest))),
      labelled('Provisioners', shortDigest(cardsDigest(provisioners))),
      labelled('Device key', shortDigest(device.signingKey)),
      'Write the three fingerprints on paper. People compare them with the service before they approve.',
    ]);
    return files;
  } finally {
    master.fill(0);
  }
}

import { type FleetManifest, manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import type { OutputFile, Registration } from '../../platform/fleets/outputs';
import { shortDigest } from '../../platform/fleets/statement';
import { cardIn } from '../archives/forms';
import { refuseUnlessAllowed } from '../refused';
import type { Files, Session } from '../session';
import { type Accepted, acceptInput } from './accept-input';
import { agreedManifest } from './agreed-manifest';
import { sealShares } from './genesis';
import { labelled } from './input-words';
import { makeCeremonyOutput } from './make-output';
import { useMaster } from './use-master';

type Given = { readonly input: string; readonly card: string; readonly approvals: readonly string[] };
type Added = {
  readonly accepted: Accepted<'AddProvisioner' | 'AddMacUser'>;
  readonly head: FleetManifest;
  readonly signed: SignedManifest;
  readonly registration: Registration;
  readonly boxes?: OutputFile['boxes'];
};

async function finish(session: Session, { accepted, head, signed, registration, boxes = [] }: Added): Promise<Files> {
  const { input, task, digest, change } = accepted;
  const made = { input, digest, operationId: task.operationId, head, manifest: signed, registration, boxes };
  const files = await makeCeremonyOutput(session, made);
  session.open.save({ ...change, pending: signed, last: { inputDigest: digest, files } });
  session.screen.say([labelled('Manifest', shortDigest(manifestDigest(signed.manifest)))]);
  return files;
}

/** A new polynomial gives every provisioner a new share. The old shares keep their worth until they are destroyed. */
export async function addProvisioner(session: Session, { input, card, approvals }: Given): Promise<Files> {
  const accepted = await acceptInput(session, input, { kind: 'AddProvisioner', serialOf: ({ deviceSerial }) => deviceSerial });
  if ('again' in accepted) return accepted.again;
  const added = cardIn(card, 'Provisioner');
  const { provisionerSerial } = accepted.task;
  refuseUnlessAllowed(added.serial === provisionerSerial, `The input is for the provisioner ${provisionerSerial}.`);
  const agreed = await agreedManifest(session, { accepted, added, approvals });
  if ('proposal' in agreed) return agreed.proposal;
  const { head, signed } = agreed;
  const { provisioners, threshold } = signed.manifest;
  const boxes = await useMaster(session, (master) =>
    sealShares(master, provisioners, threshold, manifestDigest(signed.manifest)),
  );
  const registration = {
    ...{ type: 'add-provisioner' as const, hsm_target_serial: session.open.state().card.serial },
    ...{ provisioner_serial: added.serial, provisioner_identity_key: added.signingKey },
  };
  session.screen.say(['The old shares are not revoked: destroy them before witnesses when the new ones are kept.']);
  return finish(session, { accepted, head, signed, registration, boxes });
}

export async function addOperator(session: Session, { input, card, approvals }: Given): Promise<Files> {
  const accepted = await acceptInput(session, input, { kind: 'AddMacUser', serialOf: ({ deviceSerial }) => deviceSerial });
  if ('again' in accepted) return accepted.again;
  const added = cardIn(card, 'Operator');
  const { operatorSerial } = accepted.task;
  refuseUnlessAllowed(added.serial === operatorSerial, `The input is for the operator's machine ${operatorSerial}.`);
  const agreed = await agreedManifest(session, { accepted, added, approvals });
  if ('proposal' in agreed) return agreed.proposal;
  const registration = {
    ...{ type: 'add-mac-user' as const, hsm_target_serial: session.open.state().card.serial },
    ...{ mac_serial: added.serial, mac_se_wrap_key_pub_key: added.sealingKey },
  };
  return finish(session, { accepted, ...agreed, registration });
}

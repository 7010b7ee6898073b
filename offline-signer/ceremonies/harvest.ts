import { manifestDigest } from '../../platform/fleets/manifests';
import { shortDigest } from '../../platform/fleets/statement';
import { proveNextKeys } from '../secrets/fleet-keys';
import type { Files, Session } from '../session';
import { acceptInput } from './accept-input';
import { agreedManifest } from './agreed-manifest';
import { labelled } from './input-words';
import { makeCeremonyOutput } from './make-output';
import { useMaster } from './use-master';

type Given = { readonly input: string; readonly approvals: readonly string[] };

/** Derives the next keys. The operator whom the input names approves the next manifest. */
export async function harvest(session: Session, { input: text, approvals }: Given): Promise<Files> {
  const accepted = await acceptInput(session, text, { kind: 'KeyHarvest', serialOf: ({ deviceSerial }) => deviceSerial });
  if ('again' in accepted) return accepted.again;
  const agreed = await agreedManifest(session, { accepted, added: undefined, approvals });
  if ('proposal' in agreed) return agreed.proposal;
  const { input, task, digest, change } = accepted;
  const { head, signed } = agreed;
  const keys = await useMaster(session, (master) => [...proveNextKeys(master, head.ranges, task.keys, input)]);
  const registration = {
    ...{ type: 'key-harvest' as const, hsm_target_serial: session.open.state().card.serial },
    key_harvest: {
      ...{ 'ed25519-start': head.ranges.ed25519, ed25519: task.keys.ed25519 },
      ...{ 'secp256k1-start': head.ranges.secp256k1, secp256k1: task.keys.secp256k1, error: null },
    },
  };
  const made = { input, digest, operationId: task.operationId, head, manifest: signed, keys, registration };
  const files = await makeCeremonyOutput(session, made);
  session.open.save({ ...change, pending: signed, last: { inputDigest: digest, files } });
  session.screen.say([labelled('Manifest', shortDigest(manifestDigest(signed.manifest)))]);
  return files;
}

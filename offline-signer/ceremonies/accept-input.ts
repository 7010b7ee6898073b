import type { FleetKind } from '../../domain/fleets';
import { type FleetInput, inputDigest, SignedInput } from '../../platform/fleets/inputs';
import { manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import type { TaskOf } from '../../platform/fleets/next-manifest';
import { isStated, shortDigest } from '../../platform/fleets/statement';
import { archiveIn } from '../archives/read-archive';
import { Refused, refuseUnlessAllowed } from '../refused';
import type { Files, Session } from '../session';
import type { State } from '../state/state';
import { assertTyped } from '../typed';
import { judgedDate } from './judged-date';

/** `head` is the manifest that the input continues. The ceremony saves `change` together with its own changes. */
export type Accepted<K extends FleetKind> = {
  readonly input: FleetInput;
  readonly task: TaskOf<K>;
  readonly digest: string;
  readonly head: SignedManifest | null;
  readonly change: Partial<State>;
};

/** The ids of the operations in a task. */
const operationsOf = (task: FleetInput['task']): readonly string[] =>
  'requests' in task ? task.requests.map(({ operationId }) => operationId) : [task.operationId];

/** Pins the signer's key the first time, and throws `Refused` if another key has signed. */
async function signerIn({ open, screen }: Session, { input, signed }: SignedInput): Promise<string> {
  const { signerKey } = open.state();
  refuseUnlessAllowed(isStated('input', input, signed), 'The signature of the input is not valid.');
  if (signerKey === null) await assertTyped(screen, `the signer ${input.signerId}`, signed.by);
  else refuseUnlessAllowed(signerKey === signed.by, 'The input is not signed by the signer whose key this machine has pinned.');
  return signed.by;
}

function assertOfFleet(input: FleetInput, { committed, pending }: State): void {
  const known = (committed ?? pending)?.manifest;
  if (known === undefined || input.manifest === null) return;
  refuseUnlessAllowed(input.orgId === known.orgId, 'The input is for another organisation.');
  refuseUnlessAllowed(input.storeId === known.storeId, 'The input is for another key store.');
  refuseUnlessAllowed(input.fleetId === known.fleetId, 'The input is for another fleet.');
}

type Slots = Pick<State, 'committed' | 'pending'>;

/**
 * The slots of the manifest, as the signer sees them. A pending manifest is committed if the input continues it, and left if the
 * input says so; everything else is a fork or a roll-back.
 */
function slotsAfter(input: FleetInput, { committed, pending }: State): Slots {
  const digest = pending && manifestDigest(pending.manifest);
  if (pending && input.manifest === digest) return { committed: pending, pending: null };
  const current = committed && manifestDigest(committed.manifest);
  if (input.manifest !== current)
    throw new Refused(
      `The input continues another manifest (${input.manifest === null ? 'none' : shortDigest(input.manifest)}) than this machine has (${current ? shortDigest(current) : 'none'}). The service was restored from a backup, or this machine misses a manifest (command "follow").`,
    );
  if (digest === null || input.abandons.includes(digest)) return { committed, pending: null };
  throw new Refused(
    `This machine has made the manifest ${shortDigest(digest)}, and the input does not say that it was rejected. If its output was lost, use the command "discard".`,
  );
}

/** A machine that joins a fleet has no manifest, and the ceremony verifies the manifest that the input continues. */
type Expected<K extends FleetKind> = {
  readonly kind: K;
  readonly serialOf: (task: TaskOf<K>) => string | undefined;
  readonly isJoining?: boolean;
};

function slotsOf(input: FleetInput, state: State, isJoining: boolean): Slots {
  if (!isJoining) return slotsAfter(input, state);
  refuseUnlessAllowed(state.committed === null, 'This device belongs to a fleet already.');
  const left = state.pending && manifestDigest(state.pending.manifest);
  const isLeft = left === null || input.abandons.includes(left);
  refuseUnlessAllowed(isLeft, 'This device has joined a fleet already, and the input does not say that its output was rejected.');
  return { committed: null, pending: null };
}

/**
 * Throws `Refused` unless the signer made this input for this machine, the operation is new, the date is right, and the input
 * continues the manifest that this machine has. Returns the files of the first run if the input was carried out already.
 */
export async function acceptInput<K extends FleetKind>(
  session: Session,
  text: string,
  { kind, serialOf, isJoining = false }: Expected<K>,
): Promise<Accepted<K> | { readonly again: Files }> {
  const signedInput = archiveIn(text, SignedInput, 'an input');
  const { input } = signedInput;
  const state = session.open.state();
  const signerKey = await signerIn(session, signedInput);
  refuseUnlessAllowed(input.task.kind === kind, `The input is for ${input.task.kind}, and this is the command for ${kind}.`);
  const task = input.task as TaskOf<K>;
  const serial = serialOf(task);
  refuseUnlessAllowed(serial === undefined || serial === state.card.serial, `The input is for the device ${serial}.`);
  if (!isJoining) assertOfFleet(input, state);
  const digest = inputDigest(input);
  if (state.last?.inputDigest === digest) return { again: state.last.files };
  const replayed = operationsOf(input.task).find((id) => state.done.includes(id));
  refuseUnlessAllowed(replayed === undefined, `This machine has done the operation ${replayed} already.`);
  const newestDate = await judgedDate(session, input);
  const slots = slotsOf(input, state, isJoining);
  const done = [...state.done, ...operationsOf(input.task)];
  return { input, task, digest, head: slots.committed, change: { ...slots, done, newestDate, signerKey } };
}

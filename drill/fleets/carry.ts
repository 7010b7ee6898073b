import { z } from 'zod';
import { ApiError } from '../../local/client';
import { inputIn } from '../../local/fleets/service';
import type { Files } from '../../offline-signer/session';
import { sha256Hex } from '../../platform/digests';
import type { Phase } from '../kill-points';
import { insist } from './insist';
import { DEVICE_SERIAL, PROVISIONERS } from './machines';
import type { Vault } from './vault';

/** Each round takes a key of each fleet. */
const KEYS = { numSecp256k1: 24, numEd25519: 1 } as const;
const GENESIS = { kind: 'Genesis', numProvisioners: PROVISIONERS, threshold: PROVISIONERS, ...KEYS } as const;

const Group = z.object({
  groupId: z.string(),
  status: z.string(),
  proposal: z.object({ manifest: z.object({ digest: z.string() }) }).optional(),
});
const Groups = z.object({ items: z.array(Group) });
const Explained = z.object({ stage: z.string() });

/** What the courier has carried: the group, and the bytes of its archive. */
export type CarriedArchive = { readonly groupId: string; readonly archive: string };
type Task = 'genesis' | 'onchain-sign';

const at = ({ storeId }: Pick<Vault, 'storeId'>, rest: string) => `/key-stores/${storeId}/${rest}`;

/** The states that an earlier attempt, whose reply was lost, can leave. */
const IN_BETWEEN: ReadonlySet<string> = new Set(['Conflict', 'WrongState']);

/** Rejects with an error after which `insist` tries again. */
const lookAgain = (error: unknown): never => {
  if (error instanceof ApiError && IN_BETWEEN.has(error.code)) throw new Error(error.message);
  throw error;
};

/** Begins a group and returns its archive. If an earlier attempt began the group, downloads the archive. */
export async function groupArchive(vault: Vault, task: Task, body: unknown): Promise<CarriedArchive> {
  const client = vault.client('admin');
  const { items } = await client.get(at(vault, 'fleet-operations'), Groups);
  const open = items.find(({ status }) => status === 'Initialized');
  const archive = open
    ? await client.get(at(vault, `fleet-operations/${open.groupId}/archive`), z.string())
    : await client.change('POST', at(vault, `${task}/input`), body, z.string()).catch(lookAgain);
  return { groupId: inputIn(archive).input.groupId, archive };
}

/** Submits the output once. Throws the refusal of the service. */
export async function sendOutput(vault: Vault, task: Task, files: Files): Promise<void> {
  const file = files['output-file.json'] ?? '';
  const outputJson: unknown = JSON.parse(files['output.json'] ?? '');
  const data = { fileChecksum: sha256Hex(file), outputJson };
  await vault.client('admin').submit(at(vault, `${task}/output`), data, file, z.unknown());
}

/** Has no effect if an earlier attempt has submitted the output. */
async function submit(vault: Vault, task: Task, groupId: string, files: Files): Promise<void> {
  const { status } = await vault.client('admin').get(at(vault, `fleet-operations/${groupId}`), Group);
  if (status === 'Initialized') await sendOutput(vault, task, files).catch(lookAgain);
}

/** Holds the genesis of the store: from the archive to the approval. Calls `onPhase` before each part. */
export async function holdGenesis(
  vault: Vault,
  deadline: number,
  onPhase: (phase: Phase) => void = () => undefined,
): Promise<CarriedArchive> {
  onPhase('collect');
  const body = { ...GENESIS, hsmGenesisSerial: DEVICE_SERIAL };
  const carried = await insist(deadline, () => groupArchive(vault, 'genesis', body));
  const files = await vault.machines.hold(carried.archive);
  onPhase('submit');
  await insist(deadline, () => submit(vault, 'genesis', carried.groupId, files));
  onPhase('review');
  const path = at(vault, `fleet-operations/${carried.groupId}`);
  await insist(deadline, async () => {
    const { status, proposal } = await vault.client('approver').get(path, Group);
    if (status === 'Approved') return;
    const manifest = { manifest: proposal?.manifest.digest };
    await vault.client('approver').change('POST', `${path}/approve`, manifest, Group).catch(lookAgain);
  });
  return carried;
}

/** Carries the transfer, which waits for the device, to the device and back. */
export async function carryTransfer(
  vault: Vault,
  transferPath: string,
  deadline: number,
  onPhase: (phase: Phase) => void,
): Promise<CarriedArchive> {
  await insist(deadline, async () => {
    const explained = await vault.client('admin').get(`${transferPath}/explain`, Explained);
    if (explained.stage !== 'OfflineSigning') throw new Error(`the transfer does not wait for the device: ${explained.stage}`);
  });
  onPhase('collect');
  const carried = await insist(deadline, () => groupArchive(vault, 'onchain-sign', {}));
  const files = await vault.machines.sign(carried.archive);
  onPhase('submit');
  await insist(deadline, () => submit(vault, 'onchain-sign', carried.groupId, files));
  return carried;
}

/** The archive that the service returns now. */
export const downloaded = (vault: Vault, { groupId }: CarriedArchive): Promise<string> =>
  vault.client('admin').get(at(vault, `fleet-operations/${groupId}/archive`), z.string());

import type { Client } from '@temporalio/client';
import { z } from 'zod';
import {
  dekRotation,
  KEK_ROTATION,
  type Rotation,
  rotationResult,
  rotationStatus,
  startRotation,
} from '../application/keys/rotations';
import type { RotationProgress } from '../domain/rotations';
import { rotationStore } from '../entities/keys/rotation.store';
import { command, RecordId } from './command';

/** `status` only reads the progress. `wait` waits for the end of the rotation. */
const LOOKING = { status: z.boolean().optional(), wait: z.boolean().optional() };
type Looking = { readonly status?: boolean | undefined; readonly wait?: boolean | undefined };

const inWords = ({ looked, done, refused, passes }: RotationProgress): readonly string[] => [
  `Rows looked at     ${looked}, in ${passes} passes`,
  `Rows replaced      ${done}`,
  ...(refused === 0 ? [] : [`UNREADABLE         ${refused}: the log of the worker names these rows; they were left unchanged`]),
];

async function rotate(client: Client, rotation: Rotation, { status = false, wait = false }: Looking): Promise<readonly string[]> {
  if (status && wait) throw new Error('Pass either --status or --wait, not both.');
  if (!status) {
    const isNew = await startRotation(client, rotation);
    if (wait) return [`${rotation.id} has ended.`, ...inWords(await rotationResult(client, rotation))];
    if (!isNew) return [`${rotation.id} is already under way; --status shows its progress.`];
    return [`${rotation.id} has begun; --status shows its progress. Nothing has to be stopped in the meantime.`];
  }
  const standing = await rotationStatus(client, rotation);
  return [`${rotation.id}         ${standing.status}`, ...(standing.progress ? inWords(standing.progress) : [])];
}

const rotateKek = command({
  usage: '[--wait | --status]',
  options: z.strictObject(LOOKING),
  async run({ temporal }, options) {
    return rotate(temporal(), KEK_ROTATION, options);
  },
});

const rotateDek = command({
  usage: '(--org or-… | --all) [--wait | --status]',
  options: z.strictObject({ org: RecordId.optional(), all: z.boolean().optional(), ...LOOKING }),
  async run({ db, temporal }, { org, all = false, ...options }) {
    if ((org !== undefined) === all) throw new Error('Pass either --org or --all.');
    const lines = await rotate(temporal(), dekRotation(org), options);
    if (org === undefined) return lines;
    const standing = await rotationStore.standing(db.read(org));
    return [...lines, ...standing.map(({ id, kekId, state, keys }) => `${id}  ${state}, ${keys} keys, under ${kekId}`)];
  },
});

const destroyDek = command({
  usage: '--org or-… --data-key dek-…',
  options: z.strictObject({ org: RecordId, 'data-key': RecordId }),
  async run({ db }, { org, 'data-key': dataKeyId }) {
    await db.withOrg(org, (tx) => rotationStore.destroy(tx, dataKeyId));
    return [
      `${dataKeyId} is destroyed: no row can be opened or sealed under it any longer.`,
      'Backups and older lines of the signer’s journal still contain it, wrapped, until they are deleted.',
    ];
  },
});

export const ROTATION_COMMANDS = { 'keys:rotate-kek': rotateKek, 'keys:rotate-dek': rotateDek, 'keys:destroy-dek': destroyDek };

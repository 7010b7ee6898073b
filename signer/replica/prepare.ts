import { readdirSync } from 'node:fs';
import { journalIdIn } from '../record/journal/journal-keys';
import { indexesOf, removeIndex, segmentsOf } from '../record/journal/segments';
import { StartError } from '../start-error';
import { readMarker, writeMarker } from './marker';

const LEASES = 'epochs';

/** Makes an empty folder the folder of a replica. Only a command does that, because an unmounted medium looks empty too. */
async function prepareNew(stateDir: string): Promise<string> {
  const held = readdirSync(stateDir).filter((name) => name !== LEASES);
  if (held.length > 0) throw new StartError(`${stateDir} is not empty: it holds ${held[0]}`);
  await writeMarker(stateDir, { journalId: null, epoch: 0, run: null, isRejoining: false });
  return `${stateDir} is prepared for a new replica`;
}

/** Makes the folder of an earlier signer the folder of a replica. */
async function prepareRejoin(stateDir: string): Promise<string> {
  if (readMarker(stateDir)) throw new StartError(`${stateDir} is the folder of a replica already`);
  const journalId = journalIdIn(stateDir);
  if (segmentsOf(stateDir).length === 0 || journalId === undefined)
    throw new StartError(`${stateDir} has no journal of a signer: prepare a new replica with --new`);
  await writeMarker(stateDir, { journalId, epoch: 0, run: null, isRejoining: true });
  // An index may reflect lines that the replica will drop.
  for (const path of indexesOf(stateDir)) await removeIndex(path);
  return `${stateDir} is prepared to rejoin: lines that the signer lacks will be moved to dropped-… files`;
}

export const PREPARATIONS: Readonly<Record<string, (stateDir: string) => Promise<string>>> = {
  '--new': prepareNew,
  '--rejoin': prepareRejoin,
};

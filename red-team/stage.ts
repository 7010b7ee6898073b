import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperatorKey } from '../bench/bench-charters';
import { startSigner } from '../bench/signer-process';
import type { Arithmetic } from '../signer/protocol';
import { readJournal } from '../signer/record/read-journal';
import { openOrganization } from './organization';

/**
 * The signer permits key exports, bare hashes and typed data without a chain, so that only the charter prevents the attacker from
 * getting a secret.
 */
const SWITCHED_ON = { SIGNER_EXPORT: 'true', SIGNER_HASH: 'true', SIGNER_CHAINLESS_TYPED_DATA: 'true' };

/** The machine may be busy with other work. */
const START_TIMEOUT_MS = 60_000;

type Options = {
  readonly arithmetic: Arithmetic;
  /** The main file of a modified signer. */
  readonly program?: string | undefined;
  /** If true, Node compiles the signer's code, so that a short run has more attempts. */
  readonly isCompiled?: boolean;
  readonly isChartered?: boolean;
};

/** A signer process with an organisation under a charter. */
export async function openStage({ arithmetic, program, isCompiled = false, isChartered = true }: Options) {
  const stateDir = mkdtempSync(join(tmpdir(), 'strongroom-red-team-'));
  const operator = createOperatorKey();
  const start = () =>
    startSigner(arithmetic, {
      ...{ stateDir, operatorKeyHex: operator.publicKeyHex, env: SWITCHED_ON },
      isCompiled,
      startTimeoutMs: START_TIMEOUT_MS,
      ...(program === undefined ? {} : { program }),
    });
  const signer = await start();
  /** Throws unless the chain of the journal is intact and a restarted signer has every signature. */
  const assertJournal = async (logEntries: number): Promise<void> => {
    let signatures = 0;
    const count = (json: string) => {
      if (json.includes('"kind":"Signed"')) signatures += 1;
    };
    if (!(await readJournal(stateDir, count))) throw new Error('the signer has no journal');
    const again = await start();
    const { logEntries: known } = await again.client.health();
    await again.stop();
    if (known !== logEntries) throw new Error(`a new start knows ${known} signatures, and the signer had made ${logEntries}`);
    if (signatures < known) throw new Error(`the journal has ${signatures} signatures, and the signer had made ${known}`);
  };
  const close = () => rmSync(stateDir, { recursive: true, force: true });
  try {
    const organization = await openOrganization({
      client: signer.client,
      stateDir,
      operatorKey: operator.privateKey,
      isChartered,
    });
    return { stateDir, signer, organization, assertJournal, close };
  } catch (error) {
    await signer.stop();
    close();
    throw error;
  }
}

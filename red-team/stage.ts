import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperatorKey } from '../bench/bench-charters';
import { startSigner } from '../bench/signer-process';
import type { Arithmetic } from '../signer/protocol';
import { openOrganization } from './organization';

/** Exports and hashes are on, so that only the charter stands between the attacker and a secret. */
const SWITCHED_ON = { SIGNER_EXPORT: 'true', SIGNER_HASH: 'true', SIGNER_CHAINLESS_TYPED_DATA: 'true' };

type Options = { readonly arithmetic: Arithmetic; readonly program?: string | undefined };

/** A signer process with an organisation under a charter. */
export async function openStage({ arithmetic, program }: Options) {
  const stateDir = mkdtempSync(join(tmpdir(), 'strongroom-red-team-'));
  const operator = createOperatorKey();
  const start = () =>
    startSigner(arithmetic, {
      ...{ stateDir, operatorKeyHex: operator.publicKeyHex, env: SWITCHED_ON },
      ...(program === undefined ? {} : { program }),
    });
  const signer = await start();
  const close = () => rmSync(stateDir, { recursive: true, force: true });
  try {
    const organization = await openOrganization({ client: signer.client, stateDir, operatorKey: operator.privateKey });
    return { stateDir, signer, organization, start, close };
  } catch (error) {
    await signer.stop();
    close();
    throw error;
  }
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

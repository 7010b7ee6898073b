import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHARTER_COMMANDS } from '../../../operator/charter-commands';
import { createLogger } from '../../../platform/logger';
import { operatorKeyOf } from '../../../signer/charters/charter';
import { watchCharters } from '../../../signer/charters/charter-folder';
import { createFileKek } from '../../../signer/keys/kek';
import { createPortableSigning } from '../../../signer/keys/sealed-signing';
import { openOperations } from '../../../signer/orders/operations';

type DraftOptions = {
  readonly 'members-amend'?: boolean;
  readonly 'no-members-amend'?: boolean;
  readonly seen?: string;
  readonly 'seen-origins'?: string;
  readonly mainnets?: string;
  readonly exports?: string;
  readonly 'end-users'?: string;
};

const broken = (cause: Error) => {
  throw cause;
};

/** A state folder with the signer's own code, and the operator's commands on files beside the folder. */
export function createCharterPlace(appUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'charter-'));
  const stateDir = join(folder, 'state');
  mkdirSync(stateDir, { mode: 0o700 });
  const kekSecret = randomBytes(32);
  const original = process.env;
  process.env = { ...original, DATABASE_URL: appUrl, SIGNER_STATE_DIR: stateDir };
  let publicHex = '';
  let files = 0;
  const path = (name: string) => join(folder, name);

  /** An empty `keyHex` stands for a signer without the operator's key. */
  const startSigner = async (keyHex = publicHex) => {
    const kek = createFileKek(Buffer.from(kekSecret));
    const opened = await openOperations({
      ...{ stateDir, kek, signing: createPortableSigning(kek), switches: new Set<never>(), nowMs: () => Date.now() },
      operatorKey: keyHex === '' ? undefined : operatorKeyOf(Buffer.from(keyHex, 'hex')),
      onBroken: broken,
    });
    const offers = watchCharters(stateDir, { ...opened.charters, ...opened.keyStores }, createLogger('signer', 'silent'));
    return {
      charters: opened.charters,
      stop: async () => {
        await offers.close();
        await opened.close();
      },
    };
  };

  return {
    folder,
    stateDir,
    path,
    startSigner,
    makeKey: async (name = 'operator.pem') => {
      const lines = await CHARTER_COMMANDS['authority:key'].run({ to: path(name) });
      const [, hex = ''] = /^Public half {3}([0-9a-f]{64})$/m.exec(lines.join('\n')) ?? [];
      if (publicHex === '') publicHex = hex;
      return hex;
    },
    /** Returns the path of the draft and the printed lines. */
    draft: async (org: string, more: DraftOptions = {}) => {
      files += 1;
      const to = path(`draft-${files}.json`);
      const lines = await CHARTER_COMMANDS['authority:draft'].run({ org, to, ...more });
      return { to, lines, text: readFileSync(to, 'utf8') };
    },
    read: (charter: string) => CHARTER_COMMANDS['authority:sign'].run({ charter }),
    sign: (charter: string, more: { readonly key?: string; readonly previous?: string } = {}) =>
      CHARTER_COMMANDS['authority:sign'].run({ charter, key: path('operator.pem'), ...more }),
    adopt: (charter: string) => CHARTER_COMMANDS['authority:adopt'].run({ charter }),
    restrict: (file: string) => CHARTER_COMMANDS['authority:restrict'].run({ file }),
    status: (org?: string) => CHARTER_COMMANDS['authority:status'].run(org === undefined ? {} : { org }),
    close: () => {
      process.env = original;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type CharterPlace = ReturnType<typeof createCharterPlace>;

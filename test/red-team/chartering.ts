import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHARTER_COMMANDS } from '../../operator/charter-commands';
import { restrict } from '../../verify/restrict';
import type { Installation, Office, Person } from './installation';

type Wanted = { readonly membersAmend?: boolean } & { readonly [O in 'seen' | 'mainnets' | 'exports' | 'end-users']?: string };

/** The operator's commands, with which the operator gives the organisation its next charter. */
export function createChartering({ service, ports, passwords, operatorKey }: Installation) {
  const folder = mkdtempSync(join(tmpdir(), 'chartering-'));
  const key = join(folder, 'operator.pem');
  writeFileSync(key, operatorKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  const place = {
    DATABASE_URL: `postgres://strongroom_app:${passwords['app']}@127.0.0.1:${ports.postgres}/strongroom`,
    SIGNER_STATE_DIR: join(service.dataFolder, 'signer'),
  };
  let files = 0;

  const atPlace = async <T>(act: () => Promise<T>): Promise<T> => {
    files += 1;
    const original = process.env;
    process.env = { ...original, ...place };
    try {
      return await act();
    } finally {
      process.env = original;
    }
  };
  const charter = (org: string, { membersAmend = false, ...wanted }: Wanted = {}): Promise<void> =>
    atPlace(() => next(org, { 'members-amend': membersAmend, ...wanted }));
  let last = '';
  const next = async (org: string, wanted: Omit<Wanted, 'membersAmend'> & { readonly 'members-amend': boolean }) => {
    const to = join(folder, `charter-${files}.json`);
    await CHARTER_COMMANDS['authority:draft'].run({ org, to, ...wanted });
    await CHARTER_COMMANDS['authority:sign'].run({ charter: to, key });
    await CHARTER_COMMANDS['authority:adopt'].run({ charter: `${to}.signed` });
    last = `${to}.signed`;
  };
  /** The member signs a restriction of the last charter on the member's own machine, and the operator delivers the file. */
  const restricted = ({ client }: Person, remove: string) =>
    atPlace(async () => {
      const [pem, to] = [join(folder, `member-${files}.pem`), join(folder, `restriction-${files}`)];
      writeFileSync(pem, client.identity.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
      const publicKey = createPublicKey(operatorKey).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
      const options = { home: join(folder, 'home'), charter: last, key: pem, remove, to, operatorKey: publicKey };
      await restrict(options, { show: () => undefined, ask: async () => remove.slice(-6) }, new Date());
      return CHARTER_COMMANDS['authority:restrict'].run({ file: to });
    });
  return {
    charter,
    restricted,
    /** Gives the office a charter, and a further charter after each new wallet and policy. */
    chartered: async (office: Office): Promise<Office> => {
      await charter(office.orgId);
      return {
        ...office,
        wallet: async (how) => {
          const wallet = await office.wallet(how);
          await charter(office.orgId);
          return wallet;
        },
        tagged: async (wallet, tag) => {
          await office.tagged(wallet, tag);
          await charter(office.orgId);
        },
      };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

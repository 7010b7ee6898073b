import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { genesis } from '../../offline-signer/ceremonies/genesis';
import type { Files } from '../../offline-signer/session';
import { signGroup } from '../../offline-signer/signing/sign-group';
import { openFolder } from '../../offline-signer/state/open-folder';
import { KEY_STORE_COMMANDS } from '../../operator/key-store-commands';
import { sha256Hex } from '../../platform/digests';
import { SignedInput } from '../../platform/fleets/inputs';
import { shortDigest } from '../../platform/fleets/statement';
import type { Installation, Office } from '../red-team/installation';
import { sendForm } from './fleet-api';
import { createRoom, type Machine, PIN } from './offline-fleet';
import { ok } from './story';
import { waitUntil } from './wait-until';

export type Archive = { readonly text: string; readonly input: SignedInput['input'] };
type Keys = { readonly numSecp256k1: number; readonly numEd25519: number };

/** The requests in the archive of a group that signs. */
export const requestsIn = ({ input: { task } }: Archive) => (task.kind === 'OnchainSign' ? task.requests : []);

/** Ben, who can only approve at first, becomes a full administrator: another person must approve a ceremony. */
async function promote({ ada, ben }: Office): Promise<void> {
  const { items } = ok(await ada.client.get('/permissions')) as { readonly items: readonly { id: string; name: string }[] };
  const full = items.find(({ name }) => name === 'ManagedFullAdminAccess')?.id;
  ok(await ada.client.change('POST', `/permissions/${full}/assignments`, { identityId: ben.userId }));
}

/** The operator of the service adds an offline store, and the worker shows it. Returns its id. */
async function addedStore({ operatorKey, service }: Installation, { orgId, ada }: Office, folder: string): Promise<string> {
  const key = join(folder, 'operator.pem');
  writeFileSync(key, operatorKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  const before = process.env['SIGNER_STATE_DIR'];
  process.env['SIGNER_STATE_DIR'] = join(service.dataFolder, 'signer');
  try {
    await KEY_STORE_COMMANDS['key-store add'].run({ org: orgId, name: 'Vault one', key });
  } finally {
    if (before === undefined) delete process.env['SIGNER_STATE_DIR'];
    else process.env['SIGNER_STATE_DIR'] = before;
  }
  return waitUntil('the store', async () => {
    const { items } = ok(await ada.client.get('/key-stores')) as { readonly items: readonly { id: string; kind: string }[] };
    return items.find(({ kind }) => kind === 'OfflineSigner')?.id;
  });
}

/** An offline store of a running installation, and one device of its fleet with the people around it. */
export type OfflineDesk = Awaited<ReturnType<typeof createOfflineDesk>>;

export async function createOfflineDesk(installation: Installation, office: Office) {
  const room = createRoom();
  const folder = mkdtempSync(join(tmpdir(), 'strongroom-offline-desk-'));
  await promote(office);
  const device: Machine = await room.machine('Device', 'D-1');
  const storeId = await addedStore(installation, office, folder);
  const at = (rest: string) => `/key-stores/${storeId}/${rest}`;

  /** Asks for an archive, and writes the fingerprint of the signer on the paper of the device. */
  const archive = async (path: string, body: unknown): Promise<Archive> => {
    const text = ok(await office.ada.client.change('POST', at(path), body)) as string;
    const { input, signed } = SignedInput.parse(JSON.parse(text));
    room.paper.set(`the signer ${input.signerId}`, shortDigest(signed.by));
    device.screen.today = new Date().toISOString().slice(0, 10);
    return { text, input };
  };
  const submit = (path: string, files: Files) => {
    const file = files['output-file.json'] ?? '';
    const outputJson: unknown = JSON.parse(files['output.json'] ?? '');
    return sendForm(office.ada, at(path), JSON.stringify({ fileChecksum: sha256Hex(file), outputJson }), file);
  };
  const statusOf = async (groupId: string) =>
    (ok(await office.ada.client.get(at(`fleet-operations/${groupId}`))) as { readonly status: string }).status;

  return {
    ...{ storeId, device, at, archive, submit, statusOf },
    /** The output of the genesis, which has not been submitted yet. */
    async genesisFiles(keys: Keys) {
      const body = { kind: 'Genesis', numProvisioners: 3, threshold: 2, hsmGenesisSerial: 'D-1', ...keys };
      const { text, input } = await archive('genesis/input', body);
      const members = await Promise.all(['P-1', 'P-2', 'P-3'].map((serial) => room.machine('Provisioner', serial)));
      const operator = await room.machine('Operator', 'M-1');
      const cards = { provisioners: members.map(({ cardText }) => cardText), operator: operator.cardText };
      return { files: await genesis(device.session(), { input: text, ...cards, noDice: false }), groupId: input.groupId };
    },
    /** Ben approves the manifest of the group, and the keys are usable. Returns the proposal that he saw. */
    async approve(groupId: string) {
      const path = at(`fleet-operations/${groupId}`);
      const { proposal } = ok(await office.ben.client.get(path)) as {
        readonly proposal: { readonly manifest: { readonly digest: string; readonly threshold: number } };
      };
      ok(await office.ben.client.change('POST', `${path}/approve`, { manifest: proposal.manifest.digest }));
      await waitUntil('the approval', async () => (await statusOf(groupId)) === 'Approved');
      return proposal;
    },
    collect: () => archive('onchain-sign/input', {}),
    /** The people at the device refuse the requests with these positions in the archive, and confirm the others. */
    async sign({ text }: Archive, refused: readonly number[] = []): Promise<Files> {
      const names = refused.map((position) => `Sign request ${position + 1} of `);
      const session = device.session();
      const confirm = async (question: string) => !names.some((name) => question.startsWith(name));
      return signGroup({ ...session, screen: { ...session.screen, confirm } }, { input: text });
    },
    /** Another device with the same keys, which knows nothing of what this device signs from here on. */
    async copyOfDevice() {
      const copy = join(folder, 'copy');
      cpSync(device.folder, copy, { recursive: true });
      return {
        sign: ({ text }: Archive) =>
          signGroup({ open: openFolder(copy, PIN), screen: device.screen, now: () => new Date() }, { input: text }),
      };
    },
    accept: async (files: Files) => ok(await submit('onchain-sign/output', files)) as { readonly status: string },
    close: () => {
      room.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ApiError, type Client } from '../client';
import { CeremonyError } from './trial';

const Stores = z.object({ items: z.array(z.object({ id: z.string(), kind: z.string(), name: z.string().optional() })) });
const Group = z.object({
  groupId: z.string(),
  status: z.string(),
  operations: z.array(z.object({ kind: z.string() })),
  proposal: z.object({ manifest: z.object({ digest: z.string() }) }).optional(),
});
const Groups = z.object({ items: z.array(Group) });
const OpenGroup = z.object({ groupId: z.string() });
/** A ceremony is answered with a message, and signatures with a status. */
const Accepted = z.union([z.object({ message: z.string() }), z.object({ status: z.string() })]);
const Input = z.object({
  input: z.object({ groupId: z.string(), orgId: z.string(), storeId: z.string(), signerId: z.string() }),
  signed: z.object({ by: z.string() }),
});

/** Returns the ID of the first offline store. Undefined if the organisation has none. */
export async function offlineStoreOf(client: Client): Promise<string | undefined> {
  const { items } = await client.get('/key-stores', Stores);
  return items.find(({ kind }) => kind === 'OfflineSigner')?.id;
}

export const inputIn = (text: string) => Input.parse(JSON.parse(text));

type People = {
  readonly courier: Client;
  readonly reviewer: Client;
  /** Returns true if the fingerprint of the manifest is the one on paper. */
  readonly isOnPaper: (digest: string) => boolean;
};
export type Files = { readonly json: string; readonly file: string };

const groupPath = '/key-stores/{storeId}/fleet-operations/{groupId}';
const KINDS: Readonly<Record<string, string>> = {
  genesis: 'Genesis',
  clone: 'Clone',
  'key-harvest': 'KeyHarvest',
  'add-mac-user': 'AddMacUser',
  'add-provisioner': 'AddProvisioner',
  'onchain-sign': 'OnchainSign',
};
const kindOf = (path: string): string | undefined => KINDS[path.split('/').at(-2) ?? ''];

/** The requests of `docs/ceremonies.md` to one key store. `path` is a path of the page. */
export function ceremonyRequests(storeId: string, { courier, reviewer, isOnPaper }: People) {
  const at = (path: string, groupId: string) => path.replace('{storeId}', storeId).replace('{groupId}', groupId);
  const groupOf = (groupId: string) => courier.get(at(groupPath, groupId), Group);
  return {
    /** If an interrupted request has opened the group, its archive is downloaded again. */
    async input(path: string, body: unknown): Promise<string> {
      try {
        return await courier.change('POST', at(path, ''), body, z.string());
      } catch (error) {
        if (!(error instanceof ApiError) || !['Conflict', 'NotReady'].includes(error.code)) throw error;
        const { success, data } = OpenGroup.safeParse(error.details);
        if (!success) throw error;
        const { status, operations } = await groupOf(data.groupId);
        const isOurs = status === 'Initialized' && operations.every(({ kind }) => kind === kindOf(path));
        if (!isOurs) throw error;
        return courier.get(at(`${groupPath}/archive`, data.groupId), z.string());
      }
    },
    /** Returns the answer. People at a device may refuse every request, which ends a group as it should end. */
    async output(path: string, { json, file }: Files): Promise<string> {
      const fileChecksum = createHash('sha256').update(file, 'utf8').digest('hex');
      const outputJson: unknown = JSON.parse(json);
      try {
        const accepted = await courier.submit(at(path, ''), { fileChecksum, outputJson }, file, Accepted);
        return 'message' in accepted ? accepted.message : accepted.status;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'NothingSigned') return error.message;
        throw error;
      }
    },
    /** The reviewer compares the manifest with the paper. */
    async approve(path: string, groupId: string): Promise<string> {
      const { proposal } = await reviewer.get(at(groupPath, groupId), Group);
      const manifest = proposal?.manifest.digest ?? '';
      if (!isOnPaper(manifest)) throw new CeremonyError(`The service shows the manifest ${manifest}, and the paper another one.`);
      const { status } = await reviewer.change('POST', at(path, groupId), { manifest }, Group);
      if (status === 'InReview')
        throw new CeremonyError('The key store demands several reviewers, and this command plays only one of them.');
      return status;
    },
    cancel: async (path: string, groupId: string, reason: string): Promise<string> =>
      (await courier.change('POST', at(path, groupId), { groupId, reason }, Group)).status,
    statusOf: async (groupId: string): Promise<string> => (await groupOf(groupId)).status,
    /** The ID of the group that waits for an output or a review. */
    async openGroup(): Promise<string | undefined> {
      const { items } = await courier.get(at('/key-stores/{storeId}/fleet-operations?limit=1', ''), Groups);
      return items.find(({ status }) => status === 'Initialized' || status === 'InReview')?.groupId;
    },
  };
}
export type CeremonyRequests = ReturnType<typeof ceremonyRequests>;

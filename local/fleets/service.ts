import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Client } from '../client';

const Stores = z.object({ items: z.array(z.object({ id: z.string(), kind: z.string(), name: z.string().optional() })) });
const Group = z.object({
  groupId: z.string(),
  status: z.string(),
  proposal: z.object({ manifest: z.object({ digest: z.string() }) }).optional(),
});
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

/** The requests of `docs/ceremonies.md` to one key store. `path` is a path of the page. */
export function ceremonyRequests(storeId: string, { courier, reviewer, isOnPaper }: People) {
  const at = (path: string, groupId: string) => path.replace('{storeId}', storeId).replace('{groupId}', groupId);
  return {
    input: (path: string, body: unknown): Promise<string> => courier.change('POST', at(path, ''), body, z.string()),
    async output(path: string, { json, file }: Files): Promise<string> {
      const fileChecksum = createHash('sha256').update(file, 'utf8').digest('hex');
      const outputJson: unknown = JSON.parse(json);
      const { message } = await courier.submit(
        at(path, ''),
        { fileChecksum, outputJson },
        file,
        z.object({ message: z.string() }),
      );
      return message;
    },
    /** The reviewer compares the manifest with the paper. */
    async approve(path: string, groupId: string): Promise<string> {
      const { proposal } = await reviewer.get(at('/key-stores/{storeId}/fleet-operations/{groupId}', groupId), Group);
      const manifest = proposal?.manifest.digest ?? '';
      if (!isOnPaper(manifest)) throw new Error(`The service shows the manifest ${manifest}, and the paper another one.`);
      const { status } = await reviewer.change('POST', at(path, groupId), { manifest }, Group);
      if (status === 'InReview')
        throw new Error('The key store demands several reviewers, and this command plays only one of them.');
      return status;
    },
    cancel: async (path: string, groupId: string, reason: string): Promise<string> =>
      (await courier.change('POST', at(path, groupId), { groupId, reason }, Group)).status,
  };
}
export type CeremonyRequests = ReturnType<typeof ceremonyRequests>;

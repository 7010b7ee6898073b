import { randomBytes } from 'node:crypto';
import { SignatureEntity } from '../../entities/signatures/signature.entity';
import type { Own } from './api';
import { startWalletApi, type WalletApi, type WalletBody } from './wallet-api';

type SignatureWords = {
  readonly r: `0x${string}`;
  readonly s: `0x${string}`;
  readonly recid?: number;
  readonly encoded: string;
};

/** A signature request as the API returns it. */
export type SignatureBody = {
  readonly id: string;
  readonly keyId: string;
  readonly status: string;
  readonly approvalId?: string;
  readonly signature?: SignatureWords;
  readonly signatures?: readonly SignatureWords[];
  readonly signedData?: `0x${string}`;
};

export type SignaturePage = { readonly items: readonly SignatureBody[]; readonly keyId: string; readonly nextPageToken?: string };

export type SignatureApi = WalletApi & {
  readonly wallet: WalletBody;
  readonly keyId: string;
  /** Requests a signature at the path of the key, or at `path` if given, and returns the whole response. */
  readonly ask: (body?: Readonly<Record<string, unknown>>, path?: string) => ReturnType<WalletApi['admin']['client']['change']>;
  readonly request: (body?: Readonly<Record<string, unknown>>, path?: string) => Promise<SignatureBody>;
  /** Creates a key without a wallet. */
  readonly createKey: (form: { readonly scheme: string; readonly curve: string }) => Promise<{ id: string; publicKey: string }>;
  readonly addPolicy: (policy: Readonly<Record<string, unknown>>) => Promise<void>;
  /** The number of requests of the organisation, in any state. */
  readonly count: () => Promise<number>;
};

export const newHash = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`;

/** The wallet API with one wallet. The key of the wallet signs at once, because no policy holds the requests. */
export async function startSignatureApi(options: Own = {}): Promise<SignatureApi> {
  const wallets = await startWalletApi(options);
  const { client } = wallets.admin;
  const wallet = await wallets.createWallet();
  const keyId = wallet.signingKey.id;
  const ask: SignatureApi['ask'] = (body = {}, path = `/keys/${keyId}/signatures`) =>
    client.change('POST', path, { kind: 'Hash', ...(body['kind'] === undefined ? { hash: newHash() } : {}), ...body });
  const done = async (answering: ReturnType<typeof client.change>) => {
    const answer = await answering;
    if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ...wallets,
    wallet,
    keyId,
    ask,
    request: (body, path) => done(ask(body, path)),
    createKey: (form) => done(client.change('POST', '/keys', form)),
    addPolicy: (policy) =>
      done(
        client.change('POST', '/v2/policies', {
          name: 'Policy',
          activityKind: 'Wallets:Sign',
          rule: { kind: 'AlwaysTrigger' },
          action: { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] },
          ...policy,
        }),
      ),
    count: async () => (await wallets.api.database.db.read(wallets.orgId).rows(SignatureEntity, '')).length,
  };
}

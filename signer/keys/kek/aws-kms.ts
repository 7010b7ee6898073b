import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type KekPlace, type KekProvider, KekUnavailable } from '../kek';
import type { KmsPlace } from './config';
import { createOpenedKeys } from './opened-keys';
import { tunnelAgents } from './tunnel';

const ATTEMPTS_MAX = 3;
const CONNECT_LIMIT_MS = 2_000;
const ANSWER_LIMIT_MS = 4_000;

const Credentials = z
  .object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string().optional() })
  .transform(({ sessionToken, ...pair }) => ({ ...pair, ...(sessionToken === undefined ? {} : { sessionToken }) }));

/** Ciphertext, context and key do not match. Any other error is treated as a failure of the service. */
const REFUSALS = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

type Options = KmsPlace & { readonly id: string; readonly arn: string; readonly region: string };

/**
 * The key never leaves AWS KMS: `Encrypt` wraps a data key, and `Decrypt` opens the wrapped data key (AWS KMS API Reference).
 * The service authenticates and logs the encryption context of each call. TLS passes through a forwarder, so the forwarder sees
 * only ciphertext. The access key file is read for every request, so a renewed key needs no restart.
 */
export async function createAwsKek({
  id,
  arn,
  region,
  socketPath,
  credentialsFile,
  endpoint,
  caPem,
}: Options): Promise<KekProvider> {
  // Loaded on demand: only a signer with a key in AWS KMS needs the client.
  const { DecryptCommand, EncryptCommand, KMSClient, KMSServiceException } = await import('@aws-sdk/client-kms');
  const client = new KMSClient({
    region,
    endpoint: endpoint ?? `https://kms.${region}.amazonaws.com`,
    maxAttempts: ATTEMPTS_MAX,
    credentials: async () => Credentials.parse(JSON.parse(readFileSync(credentialsFile, 'utf8'))),
    requestHandler: {
      ...tunnelAgents({ socketPath, caPem, timeoutMs: CONNECT_LIMIT_MS }),
      connectionTimeout: CONNECT_LIMIT_MS,
      requestTimeout: ANSWER_LIMIT_MS,
      throwOnRequestTimeout: true,
    },
  });
  const contextOf = ({ purpose, orgId, dekId, kekId }: KekPlace) => ({ purpose, org: orgId, dek: dekId, kek: kekId });
  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      return await question();
    } catch (error) {
      if (error instanceof KMSServiceException && REFUSALS.has(error.name)) throw error;
      // The text of the client's error may repeat the sent data, so only the error's name is passed on.
      throw new KekUnavailable(`the key management service did not answer (${error instanceof Error ? error.name : 'unknown'})`);
    }
  };
  const opened = createOpenedKeys();

  return {
    id,
    async wrap(plain, place) {
      const order = new EncryptCommand({ KeyId: arn, Plaintext: plain, EncryptionContext: contextOf(place) });
      const { CiphertextBlob } = await ask(() => client.send(order));
      if (!CiphertextBlob) throw new KekUnavailable('the key management service returned no ciphertext');
      return Buffer.from(CiphertextBlob);
    },
    unwrap: (sealed, place) =>
      opened.of(sealed, place, async () => {
        const order = new DecryptCommand({ KeyId: arn, CiphertextBlob: sealed, EncryptionContext: contextOf(place) });
        const { Plaintext } = await ask(() => client.send(order));
        if (!Plaintext) throw new KekUnavailable('the key management service returned no plain text');
        const plain = Buffer.from(Plaintext);
        Plaintext.fill(0);
        return plain;
      }),
  };
}

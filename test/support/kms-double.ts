import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

type Body = {
  readonly KeyId: string;
  readonly EncryptionContext: object;
  readonly Plaintext?: string;
  readonly CiphertextBlob?: string;
};
export type KmsRequest = { readonly action: string; readonly authorization: string; readonly body: Body };

/** The behaviour of the service: correct, or one of its failures. */
export type KmsMood = 'good' | 'throttled' | 'denied' | 'broken' | 'silent' | 'garbled';

/**
 * A test double for AWS KMS, which cannot run here. The double implements the part of KMS that a data key needs: the JSON 1.1
 * protocol of the API Reference over TLS, with the actions Encrypt and Decrypt and an encryption context.
 */
export async function startKmsDouble(tls: { readonly cert: string; readonly key: string }) {
  const master = randomBytes(32);
  const requests: KmsRequest[] = [];
  const moods: KmsMood[] = [];
  const kms = { mood: 'good' as KmsMood };

  const aadOf = ({ KeyId, EncryptionContext }: Body) =>
    Buffer.from(JSON.stringify([KeyId, Object.entries(EncryptionContext).sort(([a], [b]) => (a < b ? -1 : 1))]));
  const encrypt = (body: Body) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', master, iv, { authTagLength: 16 }).setAAD(aadOf(body));
    const sealed = Buffer.concat([cipher.update(Buffer.from(body.Plaintext ?? '', 'base64')), cipher.final()]);
    // The blob is about as long as a real blob, which also carries the name of the key.
    const blob = Buffer.concat([randomBytes(100), iv, sealed, cipher.getAuthTag()]);
    return { CiphertextBlob: blob.toString('base64'), KeyId: body.KeyId };
  };
  const decrypt = (body: Body) => {
    const blob = Buffer.from(body.CiphertextBlob ?? '', 'base64').subarray(100);
    const cipher = createDecipheriv('aes-256-gcm', master, blob.subarray(0, 12), { authTagLength: 16 }).setAAD(aadOf(body));
    cipher.setAuthTag(blob.subarray(-16));
    const plain = Buffer.concat([cipher.update(blob.subarray(12, -16)), cipher.final()]);
    return { Plaintext: plain.toString('base64'), KeyId: body.KeyId };
  };

  const say = (response: ServerResponse, status: number, body: string) =>
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
  const fail = (response: ServerResponse, status: number, type: string) =>
    say(response, status, JSON.stringify({ __type: type, message: type }));

  const answer = (response: ServerResponse, action: string, body: Body) => {
    const mood = moods.shift() ?? kms.mood;
    if (mood === 'silent') return;
    if (mood === 'throttled') return fail(response, 400, 'ThrottlingException');
    if (mood === 'denied') return fail(response, 400, 'AccessDeniedException');
    if (mood === 'broken') return fail(response, 500, 'KMSInternalException');
    if (mood === 'garbled') return say(response, 200, '<html>');
    try {
      return say(response, 200, JSON.stringify(action === 'Encrypt' ? encrypt(body) : decrypt(body)));
    } catch {
      return fail(response, 400, 'InvalidCiphertextException');
    }
  };
  const listener: RequestListener = async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
    const action = String(request.headers['x-amz-target']).replace('TrentService.', '');
    requests.push({ action, authorization: String(request.headers.authorization), body });
    answer(response, action, body);
  };

  const server = createServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    endpoint: `https://localhost:${port}`,
    requests,
    /** Sets the behaviour towards each of the next requests. Afterwards the lasting behaviour applies again. */
    next: (...some: KmsMood[]) => void moods.push(...some),
    be: (mood: KmsMood) => {
      kms.mood = mood;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

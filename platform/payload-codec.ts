import { createHash } from 'node:crypto';
import { type DataConverter, METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { decrypt, deriveKey, encrypt } from './secret-box';

const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const PayloadMessage = temporal.api.common.v1.Payload;

const bytesOf = (text: string) => Buffer.from(text, 'utf8');
const textOf = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('utf8');

/**
 * AES-256-GCM under a key derived from the data key, with the key id and the namespace as additional data. The encryption is
 * the second line of defence: secrets never enter a workflow.
 */
export function createPayloadCodec(dataKey: Uint8Array, namespace: string): PayloadCodec {
  const key = deriveKey(dataKey, 'temporal-payload');
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 16);
  const context = `${keyId}/${namespace}`;
  return {
    encode: async (payloads) =>
      payloads.map((payload) => ({
        metadata: { [METADATA_ENCODING_KEY]: bytesOf(ENCODING), [KEY_ID]: bytesOf(keyId) },
        data: encrypt(key, PayloadMessage.encode(payload).finish(), context),
      })),
    decode: async (payloads) =>
      payloads.map((payload): Payload => {
        if (textOf(payload.metadata?.[METADATA_ENCODING_KEY]) !== ENCODING) return payload;
        if (textOf(payload.metadata?.[KEY_ID]) !== keyId) throw new Error('The payload was encrypted under another data key');
        return PayloadMessage.decode(decrypt(key, payload.data ?? new Uint8Array(), context));
      }),
  };
}

export function dataConverterOf(dataKey: Uint8Array, namespace: string): DataConverter {
  return {
    payloadCodecs: [createPayloadCodec(dataKey, namespace)],
    failureConverterPath: require.resolve('./failure-converter'),
  };
}

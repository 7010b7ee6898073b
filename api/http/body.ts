import type { IncomingMessage } from 'node:http';
import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { parseStrictJson } from '../../platform/strict-json';
import { invalidRequest } from './input';

const BODY_BYTES_MAX = 1024 * 1024;
export const FILE_BODY_BYTES_MAX = 8 * 1024 * 1024;
/** The body that a client sends if it converts a form object to text by mistake. */
const FORM_AS_TEXT = '[object FormData]';
/**
 * If a body exceeds its limit, at most this many further bytes are read and discarded. Otherwise the connection would end
 * before the sender could read the refusal.
 */
const DRAINED_BYTES_MAX = 8 * 1024 * 1024;

/** Returns the exact bytes of the body, because a user action is bound to the hash of the exact bytes. */
export async function readBody(request: IncomingMessage, bytesMax = BODY_BYTES_MAX): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax + DRAINED_BYTES_MAX) throw bodyTooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes <= bytesMax) chunks.push(chunk);
      if (sizeBytes > bytesMax + DRAINED_BYTES_MAX) break;
    }
  } catch (error) {
    // The sender has disconnected. Node's error code would cause `NotReady`, but the service is not at fault.
    throw new AppError('MalformedJson', 'The body ended too early', {}, error);
  }
  if (sizeBytes > bytesMax) throw bodyTooLarge(bytesMax);
  // After a disconnect, a partial body must not be mistaken for the whole body.
  if (!request.complete) throw new AppError('MalformedJson', 'The body ended too early');
  const body = Buffer.concat(chunks);
  if (body.equals(Buffer.from(FORM_AS_TEXT))) {
    const message = `is the text ${FORM_AS_TEXT}: this client cannot send forms, unlike a browser`;
    throw invalidRequest([{ path: 'body', message }]);
  }
  return body;
}

/** Undefined for an empty body. */
export function parseBody(bytes: Buffer, headers: IncomingMessage['headers']): unknown {
  if (bytes.length === 0) return undefined;
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(headers['content-type'] ?? '')) {
    throw new AppError('UnsupportedMediaType', 'The body must be application/json in UTF-8');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AppError('UnsupportedMediaType', 'The body must not be compressed');
  }
  return parseJson(bytes);
}

export function parseJson(bytes: Buffer): unknown {
  const json = parseStrictJson(bytes);
  if (json.ok) return json.value;
  const { path, message } = json.fault;
  if (path === '') throw fieldFault('body', message, { code: 'MalformedJson' });
  throw invalidRequest([{ path: `body.${path}`, message }]);
}

const bodyTooLarge = (bytesMax: number) =>
  new AppError('BodyTooLarge', `The body is larger than ${bytesMax} bytes`, { bytesMax });

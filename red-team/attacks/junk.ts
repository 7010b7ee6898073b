import { randomBytes } from 'node:crypto';
import { BODY_BYTES_MAX } from '../../signer/wire/frames';
import { messageText, sendRaw } from '../wire';
import type { Attack, Attempt, Scene } from './attack';

const RAW_BYTES_MAX = 1024 * 1024;
const CONNECTION_MS_MAX = 3_000;
const CONNECTIONS = 40;

const nested = (depth: number, [open, close]: readonly [string, string], inner: string) =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`;

/** Texts that are not orders, in authenticated frames. */
function junkText({ random, genuine }: Scene): Attempt {
  const length = random.whole(1, random.oneOf([16, 1_024, 64 * 1_024, BODY_BYTES_MAX - 128]));
  const texts: readonly ((id: number) => string)[] = [
    () => 'x'.repeat(length),
    () => '',
    () => 'null',
    () => '[]',
    (id) => JSON.stringify({ id, op: 'signTransfer' }),
    (id) => JSON.stringify({ id, op: 'unheard of' }),
    (id) => messageText(id, { op: 'signTransfer', filler: 'x'.repeat(length) }),
    (id) => messageText(id, { ...genuine.order, evidence: Array.from({ length: 65 }, () => genuine.order.evidence?.[0]) }),
    (id) => messageText(id, { ...genuine.order, bytesHex: `0x${'00'.repeat(Math.floor(length / 2))}` }),
    (id) => `{"id":${id},"op":"signTransfer","a":${nested(Math.min(length, 100_000), ['[', ']'], '1')}}`,
    (id) => `{"id":${id},"op":"signTransfer","a":${nested(Math.min(length, 50_000), ['{"a":', '}'], '1')}}`,
    (id) => `{"id":${id},"op":"signTransfer","a":${'1'.repeat(length)}}`,
    (id) => messageText(-id, genuine.order),
    (id) => messageText(id, genuine.order).replace(/"id":(\d+)/, '"id":"$1"'),
  ];
  return { textOf: random.oneOf(texts) };
}

/** Bytes that do not follow the protocol. They do not depend on the seed, because their content does not matter. */
function junkBytes({ random, socketPath }: Scene): Attempt {
  const length = random.whole(0, random.oneOf([64, 4_096, RAW_BYTES_MAX]));
  return { act: () => sendRaw(socketPath, randomBytes(length), CONNECTION_MS_MAX) };
}

function manyConnections({ socketPath }: Scene): Attempt {
  const act = async () => {
    const all = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => sendRaw(socketPath, randomBytes(40), CONNECTION_MS_MAX)),
    );
    return all[0] ?? { kind: 'Refused' as const, reason: 'no connection' };
  };
  return { act };
}

export const JUNK_ATTACKS: readonly Attack[] = [
  { kind: 'junk in a frame', weight: 2, make: junkText },
  { kind: 'junk on the socket', weight: 0.5, make: junkBytes },
  { kind: 'many connections', weight: 0.2, make: manyConnections },
];

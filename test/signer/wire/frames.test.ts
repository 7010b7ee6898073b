import { BODY_BYTES_MAX, FrameChannel, FrameError } from '../../../signer/wire/frames';

const KEY = Buffer.alloc(32, 3);

/** Both sides of a connection. The test itself carries the bytes between the sides. */
function connect(clientKey = KEY) {
  const toSigner: Buffer[] = [];
  const toClient: Buffer[] = [];
  const heardBySigner: string[] = [];
  const heardByClient: string[] = [];
  const client = new FrameChannel(
    'client',
    clientKey,
    (bytes) => toSigner.push(bytes),
    (body) => heardByClient.push(String(body)),
  );
  const signer = new FrameChannel(
    'signer',
    KEY,
    (bytes) => toClient.push(bytes),
    (body) => heardBySigner.push(String(body)),
  );
  const greet = () => {
    signer.receive(toSigner.splice(0)[0] ?? Buffer.alloc(0));
    client.receive(toClient.splice(0)[0] ?? Buffer.alloc(0));
  };
  return { client, signer, toSigner, toClient, heardBySigner, heardByClient, greet };
}

test('messages arrive in both directions and in order', () => {
  const { client, signer, toSigner, toClient, heardBySigner, heardByClient, greet } = connect();
  greet();
  for (const word of ['one', 'two', '']) client.send(Buffer.from(word));
  signer.send(Buffer.from('answer'));
  for (const frame of toSigner) signer.receive(frame);
  for (const frame of toClient) client.receive(frame);
  expect(heardBySigner).toEqual(['one', 'two', '']);
  expect(heardByClient).toEqual(['answer']);
});

test('bytes may come one at a time or all together, and a message may be sent before the greeting', () => {
  const { client, signer, toSigner, toClient, heardBySigner } = connect();
  client.send(Buffer.from('early'));
  client.receive(toClient[0] ?? Buffer.alloc(0));
  client.send(Buffer.from('later'));
  const all = Buffer.concat(toSigner);
  for (const byte of all.subarray(0, 80)) signer.receive(Buffer.from([byte]));
  signer.receive(all.subarray(80));
  expect(heardBySigner).toEqual(['early', 'later']);
});

test('a message is not accepted twice', () => {
  const { client, signer, toSigner, heardBySigner, greet } = connect();
  greet();
  client.send(Buffer.from('pay'));
  const frame = toSigner[0] ?? Buffer.alloc(0);
  signer.receive(frame);
  expect(() => signer.receive(frame)).toThrow(FrameError);
  expect(heardBySigner).toEqual(['pay']);
});

test('a message out of order is refused', () => {
  const { client, signer, toSigner, greet } = connect();
  greet();
  client.send(Buffer.from('first'));
  client.send(Buffer.from('second'));
  expect(() => signer.receive(toSigner[1] ?? Buffer.alloc(0))).toThrow(FrameError);
});

test('a message is not accepted if it is sent back to its sender or sent on another connection', () => {
  const one = connect();
  one.greet();
  one.client.send(Buffer.from('pay'));
  const frame = one.toSigner[0] ?? Buffer.alloc(0);
  expect(() => one.client.receive(frame)).toThrow(FrameError);
  const other = connect();
  other.greet();
  expect(() => other.signer.receive(frame)).toThrow(FrameError);
});

test('every changed bit of a message is detected', () => {
  const { client, toSigner, greet } = connect();
  greet();
  client.send(Buffer.from('pay'));
  const frame = toSigner[0] ?? Buffer.alloc(0);
  for (let at = 4; at < frame.length; at += 1) {
    const fresh = connect();
    fresh.greet();
    fresh.client.send(Buffer.from('pay'));
    const changed = Buffer.from(fresh.toSigner[0] ?? Buffer.alloc(0));
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => fresh.signer.receive(changed)).toThrow(FrameError);
  }
});

test('a message from a client without the key is refused', () => {
  const { client, signer, toSigner, heardBySigner, greet } = connect(Buffer.alloc(32, 4));
  greet();
  client.send(Buffer.from('pay'));
  expect(() => signer.receive(toSigner[0] ?? Buffer.alloc(0))).toThrow(FrameError);
  expect(heardBySigner).toEqual([]);
});

test('a message of the maximum size passes; a longer message is not sent, and its receiver does not wait for it', () => {
  const { client, signer, toSigner, heardBySigner, greet } = connect();
  greet();
  client.send(Buffer.alloc(BODY_BYTES_MAX, 0x61));
  for (const frame of toSigner) signer.receive(frame);
  expect(heardBySigner[0]).toHaveLength(BODY_BYTES_MAX);
  expect(() => client.send(Buffer.alloc(BODY_BYTES_MAX + 1))).toThrow(FrameError);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(BODY_BYTES_MAX + 1);
  expect(() => signer.receive(length)).toThrow(FrameError);
});

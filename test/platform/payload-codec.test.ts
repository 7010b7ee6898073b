import { ApplicationFailure, defaultPayloadConverter, type Payload } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError, encodeErrorToFailure } from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { failureConverter } from '../../platform/failure-converter';
import { createPayloadCodec, dataConverterOf } from '../../platform/payload-codec';

const KEY = Buffer.alloc(32, 3);
const CANARY = 'canary-7f3a';
const { Payloads } = temporal.api.common.v1;
const { Failure } = temporal.api.failure.v1;
const codec = createPayloadCodec(KEY, 'default');

const somePayload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const encodeOne = async (payload: Payload): Promise<Payload> => {
  const [encoded] = await codec.encode([payload]);
  if (!encoded) throw new Error('one payload goes in and one comes out');
  return encoded;
};
const contains = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text);

test('payloads come back unchanged, in their order, with their own metadata', async () => {
  const payloads = [somePayload({ a: 1 }), somePayload('two'), somePayload(undefined), somePayload(new Uint8Array([0, 255]))];
  const decoded = await createPayloadCodec(KEY, 'default').decode(await codec.encode(payloads));
  expect(decoded.map((payload) => defaultPayloadConverter.fromPayload(payload))).toEqual([
    { a: 1 },
    'two',
    undefined,
    new Uint8Array([0, 255]),
  ]);
  expect(decoded.map(({ metadata }) => Buffer.from(metadata?.['encoding'] ?? []).toString())).toEqual(
    payloads.map(({ metadata }) => Buffer.from(metadata?.['encoding'] ?? []).toString()),
  );
});

test('neither a value nor its metadata is readable in what Temporal stores', async () => {
  const payload = { ...somePayload({ secret: CANARY }), metadata: { ...somePayload('').metadata, note: Buffer.from(CANARY) } };
  const stored = Payloads.encode({ payloads: await codec.encode([payload]) }).finish();
  expect(contains(Payloads.encode({ payloads: [payload] }).finish(), CANARY)).toBe(true);
  expect(contains(stored, CANARY)).toBe(false);
  expect(contains(stored, Buffer.from(CANARY).toString('base64'))).toBe(false);
  expect(contains(stored, 'json/plain')).toBe(false);
});

test('the same value is encrypted to a different text each time', async () => {
  const [first, second] = [await encodeOne(somePayload(CANARY)), await encodeOne(somePayload(CANARY))];
  expect(Buffer.from(first.data ?? []).equals(Buffer.from(second.data ?? []))).toBe(false);
});

test('a payload under a different data key is refused, and the error does not contain the payload’s content', async () => {
  const encoded = await encodeOne(somePayload(CANARY));
  await expect(createPayloadCodec(Buffer.alloc(32, 4), 'default').decode([encoded])).rejects.toThrow('another data key');
});

test('a payload cannot be decrypted if it was changed, belongs to another namespace, or has a swapped key id', async () => {
  const encoded = await encodeOne(somePayload(CANARY));
  await expect(createPayloadCodec(KEY, 'other').decode([encoded])).rejects.toThrow();
  const changed = Buffer.from(encoded.data ?? []);
  changed[20] = (changed[20] ?? 0) ^ 1;
  await expect(codec.decode([{ ...encoded, data: changed }])).rejects.toThrow();
  const strange = createPayloadCodec(Buffer.alloc(32, 4), 'default');
  const [foreign] = await strange.encode([somePayload(CANARY)]);
  await expect(codec.decode([{ ...foreign, metadata: encoded.metadata ?? {} }])).rejects.toThrow();
});

test('an unencrypted payload is returned unchanged, so that earlier histories can be read', async () => {
  const plain = somePayload('plain');
  await expect(codec.decode([plain])).resolves.toEqual([plain]);
});

test('the message and stack of a failure and of its causes are encrypted, and the type of the failure stays readable', async () => {
  const loaded = { payloadConverter: defaultPayloadConverter, failureConverter, payloadCodecs: [codec] };
  const error = ApplicationFailure.create({
    type: 'FeeAboveCeiling',
    message: `${CANARY} outside`,
    details: [{ secret: CANARY }],
    cause: new Error(`${CANARY} inside`),
  });
  const failure = await encodeErrorToFailure(loaded, error);
  const stored = Failure.encode(failure).finish();
  expect(contains(stored, CANARY)).toBe(false);
  expect(contains(stored, __filename)).toBe(false);
  expect(contains(stored, 'FeeAboveCeiling')).toBe(true);
  await expect(decodeOptionalFailureToOptionalError(loaded, failure)).resolves.toMatchObject({
    message: `${CANARY} outside`,
    type: 'FeeAboveCeiling',
    details: [{ secret: CANARY }],
    cause: { message: `${CANARY} inside` },
  });
});

test('clients and workers get this codec and this failure converter', async () => {
  const { payloadCodecs, failureConverterPath } = dataConverterOf(KEY, 'default');
  expect(require(failureConverterPath ?? '')).toEqual({ failureConverter });
  const [encoded] = (await payloadCodecs?.[0]?.encode([somePayload('x')])) ?? [];
  await expect(codec.decode(encoded ? [encoded] : [])).resolves.toHaveLength(1);
});

import { FLEET_INPUT_BYTES_MAX, FLEET_OUTPUT_BYTES_MAX } from '../../../domain/fleets';
import {
  CEREMONY_BYTES_MAX,
  RecordFleetOrder,
  RecordProofsOrder,
  SealFleetInputOrder,
} from '../../../signer/orders/fleets/fleet-orders';
import { BODY_BYTES_MAX } from '../../../signer/wire/frames';

const moment = { issuedAt: '2026-11-30T00:00:00.000Z', notAfter: '2026-11-30T00:01:00.000Z' };
const common = { requestId: 'fg-1', orgId: 'or-1', ...moment };
/** In the frame, each of these characters takes two bytes. */
const quotes = (count: number) => '"'.repeat(count);
const bytesOf = (op: string, order: object) => Buffer.byteLength(JSON.stringify({ id: 1, op, order }));
const EVIDENCE_BYTES_MAX = 512 * 1024;

test('the longest orders about a fleet fit into a frame, with all their evidence', () => {
  const sealing = { ...common, input: quotes(FLEET_INPUT_BYTES_MAX) };
  const texts = {
    input: quotes(CEREMONY_BYTES_MAX),
    outputJson: quotes(CEREMONY_BYTES_MAX),
    file: quotes(FLEET_OUTPUT_BYTES_MAX),
  };
  const recording = { ...common, ...texts, createdBy: 'us-1', submittedBy: 'us-2', reviewedBy: 'us-3' };
  const proving = {
    ...common,
    ...{ input: quotes(CEREMONY_BYTES_MAX), outputJson: quotes(FLEET_OUTPUT_BYTES_MAX), file: quotes(CEREMONY_BYTES_MAX) },
  };
  for (const [op, schema, order] of [
    ['sealFleetInput', SealFleetInputOrder, sealing],
    ['recordFleet', RecordFleetOrder, recording],
    ['recordProofs', RecordProofsOrder, proving],
  ] as const) {
    expect(schema.safeParse(order).success).toBe(true);
    expect(bytesOf(op, order) + EVIDENCE_BYTES_MAX).toBeLessThanOrEqual(BODY_BYTES_MAX);
  }
  const tooLong = [{ file: quotes(FLEET_OUTPUT_BYTES_MAX + 1) }, { outputJson: quotes(CEREMONY_BYTES_MAX + 1) }];
  for (const text of tooLong) expect(RecordFleetOrder.safeParse({ ...recording, ...text }).success).toBe(false);
  expect(SealFleetInputOrder.safeParse({ ...sealing, input: quotes(FLEET_INPUT_BYTES_MAX + 1) }).success).toBe(false);
});

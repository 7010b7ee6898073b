import type { TransferState } from '../../../domain/transfers';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

let housekeeping: Housekeeping;
let steps: TransferSteps;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
});
afterAll(() => housekeeping?.close());
beforeEach(async () => {
  for (const table of ['claims', 'payloads', 'transfers']) await housekeeping.upset(`DELETE FROM ${table}`);
  housekeeping.lines();
  steps = await createTransferSteps(housekeeping.database.db, await housekeeping.database.createOrganization());
});

/** Sends a transfer, then sets the states of its row, its payload and its claim. */
async function sent(state: TransferState, payload: string, claim: 'Signing' | 'Consumed' | undefined): Promise<string> {
  const id = await steps.transfer();
  await steps.send(id);
  await housekeeping.upset('UPDATE transfers SET state = $2 WHERE id = $1', [id, state]);
  await housekeeping.upset('UPDATE payloads SET state = $2 WHERE transfer_id = $1', [id, payload]);
  if (claim === undefined) await housekeeping.upset('DELETE FROM claims WHERE transfer_id = $1', [id]);
  else await housekeeping.upset('UPDATE claims SET state = $2 WHERE transfer_id = $1', [id, claim]);
  return id;
}

test('claims (rows that reserve a nonce for a transfer) that agree with their transfers are not reported', async () => {
  await sent('Signing', 'Built', 'Signing');
  await sent('Broadcasted', 'Included', 'Signing');
  await sent('Confirmed', 'Final', 'Consumed');
  await steps.transfer();
  expect(await housekeeping.keep('reconcile-claims')).toEqual({ looked: 0, done: 0 });
});

test('a claim of a final transaction is consumed, and a transfer that waits for a place in the queue of its sender is woken', async () => {
  await sent('Confirmed', 'Final', 'Signing');
  const waiting = await steps.transfer({ waitingSince: new Date() });
  expect(await housekeeping.keep('reconcile-claims')).toEqual({ looked: 1, done: 1 });
  expect(await steps.claims()).toEqual(['0 Consumed']);
  expect(await steps.signals(waiting)).toEqual(['laneChanged']);
  expect(housekeeping.lines()).toEqual(['warn: a nonce that the chain has used was still claimed']);
});

test.each([
  ['an ended transfer still claims a nonce that the chain has not used', 'Failed', 'Built', 'Signing', ['0 Signing']],
  ['a transfer that may be signed has no claim', 'Signed', 'Signed', undefined, []],
  ['a claim was consumed before the transaction was final', 'Broadcasted', 'Broadcasted', 'Consumed', ['0 Consumed']],
] as const)('%s: nothing is changed and an operator is alerted', async (_what, state, payload, claim, claims) => {
  const id = await sent(state, payload, claim);
  await housekeeping.keep('reconcile-claims');
  expect(await steps.claims()).toEqual(claims);
  expect(await steps.row(id)).toMatchObject({ state });
  expect(housekeeping.lines()).toEqual([expect.stringMatching(/^error: a nonce claim contradicts its transfer/)]);
});

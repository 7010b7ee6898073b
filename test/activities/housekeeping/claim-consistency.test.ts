import type { TransferState } from '../../../domain/transfers';
import { type House, openHouse } from '../../support/house';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

let house: House;
let steps: TransferSteps;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house?.close());
beforeEach(async () => {
  for (const table of ['claims', 'payloads', 'transfers']) await house.upset(`DELETE FROM ${table}`);
  house.lines();
  steps = await createTransferSteps(house.database.db, await house.database.createOrganization());
});

/** A transfer that was sent, then made to stand as the story wants it. */
async function sent(state: TransferState, payload: string, claim: 'Signing' | 'Consumed' | undefined): Promise<string> {
  const id = await steps.transfer();
  await steps.send(id);
  await house.upset('UPDATE transfers SET state = $2 WHERE id = $1', [id, state]);
  await house.upset('UPDATE payloads SET state = $2 WHERE transfer_id = $1', [id, payload]);
  if (claim === undefined) await house.upset('DELETE FROM claims WHERE transfer_id = $1', [id]);
  else await house.upset('UPDATE claims SET state = $2 WHERE transfer_id = $1', [id, claim]);
  return id;
}

test('claims that agree with their transfers are no news', async () => {
  await sent('Signing', 'Built', 'Signing');
  await sent('Broadcasted', 'Included', 'Signing');
  await sent('Confirmed', 'Final', 'Consumed');
  await steps.transfer();
  expect(await house.keep('reconcile-claims')).toEqual({ looked: 0, done: 0 });
});

test('a claim whose transaction is final is consumed, and whoever waits for its place is woken', async () => {
  await sent('Confirmed', 'Final', 'Signing');
  const waiting = await steps.transfer({ waitingSince: new Date() });
  expect(await house.keep('reconcile-claims')).toEqual({ looked: 1, done: 1 });
  expect(await steps.claims()).toEqual(['0 Consumed']);
  expect(await steps.signals(waiting)).toEqual(['laneChanged']);
  expect(house.lines()).toEqual(['warn: a nonce that the chain has used was still claimed']);
});

test.each([
  ['an ended transfer holds a nonce that the chain has not shown', 'Failed', 'Built', 'Signing', ['0 Signing']],
  ['a transfer that may be signed has no claim', 'Signed', 'Signed', undefined, []],
  ['a claim was consumed before the chain had decided', 'Broadcasted', 'Broadcasted', 'Consumed', ['0 Consumed']],
] as const)('%s: nothing is changed and an operator is told', async (_what, state, payload, claim, claims) => {
  const id = await sent(state, payload, claim);
  await house.keep('reconcile-claims');
  expect(await steps.claims()).toEqual(claims);
  expect(await steps.row(id)).toMatchObject({ state });
  expect(house.lines()).toEqual([expect.stringMatching(/^error: a nonce claim contradicts its transfer/)]);
});

/** @own-modules: this file sets the records of networks. */
import { transferView } from '../../../../application/outgoing/transfer-view';
import { evmDecoderOf } from '../../../../chains/decoders';
import { applySettings } from '../../../../chains/network-settings';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createTransferSteps, ETHER, FEE_UNITS, type TransferSteps } from '../../../support/transfer-steps';

const CUSD = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';

let database: TestDatabase;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase(24);
  applySettings({}, { CeloAlfajores: { feeCurrency: CUSD } });
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization(), 'CeloAlfajores');
});

test('a transfer pays its fee in the configured currency: it may send the whole native balance, and its bytes are of type 0x7b', async () => {
  Object.assign(steps.node, { nativeUnits: ETHER, currencyUnits: FEE_UNITS });
  const id = await steps.transfer();
  expect([await steps.prepare(id), await steps.signTransfer(id)]).toEqual(['Ready', 'Signed']);
  const { unsignedHex, rawHex, context, nonce } = await steps.payload(id);
  expect({ context, nonce, type: rawHex?.slice(0, 4) }).toEqual({ context: { feeCurrency: CUSD }, nonce: 0, type: '0x7b' });
  expect(transferView(await steps.row(id))).toMatchObject({ details: { feeCurrency: CUSD } });
  expect(evmDecoderOf('CeloAlfajores').decode(unsignedHex)).toMatchObject({ feeCurrency: CUSD, amountUnits: ETHER, opaque: [] });
});

test('a transfer fails when the balance in the fee currency does not cover the fee, whatever the native balance', async () => {
  Object.assign(steps.node, { nativeUnits: 100n * ETHER, currencyUnits: FEE_UNITS - 1n });
  const id = await steps.transfer();
  expect(await steps.prepare(id)).toBe('Failed');
});

test('open fees reserve the fee currency: the next fee and a payment in the same token wait', async () => {
  Object.assign(steps.node, { nativeUnits: 100n * ETHER, tokenUnits: 10n * FEE_UNITS, currencyUnits: 2n * FEE_UNITS - 1n });
  const pay = async (set: Parameters<TransferSteps['transfer']>[0]) => steps.prepare(await steps.transfer(set));
  expect(await pay({ amountUnits: '1' })).toBe('Ready');
  expect(await pay({ amountUnits: '1' })).toBe('Waiting');
  steps.node.currencyUnits = 10n * FEE_UNITS;
  // The balance is ten fees. The open payment and this payment reserve a fee each, so eight fees can be sent.
  expect(await pay({ contract: CUSD, amountUnits: String(8n * FEE_UNITS + 1n) })).toBe('Waiting');
  expect(await pay({ contract: CUSD, amountUnits: String(8n * FEE_UNITS) })).toBe('Ready');
});

import { evmCodecOf } from '../../../../chains/codecs';
import type { CharterLimit } from '../../../../signer/charters/charter';
import { actionOf, type Chartered, openChartered, WALLET_ID } from '../../charters/chartered';
import { FEES, MAX_FEE_UNITS, NOW_MS, orderFor, payloadOrderFor, refusedAs, TOKEN } from '../../fixtures';

const HOUR_MS = 3_600_000;
/** The amount of one transfer of the fixture, plus its highest fee. */
const ONE = 1_000n + MAX_FEE_UNITS;

let office: Chartered;
const withLimits = async (...limits: readonly Omit<CharterLimit, 'walletId'>[]) => {
  await office.adopt({ ...office.charter, limits: limits.map((limit) => ({ walletId: WALLET_ID, ...limit })) });
};
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());
const transfer = () => office.signer.signTransfer(office.transfer(office.people.ada));

test('a wallet sends up to its limit, fees included, and not one unit more', async () => {
  await withLimits({ asset: 'native', hours: 24, unitsMax: String(2n * ONE) });
  await transfer();
  await transfer();
  await expect(transfer()).rejects.toEqual(refusedAs('AboveLimit'));
  await office.signer.close();
  const again = await office.open();
  await expect(again.signTransfer(office.transfer(office.people.ada))).rejects.toEqual(refusedAs('AboveLimit'));
  await again.close();
  office = { ...office, signer: await office.open() };
});

test('with a limit one unit below two transfers, only one is signed', async () => {
  await withLimits({ asset: 'native', hours: 24, unitsMax: String(2n * ONE - 1n) });
  await transfer();
  await expect(transfer()).rejects.toEqual(refusedAs('AboveLimit'));
});

test('many transfers at once are signed only up to the limit', async () => {
  await withLimits({ asset: 'native', hours: 1, unitsMax: String(3n * ONE) });
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, transfer));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('an amount counts toward the limit for exactly the hours of the window', async () => {
  await withLimits({ asset: 'native', hours: 2, unitsMax: String(ONE) });
  office.clock.nowMs = Math.ceil(NOW_MS / HOUR_MS) * HOUR_MS;
  const begin = office.clock.nowMs;
  const at = (nowMs: number) => {
    office.clock.nowMs = nowMs;
    const moment = { issuedAt: new Date(nowMs).toISOString(), notAfter: new Date(nowMs + 60_000).toISOString() };
    return office.signer.signTransfer({ ...office.transfer(office.people.ada), ...moment });
  };
  await at(begin);
  await expect(at(begin + 3 * HOUR_MS - 1)).rejects.toEqual(refusedAs('AboveLimit'));
  await expect(at(begin + 3 * HOUR_MS)).resolves.toBeDefined();
});

test('a replacement, and an order that only uses up a nonce, count toward the limit only with their fees', async () => {
  await withLimits({ asset: 'native', hours: 24, unitsMax: String(ONE + 2n * MAX_FEE_UNITS) });
  const first = office.transfer(office.people.ada);
  await office.signer.signTransfer(first);
  const { evidence: _none, ...bare } = first;
  const slower = { ...FEES, maxFeePerGas: FEES.maxFeePerGas - 1n, maxPriorityFeePerGas: FEES.maxPriorityFeePerGas - 1n };
  const { bytesHex } = orderFor(office.keys.free, 'x', { nonce: first.nonce, fees: slower });
  await office.signer.signTransfer({ ...bare, bytesHex, requestId: 'xfr-faster', replaces: first.requestId });
  const filler = (nonce: number) =>
    office.signer.signTransfer(
      orderFor(office.keys.free, `fill-${nonce}`, { nonce, intent: { to: first.intent.from, amountUnits: 0n } }),
    );
  await filler(900);
  await expect(filler(901)).rejects.toEqual(refusedAs('AboveLimit'));
});

test('a limit on a token includes only amounts of this token', async () => {
  await withLimits({ asset: TOKEN, hours: 24, unitsMax: '1500' });
  const token = (contract: string, amount: string) => {
    const { evidence, nonce } = office.transfer(office.people.ada, { body: { kind: 'Erc20', contract, amount } });
    const order = orderFor(office.keys.free, `tok-${nonce}`, {
      nonce,
      intent: { asset: { kind: 'Erc20', contract }, amountUnits: BigInt(amount) },
    });
    return office.signer.signTransfer({ ...order, evidence });
  };
  const OTHER = `0x${'12'.repeat(20)}`;
  await token(TOKEN.toLowerCase(), '1000');
  await expect(token(TOKEN, '501')).rejects.toEqual(refusedAs('AboveLimit'));
  await token(OTHER, '5000');
  await token(TOKEN, '500');
  await transfer();
});

test('a wallet with a limit does not sign content whose effect the signer cannot read', async () => {
  await withLimits({ asset: TOKEN, hours: 24, unitsMax: '1500' });
  const { signer, keys } = office;
  const message = payloadOrderFor(keys.free, 'sig-1', { kind: 'Message', messageHex: '0x61' });
  const call = { type: 2 as const, to: TOKEN, valueUnits: '0', dataHex: '0x095ea7b3', accessList: [], authorizationList: [] };
  const { bytesHex } = evmCodecOf('EthereumSepolia').buildCall(call, 5, FEES);
  const asking = (path: string, body: object) => [actionOf('Initiator', office.people.ada, { path, body: JSON.stringify(body) })];
  const evidence = asking(`/keys/key-free/signatures`, { kind: 'Message', message: '0x61' });
  await expect(signer.signPayload({ ...message, evidence })).rejects.toEqual(refusedAs('EffectUnknown'));
  const bytes = { ...payloadOrderFor(keys.free, 'sig-2', { kind: 'EvmTransaction', bytesHex }) };
  const ofBytes = asking(`/wallets/${WALLET_ID}/signatures`, { kind: 'Transaction', transaction: bytesHex });
  await expect(signer.signPayload({ ...bytes, evidence: ofBytes })).rejects.toEqual(refusedAs('EffectUnknown'));
});

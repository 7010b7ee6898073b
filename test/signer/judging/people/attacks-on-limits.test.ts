import { evmCodecOf } from '../../../../chains/codecs';
import type { CharterLimit } from '../../../../signer/charters/charter';
import { type Chartered, openChartered, WALLET_ID } from '../../charters/chartered';
import { codec, FEES, MAX_FEE_UNITS, NOW_MS, orderFor, refusedAs } from '../../fixtures';

const HOUR_MS = 3_600_000;
const CELO = 'CeloAlfajores';
const CUSD = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';
const aboveLimit = refusedAs('AboveLimit');

let office: Chartered;
const adopt = (...limits: readonly CharterLimit[]) => {
  const [wallet, ...others] = office.charter.wallets;
  if (!wallet) throw new Error('the charter has no wallet');
  const wallets = [wallet, ...others, { ...wallet, id: 'wa-celo', network: CELO }];
  return office.adopt({ ...office.charter, wallets, limits: [...limits] });
};
const native = (unitsMax: bigint): CharterLimit => ({
  ...{ walletId: WALLET_ID, asset: 'native', hours: 24, unitsMax: unitsMax.toString() },
});
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

test('a transaction that only fills a nonce gap counts toward the limit, however its order spells the wallet’s address', async () => {
  await adopt(native(1n));
  const from = codec.addressOf(office.keys.free.publicKeyHex);
  const { intent, ...order } = orderFor(office.keys.free, 'fill-1', { intent: { to: from, amountUnits: 0n } });
  const spelled = from.toLowerCase();
  const asked = { ...order, intent: { ...intent, from: spelled, to: spelled } };
  await expect(office.signer.signTransfer(asked)).rejects.toEqual(aboveLimit);
});

test('a replacement uses up the limit by the increase of its fee', async () => {
  await adopt(native(1_000n + 21_000n));
  const { evidence, ...dear } = office.transfer(office.people.ada);
  const low = { gas: 21_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const { bytesHex } = orderFor(office.keys.free, 'x', { nonce: dear.nonce, fees: low });
  await office.signer.signTransfer({ ...dear, bytesHex, evidence });
  const again = { ...dear, requestId: 'again', replaces: dear.requestId };
  await expect(office.signer.signTransfer(again)).rejects.toEqual(aboveLimit);
});

test('a payment of the last hour still counts toward the limit after the clock was set back', async () => {
  await adopt(native(1_000n + MAX_FEE_UNITS));
  const at = (nowMs: number) => {
    office.clock.nowMs = nowMs;
    const moment = { issuedAt: new Date(nowMs).toISOString(), notAfter: new Date(nowMs + 60_000).toISOString() };
    return office.signer.signTransfer({ ...office.transfer(office.people.ada, { expiresMs: nowMs + 60_000 }), ...moment });
  };
  await at(NOW_MS);
  await expect(at(NOW_MS - HOUR_MS)).rejects.toEqual(aboveLimit);
});

test('a fee that is paid in a token counts toward the limit of the token', async () => {
  await adopt({ walletId: 'wa-celo', asset: CUSD, hours: 24, unitsMax: '1' });
  const from = codec.addressOf(office.keys.free.publicKeyHex);
  const idle = { network: CELO, from, to: from, amountUnits: 0n, asset: { kind: 'Native' } } as const;
  const { bytesHex } = evmCodecOf(CELO).build(idle, 7, FEES, { feeCurrency: CUSD });
  const order = orderFor(office.keys.free, 'fee-1', { nonce: 7, intent: { to: from, amountUnits: 0n } });
  await expect(office.signer.signTransfer({ ...order, network: CELO, chainId: 44_787, bytesHex })).rejects.toEqual(aboveLimit);
});

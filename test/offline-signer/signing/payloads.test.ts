import { serializeTransaction } from 'viem/utils';
import { readRules } from '../../../offline-signer/signing/rules';
import { signRequests } from '../../../offline-signer/signing/sign-requests';
import { createDevice, inputOf, outcomesOf, type TestDevice, type Travelling, vouched } from './fleet';
import { coinAddress, coinPayment, evmCall, evmPayment, payloadOf, solanaPayment, TO } from './payments';

/** The bytes of a transfer, as a caller asks for a signature over a transaction of the caller's own. */
const asPayload = (kind: string, { op, key, order, claims }: Travelling): Travelling => {
  const { bytesHex, network } = order as never as { bytesHex: string; network: string };
  const named = kind === 'EvmTransaction' ? {} : { network };
  const scheme = op === 'vouchSolana' ? 'EdDSA' : 'ECDSA';
  const made = payloadOf(`sig-${kind}`, scheme, { kind, bytesHex, ...named }, { claims, network });
  return { ...made, key };
};
const run = async (payload: Travelling, device: TestDevice = createDevice()) =>
  outcomesOf(await signRequests(inputOf([vouched(payload)]), device))[0];
const rulesFor = (network: string, recipients: readonly string[]) =>
  readRules(
    JSON.stringify({
      ...{ v: 1, requireCharter: false, confirmAllAtOnce: false, messages: false },
      networks: { [network]: { recipients } },
    }),
  );

const solanaTo = (solanaPayment('x').order['intent'] as { to: string }).to;
test.each([
  ['EvmTransaction', 'EthereumSepolia', TO, () => asPayload('EvmTransaction', evmPayment('x'))],
  ['Psbt', 'BitcoinSignet', coinAddress, () => asPayload('Psbt', coinPayment('x'))],
  ['SolanaTransaction', 'SolanaDevnet', solanaTo, () => asPayload('SolanaTransaction', solanaPayment('x'))],
])("%s: the device reads the effect of a caller's own transaction, and the rules apply", async (_kind, network, to, make) => {
  const device = createDevice();
  expect(await run(make(), device)).toBe('signed');
  expect(device.shown.pages[0]).toContainEqual(expect.stringContaining(`Network: ${network}`));
  expect(device.shown.pages[0]).toContainEqual(expect.stringMatching(/^Amount: 0\.\d+ \w+$/));
  expect(await run(make(), createDevice({ rules: rulesFor(network, [to]) }))).toBe('signed');
  expect(await run(make(), createDevice({ rules: rulesFor(network, []) }))).toBe('RecipientNotAllowed');
});

test('the same bytes as a transfer and as a payload have the same claims', async () => {
  const device = createDevice();
  expect(await run(evmPayment('xfr-1'), device)).toBe('signed');
  expect(await run(asPayload('EvmTransaction', evmPayment('x', { amountUnits: 5n })), device)).toBe('ClaimTaken');
});

test('a Solana transaction with a blockhash is not signed', async () => {
  expect(await run(asPayload('SolanaTransaction', solanaPayment('x', { isDurable: false })))).toBe('NonceNotDurable');
});

test('a contract call shows that its effect is unknown', async () => {
  const device = createDevice();
  const approve = `0x095ea7b3${'11'.repeat(64)}`;
  const payment = evmPayment('x');
  expect(
    await run(asPayload('EvmTransaction', { ...payment, order: { ...payment.order, bytesHex: evmCall(approve) } }), device),
  ).toBe('signed');
  expect(device.shown.pages[0]).toContain('Moves: UNKNOWN. The bytes do not show who receives which amount.');
});

test.each(['signTransfer', 'vouchSponsored', 'exportKey'])('an order of the kind %s is not for a device', async (op) => {
  const request = { ...vouched(evmPayment('xfr-1')), op };
  expect(outcomesOf(await signRequests(inputOf([request]), createDevice()))).toEqual(['NotOffline']);
});

test('a transaction with a part that the decoder does not understand is refused', async () => {
  const nonce = 2n ** 53n;
  const fees = { gas: 60_000n, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  const bytesHex = serializeTransaction({
    type: 'eip1559',
    chainId: 11_155_111,
    to: TO,
    value: 1n,
    nonce: nonce as never,
    ...fees,
  });
  const claims = evmPayment('x').claims.map((claim) => claim.replace(/7$/, String(nonce)));
  const given = { claims, network: 'EthereumSepolia' };
  expect(await run(payloadOf('sig-nonce', 'ECDSA', { kind: 'EvmTransaction', bytesHex }, given))).toBe('BytesNotUnderstood');
});

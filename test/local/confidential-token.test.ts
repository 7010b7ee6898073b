import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { CONFIDENTIAL_TOKEN, foundConfidentialToken } from '../../local/confidential-token';
import compiled from '../../local/contracts/local-confidential-token.json';
import { createEncryptAmount } from '../../vendors/confidential-amounts/client';
import { FAUCET, startAnvil } from '../chains/evm/anvil';
import { API_KEY, startVendors, type Vendors } from '../support/vendors';
import { waitUntil } from '../support/wait-until';

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const STRANGER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ABI = parseAbi(['function mint(address to, uint64 units)']);

let chain: Awaited<ReturnType<typeof startAnvil>>;
let vendors: Vendors;
beforeAll(async () => {
  [chain, vendors] = await Promise.all([startAnvil(), startVendors()]);
  const call = (method: string, params: readonly unknown[] = []) => chain.order(method, ...params);
  await foundConfidentialToken({ call, forward: () => Promise.reject(new Error('not here')), stop: async () => undefined });
});
afterAll(async () => {
  await vendors?.close();
  await chain?.stop();
});

test('the compiled contract contains the digest of its source file', () => {
  const source = readFileSync(join(__dirname, '../../local/contracts', compiled.source));
  expect(createHash('sha256').update(source).digest('hex')).toBe(compiled.sourceSha256);
});

test('the reader distinguishes a hidden balance, an account without a balance, and an ordinary token', async () => {
  const { reader } = chain;
  expect(await reader.tokenMetadata(CONFIDENTIAL_TOKEN)).toEqual({ symbol: 'cLUSD', decimals: 6 });
  expect(await reader.confidentialBalance(CONFIDENTIAL_TOKEN, FAUCET)).toBeNull();
  expect(await reader.confidentialBalance(TO, FAUCET)).toBeUndefined();
  const data = encodeFunctionData({ abi: ABI, functionName: 'mint', args: [FAUCET, 1_000n] });
  await chain.order('eth_sendTransaction', { from: FAUCET, to: CONFIDENTIAL_TOKEN, data });
  const held = () => reader.confidentialBalance(CONFIDENTIAL_TOKEN, FAUCET);
  expect(await waitUntil('the units', async () => (await held()) ?? false)).toMatch(/^0x[0-9a-f]{42}ff0000000000aa36a70500$/);
});

test.each([
  ['its sender in this token', FAUCET, 'Encrypted', undefined],
  ['another sender', STRANGER, 'Encrypted', /not attested/],
  ['another token', FAUCET, 'Contract', /not attested/],
])(
  'a simulated transfer succeeds only with a ciphertext for its own sender and token: made for %s',
  async (_whom, from, answer, refusal) => {
    await vendors.tell('ConfidentialAmounts', { script: { answer } });
    const access = { baseUrl: vendors.url('ConfidentialAmounts'), apiKey: API_KEY };
    const whose = { chainId: 11_155_111, contract: CONFIDENTIAL_TOKEN, sender: FAUCET, amountUnits: 7n };
    const encrypted = await createEncryptAmount(access)({ id: `xfr-${answer}`, ...whose });
    if (typeof encrypted === 'string') throw new Error(encrypted);
    const intent = {
      ...{ network: 'EthereumSepolia' as const, from, to: TO, amountUnits: 7n, encrypted },
      asset: { kind: 'Erc7984' as const, contract: CONFIDENTIAL_TOKEN },
    };
    const fees = chain.reader.feeTerms(intent, 'Standard');
    if (refusal === undefined) expect((await fees).gas).toBeGreaterThan(50_000n);
    else await expect(fees).rejects.toMatchObject({ code: 'TransferWouldFail', message: expect.stringMatching(refusal) });
  },
);

import { INPUT_PROOF_BYTES_MAX } from '../../../domain/transfers';
import { createEncryptAmount } from '../../../vendors/confidential-amounts/client';
import { API_KEY, startVendors, type Vendors } from '../../support/vendors';

const AMOUNT = {
  id: 'xfr-1',
  chainId: 11_155_111,
  contract: '0x0000000000000000000000000000000000007984',
  sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  amountUnits: 2n ** 64n - 1n,
};

let vendors: Vendors;
beforeAll(async () => {
  vendors = await startVendors();
});
afterAll(() => vendors?.close());
beforeEach(() => vendors.forget('ConfidentialAmounts'));

const ask = (timeoutMs?: number) =>
  createEncryptAmount({
    baseUrl: vendors.url('ConfidentialAmounts'),
    apiKey: API_KEY,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })(AMOUNT);
const tell = (instruction: unknown) => vendors.tell('ConfidentialAmounts', instruction);

test('an amount is requested by id for one sender, contract and chain, and a repeated request gives the same ciphertext', async () => {
  const encrypted = await ask();
  expect(encrypted).toEqual({
    handle: expect.stringMatching(/^0x[0-9a-f]{42}000000000000aa36a70500$/),
    inputProof: expect.stringMatching(/^0x0101[0-9a-f]+$/),
  });
  expect(await ask()).toEqual(encrypted);
  const { id, amountUnits, ...where } = AMOUNT;
  expect((await vendors.asked('ConfidentialAmounts'))[0]).toMatchObject({
    method: 'PUT',
    path: `/v1/encrypted-amounts/${id}`,
    body: { ...where, amount: amountUnits.toString() },
  });
});

test.each(['Pending', 'Refused'] as const)('the answer %s from the service is returned', async (answer) => {
  await tell({ script: { answer } });
  expect(await ask()).toBe(answer);
});

test.each([
  ['a reply for another chain', { script: { answer: 'Chain' } }, 'Unreadable'],
  ['a reply with a wrong type', { script: { answer: 'Type' } }, 'Unreadable'],
  ['a proof for another handle', { script: { answer: 'Proof' } }, 'Unreadable'],
  ['garbage', { behaviour: { kind: 'Garbage' } }, 'Unreadable'],
  ['a reply above the size limit', { behaviour: { kind: 'TooLong' } }, 'Unreadable'],
  ['an incomplete reply', { behaviour: { kind: 'Broken' } }, 'Unreachable'],
  ['a server error', { behaviour: { kind: 'Error', status: 500 } }, 'Failed'],
  ['refused credentials', { behaviour: { kind: 'Error', status: 401 } }, 'Refused'],
  ['too many requests', { behaviour: { kind: 'RateLimited', retryAfterSeconds: 1 } }, 'RateLimited'],
  ['a missing reply', { behaviour: { kind: 'Silent' } }, 'TimedOut'],
  ['a slow reply', { behaviour: { kind: 'Slow', delayMs: 800 } }, 'TimedOut'],
])('%s is not an encrypted amount', async (_which, instruction, failure) => {
  await tell(instruction);
  await expect(ask(300)).rejects.toMatchObject({ name: 'VendorError', failure });
});

const HANDLE = `0x${'ab'.repeat(21)}000000000000aa36a70500`;
const proofOf = (counts: string, rest: string) => `0x${counts}${HANDLE.slice(2)}${rest}`;
const SIGNATURE = 'cd'.repeat(65);

test.each([
  ['one signature', proofOf('0101', SIGNATURE), true],
  ['data after the signatures', proofOf('0102', `${SIGNATURE.repeat(2)}00`), true],
  ['two handles', proofOf('0201', SIGNATURE), false],
  ['no signature', proofOf('0100', ''), false],
  ['fewer signatures than it declares', proofOf('0102', SIGNATURE), false],
  ['more bytes than the limit', proofOf('0101', SIGNATURE + '00'.repeat(INPUT_PROOF_BYTES_MAX)), false],
  ['only the two counts', '0x0101', false],
])('a proof with %s is accepted only if it is well formed', async (_what, inputProof, isTaken) => {
  await tell({ script: { body: { handle: HANDLE, inputProof } } });
  const asked = ask();
  if (isTaken) expect(await asked).toEqual({ handle: HANDLE, inputProof });
  else await expect(asked).rejects.toMatchObject({ failure: 'Unreadable' });
});

import { assertInsideEnvelope } from '../../../../activities/outgoing/evm/envelope';
import type { DecodedTx } from '../../../../chains/evm/types';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { RECIPIENT } from '../../../support/policies';

const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const [NONCE, CHAIN_ID] = [7, 11_155_111];

const row = (contract: string | null): OutgoingEntity =>
  Object.assign(new OutgoingEntity(), {
    toAddress: RECIPIENT,
    amountUnits: '1000',
    assetKind: contract === null ? 'Native' : 'Erc20',
    contract,
    feeCeilingUnits: '500',
  });
const native: DecodedTx = {
  chainId: CHAIN_ID,
  nonce: NONCE,
  recipient: RECIPIENT,
  amountUnits: 1_000n,
  asset: { kind: 'Native' },
  maxFeeUnits: 500n,
  opaque: [],
};
const token: DecodedTx = { ...native, asset: { kind: 'Erc20', contract: TOKEN } };

const check =
  (decoded: DecodedTx, contract: string | null = null) =>
  () =>
    assertInsideEnvelope(decoded, row(contract), { nonce: NONCE, nonceKey: 0n }, CHAIN_ID);

test('bytes that do what was approved pass, for native assets and for tokens', () => {
  expect(check(native)).not.toThrow();
  expect(check(token, TOKEN)).not.toThrow();
});

test('an address in lower case equals the same address in mixed case', () => {
  expect(check({ ...native, recipient: RECIPIENT.toLowerCase() })).not.toThrow();
  expect(check({ ...token, asset: { kind: 'Erc20', contract: TOKEN.toLowerCase() } }, TOKEN)).not.toThrow();
});

test.each<[string, Partial<DecodedTx>]>([
  ['chainId', { chainId: 1 }],
  ['nonce', { nonce: 8 }],
  ['nonce', { nonce: 6 }],
  ['nonce', { nonceKey: 1n }],
  ['recipient', { recipient: TOKEN }],
  ['recipient', { recipient: '' }],
  ['amount', { amountUnits: 1_001n }],
  ['amount', { amountUnits: 999n }],
  ['asset', { asset: { kind: 'Erc20', contract: TOKEN } }],
  ['fee', { maxFeeUnits: 501n }],
  ['understood', { opaque: ['access list'] }],
])('a difference in %s is named in the error, which is permanent (%j)', (name, change) => {
  expect(check({ ...native, ...change })).toThrow(
    expect.objectContaining({
      code: 'EnvelopeMismatch',
      retryable: false,
      message: `The built bytes differ from what was approved: ${name}`,
    }),
  );
});

test('a lower fee than the ceiling passes', () => {
  expect(check({ ...native, maxFeeUnits: 0n })).not.toThrow();
});

test('a native transfer in place of a token, and a different token, are refused', () => {
  expect(check(native, TOKEN)).toThrow('asset');
  expect(check({ ...token, asset: { kind: 'Erc20', contract: RECIPIENT } }, TOKEN)).toThrow('asset');
});

const ENCRYPTED = { handle: `0x${'ab'.repeat(32)}`, inputProof: '0x0101' };
const hidden: DecodedTx = { ...native, amountUnits: 0n, asset: { kind: 'Erc7984', contract: TOKEN }, encrypted: ENCRYPTED };

test.each<[string, DecodedTx['encrypted'], typeof ENCRYPTED | null, boolean]>([
  ['the stored ciphertext', ENCRYPTED, ENCRYPTED, true],
  ['a different handle', { ...ENCRYPTED, handle: `0x${'cd'.repeat(32)}` }, ENCRYPTED, false],
  ['a different proof', { ...ENCRYPTED, inputProof: '0x0102' }, ENCRYPTED, false],
  ['a ciphertext where none was stored', ENCRYPTED, null, false],
])('for a token that hides amounts, bytes with %s pass or are refused', (_what, encrypted, encryptedAmount, passes) => {
  const kept = Object.assign(row(TOKEN), { assetKind: 'Erc7984', encryptedAmount });
  const checked = () =>
    assertInsideEnvelope({ ...hidden, ...(encrypted ? { encrypted } : {}) }, kept, { nonce: NONCE, nonceKey: 0n }, CHAIN_ID);
  if (passes) expect(checked).not.toThrow();
  else expect(checked).toThrow(/: amount$/);
});

test('one error names every difference', () => {
  expect(check({ ...native, amountUnits: 0n, maxFeeUnits: 501n, opaque: ['bytes'] })).toThrow('amount, fee, understood');
});

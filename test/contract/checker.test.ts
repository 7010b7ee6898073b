import { faultsOf } from './checker';
import { facts } from './facts';

const wallet = {
  id: 'wa-01m7y-25s4e-cg1tb2ec0svts453',
  network: 'EthereumSepolia',
  signingKey: { id: 'key-01m7y-25s4e-cg1tb2ec0svts453', scheme: 'ECDSA', curve: 'secp256k1', publicKey: '02ab' },
  status: 'Active',
  dateCreated: '2026-11-21T03:24:24.536Z',
  custodial: true,
  tags: ['a'],
};
const Wallet = facts.schemas['Wallet'] ?? {};

test('a value that fits the facts has no fault', () => {
  expect(faultsOf(facts, Wallet, wallet)).toEqual([]);
});

test.each([
  ['.custodial: is missing', { custodial: undefined }],
  ['.name: is not string', { name: null }],
  ['.owner: is unknown', { owner: 'us-1' }],
  ['.status: Creating is not one of its values', { status: 'Creating' }],
  ['.dateCreated: is not a date', { dateCreated: '21.11.2026' }],
  ['.id: has the wrong format', { id: 'wallet-1' }],
  ['.tags[1]: has the wrong format', { tags: ['a', 'no space'] }],
  ['.signingKey.curve: p256 is not one of its values', { signingKey: { ...wallet.signingKey, curve: 'p256' } }],
])('the check reports a fault with its path: %s', (fault, change) => {
  expect(faultsOf(facts, Wallet, JSON.parse(JSON.stringify({ ...wallet, ...change })))).toEqual([fault]);
});

test('the check compares a value with the schema of its kind, and reports an unknown kind', () => {
  const Body = facts.schemas['TransferBody'] ?? {};
  expect(faultsOf(facts, Body, { kind: 'Native', to: '0x', amount: '1.5' })).toEqual(['.amount: has the wrong format']);
  expect(faultsOf(facts, Body, { kind: 'Gift', to: '0x' })).toEqual([': has an unknown kind']);
});

import { namedNetwork, type SignatureBody } from '../../../application/signatures/payloads';
import type { KeyForm } from '../../../domain/keys';

const ED25519: KeyForm = { scheme: 'EdDSA', curve: 'ed25519' };
const SECP256K1: KeyForm = { scheme: 'ECDSA', curve: 'secp256k1' };
const transaction = (more: object) => ({ kind: 'Transaction', transaction: '00', ...more }) as SignatureBody;
const named = (key: KeyForm, more: object) => namedNetwork(transaction(more), key, () => true)?.name;

test.each([undefined, 'Solana', 'Evm', 'Bitcoin'])(
  'a transaction for an Ed25519 key belongs to the Solana network that the request specifies, with the blockchainKind %s',
  (blockchainKind) => {
    expect(named(ED25519, { network: 'SolanaDevnet', ...(blockchainKind === undefined ? {} : { blockchainKind }) })).toBe(
      'SolanaDevnet',
    );
  },
);

test('a transaction for an Ed25519 key must specify a network, which must be a Solana network', () => {
  expect(() => named(ED25519, {})).toThrow(/is required/);
  expect(() => named(ED25519, { network: 'EthereumSepolia' })).toThrow(/not a network of Solana/);
});

test('for a secp256k1 key, a blockchainKind other than Evm is refused', () => {
  expect(named(SECP256K1, { network: 'EthereumSepolia', blockchainKind: 'Evm' })).toBe('EthereumSepolia');
  expect(named(SECP256K1, { network: 'EthereumSepolia' })).toBe('EthereumSepolia');
  expect(() => named(SECP256K1, { network: 'EthereumSepolia', blockchainKind: 'Solana' })).toThrow(/EdDSA on ed25519/);
  expect(() => named(SECP256K1, { network: 'EthereumSepolia', blockchainKind: 'Bitcoin' })).toThrow(/not supported yet/);
});

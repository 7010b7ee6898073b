import { assertConflicts } from '../../../application/fleets/assert-conflicts';
import { networkOf } from '../../../chains/networks';
import type { NetworkName } from '../../../domain/networks';

const faultOf = (network: NetworkName, body: object) => {
  try {
    assertConflicts(networkOf(network), body as never);
    return undefined;
  } catch (error) {
    return (error as { readonly details: { readonly issues: readonly { readonly path: string }[] } }).details.issues[0]?.path;
  }
};
const NATIVE = { kind: 'Native', to: 'x', amount: '1' };

test.each<[NetworkName, object, string | undefined]>([
  ['EthereumSepolia', NATIVE, undefined],
  ['EthereumSepolia', { ...NATIVE, feeSponsorId: 'fs-1' }, 'body.feeSponsorId'],
  ['EthereumSepolia', { kind: 'UserOperations', feeSponsorId: 'fs-1' }, 'body.feeSponsorId'],
  ['TempoModerato', NATIVE, 'body.kind'],
  ['BitcoinTestnet3', NATIVE, undefined],
  ['SolanaDevnet', NATIVE, undefined],
  ['SolanaDevnet', { ...NATIVE, useDurableNonce: false }, 'body.useDurableNonce'],
  ['SolanaDevnet', { ...NATIVE, useDurableNonce: true }, undefined],
  ['SolanaDevnet', { ...NATIVE, useDurableNonce: true, feeSponsorId: 'fs-1' }, 'body.feeSponsorId'],
  ['SolanaDevnet', { kind: 'CreateSolanaNonceAccounts' }, 'body.kind'],
  ['SolanaDevnet', { kind: 'Transaction', transaction: '0x' }, undefined],
])('on %s an offline wallet may request %j only if a late signature conflicts with another attempt', (network, body, path) => {
  expect(faultOf(network, body)).toBe(path);
});

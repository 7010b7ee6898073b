import { readFileSync } from 'node:fs';
import { DELEGATE, ENTRY_POINT } from '../chains/evm/user-operations';
import type { Anvil } from './anvil';

/**
 * The contracts of account-abstraction 0.8.0, from the npm package @account-abstraction/contracts. Without this package,
 * wallets on the local chain cannot sponsor fees.
 */
const CONTRACTS = [
  [ENTRY_POINT, () => require.resolve('@account-abstraction/contracts/artifacts/EntryPoint.json')],
  [DELEGATE, () => require.resolve('@account-abstraction/contracts/artifacts/Simple7702Account.json')],
] as const;

function bytecodeIn(pathOf: () => string): string | undefined {
  try {
    const { bytecode } = JSON.parse(readFileSync(pathOf(), 'utf8')) as { readonly bytecode?: unknown };
    return typeof bytecode === 'string' ? bytecode : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Installs each contract at its public address, without mining a block. An `eth_call` runs the constructor and returns the code.
 * The constructor of the entry point computes an EIP-712 domain with the address of the `eth_call`. The installed entry point
 * notices at each call that its address is different, and computes the domain again.
 */
export async function foundSponsoring(node: Anvil): Promise<void> {
  for (const [address, pathOf] of CONTRACTS) {
    const data = bytecodeIn(pathOf);
    if (data === undefined) return;
    await node.call('anvil_setCode', [address, await node.call('eth_call', [{ data }, 'latest'])]);
  }
}

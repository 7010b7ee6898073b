import { readFileSync } from 'node:fs';
import { DELEGATE, ENTRY_POINT } from '../chains/evm/user-operations';
import type { Anvil } from './anvil';

/** Of account-abstraction 0.8.0 as published; where the package is left out, nobody pays for others on the local chain. */
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
 * Puts both contracts where they are on public chains, without a block: what their constructors answer is their code. The entry point notices that it
 * does not stand where it was made, and computes its domain anew.
 */
export async function foundSponsoring(node: Anvil): Promise<void> {
  for (const [address, pathOf] of CONTRACTS) {
    const data = bytecodeIn(pathOf);
    if (data === undefined) return;
    await node.call('anvil_setCode', [address, await node.call('eth_call', [{ data }, 'latest'])]);
  }
}

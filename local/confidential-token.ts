import type { Anvil } from './anvil';
import { deployedBytecode } from './contracts/local-confidential-token.json';

/** Every local chain has the token at this address. */
export const CONFIDENTIAL_TOKEN = '0x0000000000000000000000000000000000007984';

/** Installs the token, which hides its amounts (ERC-7984), without mining a block. */
export async function foundConfidentialToken(node: Anvil): Promise<void> {
  await node.call('anvil_setCode', [CONFIDENTIAL_TOKEN, deployedBytecode]);
}

import type { EvmReader } from '../../../chains/evm/types';
import type { Reader } from '../../../entities/database';
import { contractSchemaStore } from '../../../entities/registry/contract-schema.store';
import { type TokenMetadata, tokenStore } from '../../../entities/tokens/token.store';
import type { UsableWallet } from '../wallets';

/** Of ERC-7984: what the schema of such a token in the registry must name. */
const BALANCE_FUNCTION = 'confidentialBalanceOf';

type Token = TokenMetadata & { readonly contract: string };

/**
 * Tokens that hide their amounts (ERC-7984) and of which the wallet has received some, among those that it has sent and those that the registry
 * of the organisation describes. How much it has left is in a ciphertext: it may be nothing.
 */
export async function confidentialHoldings(
  reader: Reader,
  evm: EvmReader,
  { id, network, address }: UsableWallet,
  tokensMax: number,
): Promise<readonly Token[]> {
  const [sent, described] = await Promise.all([
    tokenStore.usedBy(reader, id, { areConfidential: true, tokensMax }),
    contractSchemaStore.contractsWith(reader, network, BALANCE_FUNCTION, tokensMax),
  ]);
  const pinned = await tokenStore.among(reader, network, described);
  const known = new Map([...sent, ...pinned].map((token) => [token.contract, token]));
  const contracts = [...new Set([...known.keys(), ...described])].slice(0, tokensMax);
  const found = await Promise.all(
    contracts.map(async (contract): Promise<Token | undefined> => {
      if (typeof (await evm.confidentialBalance(contract, address)) !== 'string') return undefined;
      const { symbol, decimals } = known.get(contract) ?? (await evm.tokenMetadata(contract)) ?? {};
      return decimals === undefined ? undefined : { contract, decimals, ...(symbol ? { symbol } : {}) };
    }),
  );
  return found.filter((token) => token !== undefined);
}

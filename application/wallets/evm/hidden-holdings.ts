import type { EvmReader } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { ChainReader } from '../../../chains/types';
import type { Reader } from '../../../entities/database';
import { contractSchemaStore } from '../../../entities/registry/contract-schema.store';
import { type TokenMetadata, tokenStore } from '../../../entities/tokens/token.store';
import type { Services } from '../../services';
import { infoOf, listedToken, TOKENS_LISTED_MAX, type TokenBalance, UNREADABLE } from '../asset-info';
import type { Holder } from '../wallets';

/** The function that the registry's schema of an ERC-7984 token must contain. */
const BALANCE_FUNCTION = 'confidentialBalanceOf';

type Token = TokenMetadata & { readonly contract: string };

/**
 * The tokens with hidden amounts (ERC-7984) that the wallet holds or has held. Considers the tokens that the wallet has sent
 * and the tokens in the organisation's registry.
 */
async function tokensHeld(
  reader: Reader,
  evm: EvmReader,
  { id, network, address }: Holder,
  tokensMax: number,
): Promise<readonly Token[]> {
  const [sent, described] = await Promise.all([
    tokenStore.usedBy(reader, id, { hideAmounts: true, tokensMax }),
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

export async function hiddenHoldings({ db }: Services, reader: ChainReader, wallet: Holder): Promise<TokenBalance[]> {
  const tokens = await tokensHeld(db.read(wallet.orgId), inFamily('evm', reader), wallet, TOKENS_LISTED_MAX);
  const isListed = ({ contract }: { readonly contract: string }) =>
    listedToken(networkOf(wallet.network), contract) !== undefined;
  return tokens.map((token): TokenBalance => {
    const info = infoOf({ ...token, verified: isListed(token) });
    return { kind: 'Erc7984', contract: token.contract, ...info, balance: UNREADABLE };
  });
}

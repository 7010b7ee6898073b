import type { NetworkName } from '../../domain/networks';
import { HIDDEN_KINDS } from '../../domain/transfers';
import type { Reader, Tx } from '../database';
import { TokenEntity } from './token.entity';

export type TokenMetadata = { readonly symbol?: string; readonly decimals: number };

export const tokenStore = {
  async find(reader: Reader, network: NetworkName, contract: string): Promise<TokenEntity | undefined> {
    return reader.row(TokenEntity, 'WHERE t.network = $1 AND t.contract = $2', [network, contract]);
  },

  async among(reader: Reader, network: NetworkName, contracts: readonly string[]): Promise<TokenEntity[]> {
    return reader.rows(TokenEntity, 'WHERE t.network = $1 AND t.contract = ANY($2)', [network, contracts]);
  },

  /**
   * Tokens in transfers of the wallet; the token that was pinned last comes first. If `hideAmounts` is true, returns only
   * tokens that hide their amounts; otherwise returns only the other tokens.
   */
  async usedBy(
    reader: Reader,
    walletId: string,
    { hideAmounts, tokensMax }: { readonly hideAmounts: boolean; readonly tokensMax: number },
  ): Promise<TokenEntity[]> {
    return reader.rows(
      TokenEntity,
      `WHERE (t.network, t.contract) IN (
         SELECT x.network, x.contract FROM transfers x WHERE x.wallet_id = $1 AND (x.asset_kind = ANY($4)) = $2)
       ORDER BY t.date_pinned DESC LIMIT $3`,
      [walletId, hideAmounts, tokensMax, HIDDEN_KINDS],
    );
  },

  /** Keeps the first values of a pinned token. */
  async pin(tx: Tx, network: NetworkName, contract: string, { symbol, decimals }: TokenMetadata): Promise<void> {
    await tx.insertOnce(TokenEntity, { network, contract, symbol: symbol ?? null, decimals });
  },
};

import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';
import { TokenEntity } from './token.entity';

export type TokenMetadata = { readonly symbol?: string; readonly decimals: number };

export const tokenStore = {
  async find(reader: Reader, network: NetworkName, contract: string): Promise<TokenEntity | undefined> {
    return reader.row(TokenEntity, 'WHERE t.network = $1 AND t.contract = $2', [network, contract]);
  },

  /** Pinned tokens that transfers of the wallet have moved, the latest pinned first. */
  async usedBy(reader: Reader, walletId: string, tokensMax: number): Promise<TokenEntity[]> {
    return reader.rows(
      TokenEntity,
      `WHERE (t.network, t.contract) IN (SELECT x.network, x.contract FROM transfers x WHERE x.wallet_id = $1)
       ORDER BY t.date_pinned DESC LIMIT $2`,
      [walletId, tokensMax],
    );
  },

  /** Writes the row unless the token is pinned already: the first answer stands. */
  async pin(tx: Tx, network: NetworkName, contract: string, { symbol, decimals }: TokenMetadata): Promise<void> {
    await tx.insertOnce(TokenEntity, { network, contract, symbol: symbol ?? null, decimals });
  },
};

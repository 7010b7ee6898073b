import type { NetworkName } from '../../domain/networks';
import { NONCE_MAKERS_MAX } from '../../domain/nonce-accounts';
import type { Reader } from '../database';

type Authority = { readonly network: NetworkName; readonly address: string };

export const nonceMakerStore = {
  /**
   * The addresses of the other wallets that have created nonce accounts for this wallet, in the order in which they began. Only
   * the chain shows which accounts exist.
   */
  async of(reader: Reader, { network, address }: Authority): Promise<string[]> {
    const rows = await reader.select<{ maker: string }>(
      `SELECT t.from_address AS maker FROM transfers t
       WHERE t.network = $1 AND t.request_body ->> 'nonceAuthority' = $2 AND t.request_body ->> 'kind' = 'CreateSolanaNonceAccounts'
         AND t.from_address <> $2 AND t.state = 'Confirmed'
       GROUP BY t.from_address ORDER BY min(t.date_confirmed), t.from_address LIMIT $3`,
      [network, address, NONCE_MAKERS_MAX],
    );
    return rows.map(({ maker }) => maker);
  },
};

import { inFamily } from '../../chains/families';
import { findNetwork } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { FamilyEvidence } from './family-evidence';

/** A claim (the reservation of a coin for one request), in the format of the signing log. */
const COIN = /^utxo (\w+) ([0-9a-f]{64}):(\d+)$/;
export const coinClaimOf = (network: string, coin: string): string => `utxo ${network} ${coin}`;

/** Every coin that a sender ever received must be unspent, or spent with a signature by this signer. */
export function createCoins(readers: ReturnType<typeof createReaders>): FamilyEvidence {
  const known = new Set<string>();
  const readerOf = (name: string) => {
    const network = findNetwork(name);
    return network && inFamily('utxo', readers(network.name));
  };

  return {
    know({ claims }) {
      for (const claim of claims) if (COIN.test(claim)) known.add(claim);
    },

    async standing({ claims }) {
      const coins = claims.flatMap((claim) => {
        const [, network, txid, vout] = COIN.exec(claim) ?? [];
        return network === undefined || txid === undefined ? [] : [{ network, txid, vout: Number(vout) }];
      });
      const [first] = coins;
      if (!first) return undefined;
      try {
        const unspent = await readerOf(first.network)?.unspent(coins);
        if (unspent === undefined) return 'Unknown';
        return unspent.includes(undefined) ? 'Used' : 'Open';
      } catch {
        return 'Unknown';
      }
    },

    async judge({ name }, address) {
      const reader = inFamily('utxo', readers(name));
      const claimOf = ({ txid, vout }: { readonly txid: string; readonly vout: number }) => coinClaimOf(name, `${txid}:${vout}`);
      const strange = (await reader.received(address)).filter((coin) => !known.has(claimOf(coin)));
      const unspent = await reader.unspent(strange);
      return strange.flatMap((coin, index) =>
        unspent[index] === undefined ? [{ kind: 'ForeignSpend', claim: `${claimOf(coin)} of ${address}` } as const] : [],
      );
    },
  };
}

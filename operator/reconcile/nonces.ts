import { inFamily } from '../../chains/families';
import { findNetwork } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { FamilyEvidence } from './family-evidence';

/**
 * A claim (the reservation of a nonce for one request) in the format of the signing log: network, sender, nonce. The nonce key
 * and a colon precede a keyed nonce.
 */
const NONCE = /^(\w+) (0x[0-9a-f]{40}) (?:(\d+):)?(\d+)$/i;
export const nonceClaimOf = (network: string, address: string, nonce: string | null): string =>
  `${network} ${address.toLowerCase()} ${nonce}`;

/** The chain must not have used more nonces of a sender than this signer has signed. */
export function createNonces(readers: ReturnType<typeof createReaders>): FamilyEvidence {
  const highest = new Map<string, number>();
  const counts = new Map<string, Promise<number>>();

  const readerOf = (name: string) => {
    const network = findNetwork(name);
    if (!network) throw new Error(`${name} has no record`);
    return inFamily('evm', readers(network.name));
  };
  const countOf = (network: string, address: string): Promise<number> => {
    const sender = `${network} ${address}`;
    const ask = async () => readerOf(network).transactionCount(address, 'latest');
    const asked = counts.get(sender) ?? ask();
    counts.set(sender, asked);
    return asked;
  };

  return {
    know({ claims }) {
      for (const claim of claims) {
        const [, network, address, nonceKey, nonce] = NONCE.exec(claim) ?? [];
        // Keyed nonces have separate sequences, which the nonce count of the account does not include.
        if (nonce === undefined || nonceKey !== undefined) continue;
        const sender = `${network} ${address?.toLowerCase()}`;
        highest.set(sender, Math.max(highest.get(sender) ?? -1, Number(nonce)));
      }
    },

    async standing({ claims }) {
      const [, network, address, nonceKey, nonce] = NONCE.exec(claims[0] ?? '') ?? [];
      if (network === undefined || address === undefined) return undefined;
      try {
        const count =
          nonceKey === undefined
            ? await countOf(network, address.toLowerCase())
            : await readerOf(network).keyedCount(address, BigInt(nonceKey));
        return count > Number(nonce) ? 'Used' : 'Open';
      } catch {
        return 'Unknown';
      }
    },

    async judge({ name }, address) {
      const sender = `${name} ${address.toLowerCase()}`;
      const count = await countOf(name, address.toLowerCase());
      return count > (highest.get(sender) ?? -1) + 1 ? [{ kind: 'ForeignNonce', claim: sender }] : [];
    },
  };
}

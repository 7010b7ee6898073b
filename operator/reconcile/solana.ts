import { inFamily } from '../../chains/families';
import { findNetwork } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { Finding } from './compare';
import type { FamilyEvidence } from './family-evidence';

/** A claim (the reservation of one value of a durable nonce for one request), in the format of the signing log. */
const DURABLE = /^(\w+) durable (\w+) (\w+)$/;
export const durableClaimOf = (network: string, account: string, value: string): string =>
  `${network} durable ${account} ${value}`;

/**
 * `judge` checks whether this signer made every signature of a sender that the chain contains. `networks` are the Solana networks
 * on which the deployment has senders. `standing` searches all these networks, because the log does not contain the network of a
 * transaction with a blockhash.
 */
export function createSolana(readers: ReturnType<typeof createReaders>, networks: readonly string[]): FamilyEvidence {
  const known = new Set<string>();
  const readerOf = (name: string) => {
    const network = findNetwork(name);
    if (!network) throw new Error(`${name} has no record`);
    return inFamily('solana', readers(network.name));
  };
  const ofDurable = async (network: string, account: string, value: string): Promise<Finding['chain']> => {
    const [nonce] = await readerOf(network).nonces([account]);
    return nonce?.value === value ? 'Open' : 'Used';
  };
  const ofSignatures = async (signatures: readonly string[]): Promise<Finding['chain']> => {
    for (const name of networks)
      for (const signature of signatures) if (await readerOf(name).isIncluded(signature)) return 'Used';
    return networks.length === 0 ? 'Unknown' : 'Open';
  };

  return {
    know({ signatures }) {
      for (const signature of signatures) known.add(signature);
    },

    async standing({ claims, signatures }) {
      const [, network, account, value] = DURABLE.exec(claims[0] ?? '') ?? [];
      if (network === undefined && (claims.length > 0 || signatures.length === 0)) return undefined;
      try {
        return network && account && value ? await ofDurable(network, account, value) : await ofSignatures(signatures);
      } catch {
        return 'Unknown';
      }
    },

    async judge(network, address) {
      const reader = inFamily('solana', readers(network.name));
      const signed = await reader.signedBy(address, (signature) => known.has(signature));
      return signed
        .filter((signature) => !known.has(signature))
        .map((signature) => ({ kind: 'ForeignSignature', claim: `${network.name} ${address} ${signature}` }) as const);
    },
  };
}

import { inFamily } from '../../chains/families';
import { findNetwork } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { Finding } from './compare';

const DIGITS = /^\d+$/;
/** In a lane of Tempo: the lane's key and the nonce in it. */
const KEYED = /^(\d+):(\d+)$/;

/** Which nonces of which senders are known here, beside what their chains have used. Each sender is asked for once. */
export function createNonces(readers: ReturnType<typeof createReaders>) {
  const highest = new Map<string, number>();
  const counts = new Map<string, Promise<number | undefined>>();

  const countOf = (network: string, address: string): Promise<number | undefined> => {
    const sender = `${network} ${address}`;
    const asked = counts.get(sender) ?? ask(network, address);
    counts.set(sender, asked);
    return asked;
  };
  const ask = async (name: string, address: string): Promise<number | undefined> => {
    const network = findNetwork(name);
    if (!network) return undefined;
    try {
      return await inFamily('evm', readers(network.name)).transactionCount(address, 'latest');
    } catch {
      // A network without nonces or without a node, or a node without an answer: nobody knows, which is an answer of its own.
      return undefined;
    }
  };

  const keyedCountOf = async (name: string, address: string, nonceKey: bigint): Promise<number | undefined> => {
    const network = findNetwork(name);
    try {
      return network && (await inFamily('evm', readers(network.name)).keyedCount(address, nonceKey));
    } catch {
      return undefined;
    }
  };

  return {
    know(claim: string): void {
      const [network = '', address = '', nonce = ''] = claim.split(' ');
      // Lanes beside the account's own are counted apart.
      if (!DIGITS.test(nonce)) return;
      const sender = `${network} ${address}`;
      highest.set(sender, Math.max(highest.get(sender) ?? -1, Number(nonce)));
    },
    /** What the chain says of a claim. */
    async standing(claim: string | undefined): Promise<Finding['chain']> {
      const [network, address, nonce] = claim?.split(' ') ?? [];
      if (network === undefined || address === undefined || nonce === undefined) return 'Unknown';
      const [, nonceKey, keyed] = KEYED.exec(nonce) ?? [];
      const count =
        nonceKey === undefined ? await countOf(network, address) : await keyedCountOf(network, address, BigInt(nonceKey));
      if (count === undefined) return 'Unknown';
      return count > Number(keyed ?? nonce) ? 'Used' : 'Open';
    },
    /** Whether the chain knows more of a sender than is known here. */
    async judge(network: string, address: string): Promise<'ForeignNonce' | 'ChainSilent' | undefined> {
      const sender = address.toLowerCase();
      const count = await countOf(network, sender);
      if (count === undefined) return 'ChainSilent';
      return count > (highest.get(`${network} ${sender}`) ?? -1) + 1 ? 'ForeignNonce' : undefined;
    },
  };
}

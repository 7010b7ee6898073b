import { inFamily } from '../../../chains/families';
import { findNetwork } from '../../../chains/networks';
import type { Slot } from '../../../domain/slots';
import type { Readers, ReconciledFamily } from '../families';
import type { FamilyEvidence } from '../family-evidence';

const CLAIM = /^(\w+) ([0-9a-f]{64}) (\d+)$/;

/** The chain must not report more entries from a sender than the signer's log contains. */
function evidence(readers: Readers): FamilyEvidence {
  const highest = new Map<string, number>();
  const nextOf = async (name: string, address: string): Promise<number> => {
    const network = findNetwork(name);
    if (!network) throw new Error(`${name} has no record`);
    return inFamily('pretence', readers(network.name)).nextSequence(address);
  };
  return {
    know({ claims }) {
      for (const claim of claims) {
        const [, network, address, sequence] = CLAIM.exec(claim) ?? [];
        const sender = `${network} ${address}`;
        if (sequence !== undefined) highest.set(sender, Math.max(highest.get(sender) ?? -1, Number(sequence)));
      }
    },
    async standing({ claims }) {
      const [, network, address, sequence] = CLAIM.exec(claims[0] ?? '') ?? [];
      if (network === undefined || address === undefined) return undefined;
      const next = await nextOf(network, address).catch(() => undefined);
      if (next === undefined) return 'Unknown';
      return next > Number(sequence) ? 'Used' : 'Open';
    },
    async judge({ name }, address) {
      const sender = `${name} ${address}`;
      const isForeign = (await nextOf(name, address)) > (highest.get(sender) ?? -1) + 1;
      return isForeign ? [{ kind: 'ForeignNonce', claim: sender }] : [];
    },
  };
}

export const pretenceReconciled: Slot<ReconciledFamily> = {
  usedBy: ({ network, fromAddress, nonce }) => ({ claims: [`${network} ${fromAddress} ${nonce}`], signatures: [] }),
  loggedAddress: (address) => address,
  evidence,
};

import { createScanner, type Scanner } from '../../activities/scans/scanner';
import { networkOf } from '../../chains/networks';

type Parts = Parameters<typeof createScanner>[0];

export const SCANNED = networkOf('EthereumSepolia');

/** A scanner that finds only the native asset, and blocks without signatures. `parts` replaces these parts. */
export const scannerOver = (parts: Pick<Parts, 'db' | 'watchList' | 'source' | 'gateway'> & Partial<Parts>): Scanner =>
  createScanner({
    network: SCANNED,
    assetOf: async () => ({ ...SCANNED.nativeAsset, verified: true }),
    signer: { wasSigned: () => Promise.reject(new Error('the blocks of this test have no signatures')) },
    onForeign: () => undefined,
    ...parts,
  });

/** Scans up to the head of the network. */
export async function scanAll(scanner: Scanner): Promise<void> {
  for (let behind = 1; behind > 0; ) behind = (await scanner.step()).behindBlocks;
}

import type { MinedMovement } from '../../application/movements/record';
import type { Network, ScannedBlock, ScanSource } from '../../chains/types';
import type { Database } from '../../entities/database';
import type { WatchedAddressEntity } from '../../entities/scans/watched-address.entity';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import type { SignerClient } from '../../signer/protocol';
import { createForeignSignatureCheck } from '../scans/foreign-signatures';
import { type AssetLookup, matchesIn } from '../scans/matches';

type Dependencies = {
  readonly db: Database;
  readonly network: Network;
  readonly source: ScanSource;
  readonly assetOf: AssetLookup;
  readonly signer: Pick<SignerClient, 'wasSigned'>;
  /** Called for each signature that other parties made with the key of a wallet. */
  readonly onForeign: (walletId: string, txHash: string) => void;
};

type Subject = Pick<WatchedAddressEntity, 'subjectId' | 'address' | 'dateAdded'>;

/** The movements of one wallet or watch in blocks. Other wallets and watches can have the same address, and do not change. */
export function createFoundMovements({ db, network, source, assetOf, signer, onForeign }: Dependencies, orgId: string) {
  /** Freezes the key as the scanner would have done (S18), if the service knew the wallet when the block was made. */
  async function checkSignatures(signatures: Signatures, { subjectId, address, dateAdded }: Subject): Promise<void> {
    const due = signatures.filter(({ dateMined }) => dateMined >= dateAdded);
    if (due.length === 0) return;
    // The date of a block is not exact, and a key that was used elsewhere may have made signatures before the service had the
    // key.
    if ((await watchedAddressStore.withOlderKeys(db.read(orgId), [subjectId])).length > 0) return;
    const watchList = { holdersOf: async () => [{ orgId, subjectId, address }] };
    await createForeignSignatureCheck({ db, watchList, signer, onForeign, source, network: network.name })(due);
  }

  return async (blocks: readonly ScannedBlock[], subject: Subject): Promise<readonly MinedMovement[]> => {
    const { subjectId, address } = subject;
    const plain = source.plain(address);
    const { matches, signatures } = await matchesIn(blocks, {
      ...{ network, assetOf, watchList: { holdersOf: async () => [{ orgId, subjectId, address }] } },
      isWatched: (one) => one === plain,
      coinsOf: async () => new Map(),
    });
    await checkSignatures(signatures, subject);
    return matches.map(({ mined }) => mined);
  };
}

type Signatures = Awaited<ReturnType<typeof matchesIn>>['signatures'];

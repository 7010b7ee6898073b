import { type ForeignSignatureEnd, freezeForForeignSignature } from '../../application/freezes/foreign-signature';
import type { ScanSource } from '../../chains/types';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import type { WatchList } from '../../entities/scans/watch-list';
import type { SignerClient } from '../../signer/protocol';
import { byOrganization } from './by-organization';
import type { MinedSignature } from './matches';

type Dependencies = {
  readonly db: Database;
  readonly watchList: Pick<WatchList, 'holdersOf'>;
  readonly signer: Pick<SignerClient, 'wasSigned'>;
  readonly network: NetworkName;
  readonly source: Pick<ScanSource, 'dateLagMsMax'>;
  /** Called for each signature that other parties made with the key of a wallet. */
  readonly onForeign: (walletId: string, txHash: string) => void;
};

type OfWallet = { readonly orgId: string; readonly walletId: string; readonly signature: MinedSignature };

/** The signer accepts at most this number of signatures in one question. */
const ASKED_AT_ONCE = 500;
const ALARMING: ReadonlySet<ForeignSignatureEnd> = new Set(['Frozen', 'Exported']);

/**
 * Freezes each key of a wallet that made one of these signatures without the signer (S18). Throws if the signer does not
 * answer. Throws `NetworkUnavailable` if a node attributes a transaction to a wallet whose key did not sign the transaction. In
 * both cases the block is not recorded. A repeated call changes nothing.
 */
export function createForeignSignatureCheck({ db, watchList, signer, network, source, onForeign }: Dependencies) {
  async function unsignedHere(orgId: string, own: readonly OfWallet[]): Promise<OfWallet[]> {
    const found: OfWallet[] = [];
    for (let at = 0; at < own.length; at += ASKED_AT_ONCE) {
      const asked = own.slice(at, at + ASKED_AT_ONCE);
      const signatures = asked.map(({ signature: { r, s } }) => ({ r, s }));
      const { wereSigned } = await signer.wasSigned({ orgId, signatures });
      found.push(...asked.filter((_, index) => wereSigned[index] === false));
    }
    return found;
  }

  return async (found: readonly MinedSignature[]): Promise<void> => {
    if (found.length === 0) return;
    const holders = await watchList.holdersOf(network, [...new Set(found.map(({ address }) => address))]);
    const ofWallets = holders
      .filter(({ subjectId }) => isId('wallet', subjectId))
      .flatMap(({ orgId, subjectId: walletId, address }) =>
        found.filter((one) => one.address === address).map((signature): OfWallet => ({ orgId, walletId, signature })),
      );
    for (const [orgId, own] of byOrganization(ofWallets)) {
      for (const { walletId, signature } of await unsignedHere(orgId, own)) {
        const { txHash, dateMined } = signature;
        if (!(await signature.isGenuine()))
          throw new AppError('NetworkUnavailable', `A node of ${network} names a wallet that did not sign ${txHash}`, {
            network,
          });
        const latestDate = new Date(dateMined.getTime() + source.dateLagMsMax);
        const end = await db.withOrg(orgId, (tx) => freezeForForeignSignature(tx, { walletId, network, txHash, latestDate }));
        if (ALARMING.has(end)) onForeign(walletId, txHash);
      }
    }
  };
}

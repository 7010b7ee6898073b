import { evmVariantOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { AppError } from '../../../domain/errors';
import { isAbsent } from '../../../domain/slots';
import type { SponsoringForm } from '../family-forms';

/**
 * Sponsoring on EVM networks. The wallet authorises code (EIP-7702). That code executes the wallet's call, and the sponsor pays
 * the fee. So the network needs the transaction type of EIP-7702, and the contracts with that code must exist on the network.
 */
export const evmSponsoring: SponsoringForm = {
  whyNot(name) {
    const { sponsored } = evmVariantOf(name).serialize;
    return isAbsent(sponsored) ? sponsored.why : undefined;
  },
  async assertReady({ readers }, network) {
    if (await inFamily('evm', readers(network)).hasSponsoring()) return;
    throw new AppError('NetworkNotEnabled', `The contracts that sponsoring needs do not exist on ${network}`, { network });
  },
};

import { evmVariantOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { AppError } from '../../../domain/errors';
import { isAbsent } from '../../../domain/slots';
import type { SponsoringForm } from '../family-forms';

/**
 * The wallet authorises code (EIP-7702) that executes the wallet's call, and the sponsor pays the fee. The contracts with this
 * code must exist on the network.
 */
export const evmSponsoring: SponsoringForm = {
  whyNot(name) {
    const { sponsored } = evmVariantOf(name).serialize;
    return isAbsent(sponsored) ? sponsored.why : undefined;
  },
  async assertReady({ readers }, network) {
    if (await inFamily('evm', readers(network)).hasSponsoring()) return;
    throw new AppError('NetworkNotEnabled', `The contracts needed for sponsoring do not exist on ${network}`, { network });
  },
};

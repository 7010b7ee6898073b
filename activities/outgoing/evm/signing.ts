import { evmCodecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { Database } from '../../../entities/database';
import type { OrderSigner } from '../../fleets/order-signer';
import type { FamilySigning } from '../family-forms';
import { intentOfOrder } from './intent';
import { nonceOfPayload } from './keyed-nonces';
import { createSponsoredSigning } from './sponsored-signing';

/** EVM: the sender's address can be recovered from one signature over one digest. */
export function createEvmSigning(signer: Pick<OrderSigner, 'signTransfer' | 'signSponsored'>, db: Database): FamilySigning {
  const sponsored = createSponsoredSigning(signer, db);
  return {
    sign: async (row, payload, order) => {
      if (row.feeSponsorId !== null) return sponsored.sign(row, payload, order);
      const { unsignedHex, digestHex, maxFeeUnits } = payload;
      const { nonce, nonceKey } = nonceOfPayload(payload);
      const { signature } = await signer.signTransfer({
        ...order,
        chainId: inFamily('evm', networkOf(row.network)).chainId,
        ...intentOfOrder(row),
        nonce,
        ...(nonceKey === 0n ? {} : { nonceKey: nonceKey.toString() }),
      });
      const unsigned = { bytesHex: unsignedHex, digestHex, nonce, maxFeeUnits: BigInt(maxFeeUnits) };
      return evmCodecOf(row.network).attach(unsigned, signature, row.fromAddress);
    },
  };
}

import { evmCodecOf } from '../../../chains/codecs';
import type { Signature } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { invariant } from '../../../domain/errors';
import type { Database } from '../../../entities/database';
import type { KeySignature } from '../../../signer/protocol';
import type { OrderSigner } from '../../fleets/order-signer';
import type { FamilySigning } from '../family-forms';
import { behindTheWallet, sponsorKey } from '../sponsor-keys';
import { intentOfOrder } from './intent';

const whole = ({ r, s, recoveryId }: KeySignature): Signature => {
  invariant(recoveryId !== undefined, 'a signature of this form names its public key');
  return { r, s, recoveryId };
};

/**
 * EVM: the wallet first signs its operation and, if its account is not delegated yet, an authorization. The sponsor then signs
 * the transaction that contains the operation and the authorization. A repeated run gets the same signatures, so the bytes stay
 * the same.
 */
export function createSponsoredSigning(signer: Pick<OrderSigner, 'signSponsored'>, db: Database): FamilySigning {
  return {
    sign: async (row, { nonce, unsignedHex, digestHex, maxFeeUnits }, order) => {
      const { sponsorAddress: sponsor, orgId, network } = row;
      invariant(nonce !== null && sponsor !== null, `${row.id} has a nonce and a sponsor`);
      const codec = evmCodecOf(network);
      const { chainId } = inFamily('evm', networkOf(network));
      const asked = { ...order, chainId, nonce, sponsor, ...intentOfOrder(row) };
      const { signatures } = await signer.signSponsored({ ...asked, part: 'Operation' });
      const unsigned = { bytesHex: unsignedHex, digestHex, nonce, maxFeeUnits: BigInt(maxFeeUnits) };
      const complete = codec.completeSponsored(unsigned, signatures.map(whole));

      const ofSponsor = { ...asked, bytesHex: complete.bytesHex, ...(await sponsorKey(db.read(orgId), row)) };
      const [signature] = (await behindTheWallet(signer.signSponsored({ ...ofSponsor, part: 'Transaction' }))).signatures;
      invariant(signature, 'there is one signature');
      return codec.attach(complete, whole(signature), sponsor);
    },
  };
}

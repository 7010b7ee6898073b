import { evmCodecOf } from '../../chains/codecs';
import type { Signature } from '../../chains/evm/types';
import { inFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import { AppError, invariant } from '../../domain/errors';
import type { Database } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import { keyStore } from '../../entities/keys/key.store';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import type { KeySignature, SignerClient, SignSponsoredOrder } from '../../signer/protocol';
import type { FamilySigning } from '../families';
import { intentOfOrder } from './intent';

const whole = ({ r, s, recoveryId }: KeySignature): Signature => {
  invariant(recoveryId !== undefined, 'a signature of this form names its public key');
  return { r, s, recoveryId };
};

/**
 * EVM: first the wallet signs its operation, and its authorization where it still needs one; then the sponsor signs the transaction with both in it.
 * Every repetition gets the same signatures, so the bytes are the same ones, too.
 */
export function createSponsoredSigning(signer: Pick<SignerClient, 'signSponsored'>, db: Database): FamilySigning {
  return {
    sign: async (row, { nonce, unsignedHex, digestHex, maxFeeUnits }, order) => {
      const { feeSponsorId, sponsorAddress: sponsor, orgId, network } = row;
      invariant(nonce !== null && feeSponsorId !== null && sponsor !== null, `${row.id} has a nonce and somebody who pays`);
      const codec = evmCodecOf(network);
      const { chainId } = inFamily('evm', networkOf(network));
      const asked = { ...order, chainId, nonce, sponsor, intent: intentOfOrder(row) };
      const { signatures } = await signer.signSponsored({ ...asked, part: 'Operation' });
      const unsigned = { bytesHex: unsignedHex, digestHex, nonce, maxFeeUnits: BigInt(maxFeeUnits) };
      const complete = codec.completeSponsored(unsigned, signatures.map(whole));

      const reader = db.read(orgId);
      const record = await feeSponsorStore.find(reader, feeSponsorId);
      const wallet = record && (await reader.row(WalletEntity, 'WHERE t.id = $1', [record.walletId]));
      invariant(wallet, 'the wallet of a fee sponsor stays');
      const { keyId } = wallet;
      const ofSponsor = { ...asked, keyId, bytesHex: complete.bytesHex, ...(await keyStore.material(reader, keyId)) };
      const [signature] = (await askSponsor(signer, { ...ofSponsor, part: 'Transaction' })).signatures;
      invariant(signature, 'there is one signature');
      return codec.attach(complete, whole(signature), sponsor);
    },
  };
}

/** The operation is signed by now, so a refusal of the rest must not give anything back. */
async function askSponsor(signer: Pick<SignerClient, 'signSponsored'>, order: SignSponsoredOrder) {
  try {
    return await signer.signSponsored(order);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SignerRefused') throw error;
    throw new AppError('SignerRefused', error.message, { ...error.details, nothingSigned: false }, error);
  }
}

import { solanaCodecOf } from '../../chains/codecs';
import { inFamily, isOfFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import type { Network } from '../../chains/types';
import { invariant } from '../../domain/errors';
import type { KeyForm } from '../../domain/keys';
import type { NetworkName } from '../../domain/networks';
import { contractOf } from '../../domain/transfers';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { badField } from '../request-faults';
import type { Services } from '../services';
import type { Named } from './families';
import type { Prepared } from './payloads';

const PATH = 'body.transaction';

/**
 * A request for a transaction must specify the network, because the bytes of a Solana transaction do not specify a network
 * (S12).
 */
export function solanaNetworkNamed({ kind }: Named, key: KeyForm, record: () => Network | undefined): Network | undefined {
  if (key.scheme !== 'EdDSA' || key.curve !== 'ed25519') throw badField('blockchainKind', 'needs a key of EdDSA on ed25519');
  const network = record();
  if (network !== undefined && !isOfFamily('solana', network))
    throw badField('network', `${network.name} is not a network of Solana`);
  if (kind === 'Transaction' && network === undefined)
    throw badField('network', 'is required: a Solana transaction does not contain the network on which it is valid');
  return network;
}

/** The transaction must already contain its blockhash or durable nonce. */
export function prepareSolana(key: KeyEntity, transaction: unknown, network: NetworkName): Prepared {
  if (typeof transaction !== 'string')
    throw badField('transaction', 'must be a serialized transaction, as hexadecimal or base64');
  const codec = solanaCodecOf(network);
  invariant(key.publicKey, 'a key that signs has its public key');
  const address = codec.addressOf(key.publicKey);
  const { messageHex, feePayer, maxFeeUnits } = codec.partialOf(transaction, address, PATH);
  const { feeCeilingUnits } = networkOf(network);
  if (maxFeeUnits > feeCeilingUnits)
    throw badField('transaction', `may cost more than ${feeCeilingUnits}, the highest fee on ${network}`);
  const { asset, amountUnits } = codec.effectOf(messageHex);
  const contract = asset.kind === 'Call' ? null : contractOf(asset);
  const native = (feePayer === address ? maxFeeUnits : 0n) + (asset.kind === 'Native' ? amountUnits : 0n);
  return {
    payload: { kind: 'SolanaTransaction', network, bytesHex: messageHex },
    claim: {
      ...{ network, address, contract, nonce: null, nativeUnits: native.toString() },
      tokenUnits: contract === null ? '0' : amountUnits.toString(),
    },
  };
}

/**
 * Throws `InvalidRequest` unless the transaction can get into a block of this network. The bytes do not specify a network, so a
 * transaction with the blockhash of a different network would be valid on that network (S1, S12).
 */
export async function assertLivesOn({ readers }: Pick<Services, 'readers'>, { payload, claim }: Prepared, transaction: unknown) {
  if (payload.kind !== 'SolanaTransaction' || !claim) return;
  const { network } = payload;
  const { lifetime } = solanaCodecOf(network).partialOf(String(transaction), claim.address, PATH);
  const reader = inFamily('solana', readers(network));
  if (lifetime.kind === 'blockhash') {
    if (await reader.isRecent(lifetime.blockhash)) return;
    throw badField('transaction', `has a blockhash that ${network} does not know or that has expired`);
  }
  const [nonce] = await reader.nonces([lifetime.account]);
  if (nonce?.value === lifetime.value && nonce.authority === lifetime.authority) return;
  throw badField('transaction', `has a durable nonce that differs from the nonce of its account on ${network}`);
}

import { evmCodecOf } from '../../../chains/codecs';
import type { EvmNetwork, TransactionInput } from '../../../chains/evm/types';
import { invariant } from '../../../domain/errors';
import type { OpenTransaction } from '../../../domain/signatures';
import type { EvmCall, EvmTerms } from '../../../domain/transactions';
import { contractOf } from '../../../domain/transfers';
import type { Reader } from '../../../entities/database';
import type { KeyEntity } from '../../../entities/keys/key.entity';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { hasNode, notEnabled } from '../../networks/enabled-networks';
import { badField } from '../../request-faults';
import type { Services } from '../../services';
import type { Prepared } from '../payloads';

const FIELD = 'transaction';

/**
 * The highest amount that a transaction can take from its sender. The sender's other payments cannot use this amount until the
 * outcome of the transaction on the chain is known.
 */
export function takenBy(network: EvmNetwork, call: EvmCall, maxFeeUnits: bigint) {
  const effect = evmCodecOf(network.name).effectOf(call);
  const contract = effect.asset.kind === 'Call' ? null : contractOf(effect.asset);
  const tokenUnits = contract === null ? 0n : effect.amountUnits;
  // If the transaction moves a token other than the fee currency, the fee is reserved in native money. Reserving too much is
  // safer than reserving too little.
  const feeCurrency = contract === null || contract === call.feeCurrency ? call.feeCurrency : undefined;
  const taken =
    feeCurrency === undefined
      ? { nativeUnits: BigInt(call.valueUnits) + maxFeeUnits, contract, tokenUnits }
      : { nativeUnits: BigInt(call.valueUnits), contract: feeCurrency, tokenUnits: tokenUnits + maxFeeUnits };
  return { ...taken, nativeUnits: taken.nativeUnits.toString(), tokenUnits: taken.tokenUnits.toString() };
}

/** Transactions of the types 0 and 1 have one price and no tip. */
function isWhole({ call, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms): boolean {
  const hasTip = call.type === 0 || call.type === 1 || maxPriorityFeePerGas !== null;
  return nonce !== null && gas !== null && maxFeePerGas !== null && hasTip;
}

/**
 * A transaction that is given as bytes is signed unchanged. A transaction that is given by its members may leave nonce, gas or
 * price open, and the service fills in the open members after approval. If gas and price are given, the fee stays within their
 * product. Otherwise the fee stays within the network's fee ceiling.
 */
export function prepareEvm(key: KeyEntity, transaction: string | TransactionInput, network: EvmNetwork): Prepared {
  const codec = evmCodecOf(network.name);
  invariant(key.publicKey, 'a key that signs has its public key');
  const address = codec.addressOf(key.publicKey);
  const terms = codec.termsOf(transaction, address, `body.${FIELD}`);
  const { call, nonce, gas, maxFeePerGas } = terms;
  if (gas !== null && BigInt(gas) === 0n) throw badField(`${FIELD}.gasLimit`, 'must be above zero');
  const given = gas === null || maxFeePerGas === null ? undefined : BigInt(gas) * BigInt(maxFeePerGas);
  if (given !== undefined && given > network.feeCeilingUnits)
    throw badField(FIELD, `may cost more than ${network.feeCeilingUnits}, the highest fee on ${network.name}`);
  const feeCeiling = given ?? network.feeCeilingUnits;
  const claim = { network: network.name, address, nonce, ...takenBy(network, call, feeCeiling) };
  if (!isWhole(terms))
    return {
      payload: { kind: 'OpenEvmTransaction', network: network.name, terms, feeCeilingUnits: feeCeiling.toString() },
      claim,
    };
  const { bytesHex } = codec.buildCall(call, nonce ?? 0, feesOf(terms));
  return { payload: { kind: 'EvmTransaction', bytesHex }, claim };
}

/**
 * An open gas limit becomes 1. An open price takes the value of the tip, and an open tip the value of the price. If price and
 * tip are open, both become 0.
 */
const feesOf = ({ gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms) => ({
  gas: BigInt(gas ?? 1),
  maxFeePerGas: BigInt(maxFeePerGas ?? maxPriorityFeePerGas ?? 0),
  maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? maxFeePerGas ?? 0),
});

/** Bytes with the effect of a transaction that still has open members. These bytes are never signed. */
export const draftOf = ({ network, terms }: OpenTransaction): string =>
  evmCodecOf(network).buildCall(terms.call, terms.nonce ?? 0, feesOf(terms)).bytesHex;

/**
 * Throws `NetworkNotEnabled` if no node can supply nonce, gas and price. Throws `InvalidRequest` if the service has to choose
 * the nonce but the key has no active wallet on the network. If the transaction is never sent, another transaction of this
 * wallet must use up the nonce.
 */
export async function assertFillable(services: Services, reader: Reader, { payload, claim }: Prepared): Promise<void> {
  if (payload.kind !== 'OpenEvmTransaction' || !claim) return;
  const { network, terms } = payload;
  const path = terms.nonce === null ? `body.${FIELD}.nonce` : `body.${FIELD}`;
  if (!hasNode(services.readers, network))
    throw notEnabled(`Nonce, gas and price are required: no node of ${network} is configured that could fill them in`, path);
  if (terms.nonce !== null || (await walletAt(reader, network, claim.address))) return;
  throw badField(`${FIELD}.nonce`, `is required: the key has no active wallet on ${network}`);
}

export const walletAt = (
  reader: Reader,
  network: OpenTransaction['network'],
  address: string,
): Promise<WalletEntity | undefined> =>
  reader.row(WalletEntity, `WHERE t.network = $1 AND t.address = $2 AND t.status = 'Active'`, [network, address]);

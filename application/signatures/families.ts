import { evmPayloads, isUtxoTransaction, solanaPayloads } from '../../chains/codecs';
import type { TransactionInput } from '../../chains/evm/types';
import { inFamily } from '../../chains/families';
import { familiesOf, findNetwork } from '../../chains/networks';
import type { Network } from '../../chains/types';
import type { KeyForm } from '../../domain/keys';
import { FAMILIES as FAMILY_NAMES, type Family } from '../../domain/networks';
import { absent, inSlot, isAbsent, recognisedBy, type Slot } from '../../domain/slots';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { prepareEvm } from './evm/prepare-transaction';
import type { Prepared } from './payloads';
import { prepareSolana, solanaNetworkNamed } from './solana';

export type Named = {
  readonly kind: string;
  readonly network?: string | undefined;
  readonly blockchainKind?: string | undefined;
};

export type SigningFamily = {
  /** The family's name in a request that does not specify a network; null if requests specify the family only by its networks. */
  readonly blockchainKind: string | null;
  /**
   * Finds the network of a request; null for a family without its own rules for networks. `record` throws if the specified
   * network is not enabled.
   */
  readonly namedNetwork: ((named: Named, key: KeyForm, record: () => Network | undefined) => Network | undefined) | null;
  /** Prepares a transaction that the caller will send. */
  readonly prepareTransaction: Slot<(key: KeyEntity, transaction: string | TransactionInput, network: Network) => Prepared>;
  readonly message: Slot<{ readonly isTransaction: (bytesHex: string) => boolean; readonly fault: string }>;
};

const FAMILIES: Readonly<Record<Family, SigningFamily>> = {
  evm: {
    blockchainKind: 'Evm',
    namedNetwork: null,
    prepareTransaction: (key, transaction, network) => prepareEvm(key, transaction, inFamily('evm', network)),
    message: { isTransaction: evmPayloads.isEvmTransaction, fault: 'is a transaction: use the kind Transaction' },
  },
  utxo: {
    blockchainKind: null,
    namedNetwork: null,
    prepareTransaction: absent('This is for networks of the family evm', { family: 'evm' }),
    message: { isTransaction: isUtxoTransaction, fault: 'is a transaction of the Bitcoin family' },
  },
  solana: {
    blockchainKind: 'Solana',
    namedNetwork: solanaNetworkNamed,
    prepareTransaction: (key, transaction, { name }) => prepareSolana(key, transaction, name),
    message: { isTransaction: solanaPayloads.isTransaction, fault: 'is a transaction of Solana: use the kind Transaction' },
  },
};

/** Throws `AssetNotSupported` if the family does not sign transactions for callers. */
export const prepareTransaction = (key: KeyEntity, transaction: string | TransactionInput, network: Network): Prepared =>
  inSlot(FAMILIES[network.family].prepareTransaction)(key, transaction, network);

export const signsTransactions = (key: KeyForm): boolean =>
  familiesOf(key).some((family) => !isAbsent(FAMILIES[family].prepareTransaction));

/**
 * The family that a request is about. For a kind other than `Transaction`, the result is the family that `blockchainKind`
 * specifies. For a transaction, the candidate is the family of the specified network if the key fits the family, or else the
 * key's first family. The candidate is the result if the request has no `blockchainKind`, or if the candidate has its own rules
 * for networks (`namedNetwork`). Otherwise the result is the family that `blockchainKind` specifies.
 */
export function familyMeant({ kind, network, blockchainKind }: Named, key: KeyForm): SigningFamily | undefined {
  const called = FAMILY_NAMES.find((family) => FAMILIES[family].blockchainKind === blockchainKind);
  const said = blockchainKind === undefined ? undefined : called && FAMILIES[called];
  if (kind !== 'Transaction') return said;
  const families = familiesOf(key);
  const named = network === undefined ? undefined : findNetwork(network)?.family;
  const family = families.find((one) => one === named) ?? families[0];
  const read = family && FAMILIES[family];
  return blockchainKind === undefined || read?.namedNetwork ? read : said;
}

/**
 * Why this key may not sign the bytes as a message. The bytes must not be a transaction of any family that the key may sign for.
 * If one of these families cannot distinguish its transactions from messages, the key does not sign messages (S12).
 */
export function whyNoMessage(key: KeyForm, bytesHex: string): string | undefined {
  const slotOf = (family: Family) => FAMILIES[family].message;
  const found = recognisedBy(familiesOf(key), slotOf, ({ isTransaction }) => isTransaction(bytesHex));
  if (found === undefined) return undefined;
  return isAbsent(found) ? `cannot be distinguished from a transaction: ${found.why}` : found.fault;
}

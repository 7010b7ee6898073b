import { networkOf } from '../../../chains/networks';
import type { NetworkName } from '../../../domain/networks';
import { addressAt, badField } from '../../request-faults';
import type { Services } from '../../services';
import { assetOf } from '../../wallets/assets';
import type { UsableWallet } from '../../wallets/wallets';
import type { OutgoingFamily } from '../families';
import type { ReadTransaction, ReadTransfer, TransactionRequest } from '../family-forms';
import { pretenceCodecOf, pretenceEntry } from './entries';

export type PretenceTransactionRequest = {
  readonly kind: 'PretenceEntry';
  readonly entry: string;
  readonly externalId?: string | undefined;
};

const drafted = async (services: Services, network: NetworkName, toAddress: string, amountUnits: string) => {
  const info = await assetOf(services, network, { kind: 'Native' });
  return {
    assetKind: 'Native' as const,
    contract: null,
    toAddress,
    amountUnits,
    priority: 'Standard' as const,
    assetSymbol: networkOf(network).nativeAsset.symbol,
    assetDecimals: info.decimals,
    assetVerified: info.verified,
  };
};

async function assertFunds({ readers }: Services, { network, address }: UsableWallet, units: bigint, field: string) {
  const held = await readers(network).nativeBalance(address);
  if (units > held) throw badField(field, `is more than the wallet holds: ${held}`, 'TransferWouldFail');
}

const readTransfer: ReadTransfer = async (services, wallet, { kind, to, amount }) => {
  if (kind !== 'Native') throw badField('kind', `${kind} is not for this network`);
  if (amount === undefined) throw badField('amount', 'is required');
  const toAddress = addressAt('to', () => pretenceCodecOf(wallet.network).parseAddress(to));
  await assertFunds(services, wallet, BigInt(amount), 'amount');
  return drafted(services, wallet.network, toAddress, amount);
};

const readTransaction: ReadTransaction<TransactionRequest> = async (services, wallet, request) => {
  if (request.kind !== 'PretenceEntry') throw badField('kind', `${request.kind} is not for this network`);
  const { entry, bytesHex } = pretenceEntry(wallet.network, wallet.address, request.entry);
  if (entry.feeUnits > networkOf(wallet.network).feeCeilingUnits) throw badField('entry', 'costs more than the highest fee');
  await assertFunds(services, wallet, entry.amountUnits + entry.feeUnits, 'entry');
  const terms = { family: 'pretence', call: { bytesHex } } as const;
  return { terms, ...(await drafted(services, wallet.network, entry.to, entry.amountUnits.toString())) };
};

const NO_SPONSOR = 'The sender of an entry pays for it';

export const pretenceOutgoing: OutgoingFamily = {
  readTransfer,
  readTransaction,
  // An entry that a node has accepted cannot be replaced by an entry with the same sequence.
  replacement: { isTakenBy: () => false },
  child: null,
  sponsoring: { whyNot: () => NO_SPONSOR, assertReady: null },
  freesAtInclusion: true,
};

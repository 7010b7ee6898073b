import { networkOf } from '../chains/networks';
import { CAPABILITIES, TRANSFER_OPTIONS } from '../domain/capabilities';
import { AppError } from '../domain/errors';
import type { Family } from '../domain/networks';
import { assertTierHas } from '../domain/tiers';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import type { Authority } from './authority';
import { readEvmTransfer } from './evm/transfer';
import { badField } from './request-faults';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { readSolanaTransfer } from './solana/transfer';
import { assertNotBlocked, sponsorFor } from './sponsoring';
import type { PerFamily, ReadTransfer, TransferRequest } from './transfer-forms';
import { readUtxoTransfer } from './utxo/transfer';
import { draftBefore, recordRequest, repetitionRule } from './wallet-requests';

const FORMS: PerFamily<ReadTransfer> = { evm: readEvmTransfer, solana: readSolanaTransfer, utxo: readUtxoTransfer };

/**
 * Records a transfer, starts its workflow and answers when it is held, on its way or ended (behaviour.md (p) 9). The same
 * `externalId` with the same request answers the first transfer; with another request it is a `Conflict`. Without one it is
 * `InvalidRequest` where the organisation requires it, since a request sent again after a lost answer would pay twice (S16).
 */
export async function requestTransfer(
  services: Services,
  authority: Authority,
  walletId: string,
  request: TransferRequest,
): Promise<TransferEntity> {
  const { caller } = authority;
  const reader = services.db.read(caller.orgId);
  const [wallet, rule, before] = await Promise.all([
    signingWallet(reader, caller, walletId),
    repetitionRule(reader, caller.orgId, request),
    draftBefore(reader, 'Transfer', request),
  ]);
  const network = networkOf(wallet.network);
  const { family } = network;
  assertTierHas(network, request.kind === 'Native' ? 'Transfers' : 'Tokens');
  const read = FORMS[family];
  if (!read) throw new AppError('NetworkNotEnabled', `${wallet.network} takes no transfers`, { network: wallet.network });
  assertCapable(family, request);
  const { feeSponsorId } = request;
  const sponsored = before || feeSponsorId === undefined ? {} : await sponsorFor(services, caller, wallet, feeSponsorId);
  const draft = before ?? { ...(await read(services, wallet, request)), ...sponsored };
  const row = await recordRequest(services, authority, wallet, { form: 'Transfer', body: request, ...rule, ...draft });
  assertNotBlocked(row);
  return row;
}

/** A member that a network has no use for would be taken for granted by whoever sent it. */
function assertCapable(family: Family, request: TransferRequest): void {
  const { transferKinds, options } = CAPABILITIES[family];
  if (!transferKinds.includes(request.kind)) throw badField('kind', `${request.kind} is not for this network`);
  for (const field of TRANSFER_OPTIONS) {
    if (request[field] !== undefined && !options.includes(field)) throw badField(field, 'is not for this network');
  }
}

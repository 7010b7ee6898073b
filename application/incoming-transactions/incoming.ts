import { findNetwork } from '../../chains/networks';
import { assertTierHas } from '../../domain/capability-tiers';
import { AppError, invariant } from '../../domain/errors';
import type { IncomingTransfer } from '../../domain/incoming';
import type { Ask } from '../../domain/judgements';
import type { ScreeningVendor } from '../../domain/screenings';
import type { Tx } from '../../entities/database';
import { IncomingTransactionEntity } from '../../entities/incoming-transactions/incoming-transaction.entity';
import { incomingTransactionStore } from '../../entities/incoming-transactions/incoming-transaction.store';
import { KeyEntity } from '../../entities/keys/key.entity';
import { organizationStore } from '../../entities/organizations/organization.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import { INCOMING_TRANSACTION } from '../../workflows/incoming-transaction.messages';
import { evaluateWalletSign } from '../policies/evaluate-activity';
import { blockchainEventView } from './view';

/** `Asking`: vendors have to be queried before policies can judge the transfer. */
export type IncomingJudgement =
  | { readonly outcome: 'Judged' }
  | { readonly outcome: 'Asking'; readonly asks: readonly ScreeningAsk[] };
type ScreeningAsk = Extract<Ask, { vendor: ScreeningVendor }>;

/**
 * Records an incoming transfer, and returns the start of the workflow that judges the transfer, which the relay dispatches from
 * the outbox. Returns undefined for a transfer that is already recorded. Throws `NotFound` for an unknown wallet. Throws
 * `NotFound` also on a network whose tier does not report every incoming transfer: a screening of some transfers would look like
 * a screening of all. Throws `NetworkNotEnabled` for a network that this service does not support.
 */
export async function recordIncoming(tx: Tx, incoming: IncomingTransfer): Promise<Dispatch | undefined> {
  const { walletId } = incoming;
  const network = findNetwork(incoming.network);
  if (!network) throw new AppError('NetworkNotEnabled', `${incoming.network} is not supported by this service`);
  assertTierHas(network, 'IncomingPayments');
  if (!(await walletStore.find(tx, walletId))) throw new AppError('NotFound', 'wallet not found', { walletId });
  const id = await incomingTransactionStore.add(tx, incoming);
  if (id === undefined) return undefined;
  const routing = { workflow: INCOMING_TRANSACTION, walletId, network: incoming.network, summary: 'Judge an incoming transfer' };
  const start: Dispatch = { kind: 'start', aggregateId: id, dedupeKey: `start:${id}`, routing };
  await outboxStore.add(tx, start);
  return start;
}

/** Judges the transfer once. Policies can only report the transfer, because the transfer is already on chain. */
export async function judgeIncoming(tx: Tx, incomingId: string): Promise<IncomingJudgement> {
  const row = await incomingTransactionStore.lock(tx, incomingId);
  if (!row) throw new AppError('NotFound', 'incoming transaction not found', { incomingId });
  if (row.dateJudged) return { outcome: 'Judged' };
  const { walletId, network, txHash, contract, toAddress, amountUnits, fromAddress: from } = row;
  const key = await tx.row(KeyEntity, 'JOIN wallets w ON w.org_id = t.org_id AND w.key_id = t.id WHERE w.id = $1', [walletId]);
  invariant(key, 'a wallet has a key');
  const stand = await organizationStore.policyStand(tx);
  const judged = await evaluateWalletSign(
    tx,
    {
      activityId: row.id,
      activityVersion: 1,
      activity: { kind: 'Wallets:IncomingTransaction', blockchainEvent: blockchainEventView(row) },
      walletId,
      // With a delegated key, the end user is the initiator, so policies of the organisation do not judge the transfer.
      initiatorId: key.delegatedTo ?? '',
      recipients: [toAddress],
      amountUsdMicro: null,
      network,
      movement: { network, contract, recipients: [toAddress], amountUnits: BigInt(amountUnits) },
      received: { txHash, from },
      envelope: { network, txHash, index: row.indexInTx, walletId },
    },
    stand,
  );
  if (judged.outcome === 'Asking') return { outcome: 'Asking', asks: judged.asks.filter(isScreening) };
  const dateJudged = await tx.clock();
  await tx.update(IncomingTransactionEntity, { id: row.id }, { verdictId: judged.verdictId, dateJudged });
  return { outcome: 'Judged' };
}

/** Excludes questions about travel rule messages, because only outgoing transfers have such messages. */
const isScreening = (ask: Ask): ask is ScreeningAsk => ask.vendor !== 'TravelRule';

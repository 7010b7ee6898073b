import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ApiError, type Client, createClient } from '../local/client';
import { type CarriedArchive, carryTransfer, holdGenesis } from './fleets/carry';
import { insist } from './fleets/insist';
import type { Vault } from './fleets/vault';
import { isCharterStory, isReceiptStory, isVaultStory, type Phase, type Point, type Story } from './kill-points';
import { newCoinAddress } from './left-coins';
import { type Office, removeLeaver } from './office';
import type { Stage } from './rig';
import { receive } from './tenants/receipts';
import type { Tenant } from './tenants/tenants';

/**
 * One record of a round (`drill/README.md`). The record waits at `point` until the drill has killed the round's victim.
 * Afterwards the record must end as its story requires.
 */
export type Cell = {
  readonly key: string;
  readonly point: Point;
  readonly recipient: string;
  /** The id of a failed transfer. The transfer of this cell spends the coin that the failed transfer left unspent. */
  afterId: string | undefined;
  wallet: { readonly id: string; readonly address: string } | undefined;
  /** The organisation of a story about charters. */
  office: Office | undefined;
  /** The organisation of a story about a receipt or the audit log. */
  tenant: Tenant | undefined;
  /** The organisation of a story about an offline store. */
  vault: Vault | undefined;
  /** The archive that the device has got. */
  carried: CarriedArchive | undefined;
  phase: Phase;
  reached: boolean;
  /** True after the approvers of a held transfer were notified. */
  isTold: boolean;
  /** Each function lets one waiting process continue. */
  release: (() => void)[];
  /** Errors that the caller got. */
  readonly complaints: string[];
  /** Resolves when the caller of this record has got the last response. */
  played: Promise<void> | undefined;
};

export const AMOUNT_UNITS = 1_000n;
const NETWORK = 'EthereumSepolia';
const TEN_ETHER = '0x8AC7230489E80000';
/** Reverts on every call. */
const REVERTS = '0x60006000fd';
const PLAY_LIMIT_MS = 150_000;
/** A killed worker delays a group of an offline store by the minute after which Temporal repeats the step. */
const CARRY_LIMIT_MS = 240_000;
/** A policy of the drill applies to the wallets with this tag. */
export const TAG_OF: Partial<Record<Story, string>> = { held: 'drill-held', denied: 'drill-held', expired: 'drill-expired' };

const Wallet = z.object({ id: z.string(), address: z.string() });
const Transfer = z.object({ id: z.string(), status: z.string(), approvalId: z.string().optional() });

export const newCell = (round: string, index: number, point: Point): Cell => ({
  key: `drill-${round}-${index}`,
  point,
  recipient: point.story === 'left' ? newCoinAddress() : `0x${randomBytes(20).toString('hex')}`,
  afterId: undefined,
  wallet: undefined,
  office: undefined,
  tenant: undefined,
  vault: undefined,
  carried: undefined,
  phase: 'before',
  reached: false,
  isTold: false,
  release: [],
  complaints: [],
  played: undefined,
});

/**
 * Creates the wallet of the cell and funds the wallet. For the story `unwelcome`, also puts a contract at the recipient's
 * address. The contract reverts on every call, so the simulation of the transfer fails.
 */
export async function giveWallet(stage: Stage, cell: Cell): Promise<void> {
  const tag = TAG_OF[cell.point.story];
  const body = { network: NETWORK, externalId: `${cell.key}-wallet`, tags: tag === undefined ? [] : [tag] };
  cell.wallet = await stage.client('admin').change('POST', '/wallets', body, Wallet);
  await stage.rpc('anvil_setBalance', [cell.wallet.address, TEN_ETHER]);
  if (cell.point.story === 'unwelcome') await stage.rpc('anvil_setCode', [cell.recipient, REVERTS]);
}

/**
 * Sends the request with the cell's external id. For the stories `held` and `denied`, then sends the decision about the
 * approval. Repeats the request, and then the decision, as `insist` does.
 */
export function play(stage: Stage, cell: Cell): void {
  const deadline = performance.now() + (isVaultStory(cell.point.story) ? CARRY_LIMIT_MS : PLAY_LIMIT_MS);
  cell.phase = 'order';
  cell.played = orderOf(stage, cell, deadline).catch((error: unknown) => {
    cell.complaints.push(error instanceof Error ? error.message : String(error));
  });
}

function orderOf(stage: Stage, cell: Cell, deadline: number): Promise<void> {
  const { story } = cell.point;
  if (isCharterStory(story)) return insist(deadline, () => removeLeaver(stage, cell.office, story));
  if (isReceiptStory(story)) return receive(stage, cell);
  if (story === 'numbered') return signActions(stage, cell, deadline);
  if (story === 'founded') return found(stage, cell, deadline);
  return story === 'wallet' ? orderWallet(stage, cell, deadline) : orderTransfer(stage, cell, deadline);
}

const clientOf = (stage: Stage, { vault }: Cell, user: 'admin' | 'approver'): Client =>
  vault ? vault.client(user) : stage.client(user);

async function orderWallet(stage: Stage, cell: Cell, deadline: number): Promise<void> {
  const from = cell.vault ? { signingKey: { storeId: cell.vault.storeId } } : {};
  const body = { network: NETWORK, externalId: cell.key, ...from };
  cell.wallet = await insist(deadline, () => clientOf(stage, cell, 'admin').change('POST', '/wallets', body, Wallet));
}

async function found(stage: Stage, cell: Cell, deadline: number): Promise<void> {
  if (!cell.vault) throw new Error('the record has no offline store');
  cell.carried = await holdGenesis(cell.vault, deadline, (phase) => {
    cell.phase = phase;
  });
  await orderWallet(stage, cell, deadline);
}

/** Each signed action is an entry of the audit log. */
async function signActions(stage: Stage, { tenant, key }: Cell, deadline: number): Promise<void> {
  if (!tenant) throw new Error('the record has no organisation');
  for (const action of ['first', 'second', 'third'])
    await insist(deadline, () => {
      const body = { url: `${stage.receiver.url}?${key}-${action}`, events: ['wallet.created'], description: action };
      return createClient(stage.place().apiUrl, tenant.admin).change('POST', '/webhooks', body, z.unknown());
    });
}

async function orderTransfer(stage: Stage, cell: Cell, deadline: number): Promise<void> {
  const walletId = z.object({ id: z.string() }).parse(cell.wallet).id;
  const path = `/wallets/${walletId}/transfers`;
  const body = { kind: 'Native', to: cell.recipient, amount: AMOUNT_UNITS.toString(), externalId: cell.key };
  const ordered = await insist(deadline, () => clientOf(stage, cell, 'admin').change('POST', path, body, Transfer));
  const value = { held: 'Approved', denied: 'Denied', carried: 'Approved' }[cell.point.story as string];
  if (value === undefined) return;
  const approvalId = await insist(deadline, async () => {
    const { approvalId: found } = await clientOf(stage, cell, 'admin').get(`${path}/${ordered.id}`, Transfer);
    // On a busy machine, an earlier vote would overtake the workflow, and the workflow would then never notify approvers or read
    // the hold.
    if (found === undefined || !cell.isTold)
      throw new Error('the transfer is not held yet, or its approvers are not notified yet');
    return found;
  });
  cell.phase = 'decide';
  await insist(deadline, async () => {
    try {
      const decisions = `/v2/policy-approvals/${approvalId}/decisions`;
      await clientOf(stage, cell, 'approver').change('POST', decisions, { value }, z.unknown());
    } catch (error) {
      // An earlier attempt took effect, although its reply never arrived.
      if (!(error instanceof ApiError) || (error.code !== 'AlreadyVoted' && error.code !== 'ApprovalClosed')) throw error;
    }
  });
  if (!cell.vault) return;
  cell.carried = await carryTransfer(cell.vault, `${path}/${ordered.id}`, deadline, (phase) => {
    cell.phase = phase;
  });
}

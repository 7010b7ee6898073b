import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { fundedWallet, ok, RECIPIENT, send, type TransferBody } from '../support/story';
import { call } from './calls';

type Held = { readonly id: string; readonly status: string; readonly approvalId: string };
type Settings = { readonly version: number };

const AMOUNT = '250000000000000000';

/**
 * Three activities wait. The API explains each of them, the approver decides about two of them
 * with one signature, and the admin withdraws the third.
 */
export async function heldStory(service: JoinedService, admin: Client, approver: Client): Promise<void> {
  const { id: walletId } = await fundedWallet(service, admin, { name: 'Treasury' });
  const { signingKey } = ok(await admin.get(`/wallets/${walletId}`)) as { readonly signingKey: { readonly id: string } };
  await askFinance(admin, walletId, service.userId('approver'));
  const ask = async (path: string, body: unknown) => ok(await admin.change('POST', `/wallets/${walletId}/${path}`, body)) as Held;
  const transfer = await ask('transfers', { kind: 'Native', to: RECIPIENT, amount: AMOUNT, externalId: 'invoice-2026-114' });
  const transaction = await ask('transactions', { kind: 'Evm', to: RECIPIENT, value: '1' });
  const signature = await ask('signatures', { kind: 'Message', message: '0x68656c6c6f', network: 'EthereumSepolia' });

  await call(admin, 'explainTransfer', { params: { walletId, transferId: transfer.id } });
  await call(admin, 'explainTransaction', { params: { walletId, transactionId: transaction.id } });
  await call(admin, 'walletsExplainSignature', { params: { walletId, signatureId: signature.id } });
  await call(admin, 'keysExplainSignature', { params: { keyId: signingKey.id, signatureId: signature.id } });
  await call(approver, 'explainApproval', { params: { approvalId: transfer.approvalId } });
  await call(approver, 'getApprovalEvidence', { params: { approvalId: transfer.approvalId } });
  const decisions = [
    { approvalId: transfer.approvalId, value: 'Approved', reason: 'Invoice 2026-114 is checked' },
    { approvalId: transaction.approvalId, value: 'Denied', reason: 'The contract is unknown' },
  ];
  const { items } = await call<{ readonly items: readonly { readonly approval?: { readonly status: string } }[] }>(
    approver,
    'createApprovalDecisions',
    { body: { decisions } },
  );
  const decided = items.map(({ approval }) => approval?.status).join();
  if (decided !== 'Approved,Denied') throw new Error(`the decisions ended as ${decided}`);
  await call(admin, 'getTransferEvidence', { params: { walletId, transferId: transfer.id } });
  await call(admin, 'withdrawApproval', { params: { approvalId: signature.approvalId } });
}

const askFinance = async (admin: Client, walletId: string, userId: string) =>
  ok(
    await admin.change('POST', '/v2/policies', {
      name: 'Finance approves every payment',
      activityKind: 'Wallets:Sign',
      rule: { kind: 'AlwaysTrigger', configuration: {} },
      action: {
        kind: 'RequestApproval',
        approvalGroups: [{ name: 'Finance', quorum: 1, approvers: { userId: { in: [userId] } } }],
        autoRejectTimeout: 1_440,
      },
      filters: { walletId: { in: [walletId] } },
    }),
  );

/** Under the settings of the organisation, the second of two equal payments waits until the admin confirms it. */
export async function equalPaymentsStory(service: JoinedService, admin: Client): Promise<void> {
  const { version } = await call<Settings>(admin, 'getOrganizationSettings');
  const body = { equalPaymentHoldMinutes: 60, sessionMinutes: 480, approvalMails: true, version };
  await call(admin, 'updateOrganizationSettings', { body });
  const { id: walletId } = await fundedWallet(service, admin, { name: 'Payroll' });
  await send(admin, walletId, { amount: AMOUNT });
  const { id: transferId } = await send(admin, walletId, { amount: AMOUNT });
  await call(admin, 'confirmTransfer', { params: { walletId, transferId } });
  const pay = async () =>
    ok(
      await admin.change('POST', `/wallets/${walletId}/transactions`, { kind: 'Evm', to: RECIPIENT, value: '7' }),
    ) as TransferBody;
  await pay();
  const { id: transactionId } = await pay();
  await call(admin, 'confirmTransaction', { params: { walletId, transactionId } });
  await call(admin, 'updateOrganizationSettings', { body: { equalPaymentHoldMinutes: 0 } });
}

/** The service has signed a transaction that the caller never sends. The admin cancels the signature. */
export async function unsentStory(service: JoinedService, admin: Client): Promise<void> {
  const { id: walletId } = await fundedWallet(service, admin, { name: 'Operations' });
  const transaction = {
    ...{ type: 2, chainId: 11_155_111, nonce: 0, to: RECIPIENT, value: '5', gasLimit: '21000' },
    ...{ maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000' },
  };
  const asked = await admin.change('POST', `/wallets/${walletId}/signatures`, { kind: 'Transaction', transaction });
  const { id: signatureId } = ok(asked) as Held;
  await call(admin, 'walletsCancelSignature', { params: { walletId, signatureId } });
}
